#include "plans/ranges.h"

#include <algorithm>
#include <set>

namespace sheaf::plans {

using model::Condition;
using model::FieldPath;
using model::Hole;
using model::HoleSource;
using model::ItemKind;
using model::KeyTemplate;
using Test = language::Condition::Test;

namespace {

bool is_same(const Condition& one, const Condition& other) {
  const language::Condition &a = *one.syntax, &b = *other.syntax;
  if (one.place.kind != other.place.kind || one.place.ends != other.place.ends ||
      one.place.field != other.place.field)
    return false;
  if (a.test != b.test || a.operands.size() != b.operands.size()) return false;
  for (size_t i = 0; i < a.operands.size(); ++i) {
    const auto *x = std::get_if<language::Literal>(&a.operands[i]),
               *y = std::get_if<language::Literal>(&b.operands[i]);
    if (x == nullptr || y == nullptr || x->kind != y->kind || x->text != y->text) return false;
  }
  return true;
}

// The index holds nothing else.
bool is_of_index(const Condition& condition, const View& view) {
  return view.entry != nullptr &&
         std::any_of(view.entry->when.begin(), view.entry->when.end(),
                     [&](const Condition& when) { return is_same(condition, when); });
}

}  // namespace

std::string Term::name() const {
  if (condition != nullptr) return "c" + std::to_string(reinterpret_cast<uintptr_t>(condition));
  std::string text = "s" + std::to_string(spot);
  for (const model::EndId end : path.ends)
    text += "." + std::to_string(end.relation) + "/" + std::to_string(end.side);
  return text + ":" + std::to_string(path.field);
}

std::vector<Range> Ranges::all() {
  for (size_t id = 0; id < asked_.spots().size(); ++id) {
    if (const ItemKind* const kind = layout_.kind(spot(id).entity)) add(id, false, *kind);
    if (spot(id).found == Found::kEdges) add(id, true, layout_.item_kinds[layout_.edge_kind(*spot(id).end)]);
  }
  keep_exact();
  return std::move(ranges_);
}

bool Ranges::is_in_identity(size_t id, const FieldPath& path) const {
  return std::find(identity(id).begin(), identity(id).end(), path) != identity(id).end();
}

std::vector<const Condition*> Ranges::conditions(size_t id) const {
  std::vector<const Condition*> found;
  if (spot(id).shown == nullptr) return found;
  for (const Condition& condition : spot(id).shown->where) {
    bool is_given = true;
    for (const auto& parameter : condition.parameters)
      is_given = is_given && (!parameter || given_[*parameter]);
    if (is_given) found.push_back(&condition);
  }
  return found;
}

std::vector<View> Ranges::views(const ItemKind& kind) const {
  std::vector<View> all = {{.table = kind.table, .pk = &kind.pk, .sk = kind.sk ? &*kind.sk : nullptr}};
  if (is_strong_) return all;
  const auto& indexes = layout_.tables[kind.table].indexes;
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i].is_over_table_keys && kind.sk)
      all.push_back({.table = kind.table, .index = i, .pk = &*kind.sk, .sk = &kind.pk});
  }
  for (const model::IndexEntry& entry : kind.entries)
    all.push_back({.table = kind.table,
                   .index = entry.index,
                   .pk = &entry.pk,
                   .sk = entry.sk ? &*entry.sk : nullptr,
                   .entry = &entry});
  return all;
}

const Condition* Ranges::condition_on(const Hole& hole, size_t id, bool is_edge, bool is_equality) const {
  for (const Condition* condition : conditions(id)) {
    const Test test = condition->syntax->test;
    const bool is_range = test == Test::kLess || test == Test::kLessOrEqual || test == Test::kGreater ||
                          test == Test::kGreaterOrEqual || test == Test::kBetween || test == Test::kBegins;
    if (is_equality ? test != Test::kEqual : !is_range) continue;
    const model::Place& place = condition->place;
    const bool is_field = place.kind == model::Place::Kind::kField;
    if (!is_field && (place.kind != model::Place::Kind::kEdgeField || !is_edge)) continue;
    const HoleSource source =
        is_edge ? asked_.in_edge(id, place) : HoleSource{.path = {.ends = place.ends, .field = place.field}};
    if (source == hole.source) return condition;
  }
  return nullptr;
}

std::optional<Term> Ranges::term(const Hole& hole, size_t id, bool is_edge) const {
  if (const Condition* const condition = condition_on(hole, id, is_edge, true))
    return Term{.condition = condition};
  if (hole.source.root == HoleSource::Root::kEdgeField) return std::nullopt;
  size_t at = id;
  FieldPath path = hole.source.path;
  if (is_edge && hole.source.side != spot(id).end->side) {
    if (!spot(id).above) return std::nullopt;
    at = *spot(id).above;
  }
  while (spot(at).above) {
    const model::EndId end = *spot(at).end;
    if (!path.ends.empty() && path.ends.front() == end.other() && !model_.end(end.other()).leads_to_many) {
      path.ends.erase(path.ends.begin());
      at = *spot(at).above;
      continue;
    }
    FieldPath from_above = path;
    from_above.ends.insert(from_above.ends.begin(), end);
    if (spot(at).found != Found::kIdentity || !is_in_identity(*spot(at).above, from_above)) break;
    path = from_above;
    at = *spot(at).above;
  }
  if (!is_in_identity(at, path)) return std::nullopt;
  return Term{.spot = at, .path = path};
}

void Ranges::add(size_t id, bool is_edge, const ItemKind& kind) {
  for (const View& view : views(kind)) {
    Range range{.spot = id, .is_edge = is_edge, .kind = &kind, .view = view};
    bool is_reachable = true;
    for (const Hole* hole : view.pk->holes()) {
      const auto found = term(*hole, id, is_edge);
      is_reachable = is_reachable && found;
      if (found) range.partition.push_back(*found);
    }
    if (!is_reachable) continue;
    const auto holes = view.sk == nullptr ? std::vector<const Hole*>() : view.sk->holes();
    while (true) {
      range.is_whole = view.sk == nullptr ? !view.index : range.bound.size() == holes.size();
      range.is_one = is_one(range);
      note_anchor(range);
      if (is_complete(range, holes) && tells(range)) ranges_.push_back(range);
      if (range.bound.size() == holes.size()) break;
      const auto next = term(*holes[range.bound.size()], id, is_edge);
      if (!next) break;
      range.bound.push_back(*next);
    }
  }
}

// A key of the table is one item's. One of an index is if it has what tells the item from all others: of an
// edge both ends and its own ids, or the end that has no other edge.
bool Ranges::is_one(const Range& range) const {
  if (!range.is_whole || range.view.entry == nullptr) return range.is_whole;
  std::set<std::string> held;
  const auto text = [](const HoleSource& source) {
    std::string name = std::to_string(static_cast<int>(source.root)) + "/" + std::to_string(source.side);
    for (const model::EndId end : source.path.ends)
      name += "." + std::to_string(end.relation) + "/" + std::to_string(end.side);
    return name + ":" + std::to_string(source.path.field);
  };
  for (const KeyTemplate* key : {range.view.pk, range.view.sk}) {
    for (const Hole* hole : key->holes()) {
      if (hole->holds_value()) held.insert(text(hole->source));
    }
  }
  const auto has = [&](HoleSource::Root root, int side, model::EntityId entity) {
    for (const FieldPath& path : model_.entities[entity].identity) {
      if (!held.contains(text({.root = root, .side = side, .path = path}))) return false;
    }
    return true;
  };
  if (!range.is_edge) return has(HoleSource::Root::kEntity, 0, spot(range.spot).entity);
  const model::Relation& relation = model_.relations[spot(range.spot).end->relation];
  const bool has_first = has(HoleSource::Root::kEdgeEnd, 0, relation.ends[0].target);
  const bool has_second = has(HoleSource::Root::kEdgeEnd, 1, relation.ends[1].target);
  if ((has_first && !relation.ends[1].leads_to_many) || (has_second && !relation.ends[0].leads_to_many))
    return true;
  for (size_t field = 0; field < relation.edge_fields.size(); ++field) {
    const HoleSource source{.root = HoleSource::Root::kEdgeField, .path = {.field = field}};
    if (relation.edge_fields[field].is_id && !held.contains(text(source))) return false;
  }
  return has_first && has_second;
}

// What tells nothing that has to be known is not wanted.
bool Ranges::tells(const Range& range) const {
  const Facts all = range.is_edge ? asked_.from_edge(range.spot, {}) : asked_.from_item(range.spot, {});
  return (all & ~range.needs) != 0;
}

void Ranges::note_anchor(Range& range) const {
  range.anchor.reset();
  range.needs = 0;
  const auto note = [&](const Term& each) {
    if (each.condition != nullptr) return;
    range.needs |= asked_.known(each.spot);
    if (!range.anchor || is_above(*range.anchor, each.spot)) range.anchor = each.spot;
  };
  for (const Term& each : range.partition) note(each);
  for (const Term& each : range.bound) note(each);
}

bool Ranges::is_above(size_t upper, size_t lower) const {
  for (std::optional<size_t> at = lower; at; at = spot(*at).above) {
    if (*at == upper) return true;
  }
  return false;
}

bool Ranges::is_complete(Range& range, const std::vector<const Hole*>& holes) const {
  const bool is_known = (range.needs & asked_.known(range.spot)) != 0 ||
                        spot(range.spot).found == Found::kIdentity || spot(range.spot).found == Found::kGiven;
  const size_t bound = range.bound.size();
  const Condition* ranged = nullptr;
  if (bound < holes.size()) {
    const bool keeps_order = holes[bound]->keeps_order() || range.view.sk->bare_hole() != nullptr;
    if (keeps_order) ranged = condition_on(*holes[bound], range.spot, range.is_edge, false);
  }
  if (!is_known || range.is_edge) {
    for (const Condition* condition : conditions(range.spot)) {
      const auto is_it = [&](const Term& each) { return each.condition == condition; };
      if (condition != ranged && !is_of_index(*condition, range.view) &&
          std::none_of(range.partition.begin(), range.partition.end(), is_it) &&
          std::none_of(range.bound.begin(), range.bound.end(), is_it))
        return false;
    }
  }
  if (range.view.entry != nullptr && !is_listed(range, holes, ranged)) return false;
  range.is_exact = is_exact(range, holes, is_known && !range.is_edge);
  return range.is_exact || !is_known || range.is_edge;
}

bool Ranges::is_listed(const Range& range, const std::vector<const Hole*>& holes,
                       const Condition* ranged) const {
  for (const Condition& when : range.view.entry->when) {
    const auto given = conditions(range.spot);
    const bool is_implied = std::any_of(
        given.begin(), given.end(), [&](const Condition* condition) { return is_same(*condition, when); });
    if (!is_implied) return false;
  }
  for (size_t i = range.bound.size(); i < holes.size(); ++i) {
    if (ranged != nullptr && i == range.bound.size()) continue;
    if (!is_always_there(*holes[i], range)) return false;
  }
  return true;
}

bool Ranges::is_always_there(const Hole& hole, const Range& range) const {
  if (hole.field.is_optional) return false;
  if (range.is_edge || is_in_identity(range.spot, hole.source.path)) return true;
  std::vector<model::EndId> ends = hole.source.path.ends;
  // Those who were reached from the one above are linked to it.
  for (size_t at = range.spot; spot(at).above && !ends.empty() && ends.front() == spot(at).end->other();
       at = *spot(at).above)
    ends.erase(ends.begin());
  return std::all_of(ends.begin(), ends.end(), [&](model::EndId end) { return model_.end(end).is_required; });
}

// Whether the keys hold the identity of the spot itself, if that is known, or of one above all of whose
// descendants here are wanted.
bool Ranges::is_exact(const Range& range, const std::vector<const Hole*>& holes, bool is_known) const {
  std::vector<HoleSource> held;
  for (const Hole* hole : range.view.pk->holes()) {
    if (hole->holds_value()) held.push_back(hole->source);
  }
  for (size_t i = 0; i < range.bound.size(); ++i) {
    if (holes[i]->holds_value()) held.push_back(holes[i]->source);
  }
  const auto holds = [&](const HoleSource& start, size_t id) {
    return std::all_of(identity(id).begin(), identity(id).end(), [&](const FieldPath& part) {
      HoleSource source = start;
      source.path.ends.insert(source.path.ends.end(), part.ends.begin(), part.ends.end());
      source.path.field = part.field;
      return std::find(held.begin(), held.end(), source) != held.end();
    });
  };
  if (spot(range.spot).found == Found::kConditions) return true;
  if (range.is_edge && !spot(range.spot).above) return true;
  if (is_known) return holds({}, range.spot);
  HoleSource start;
  size_t at = range.spot;
  if (range.is_edge) {
    start = {.root = HoleSource::Root::kEdgeEnd, .side = 1 - spot(at).end->side};
    at = *spot(at).above;
    if (holds(start, at)) return true;
  }
  while (spot(at).above && !model_.end(spot(at).end->other()).leads_to_many) {
    if (at != range.spot && is_cut(at)) return false;
    start.path.ends.push_back(spot(at).end->other());
    at = *spot(at).above;
    if (holds(start, at)) return true;
  }
  return false;
}

// Not all of it is kept.
bool Ranges::is_cut(size_t id) const {
  const model::Node* const shown = spot(id).shown;
  return shown != nullptr && (shown->limit || !shown->where.empty());
}

// What finds more than is wanted is only for patterns that say how much may be read, where nothing else does.
void Ranges::keep_exact() {
  const bool may_search = pattern_.syntax->clauses.reads_max.has_value();
  std::set<std::pair<size_t, bool>> served;
  for (const Range& range : ranges_) {
    if (range.is_exact) served.emplace(range.spot, range.is_edge);
  }
  std::erase_if(ranges_, [&](const Range& range) {
    return !range.is_exact && (!may_search || served.contains({range.spot, range.is_edge}));
  });
}

}  // namespace sheaf::plans
