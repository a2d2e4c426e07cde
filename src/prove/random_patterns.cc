#include "prove/random_patterns.h"

#include "prove/random_names.h"
#include "prove/random_tails.h"

namespace sheaf::prove {
namespace {

using Words = std::vector<std::string>;

class PatternMaker {
 public:
  PatternMaker(Draw& draw, const model::Model& model, std::string name)
      : draw_(draw), model_(model), name_(std::move(name)), tails_(draw, model) {}

  // Nothing if chance led to something that makes no sense.
  std::optional<PatternDraft> run() {
    const size_t kind = draw_.chance.below(10);
    const bool is_search = kind >= 7;
    std::string read = is_search  ? search()
                       : kind < 2 ? walk(0)
                                  : walk(draw_.chance.between(1, kind < 6 ? 1 : 3));
    if (read.empty()) return std::nullopt;
    const std::string text =
        "pattern " + written_name(name_) + tails_.parameters.text() + " = " + read + clauses();
    return PatternDraft{.name = name_,
                        .text = text,
                        .views = std::move(tails_.views),
                        .parameters = std::move(tails_.parameters.all)};
  }

 private:
  model::EntityId any_entity() {
    model::EntityId entity = draw_.chance.below(model_.entities.size());
    return entity;
  }

  std::string search() {
    const bool is_one = draw_.chance.one_in(5);
    NodePlace place{.entity = any_entity(), .is_list = !is_one, .is_one = is_one};
    const std::string tail = tails_.search(place);
    is_single_ = is_one;
    if (tail.empty()) return "";
    return (is_one ? "one " : "") + written_name(model_.entities[place.entity].name) + tail;
  }

  std::string walk(size_t steps) {
    NodePlace place{.entity = any_entity(), .is_bounded = true};
    std::string text = tails_.parameters.add_entity(draw_, model_, place.entity);
    for (size_t i = 0; i < steps; ++i) {
      const std::vector<model::EndId>& ends = model_.entities[place.entity].ends;
      if (ends.empty()) break;
      text += step(draw_.chance.of(ends), place);
    }
    is_single_ = !place.is_list;
    // Of several one may be meant.
    const bool is_one = place.is_list ? draw_.chance.one_in(12) : draw_.chance.one_in(15);
    place.is_one = is_one;
    place.is_alone = is_one && !place.is_list;
    if (is_one) place.is_list = false;
    return (is_one ? "one " : "") + text + tails_.tail(place);
  }

  std::string step(model::EndId end, NodePlace& place) {
    const model::End& led = model_.end(end);
    place.entity = led.target;
    place.end = end;
    place.is_list = place.is_list || led.leads_to_many;
    place.is_bounded = place.is_bounded && (!led.leads_to_many || led.max);
    std::string text = "." + written_name(led.name);
    const bool may_repeat = led.holder == led.target && !model_.find_field(led.target, "depth") &&
                            !model_.find_end(led.target, "depth");
    if (!may_repeat || !draw_.wants(Topic::kDepth, 40)) return text;
    const size_t depth = draw_.chance.one_in(10) ? 10 : draw_.chance.between(1, 4);
    place.is_list = place.is_list || depth > 1;
    place.is_repeated = place.is_repeated || depth > 1;
    tails_.needs_reads_max = true;
    return text + "^" + std::to_string(depth);
  }

  std::string clauses() {
    std::vector<std::string> all;
    if (is_single_ && draw_.wants(Topic::kStrong, 15)) {
      all.emplace_back("strong");
    } else if (is_single_ && draw_.wants(Topic::kSnapshot, 15)) {
      all.emplace_back("snapshot");
    } else if (draw_.wants(Topic::kStrong, 4)) {
      all.emplace_back("strong");
    }
    if (tails_.needs_reads_max || draw_.chance.one_in(12)) all.emplace_back("reads max 2000");
    if (draw_.chance.one_in(8)) all.push_back(draw_.chance.one_in(2) ? "prefer requests" : "prefer units");
    static const Words budgets = {"budget 100000 requests", "budget 100000 request", "budget 1000 rounds",
                                  "budget 1000 round", "budget 10000000 units"};
    if (draw_.chance.one_in(8)) all.push_back(draw_.chance.of(budgets));
    static const Words rates = {"rate 5/s", "rate 0.5/min", "rate 100/h", "rate 1/day"};
    if (draw_.chance.one_in(8)) all.push_back(draw_.chance.of(rates));
    draw_.chance.shuffle(all);
    std::string text;
    for (const std::string& clause : all) text += " " + clause;
    return text;
  }

  Draw& draw_;
  const model::Model& model_;
  const std::string name_;
  TailMaker tails_;
  bool is_single_ = false;
};

}  // namespace

std::vector<PatternDraft> random_patterns(Draw& draw, const model::Model& model,
                                          std::set<std::string>& taken) {
  static const Words words = {"list", "find", "top", "newest", "details", "page_of", "by", "all", "one_of"};
  std::vector<PatternDraft> made;
  const size_t count = draw.is_small() ? draw.chance.between(3, 8) : draw.chance.between(8, 20);
  for (size_t i = 0; i < count; ++i) {
    Draw own = draw.fork(i);
    std::string name = fresh_name(own, words, taken, NamePlace::kOther);
    if (auto pattern = PatternMaker(own, model, std::move(name)).run()) made.push_back(std::move(*pattern));
  }
  return made;
}

}  // namespace sheaf::prove
