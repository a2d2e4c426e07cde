#include "plans/random_keys.h"

#include <sstream>

#include "model/compiled_model.h"
#include "plan/planner.h"

namespace sheaf::plans {
namespace {

// An A has Bs, which have Cs; As and Ds are linked in pairs, and a D may be owned by a B.
constexpr int kOfA = 3, kOfB = 3, kOfC = 3, kOfD = 6;
constexpr size_t kLayouts = 2;

class Generator {
 public:
  explicit Generator(std::mt19937& random) : random_(random) {}

  RandomKeys run() {
    std::string text = "model keys {\n";
    const std::string fields = "id id; at time; n int; name; nick string?; state enum(OPEN, SHUT)";
    text += "  entity A { " + fields + " }\n  entity B within a { " + fields + " }\n";
    text += "  entity C within b { " + fields + " }\n  entity D { " + fields + " }\n";
    text += "  rel A 1--* B as bs / a { via collection; " + size("") + "; on delete cascade }\n";
    text += "  rel B 1--* C as cs / b { via collection; " + size("") + "; on delete cascade }\n";
    text += "  rel B 1--* D as owned / owner { " + size("") + " }\n";
    text += "  rel A *--* D as ds / as { " + size("of ds ") + "; " + size("of as ") +
            "; edge { w int }; via edges pk as }\n";
    for (size_t i = 0; i < kLayouts; ++i) text += layout(i);
    for (size_t i = 0; i < 12; ++i) text += pattern(i);
    made_.text = text + "}\n";
    add_data();
    return std::move(made_);
  }

 private:
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool maybe() { return below(2) == 0; }
  std::string one_of(std::initializer_list<const char*> texts) {
    return *(texts.begin() + below(texts.size()));
  }

  std::string size(const std::string& of) {
    return "size " + of +
           one_of({"max 4", "max 60", "max 900", "max 2500", "avg 30 unbounded", "max 4", "max 9"});
  }

  // Words sort in many ways.
  std::string word() { return one_of({"#", "B", "F", "M", "MA", "Q", "Z"}) + std::to_string(below(10)); }

  std::string layout(size_t number) {
    std::string text = "  layout l" + std::to_string(number) + " {\n    table app { pk PK; sk SK";
    for (const char* index : {"GSI1", "GSI2"}) {
      const std::string name = index;
      text += "; gsi " + name + " " + name + "PK / " + name + "SK " +
              one_of({"all", "all", "keys", "include (name)", "include (name, at, n)"});
    }
    if (below(3) == 0) text += "; gsi Inverted SK / PK all";
    text += " }\n    entity A { key \"A#<id>\" / \"" + word() + "\"" + (maybe() ? index("A#<id>", "") : "") +
            " }\n";
    const std::string b = word(), c = word();
    text += "    entity B { key ";
    switch (below(4)) {
      case 0:
        text += "\"B#<a.id>#<id>\" / \"" + b + "\"" + index("A#<a.id>", "<id>");
        break;
      case 1:  // its id does not tell its key: an index does
        text += "\"A#<a.id>\" / \"" + b + "#<at>#<id>\"; index GSI1 \"B#<a.id>#<id>\" / \"" + word() + "\"";
        break;
      default:
        text += "\"A#<a.id>\" / \"" + b + "#<id>\"" + index("A#<a.id>", "<id>");
        break;
    }
    text += " }\n    entity C { key ";
    switch (below(4)) {
      case 0:
        text += "\"A#<b.a.id>\" / \"" + c + "#<b.id>" + own_key() + "\"";
        break;
      case 1:
        text += "\"A#<b.a.id>\" / \"" + b + "#<b.id>#" + c + own_key() + "\"";
        break;
      case 2:
        text += "\"B#<b.a.id>#<b.id>\" / \"" + c + own_key() + "\"";
        break;
      default:
        text += "\"C#<b.a.id>#<b.id>#<id>\" / \"" + c + "\"";
        break;
    }
    text += index(maybe() ? "B#<b.a.id>#<b.id>" : "A#<b.a.id>#<b.id>", "<id>");
    text += " }\n    entity D { key ";
    const std::string owned = one_of({"ref", "ref", "edges pk one", "edges pk many", "edges pk both",
                                      "lists copy owned(name)", "graph", "levels"});
    text += maybe() ? "\"D#<id>\" / \"" + word() + "\""
                    : "\"D\" / \"" + word() + "#<at>#<id>\"; index GSI2 \"D#<id>\" / \"" + word() + "\"";
    if (owned == "ref") text += "; index GSI1 \"B#<owner.a.id>#<owner.id>\" / \"" + word() + "#<at>#<id>\"";
    text += " }\n    rel A.bs via auto\n    rel B.cs via auto\n    rel B.owned via " +
            (owned == "levels" ? owner_levels() : owned) +
            (owned != "ref" && !owned.starts_with("lists") && below(3) == 0 ? " copy owned(name)" : "");
    const bool is_by_a = maybe(), is_both = below(3) == 0;
    text += "\n    rel A.ds via edges pk " +
            std::string(is_both   ? "both"
                        : is_by_a ? "as"
                                  : "ds") +
            one_of({"", " copy ds(name)", " copy ds(name, at)"});
    if (is_both && maybe())
      text += " key " + edge_keys(is_by_a) + " key " + edge_keys(!is_by_a);
    else if (maybe())
      text += " key " + edge_keys(is_by_a) + " index " + one_of({"GSI1", "GSI2"}) + " " + edge_keys(!is_by_a);
    return text + "\n  }\n";
  }

  std::string own_key() { return one_of({"#<id>", "#<id>", "#<at>#<id>", "#<n:000>#<id>"}); }

  // Edges that are found by the first parts of what they lead to.
  std::string owner_levels() {
    return "graph key \"D#<owned.id>\" / \"" + word() + "#<owner.a.id>#<owner.id>\" index " +
           one_of({"GSI1", "GSI2"}) + " \"A#<owner.a.id>\" / \"" + word() + "#<owner.id>" +
           one_of({"#<owned.id>", ""}) + "\"";
  }

  std::string edge_keys(bool is_by_a) {
    return is_by_a ? "\"A#<as.id>\" / \"" + word() + "#<ds.id>\""
                   : "\"D#<ds.id>\" / \"" + word() + "#<as.id>\"";
  }

  std::string index(const std::string& partition, const std::string& last) {
    if (below(3) == 0) return "";
    std::string sort = word() + one_of({"", "#<at>", "#<n:000>", "#<nick>"});
    if (!last.empty()) sort += "#" + last;
    std::string text = "; index " + one_of({"GSI1", "GSI2"}) + " \"" + partition + "\" / \"" + sort + "\"";
    if (below(5) == 0) text += " when state = \"OPEN\"";
    return text;
  }

  std::string pattern(size_t number) {
    const std::string entity = one_of({"A", "A", "B", "B", "C", "D"});
    const std::string name = "p" + std::to_string(number);
    // By whom they belong to: in some layouts edges alone tell that.
    if (below(6) == 0) {
      std::string text = "  pattern " + name + "(x: B) = D where owner.a.id = $x.a.id";
      if (below(4) != 0) text += " and owner.id = $x.id";
      text += one_of({"", "", " order id", " order id desc limit 2", " order owner.id", " order at limit 2"});
      return text + selection("D", 1) + one_of({"", "", " strong", " prefer units"}) + "\n";
    }
    std::string text = "  pattern " + name + "(x: " + entity + ") = $x";
    if (below(3) == 0 && entity != "C" && entity != "D") {
      const std::string way =
          entity == "A" ? one_of({"bs", "ds", "bs", "ds", "bs.cs", "bs.owned"}) : one_of({"cs", "owned"});
      const std::string end = way.substr(way.find('.') + 1);
      const std::string cut = tail();
      const bool has_pages = cut.find("limit") == std::string::npos && below(3) == 0;
      text +=
          "." + way + cut + (has_pages ? one_of({" page 30", " page 150"}) : "") + selection(target(end), 1);
    } else {
      text += selection(entity, 2);
    }
    return text + one_of({"", "", "", "", " strong", " prefer units", " snapshot"}) + "\n";
  }

  static std::string target(const std::string& end) {
    return end == "bs" || end == "b" || end == "owner" ? "B"
           : end == "cs"                               ? "C"
           : end == "as" || end == "a"                 ? "A"
                                                       : "D";
  }

  std::string tail() {
    std::string text;
    if (below(6) == 0) text += " where state = \"" + one_of({"OPEN", "SHUT"}) + "\"";
    if (text.empty() && below(6) == 0) text += " where at >= \"2026-01-01T00:00:03.000Z\"";
    if (below(3) == 0)
      text += " order " + one_of({"id", "at", "at desc", "id desc", "n"}) + " limit " +
              one_of({"2", "3", "40", "150"});
    return text;
  }

  std::string selection(const std::string& entity, int depth) {
    if (below(4) == 0) return one_of({" {}", " { name }", " { *, name }"});
    std::string text = " { " + one_of({"*", "name", "n", "at"});
    std::vector<std::string> ends;
    if (entity == "A") ends = {"bs", "ds"};
    if (entity == "B") ends = {"a", "cs", "owned"};
    if (entity == "C") ends = {"b"};
    if (entity == "D") ends = {"owner", "as"};
    if (entity == "A" && below(4) == 0) text += ", sum: sum(bs.n), count: count(ds)";
    for (const std::string& end : ends) {
      if (depth == 0 || below(3) > static_cast<size_t>(depth - 1)) continue;
      const bool is_one = end == "a" || end == "b" || end == "owner";
      text += ", " + end + (is_one ? "" : tail()) + selection(target(end), depth - 1);
    }
    return text + " }";
  }

  void add_data() {
    int number = 0;
    const auto add = [&](const std::string& entity, int id, const std::string& above) {
      ++number;
      const std::string digits = std::to_string(100 + number).substr(1);
      made_.entities.emplace_back(
          entity, "{\"id\": \"" + id_text(entity, id) +
                      "\", \"at\": \"2026-01-01T00:00:" + std::to_string(10 + number % 50) + "." + digits +
                      "0Z\", \"n\": " + std::to_string(number * 37 % 900 + 1) + ", \"name\": \"N" + digits +
                      "\"" + (maybe() ? ", \"nick\": \"k" + digits + "\"" : "") + ", \"state\": \"" +
                      one_of({"OPEN", "SHUT"}) + "\"" + above + "}");
    };
    for (int a = 0; a < kOfA; ++a) {
      add("A", a, "");
      const std::string of_a = "\"" + id_text("A", a) + "\"";
      for (int b = 0; b < kOfB; ++b) {
        add("B", b, ", \"a\": " + of_a);
        const std::string of_b = "[" + of_a + ", \"" + id_text("B", b) + "\"]";
        for (int c = 0; c < kOfC; ++c) add("C", c, ", \"b\": " + of_b);
      }
    }
    for (int d = 0; d < kOfD; ++d)
      add("D", d, below(3) == 0 ? "" : ", \"owner\": " + random_identity("B", random_));
    for (int a = 0; a < kOfA; ++a) {
      for (int d = 0; d < kOfD; ++d) {
        if (maybe()) made_.links.emplace_back("\"" + id_text("A", a) + "\"", "\"" + id_text("D", d) + "\"");
      }
    }
  }

 public:
  static std::string id_text(const std::string& entity, int number) {
    return entity + std::to_string(number);
  }

 private:
  std::mt19937& random_;
  RandomKeys made_;
};

}  // namespace

std::string servable(const std::string& text) {
  const model::CompiledModel compiled = model::compile("test.sheaf", text);
  if (!compiled.ok()) return "";
  std::istringstream lines(text);
  std::string out, line;
  while (std::getline(lines, line)) {
    bool is_kept = true;
    for (const model::Pattern& pattern : compiled.model.patterns) {
      if (!line.starts_with("  pattern " + pattern.name + "(")) continue;
      const auto plan = plan::plan_pattern(compiled.model, compiled.layouts[0], pattern, {true});
      is_kept = std::holds_alternative<plan::Plan>(plan);
    }
    if (is_kept) out += line + "\n";
  }
  // What Sheaf chooses depends on patterns: without some of them others may not be served any more.
  return out == text ? out : servable(out);
}

RandomKeys random_keys(std::mt19937& random) { return Generator(random).run(); }

std::string random_identity(const std::string& entity, std::mt19937& random) {
  const auto any = [&](const std::string& name, int count) {
    return "\"" + Generator::id_text(name, std::uniform_int_distribution<int>(0, count - 1)(random)) + "\"";
  };
  if (entity == "A") return any("A", kOfA);
  if (entity == "D") return any("D", kOfD);
  const std::string b = any("A", kOfA) + ", " + any("B", kOfB);
  return entity == "B" ? "[" + b + "]" : "[" + b + ", " + any("C", kOfC) + "]";
}

}  // namespace sheaf::plans
