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
// Of what lies in an item of others.
constexpr double kChildBytesMin = 400, kIdBytes = 40, kFieldBytes = 40;

// No fact, but something to wait for.
constexpr Facts kWaiting = Facts{1} << 63;

double read_units(double bytes) { return std::max(1.0, std::ceil(bytes / kUnitBytes)); }

struct Step {
  Facts needs = 0;
  Facts gives = 0;        // in the next round
  Facts gives_later = 0;  // in the one after it
  double requests = 0;
  double units = 0;
};

// A Query, whatever it costs.
struct Reading {
  std::vector<const Range*> chosen;
  std::optional<size_t> anchor;  // one for each entity of this spot
  double items = 0;              // that one of them reads
  double bytes = 0;
  double rest_units = 0;      // of fetching them all from the table, one by one
  std::optional<size_t> cut;  // the spot whose list it stops in
  double kept = 0;            // of that, by one of them
  bool goes_on = false;       // the list ends with the first page, over all of them
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
    if (!is_snapshot_) add_readings();
    Answer answer{.is_complete = sets_ <= kMaxSets};
    for (const Cuts& cuts : all_cuts()) {
      count_totals(cuts);
      steps_.clear();
      add_points();
      for (const Reading& reading : readings_) {
        if (fits(reading, cuts)) add_query(reading);
      }
      drop_dominated();
      tries_ = 0;
      const auto found = cheapest();
      if (found && (!answer.fewest || price(*found) < price(*answer.fewest))) answer.fewest = found;
      answer.is_complete = answer.is_complete && tries_ <= kMaxTries;
    }
    return answer;
  }

 private:
  const Spot& spot(size_t id) const { return asked_.spots()[id]; }

  // --- Lists that are cut

  // Whoever is found by a Query that stops is not followed beyond that. So what it costs to go on from there
  // depends on which Query was made: each choice, of one that is not cut or of one that is, is looked at by
  // itself, as if there were no other. One a spot: the Query that cuts it, or none.
  using Cuts = std::vector<const Reading*>;

  // Whether it tells who the entities of a spot are.
  bool tells(const Range& range) const {
    const Found found = spot(range.spot).found;
    return range.is_edge || found == Found::kOwnItems || found == Found::kConditions;
  }

  static bool is_same_cut(const Reading& a, const Reading& b) {
    return a.cut == b.cut && a.anchor == b.anchor && a.kept == b.kept && a.goes_on == b.goes_on;
  }

  std::vector<Cuts> all_cuts() const {
    std::vector<Cuts> all{Cuts(asked_.spots().size(), nullptr)};
    std::vector<const Reading*> seen;
    for (size_t id = 0; id < asked_.spots().size(); ++id) {
      const size_t others = all.size();
      for (const Reading& reading : readings_) {
        const bool is_cut = reading.cut == id && std::any_of(reading.chosen.begin(), reading.chosen.end(),
                                                             [&](const Range* range) {
                                                               return range->spot == id && tells(*range);
                                                             });
        if (!is_cut || std::any_of(seen.begin(), seen.end(),
                                   [&](const Reading* other) { return is_same_cut(*other, reading); }))
          continue;
        seen.push_back(&reading);
        for (size_t i = 0; i < others; ++i) {
          all.push_back(all[i]);
          all.back()[id] = &reading;
        }
      }
    }
    return all;
  }

  bool fits(const Reading& reading, const Cuts& cuts) const {
    return std::all_of(reading.chosen.begin(), reading.chosen.end(), [&](const Range* range) {
      if (!tells(*range)) return true;
      const Reading* const chosen = cuts[range->spot];
      const bool is_cut = reading.cut == range->spot;
      return chosen == nullptr ? !is_cut : is_cut && is_same_cut(*chosen, reading);
    });
  }

  // How many there are of each spot.
  void count_totals(const Cuts& cuts) {
    totals_.clear();
    for (size_t id = 0; id < asked_.spots().size(); ++id) {
      const auto& above = spot(id).above;
      totals_.push_back(above ? totals_[*above] * spot(id).per_one : spot(id).total);
      if (const Reading* const cut = cuts[id]) {
        const double lists = cut->goes_on || !cut->anchor ? 1 : totals_[*cut->anchor];
        totals_[id] = std::min(totals_[id], lists * cut->kept);
      }
    }
  }

  // --- How large an item is

  static double declared(const model::Field& field, size_t name_bytes) {
    const auto& max = field.syntax->max;
    return static_cast<double>(name_bytes) + (max ? static_cast<double>(max->value) : kFieldBytes);
  }

  // Of what one end leads to, in the item of its holder.
  double inside(model::EndId id) const {
    const model::End& end = model_.end(id);
    const double count = !end.leads_to_many ? 1
                         : end.max          ? static_cast<double>(*end.max)
                         : end.average      ? static_cast<double>(*end.average)
                                            : kBatchKeys;
    double one = 0;
    if (layout_.storage(id) == model::EndStorage::kEmbeds) {
      for (const model::Field& field : model_.entities[end.target].fields)
        one += declared(field, field.attribute.size());
      one = std::max(one, kChildBytesMin);
    } else if (layout_.storage(id) == model::EndStorage::kIds) {
      one = kIdBytes;
    } else if (layout_.storage(id) == model::EndStorage::kEntries) {
      one = kIdBytes;
      for (const model::Field& field : model_.relations[id.relation].edge_fields)
        one += declared(field, field.attribute.size());
      for (const model::CopiedFields& copied : layout_.relations[id.relation].copies) {
        for (const model::FieldId field : copied.fields) {
          const model::Field& source = model_.entities[end.target].fields[field];
          if (copied.side == id.side) one += declared(source, end.name.size() + 1 + source.name.size());
        }
      }
    }
    return count * one;
  }

  // Without what others have in it. Copies lie where the end leads away from: on edges, or on items that name
  // it.
  double own_bytes(const ItemKind& kind, const Held& held) const {
    double bytes = 0;
    const auto& fields =
        kind.entity ? model_.entities[*kind.entity].fields : model_.relations[*kind.relation].edge_fields;
    for (const model::Field& field : fields) {
      if (held.attribute(field.attribute)) bytes += declared(field, field.attribute.size());
    }
    for (const model::StoredRelation& stored : layout_.relations) {
      for (const model::CopiedFields& copied : stored.copies) {
        const model::EndId id{.relation = stored.relation, .side = copied.side};
        const model::End& end = model_.end(id);
        const bool is_here =
            kind.entity ? end.holder == *kind.entity && layout_.storage(id) == model::EndStorage::kReference
                        : kind.relation == stored.relation && kind.holds_copies(copied.side);
        if (!is_here) continue;
        for (const model::FieldId field : copied.fields) {
          const std::string name = end.name + "_" + model_.entities[end.target].fields[field].name;
          if (held.attribute(name)) bytes += declared(model_.entities[end.target].fields[field], name.size());
        }
      }
    }
    return bytes;
  }

  double bytes_of(const ItemKind& kind, const View* view) const {
    Held held{.table = &layout_.tables[kind.table], .kind = &kind};
    if (view != nullptr && view->index) held.index = &held.table->indexes[*view->index];
    double bytes = std::max(kItemBytes, own_bytes(kind, held));
    if (!kind.entity) return bytes;
    for (const model::EndId end : model_.entities[*kind.entity].ends) {
      if (held.attribute(model_.end(end).name)) bytes += inside(end);
    }
    return bytes;
  }

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
        keys += totals_[ids[i]];
        step.units += totals_[ids[i]] * read_units(bytes_of(*layout_.kind(spot(ids[i]).entity), nullptr)) *
                      (is_snapshot_ ? 2
                       : is_strong_ ? 1
                                    : 0.5);
      }
      if (is_snapshot_ && keys > kBatchKeys) continue;
      step.requests = std::ceil(keys / kBatchKeys);
      steps_.push_back(step);
    }
  }

  // --- Query

  void add_readings() {
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
      if (!chosen.empty()) add_reading(chosen);
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

  // Whether a Query is made once for each of several.
  bool is_of_many(std::optional<size_t> anchor) const {
    for (; anchor; anchor = spot(*anchor).above) {
      const Spot& at = spot(*anchor);
      if (at.above ? model_.end(*at.end).leads_to_many : !pattern_.start && !pattern_.one) return true;
    }
    return false;
  }

  // Whether the Query has the lists of several of those above the spot.
  bool is_shared_list(const Range& range) const {
    for (auto above = spot(range.spot).above; above && above != range.anchor; above = spot(*above).above) {
      if (spot(*above).end && model_.end(*spot(*above).end).leads_to_many) return true;
    }
    return false;
  }

  // How many of a range are read if the Query stops there: if they come last, in their order.
  std::optional<double> cut(const std::vector<const Range*>& chosen, size_t at, const Interval& interval,
                            Reading& reading, bool has_strangers) const {
    const Range& range = *chosen[at];
    const auto kept = asked_.kept(range.spot);
    if (!kept || range.is_one) return std::nullopt;
    const model::Node& shown = *spot(range.spot).shown;
    const bool is_result = range.spot == asked_.result();
    // A page goes on where it ended. If several Queries have a list that is in order in each of them alone,
    // nobody knows where that is: of one that ends the first few of each are read and put in order.
    const bool goes_on = is_result && (!shown.order || !is_of_many(reading.anchor));
    if (!goes_on && (!shown.filter.empty() || has_strangers || !shown.limit)) return std::nullopt;
    // One limit for the lists of several would be used up by the first.
    if (!is_result && is_shared_list(range)) return std::nullopt;
    // The outermost list goes on at its next page, without what else was read before it.
    if (goes_on && chosen.size() > 1) return std::nullopt;
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (i != at && !chosen[i]->is_one) return std::nullopt;
    }
    const bool can_forward = interval.comes_last(at, false), can_backward = interval.comes_last(at, true);
    if (shown.order) {
      if (!has_order(range, shown.order->first)) return std::nullopt;
      const bool is_backward = shown.order->second == language::Direction::kDescending;
      if (is_backward ? !can_backward : !can_forward) return std::nullopt;
    } else if (!can_forward && !can_backward) {
      return std::nullopt;
    }
    reading.goes_on = goes_on;
    if (shown.filter.empty()) return static_cast<double>(*kept);
    // Behind a filter more is read at once than is wanted.
    const double piece = std::max(static_cast<double>(*kept), kBatchKeys);
    const auto& reads_max = pattern_.syntax->clauses.reads_max;
    return reads_max ? std::min(piece, static_cast<double>(reads_max->value)) : piece;
  }

  void add_reading(const std::vector<const Range*>& chosen) {
    Reading reading{.chosen = chosen};
    std::vector<KeyRange> keys;
    for (const Range* range : chosen) {
      if (range->anchor && (!reading.anchor || keys_.is_above(*reading.anchor, *range->anchor)))
        reading.anchor = range->anchor;
      std::vector<std::string> bound;
      for (const Term& each : range->bound) bound.push_back(each.name());
      keys.push_back({.kind = range->kind,
                      .pk = range->view.pk,
                      .sk = range->view.sk,
                      .bound = bound,
                      .is_whole = range->is_whole});
    }
    // What is wanted once is not read again for each of many.
    const double calls = reading.anchor ? spot(*reading.anchor).total : 1;
    for (const Range* range : chosen) {
      if ((range->anchor ? spot(*range->anchor).total : 1) != calls) return;
      if (range->anchor && !keys_.is_above(*range->anchor, *reading.anchor)) return;
    }
    std::vector<std::string> partition;
    for (const Term& each : chosen.front()->partition) partition.push_back(each.name());
    const Interval interval(std::move(keys), std::move(partition));
    const View& view = chosen.front()->view;
    const bool is_point = chosen.size() == 1 && chosen.front()->is_whole;
    const std::vector<Interval::Strangers> strangers =
        is_point ? std::vector<Interval::Strangers>() : interval.strangers(neighbours(view));
    for (size_t i = 0; i < chosen.size() && !reading.cut; ++i) {
      const auto kept = cut(chosen, i, interval, reading, !strangers.empty());
      if (!kept) continue;
      reading.cut = chosen[i]->spot;
      reading.kept = *kept;
    }
    const auto add = [&](const ItemKind& kind, double count) {
      reading.items += count;
      reading.bytes += count * bytes_of(kind, &view);
      reading.rest_units += count * read_units(bytes_of(kind, nullptr)) * 0.5;
    };
    for (const Range* range : chosen) {
      if (!reading.cut && !is_bounded(*range)) return;
      const double count = count_of(*range);
      add(*range->kind, reading.cut && !range->is_one ? std::min(count, reading.kept) : count);
    }
    for (const Interval::Strangers& each : strangers) {
      if (!reading.cut) add(*each.kind, each.count);
    }
    readings_.push_back(std::move(reading));
  }

  void add_query(const Reading& reading) {
    Step step;
    for (const Range* range : reading.chosen) step.needs |= range->needs;
    const double calls = reading.anchor ? totals_[*reading.anchor] : 1;
    step.requests = calls * std::max(1.0, std::ceil(reading.bytes / kPageBytes));
    step.units = calls * read_units(reading.bytes) * (is_strong_ ? 1 : 0.5);
    add_with_rest(reading, step, calls);
  }

  // What an index does not hold of the items and edges is fetched by a BatchGetItem of its own; but not
  // copies, if what they are of is read anyway.
  void add_with_rest(const Reading& reading, Step step, double calls) {
    const std::vector<const Range*>& chosen = reading.chosen;
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
    step.requests += std::ceil(calls * reading.items / kBatchKeys);
    step.units += calls * reading.rest_units;
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

  Price price(const Fewest& fewest) const { return price(fewest.requests, fewest.units, fewest.rounds); }
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
  std::vector<Reading> readings_;
  std::vector<double> totals_;  // of each spot, for the lists that are cut just now
  std::vector<Step> steps_;
  size_t sets_ = 0, tries_ = 0;
};

}  // namespace

Answer fewest_requests(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
                       const std::vector<bool>& given) {
  return Search(model, layout, pattern, given).run();
}

}  // namespace sheaf::plans
