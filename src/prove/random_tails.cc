#include "prove/random_tails.h"

#include <algorithm>

#include "model/value_type.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using Words = std::vector<std::string>;
using PlaceKind = model::Place::Kind;

// Planning tries every combination of ways to read the nodes of a document.
constexpr size_t kNodesMax = 5;
constexpr int kDepthMax = 3;

bool is_in_keys(const PlaceChoice& choice) {
  const bool is_whole = choice.place.kind == PlaceKind::kField ||
                        (choice.place.kind == PlaceKind::kEdgeField && choice.place.inside.empty());
  return is_whole && model::may_be_key(choice.place.type) &&
         std::all_of(choice.names.begin(), choice.names.end(),
                     [](const std::string& name) { return fits_in_keys(name); });
}

bool is_scalar_place(const PlaceChoice& choice) {
  return choice.place.kind != PlaceKind::kEntity && model::is_scalar(choice.place.type);
}

template <typename Keep>
std::vector<PlaceChoice> those(std::vector<PlaceChoice> all, Keep keep) {
  std::erase_if(all, [&](const PlaceChoice& each) { return !keep(each); });
  return all;
}

}  // namespace

bool TailMaker::is_bounded(model::EndId end) const {
  const model::End& led = model_.end(end);
  return !led.leads_to_many || (led.max && *led.max <= 100);
}

// Equalities and one range on what a key can hold, with the view that serves them.
std::string TailMaker::where(const NodePlace& place, View& view) {
  if (draw_.wants(Topic::kSparse, 15)) return where_when(place, view);
  std::vector<PlaceChoice> choices = those(places_of(model_, place.entity, place.end, 2), is_in_keys);
  // Fields of other entities need copies, so most conditions are on the entity's own.
  if (draw_.chance.one_in(2))
    choices = those(std::move(choices),
                    [](const PlaceChoice& each) { return each.place.ends.empty() || each.is_id; });
  if (choices.empty()) return "";
  ConditionMaker maker = conditions();
  std::string text;
  const auto add = [&](const PlaceChoice& choice, Test test) {
    const auto made = maker.condition(choice, "", test);
    if (made) text += (text.empty() ? "" : " and ") + *made;
    return made.has_value();
  };
  const size_t equalities = draw_.chance.below(place.end ? 2 : 3) + (place.end ? 0 : draw_.chance.below(2));
  for (size_t i = 0; i < equalities; ++i) {
    const PlaceChoice& choice = any_place(draw_.chance, choices);
    const bool is_new = std::none_of(view.equal.begin(), view.equal.end(),
                                     [&](const PlaceChoice& each) { return each.names == choice.names; });
    if (is_new && add(choice, Test::kEqual)) view.equal.push_back(choice);
  }
  if (text.empty() || draw_.chance.one_in(2)) {
    const PlaceChoice& choice = any_place(draw_.chance, choices);
    std::vector<Test> tests = {Test::kLess, Test::kLessOrEqual, Test::kGreater, Test::kGreaterOrEqual,
                               Test::kBetween};
    if (model::is_textual(choice.place.type)) tests.insert(tests.end(), {Test::kBegins, Test::kBegins});
    const bool is_new = std::none_of(view.equal.begin(), view.equal.end(),
                                     [&](const PlaceChoice& each) { return each.names == choice.names; });
    if (is_new && add(choice, draw_.chance.of(tests))) view.sorted = choice;
  }
  // A condition that no key serves is refused: seldom.
  if (draw_.chance.one_in(25)) {
    const auto more = maker.conditions(places_of(model_, place.entity, place.end, 2), "", 1);
    if (!more.empty()) text += (text.empty() ? "" : " and ") + more;
  }
  return text.empty() ? "" : " where " + text;
}

// Conditions with literals: an index may hold only the items that meet them.
std::string TailMaker::where_when(const NodePlace& place, View& view) {
  const std::vector<PlaceChoice> choices =
      those(places_of(model_, place.entity, std::nullopt, 0), [](const PlaceChoice&) { return true; });
  view.when = conditions(OperandPlace::kLiteral).conditions(choices, "", draw_.chance.between(1, 2));
  return view.when.empty() ? "" : " where " + view.when;
}

std::string TailMaker::filter(const NodePlace& place) {
  const std::string text =
      conditions().conditions(places_of(model_, place.entity, place.end, 2), "", draw_.chance.between(1, 2));
  return text.empty() ? "" : " filter " + text;
}

std::string TailMaker::order(const NodePlace& place, View& view) {
  std::vector<PlaceChoice> choices = those(places_of(model_, place.entity, place.end, 2), is_scalar_place);
  if (choices.empty()) return "";
  PlaceChoice choice = any_place(draw_.chance, choices);
  const bool is_served = view.sorted || !(place.is_bounded && draw_.chance.one_in(3));
  if (view.sorted) {
    choice = *view.sorted;
  } else if (is_served) {
    choices = those(std::move(choices),
                    [](const PlaceChoice& each) { return is_in_keys(each) && each.place.ends.empty(); });
    if (choices.empty()) return "";
    choice = any_place(draw_.chance, choices);
    view.sorted = choice;
  }
  static const Words directions = {"", " asc", " desc", " desc"};
  return " order " + written_names(choice.names) + draw_.chance.of(directions);
}

std::string TailMaker::cut(const NodePlace& place, bool is_ordered) {
  const bool is_page = !place.is_nested && draw_.chance.one_in(2);
  const bool is_needed = place.is_nested && !place.is_bounded;
  if (!is_needed && !draw_.chance.percent(is_ordered ? 50 : 25)) return "";
  static const std::vector<size_t> counts = {1, 2, 3, 3, 10, 100};
  const std::string count = std::to_string(draw_.chance.of(counts));
  return (is_page ? " page " : " limit ") + count;
}

std::string TailMaker::search(const NodePlace& place) { return tail(place); }

std::string TailMaker::tail(const NodePlace& place) {
  std::string text;
  if (place.is_list || place.is_one) {
    View view{.entity = place.entity, .end = place.end};
    const bool is_search = !place.end && !place.is_nested;
    if (is_search || (!place.is_alone && draw_.chance.percent(place.is_repeated ? 15 : 45)))
      text += where(place, view);
    if (is_search && text.empty()) return "";
    if (draw_.chance.percent(30)) {
      text += filter(place);
      needs_reads_max = true;
    }
    const std::string by = draw_.chance.percent(40) ? order(place, view) : "";
    text += by;
    if (place.is_list) text += cut(place, !by.empty());
    if (place.is_one && draw_.chance.one_in(6)) text += " limit 1";
    if (!view.equal.empty() || view.sorted || !view.when.empty()) views.push_back(std::move(view));
  } else if (draw_.chance.percent(20)) {
    text += filter(place);
  }
  return text + select(place);
}

std::vector<model::EndId> TailMaker::open_ends(const NodePlace& place) const {
  return place.depth >= kDepthMax || nodes_ >= kNodesMax ? std::vector<model::EndId>()
                                                         : model_.entities[place.entity].ends;
}

std::string TailMaker::select(const NodePlace& place) {
  const size_t kind = draw_.chance.below(10);
  if (kind < 4) return "";
  if (kind == 4) return " {}";
  const std::vector<model::EndId> ends = open_ends(place);
  if (kind == 5 && place.depth == 0 && !ends.empty()) {
    std::string text;
    std::set<std::string> seen;
    const size_t count = draw_.chance.between(1, 2);
    for (size_t i = 0; i < count; ++i) {
      const model::EndId end = draw_.chance.of(ends);
      if (seen.insert(model_.end(end).name).second) text += " + " + nested(place, end);
    }
    return text;
  }
  return " { " + selected(place) + " }";
}

std::string TailMaker::selected(const NodePlace& place) {
  std::vector<std::string> parts;
  std::set<std::string> taken;
  const std::vector<model::Field>& fields = model_.entities[place.entity].fields;
  for (const model::Field& field : fields) taken.insert(field.name);
  for (const model::EndId end : model_.entities[place.entity].ends) taken.insert(model_.end(end).name);
  if (draw_.chance.one_in(2)) {
    parts.emplace_back("*");
  } else {
    for (const model::Field& field : fields) {
      if (draw_.chance.one_in(3)) parts.push_back(written_name(field.name));
    }
  }
  std::set<std::string> seen;
  while (draw_.chance.percent(55)) {
    const std::vector<model::EndId> ends = open_ends(place);
    if (ends.empty()) break;
    const model::EndId end = draw_.chance.of(ends);
    if (seen.insert(model_.end(end).name).second) parts.push_back(nested(place, end));
  }
  while (draw_.wants(Topic::kAggregates, 25)) {
    const std::string made = aggregate(place, taken);
    if (made.empty()) break;
    parts.push_back(made);
  }
  if (parts.empty()) parts.emplace_back("*");
  draw_.chance.shuffle(parts);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string TailMaker::nested(const NodePlace& place, model::EndId end) {
  ++nodes_;
  const model::End& led = model_.end(end);
  NodePlace inner{.entity = led.target,
                  .end = end,
                  .is_list = led.leads_to_many,
                  .is_nested = true,
                  .is_bounded = is_bounded(end),
                  .depth = place.depth + 1};
  std::string text = written_name(led.name);
  const bool is_recursive = led.holder == led.target && !model_.find_field(led.target, "depth") &&
                            !model_.find_end(led.target, "depth");
  if (is_recursive && draw_.wants(Topic::kDepth, 35)) {
    const size_t depth = draw_.chance.between(1, 3);
    text += "^" + std::to_string(depth);
    inner.is_list = inner.is_list || depth > 1;
    inner.is_repeated = depth > 1;
    needs_reads_max = true;
  }
  // One of several: what it shows is often not said.
  if (draw_.chance.one_in(3)) return text + (inner.is_list && !inner.is_bounded ? " limit 5" : "");
  return text + tail(inner);
}

std::string TailMaker::aggregate(const NodePlace& place, std::set<std::string>& taken) {
  std::vector<model::EndId> ends = model_.entities[place.entity].ends;
  std::erase_if(ends, [&](model::EndId end) { return !model_.end(end).leads_to_many; });
  if (ends.empty()) return "";
  const model::EndId end = draw_.chance.of(ends);
  static const Words names = {"total", "most", "least", "how_many"};
  const std::string head = written_name(fresh_name(draw_, names, taken, NamePlace::kOther)) + ": ";
  const std::string prefix = written_name(model_.end(end).name);
  std::vector<PlaceChoice> choices = places_of(model_, model_.end(end).target, end, 0);
  static const Words words = {"count", "sum", "min", "max"};
  const std::string& word = draw_.chance.of(words);
  if (word == "count" && draw_.chance.one_in(2)) return head + "count(" + prefix + ")";
  const bool is_sum = word == "sum";
  choices = those(std::move(choices), [&](const PlaceChoice& each) {
    return is_scalar_place(each) && (!is_sum || model::is_numeric(each.place.type));
  });
  if (choices.empty()) return head + "count(" + prefix + ")";
  const PlaceChoice first = any_place(draw_.chance, choices);
  std::string text = prefix + "." + written_names(first.names);
  if (!model::is_numeric(first.place.type)) return head + word + "(" + text + ")";
  static const Words signs = {" + ", " - ", " * "};
  static const Words literals = {"1", "2", "0.5", "-1", "100"};
  std::vector<PlaceChoice> numbers =
      those(choices, [](const PlaceChoice& each) { return model::is_numeric(each.place.type); });
  while (draw_.chance.one_in(3)) {
    text += draw_.chance.of(signs);
    const bool is_literal = draw_.chance.one_in(2);
    text +=
        is_literal ? draw_.chance.of(literals) : prefix + "." + written_names(draw_.chance.of(numbers).names);
  }
  return head + word + "(" + text + ")";
}

}  // namespace sheaf::prove
