#include "plans/fewest_requests.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <tuple>

#include "plans/intervals.h"
#include "plans/questions.h"
#include "plans/ranges.h"

namespace sheaf::plans {
namespace {

using model::Hole;
using model::HoleSource;
using model::ItemKind;
using model::KeyTemplate;

// As many sets of ranges are tried as possible queries, and as many requests in all states of knowledge.
constexpr size_t kMaxSets = 100'000, kMaxTries = 20'000'000;

constexpr double kItemBytes = 400, kUnitBytes = 4096, kPageBytes = 1 << 20, kBatchKeys = 100;

// No fact, but something to wait for.
constexpr Facts kWaiting = Facts{1} << 63;

struct Step {
  Facts needs = 0;
  Facts gives = 0;        // in the next round
  Facts gives_later = 0;  // in the one after it
  double requests = 0;
  double units = 0;
};

class Search {
 public:
  Search(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
         const std::vector<bool>& given)
      : model_(model),
        layout_(layout),
        pattern_(pattern),
        asked_(model, layout, pattern, given),
        is_snapshot_(pattern.syntax->clauses.snapshot.has_value()),
        is_strong_(is_snapshot_ || pattern.syntax->clauses.strong.has_value()),
        keys_(model, layout, pattern, given, asked_, is_strong_) {}

  Answer run() {
    for (const Spot& spot : asked_.spots()) {
      if (spot.found == Found::kNever) return {};
      // Who is known already is not chosen.
      const bool is_searched =
          spot.found == Found::kConditions || spot.found == Found::kOwnItems || spot.found == Found::kEdges;
      if (!is_searched && !keys_.conditions(static_cast<size_t>(&spot - asked_.spots().data())).empty())
        return {};
    }
    add_points();
    if (!is_snapshot_) add_queries();
    drop_dominated();
    const auto fewest = cheapest();
    return {.is_complete = sets_ <= kMaxSets && tries_ <= kMaxTries, .fewest = fewest};
  }

 private:
  const Spot& spot(size_t id) const { return asked_.spots()[id]; }

  // --- BatchGetItem

  // Any set of entities whose addresses are known, in one batch.
  void add_points() {
    std::vector<size_t> ids;
    for (size_t id = 0; id < asked_.spots().size(); ++id) {
      const ItemKind* const kind = layout_.kind(spot(id).entity);
      if (kind == nullptr) continue;
      const auto is_told = [&](const KeyTemplate& key) {
        const auto holes = key.holes();
        return std::all_of(holes.begin(), holes.end(),
                           [&](const Hole* hole) { return keys_.is_in_identity(id, hole->source.path); });
      };
      if (is_told(kind->pk) && (!kind->sk || is_told(*kind->sk))) ids.push_back(id);
    }
    for (size_t set = 1; set < size_t{1} << ids.size(); ++set) {
      Step step;
      double keys = 0;
      for (size_t i = 0; i < ids.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        step.needs |= asked_.known(ids[i]);
        step.gives |= asked_.from_item(ids[i], {});
        keys += spot(ids[i]).total;
      }
      if (is_snapshot_ && keys > kBatchKeys) continue;
      step.requests = std::ceil(keys / kBatchKeys);
      step.units = keys * (is_snapshot_ ? 2 : is_strong_ ? 1 : 0.5);
      steps_.push_back(step);
    }
  }

  // --- Query

  void add_queries() {
    ranges_ = keys_.all();
    // Ranges of one partition can be read together.
    std::map<std::string, std::vector<size_t>> partitions;
    for (size_t i = 0; i < ranges_.size(); ++i) partitions[partition_name(ranges_[i])].push_back(i);
    for (const auto& [name, members] : partitions) {
      std::vector<const Range*> chosen;
      choose(members, 0, chosen);
    }
  }

  static std::string shape(const KeyTemplate& key) {
    std::string text;
    for (const auto& piece : key.pieces()) {
      const auto* literal = std::get_if<std::string>(&piece);
      text += literal != nullptr ? *literal : "\1";
    }
    return text;
  }

  static std::string partition_name(const Range& range) {
    std::string name = std::to_string(range.view.table) + "/" +
                       (range.view.index ? std::to_string(*range.view.index) : "") + "/" +
                       shape(*range.view.pk);
    for (const Term& each : range.partition) name += "|" + each.name();
    return name;
  }

  // Every set of ranges, with at most one for the same purpose.
  void choose(const std::vector<size_t>& members, size_t next, std::vector<const Range*>& chosen) {
    if (sets_ > kMaxSets) return;
    if (next == members.size()) {
      ++sets_;
      if (!chosen.empty()) add_query(chosen);
      return;
    }
    choose(members, next + 1, chosen);
    const Range& range = ranges_[members[next]];
    for (const Range* other : chosen) {
      if (other->spot == range.spot && other->is_edge == range.is_edge) return;
    }
    chosen.push_back(&range);
    choose(members, next + 1, chosen);
    chosen.pop_back();
  }

  std::vector<Neighbour> neighbours(const View& view) const {
    std::vector<Neighbour> all;
    for (const ItemKind& kind : layout_.item_kinds) {
      for (const View& other : keys_.views(kind)) {
        if (other.table == view.table && other.index == view.index && shape(*other.pk) == shape(*view.pk))
          all.push_back({.kind = &kind, .pk = other.pk, .sk = other.sk});
      }
    }
    return all;
  }

  double count_of(const Range& range) const {
    if (range.is_one) return 1;
    if (!range.anchor) return spot(range.spot).total;
    return std::max(1.0, spot(range.spot).total / spot(*range.anchor).total);
  }

  // Everything between the entity that a Query is for and what it reads is bounded.
  bool is_bounded(const Range& range) const {
    if (range.is_one) return true;
    for (std::optional<size_t> at = range.spot; at && at != range.anchor; at = spot(*at).above) {
      if (!spot(*at).is_bounded) return false;
    }
    return true;
  }

  bool has_order(const Range& range, const model::Place& place) const {
    if (range.view.sk == nullptr) return false;
    const auto holes = range.view.sk->holes();
    if (range.bound.size() >= holes.size()) return range.is_one;
    const Hole& hole = *holes[range.bound.size()];
    if (!hole.keeps_order() && range.view.sk->bare_hole() == nullptr) return false;
    if (range.is_edge) return hole.source == asked_.in_edge(range.spot, place);
    return hole.source == HoleSource{.path = {.ends = place.ends, .field = place.field}};
  }

  // How many of a range are read if the Query stops there: if they come last, in their order.
  std::optional<double> cut(const std::vector<const Range*>& chosen, size_t at, const Interval& interval,
                            double calls, double strangers) const {
    const Range& range = *chosen[at];
    const auto kept = asked_.kept(range.spot);
    if (!kept || range.is_one) return std::nullopt;
    const bool is_outermost = range.spot == asked_.result();
    const model::Node& shown = *spot(range.spot).shown;
    if (!is_outermost && (!shown.filter.empty() || strangers > 0)) return std::nullopt;
    // The outermost list goes on at its next page, without what else was read before it.
    if (is_outermost && chosen.size() > 1) return std::nullopt;
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (i != at && !chosen[i]->is_one) return std::nullopt;
    }
    const bool can_forward = interval.comes_last(at, false), can_backward = interval.comes_last(at, true);
    if (shown.order) {
      if (!has_order(range, shown.order->first)) return std::nullopt;
      if (calls > 1 && !shown.limit) return std::nullopt;
      const bool is_backward = shown.order->second == language::Direction::kDescending;
      if (is_backward ? !can_backward : !can_forward) return std::nullopt;
    } else if (!can_forward && !can_backward) {
      return std::nullopt;
    }
    if (shown.filter.empty()) return static_cast<double>(*kept);
    // Behind a filter more is read at once than is wanted.
    const double piece = std::max(static_cast<double>(*kept), kBatchKeys);
    const auto& reads_max = pattern_.syntax->clauses.reads_max;
    return reads_max ? std::min(piece, static_cast<double>(reads_max->value)) : piece;
  }

  void add_query(const std::vector<const Range*>& chosen) {
    Step step;
    std::optional<size_t> anchor;
    std::vector<KeyRange> keys;
    for (const Range* range : chosen) {
      step.needs |= range->needs;
      if (range->anchor && (!anchor || keys_.is_above(*anchor, *range->anchor))) anchor = range->anchor;
      std::vector<std::string> bound;
      for (const Term& each : range->bound) bound.push_back(each.name());
      keys.push_back({.kind = range->kind,
                      .pk = range->view.pk,
                      .sk = range->view.sk,
                      .bound = bound,
                      .is_whole = range->is_whole});
    }
    // What is wanted once is not read again for each of many.
    const double calls = anchor ? spot(*anchor).total : 1;
    for (const Range* range : chosen) {
      if ((range->anchor ? spot(*range->anchor).total : 1) != calls) return;
      if (range->anchor && !keys_.is_above(*range->anchor, *anchor)) return;
    }
    std::vector<std::string> partition;
    for (const Term& each : chosen.front()->partition) partition.push_back(each.name());
    const Interval interval(std::move(keys), std::move(partition));
    const bool is_point = chosen.size() == 1 && chosen.front()->is_whole;
    const double strangers = is_point ? 0 : interval.strangers(neighbours(chosen.front()->view));
    std::optional<double> read;
    for (size_t i = 0; i < chosen.size() && !read; ++i) {
      if (const auto kept = cut(chosen, i, interval, calls, strangers))
        read = static_cast<double>(chosen.size() - 1) + std::min(*kept, count_of(*chosen[i]));
    }
    if (!read) {
      read = strangers;
      for (const Range* range : chosen) {
        if (!is_bounded(*range)) return;
        *read += count_of(*range);
      }
    }
    step.requests = calls * std::max(1.0, std::ceil(*read * kItemBytes / kPageBytes));
    step.units = calls * std::max(1.0, std::ceil(*read * kItemBytes / kUnitBytes)) * (is_strong_ ? 1 : 0.5);
    add_with_rest(chosen, step, calls * *read);
  }

  // What an index does not hold of the items and edges is fetched by a BatchGetItem of its own; but not
  // copies, if what they are of is read anyway.
  void add_with_rest(const std::vector<const Range*>& chosen, Step step, double read) {
    Facts all = 0;
    bool has_all = true;
    for (const Range* range : chosen) {
      Held held{.table = &layout_.tables[range->view.table], .kind = range->kind};
      if (range->view.index) held.index = &held.table->indexes[*range->view.index];
      const Facts told =
          range->is_edge ? asked_.from_edge(range->spot, held) : asked_.from_item(range->spot, held);
      const Facts stored =
          range->is_edge ? asked_.from_edge(range->spot, {}) : asked_.from_item(range->spot, {});
      has_all = has_all &&
                (stored & ~told &
                 ~(range->is_edge ? asked_.values(range->spot) : asked_.spare_copies(range->spot))) == 0 &&
                (held.attribute("") || !is_shared(*range));
      step.gives |= told;
      all |= stored;
    }
    if (has_all) steps_.push_back(step);
    if (has_all && (all & ~step.gives) == 0) return;
    step.gives_later = all | kWaiting;
    step.requests += std::ceil(read / kBatchKeys);
    step.units += read * 0.5;
    steps_.push_back(step);
  }

  // What a document has at several places is read whole.
  bool is_shared(const Range& range) const {
    for (size_t id = 0; id < asked_.spots().size(); ++id) {
      if (id == range.spot) continue;
      if (range.is_edge ? spot(id).end && spot(id).end->relation == spot(range.spot).end->relation
                        : spot(id).entity == spot(range.spot).entity)
        return true;
    }
    return false;
  }

  // --- The search

  // No step is tried that another one makes needless: one that needs no more, gives no less and costs no
  // more.
  void drop_dominated() {
    std::vector<Step> kept;
    const auto is_no_worse = [](const Step& a, const Step& b) {
      return (a.needs & ~b.needs) == 0 && (b.gives & ~a.gives) == 0 &&
             (b.gives_later & ~(a.gives | a.gives_later)) == 0 &&
             (a.gives_later == 0 || b.gives_later != 0) && a.requests <= b.requests && a.units <= b.units;
    };
    for (const Step& step : steps_) {
      if (std::any_of(kept.begin(), kept.end(), [&](const Step& other) { return is_no_worse(other, step); }))
        continue;
      std::erase_if(kept, [&](const Step& other) { return is_no_worse(step, other); });
      kept.push_back(step);
    }
    steps_ = std::move(kept);
  }

  struct State {
    Facts known = 0;
    Facts soon = 0;
    Facts later = 0;
    auto operator<=>(const State&) const = default;
  };
  using Price = std::tuple<double, double, double>;  // in the order in which plans are compared

  Price price(double requests, double units, double rounds) const {
    const bool by_units = pattern_.syntax->clauses.prefer == language::Prefer::kUnits;
    return by_units ? Price(units, requests, rounds) : Price(requests, units, rounds);
  }

  std::optional<Fewest> cheapest() {
    using Entry = std::pair<Price, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::map<State, Price> best;
    const auto reach = [&](const State& state, const Price& cost) {
      const auto [found, is_new] = best.emplace(state, cost);
      if (!is_new && found->second <= cost) return;
      found->second = cost;
      queue.emplace(cost, state);
    };
    const auto plus = [](const Price& a, const Price& b) {
      return Price(std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b),
                   std::get<2>(a) + std::get<2>(b));
    };
    reach({.known = asked_.at_start()}, {});
    while (!queue.empty() && tries_ <= kMaxTries) {
      const auto [cost, state] = queue.top();
      queue.pop();
      if (best.at(state) < cost) continue;
      if ((state.known & ~kWaiting) == asked_.goal() && state.soon == 0 && state.later == 0) {
        const bool by_units = pattern_.syntax->clauses.prefer == language::Prefer::kUnits;
        const auto [first, second, rounds] = cost;
        return Fewest{
            .requests = by_units ? second : first, .units = by_units ? first : second, .rounds = rounds};
      }
      if (state.soon != 0 || state.later != 0)
        reach({.known = asked_.closed(state.known | state.soon), .soon = state.later},
              plus(cost, price(0, 0, 1)));
      if (is_snapshot_ && state.known != asked_.at_start()) continue;
      tries_ += steps_.size();
      for (const Step& step : steps_) {
        if ((step.needs & ~state.known) != 0) continue;
        const Facts soon = state.soon | (step.gives & ~state.known);
        const Facts later = state.later | (step.gives_later & (~(state.known | soon) | kWaiting));
        if (soon == state.soon && (later & ~kWaiting) == (state.later & ~kWaiting)) continue;
        if (is_snapshot_ && state.soon != 0) continue;
        reach({.known = state.known, .soon = soon, .later = later},
              plus(cost, price(step.requests, step.units, 0)));
      }
    }
    return std::nullopt;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Pattern& pattern_;
  const Questions asked_;
  const bool is_snapshot_;
  const bool is_strong_;
  Ranges keys_;
  std::vector<Range> ranges_;
  std::vector<Step> steps_;
  size_t sets_ = 0, tries_ = 0;
};

}  // namespace

Answer fewest_requests(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
                       const std::vector<bool>& given) {
  return Search(model, layout, pattern, given).run();
}

}  // namespace sheaf::plans
