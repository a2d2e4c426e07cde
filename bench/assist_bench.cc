// What the language service takes on a large model: 200 entities, 500 patterns.
//   assist_bench [--json FILE]
#include <cstdio>
#include <string>

#include "assist/completion.h"
#include "assist/fixes.h"
#include "assist/hover.h"
#include "assist/outline.h"
#include "assist/rename.h"
#include "bench/figures.h"

namespace sheaf::bench {
namespace {

using assist::Document;

constexpr int kGroups = 50;  // of four entities and ten patterns
constexpr int kRounds = 5;

// Customers, their orders, the lines of those, and products; each group with an index of its own lines.
std::string large_model() {
  std::string text = "model large {\n  table large { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK }\n";
  for (int i = 0; i < kGroups; ++i) {
    const std::string n = std::to_string(i);
    text +=
        "  /// Who buys in group " + n + ".\n  entity Customer" + n +
        " { id id; name; email; age int?; key \"CUSTOMER" + n + "#<id>\" / \"CUSTOMER\"; index GSI1 \"EMAIL" +
        n + "#<email>\" / \"<id>\" }\n" + "  entity Order" + n + " within customer" + n +
        " { number id int; at time; total number; status enum(OPEN, PAID) }\n" + "  entity Line" + n +
        " within order" + n + " { number id int; quantity int; price number }\n" + "  entity Product" + n +
        " { sku id; title; price number }\n" + "  rel Customer" + n + " 1--* Order" + n + " as orders" + n +
        " / customer" + n + " { via collection; size avg 5 max 50; on delete cascade }\n" + "  rel Order" +
        n + " 1--* Line" + n + " as lines" + n + " / order" + n +
        " { via path; size max 20; on delete cascade }\n" + "  rel Product" + n + " 1--* Line" + n +
        " as sold" + n + " / product" + n + " { via edges; size max 90 }\n";
    const std::string c = "(c: Customer" + n + ") = $c", o = "(o: Order" + n + ") = $o";
    text += "  pattern customer" + n + c + "\n  pattern orders" + n + c + ".orders" + n +
            "\n  pattern recent" + n + c + ".orders" + n + " order number desc limit 5\n  pattern both" + n +
            c + " { *, orders" + n + " }\n  pattern counted" + n + c + " { name, n: count(orders" + n +
            ") }\n  pattern byEmail" + n + "(e: string) = Customer" + n +
            " where email = $e page 10\n  pattern order" + n + o + "\n  pattern lines" + n + o + ".lines" +
            n + "\n  pattern whole" + n + o + " { *, lines" + n + " { quantity } }\n  pattern sold" + n +
            "(p: Product" + n + ") = $p.sold" + n + " {}\n";
  }
  return text + "}\n";
}

// Milliseconds, the median of several rounds.
template <typename Work>
double median_ms(Work work) {
  std::vector<double> all;
  for (int i = 0; i < kRounds; ++i) all.push_back(1000 * seconds(work));
  return median(all);
}

int run(int count, char** words) {
  const std::string text = large_model();
  const Document document("large.sheaf", text);
  if (document.error_count() > 0) {
    std::fprintf(stderr, "%s", document.planned().compiled.rendered().c_str());
    return 1;
  }
  const auto at = [&](std::string_view place) { return static_cast<uint32_t>(text.find(place)); };
  // In the middle of being written.
  std::string broken = text;
  broken.insert(text.find("\n  pattern orders25"), "\n  pattern mine(c: Customer25) = $c.");
  const auto place = static_cast<uint32_t>(broken.find("= $c.\n") + 5);
  std::string wrong = text;
  wrong.replace(wrong.find("(o: Order25)"), 12, "(o: Ordr25)");
  const Document mistaken("large.sheaf", wrong);

  Figures figures;
  figures.note("the model", static_cast<double>(text.size()) / 1024, "KB");
  figures.note("entities", static_cast<double>(document.model().entities.size()), "");
  figures.note("patterns", static_cast<double>(document.model().patterns.size()), "");
  figures.at_most("a change, with all diagnostics and plans",
                  median_ms([&] { Document("large.sheaf", text).diagnostics(); }), "ms", 1000);
  figures.at_most("a change, with completion behind it",
                  median_ms([&] { complete(Document("large.sheaf", broken), place); }), "ms", 50);
  figures.at_most("hover over an entity", median_ms([&] { hover(document, at("Customer25 {")); }), "ms", 50);
  figures.at_most("hover over a pattern", median_ms([&] { hover(document, at("whole25(")); }), "ms", 50);
  figures.at_most("references", median_ms([&] { references(document, at("Customer25 {"), true); }), "ms", 10);
  figures.at_most("outline", median_ms([&] { outline(document); }), "ms", 50);
  figures.at_most("rename, with its check",
                  median_ms([&] { static_cast<void>(rename(document, at("Customer25 {"), "Fresh")); }), "ms",
                  1000);
  const auto mistake = static_cast<uint32_t>(wrong.find("Ordr25"));
  figures.at_most("fixes of a mistake",
                  median_ms([&] { fixes(mistaken, {.begin = mistake, .end = mistake}); }), "ms", 1000);
  return figures.report(count, words);
}

}  // namespace
}  // namespace sheaf::bench

int main(int count, char** words) { return sheaf::bench::run(count, words); }
