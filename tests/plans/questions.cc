#include "plans/questions.h"

#include <algorithm>
#include <cstdlib>

namespace sheaf::plans {

using model::EndId;
using model::EntityId;
using model::FieldId;
using model::FieldPath;
using model::HoleSource;

namespace {

constexpr int64_t kPage = 100;
constexpr double kUnsaid = 100;

}  // namespace

bool Held::attribute(const std::string& name) const {
  if (index == nullptr || index->projection == language::Gsi::Projection::kAll) return true;
  const auto& included = index->included;
  return std::find(included.begin(), included.end(), name) != included.end() || name == table->pk.name ||
         (table->sk && name == table->sk->name) || name == index->pk.name ||
         (index->sk && name == index->sk->name);
}

bool Held::source(const HoleSource& source) const {
  if (index == nullptr) return true;
  const auto in = [&](const model::KeyTemplate& key) {
    for (const model::Hole* hole : key.holes()) {
      if (hole->holds_value() && hole->source == source) return true;
    }
    return false;
  };
  if (in(kind->pk) || (kind->sk && in(*kind->sk))) return true;
  for (const model::IndexEntry& entry : kind->entries) {
    if (&table->indexes[entry.index] == index && (in(entry.pk) || (entry.sk && in(*entry.sk)))) return true;
  }
  return false;
}

Questions::Questions(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
                     const std::vector<bool>& given)
    : model_(model), layout_(layout), pattern_(pattern) {
  add(std::nullopt, std::nullopt, pattern.steps.empty() ? &pattern.node : nullptr);
  if (!pattern.start) look_for_edges(given);
  for (size_t i = 0; i < pattern.steps.size(); ++i)
    result_ = add(result_, pattern.steps[i].first, i + 1 == pattern.steps.size() ? &pattern.node : nullptr);
  for (const auto& [end, depth] : pattern.steps) {
    if (depth > 1) spots_[result_].found = Found::kNever;
  }
  add_below(result_);
  for (size_t spot = 0, count = spots_.size(); spot < count; ++spot) look_at_others(spot, given);
  for (size_t spot = 0; spot < spots_.size(); ++spot) {
    add_fields(spot);
    names_.emplace(Name{'i', spot, 0}, names_.size());
    for (const FieldId field : spots_[spot].fields) names_.emplace(Name{'v', spot, field}, names_.size());
    if (!spots_[spot].shows_edge) continue;
    const model::Relation& relation = model.relations[spots_[spot].end->relation];
    for (FieldId field = 0; field < relation.edge_fields.size(); ++field)
      names_.emplace(Name{'e', spot, field}, names_.size());
  }
  if (must_be_there()) names_.emplace(Name{'x', 0, 0}, names_.size());
  if (names_.size() >= 63) std::abort();
  goal_ = (Facts{1} << names_.size()) - 1;
}

bool Questions::applies(const model::Condition& condition, const std::vector<bool>& given) {
  return std::all_of(condition.parameters.begin(), condition.parameters.end(),
                     [&](const auto& parameter) { return !parameter || given[*parameter]; });
}

// Entities that a filter or an order names by an end have to be known, with the field that it names.
void Questions::look_at_others(size_t id, const std::vector<bool>& given) {
  if (spots_[id].shown == nullptr) return;
  const auto look = [&](const model::Place& place) {
    size_t at = id, before = id;
    for (const EndId end : place.ends) {
      before = at;
      at = follow(at, end, place);
    }
    if (place.ends.empty() || place.kind == model::Place::Kind::kEntity) return;
    if (place.kind == model::Place::Kind::kEdgeField) {
      spots_[std::max(before, at)].shows_edge = true;
    } else {
      spots_[at].fields.insert(place.field);
    }
  };
  for (const model::Condition& condition : spots_[id].shown->filter) {
    if (applies(condition, given)) look(condition.place);
  }
  if (spots_[id].shown->order) look(spots_[id].shown->order->first);
}

// One that the document has already, or the one above if the end leads back to it: unless the item here has a
// copy of what is wanted.
size_t Questions::follow(size_t at, EndId end, const model::Place& place) {
  for (size_t below = at + 1; below < spots_.size(); ++below) {
    if (spots_[below].above == at && spots_[below].end == end) return below;
  }
  const Spot& spot = spots_[at];
  const bool leads_back = spot.above && spot.end->relation == end.relation &&
                          (spot.end->side != end.side || model_.relations[end.relation].is_symmetric);
  const bool is_named = layout_.is_named(end) && layout_.storage(end) != model::EndStorage::kIds;
  bool is_copied = false;
  for (const model::CopiedFields& copy : layout_.relations[end.relation].copies) {
    is_copied =
        is_copied || (copy.side == end.side && place.ends.back() == end &&
                      std::find(copy.fields.begin(), copy.fields.end(), place.field) != copy.fields.end());
  }
  return leads_back && !(is_named && is_copied) ? *spot.above : add(at, end, nullptr);
}

// No item says whom an edge leads to: a condition on that is served by edges, or not at all.
void Questions::look_for_edges(const std::vector<bool>& given) {
  for (const model::Condition& condition : pattern_.node.where) {
    const std::vector<EndId>& ends = condition.place.ends;
    if (!applies(condition, given) || ends.empty() ||
        layout_.storage(ends.front()) != model::EndStorage::kEdge)
      continue;
    spots_[0].end = EndId{.relation = ends.front().relation, .side = 1 - ends.front().side};
    spots_[0].found = Found::kEdges;
    return;
  }
}

HoleSource Questions::in_edge(size_t id, const model::Place& place) const {
  if (place.kind == model::Place::Kind::kEdgeField)
    return {.root = HoleSource::Root::kEdgeField, .path = {.field = place.field}};
  const EndId end = *spots_[id].end;
  HoleSource source{.root = HoleSource::Root::kEdgeEnd,
                    .side = end.side,
                    .path = {.ends = place.ends, .field = place.field}};
  const bool is_of_other = !place.ends.empty() && place.ends.front().relation == end.relation &&
                           place.ends.front().side != end.side;
  if (!spots_[id].above && is_of_other) {
    source.side = 1 - end.side;
    source.path.ends.erase(source.path.ends.begin());
  }
  return source;
}

// Whether the answer depends on the one whose id is given being there: of that nothing but its own item
// tells, unless it is only walked through, to those who name it.
bool Questions::must_be_there() const {
  if (spots_[0].found != Found::kGiven || layout_.kind(spots_[0].entity) == nullptr) return false;
  return spots_[0].shown != nullptr || std::any_of(spots_.begin(), spots_.end(), [](const Spot& spot) {
           return spot.above == size_t{0} && spot.found == Found::kIdentity;
         });
}

size_t Questions::add(std::optional<size_t> above, std::optional<EndId> end, const model::Node* shown) {
  Spot spot{.above = above, .end = end, .shown = shown};
  if (end) {
    const model::End& declared = model_.end(*end);
    spot.entity = declared.target;
    if (declared.leads_to_many) {
      spot.is_bounded = declared.max.has_value();
      spot.per_one = declared.max       ? static_cast<double>(*declared.max)
                     : declared.average ? static_cast<double>(*declared.average)
                                        : kUnsaid;
    }
    spot.total = spots_[*above].total * spot.per_one;
  } else if (pattern_.start) {
    spot.entity = *pattern_.parameters[*pattern_.start].entity;
  } else {
    spot.entity = pattern_.node.entity;
    spot.is_bounded = pattern_.one;
    if (!pattern_.one)
      spot.total = static_cast<double>(pattern_.node.limit.value_or(pattern_.node.page.value_or(kPage)));
  }
  spot.found = found(spot);
  spots_.push_back(spot);
  return spots_.size() - 1;
}

void Questions::add_below(size_t spot) {
  const model::Node& shown = *spots_[spot].shown;
  for (const model::Nested& nested : shown.nested) {
    const size_t below = add(spot, nested.end, nested.node.get());
    if (nested.depth > 1) spots_[below].found = Found::kNever;
    add_below(below);
  }
  for (const model::AggregateField& aggregate : shown.aggregates) {
    size_t over = spots_.size();
    for (size_t i = 0; i < spots_.size(); ++i) {
      const bool is_chosen = spots_[i].shown != nullptr && !spots_[i].shown->where.empty();
      if (spots_[i].above == spot && spots_[i].end == aggregate.over && !is_chosen) over = i;
    }
    if (over == spots_.size()) add(spot, aggregate.over, nullptr);
    spots_[over].is_summed = true;
    for (const model::Place& place : aggregate.operands) {
      if (place.kind == model::Place::Kind::kField || place.kind == model::Place::Kind::kInside)
        spots_[over].fields.insert(place.field);
      if (place.kind == model::Place::Kind::kEdgeField) spots_[over].shows_edge = true;
    }
  }
}

// The values that are shown, sorted by or filtered by. Conditions of `where` are the keys' to serve.
void Questions::add_fields(size_t id) {
  Spot& spot = spots_[id];
  const std::vector<model::Field>& fields = model_.entities[spot.entity].fields;
  if (spot.shown != nullptr) {
    spot.shows_edge = spot.shows_edge || (spot.found == Found::kEdges && spot.above);
    if (spot.shown->all_fields) {
      for (FieldId field = 0; field < fields.size(); ++field) spot.fields.insert(field);
    }
    spot.fields.insert(spot.shown->fields.begin(), spot.shown->fields.end());
    const auto look = [&](const model::Place& place) {
      if (place.kind != model::Place::Kind::kEdgeField && place.kind != model::Place::Kind::kEntity &&
          place.ends.empty())
        spot.fields.insert(place.field);
    };
    for (const model::Condition& condition : spot.shown->filter) look(condition.place);
    if (spot.shown->order) look(spot.shown->order->first);
  }
  std::erase_if(spot.fields, [&](FieldId field) { return fields[field].is_id; });
  // Who has no items has an identity and nothing else.
  if (layout_.kind(spot.entity) == nullptr && spot.found != Found::kEmbedded) spot.fields.clear();
  if (spot.found != Found::kEdges) spot.shows_edge = false;
}

Found Questions::found(const Spot& spot) const {
  if (!spot.end) {
    const bool is_readable = layout_.kind(spot.entity) != nullptr ||
                             (pattern_.start && !layout_.embedding_end(model_, spot.entity));
    return !is_readable ? Found::kNever : pattern_.start ? Found::kGiven : Found::kConditions;
  }
  switch (layout_.storage(*spot.end)) {
    case model::EndStorage::kEdge:
      return Found::kEdges;
    case model::EndStorage::kIds:
      return Found::kNamed;
    case model::EndStorage::kEmbeds:
      return Found::kEmbedded;
    case model::EndStorage::kEmbedded:
      return Found::kIdentity;
    case model::EndStorage::kOther:
      // Who is in a list of ids does not name those who have it.
      return layout_.storage(spot.end->other()) == model::EndStorage::kIds ? Found::kNever : Found::kOwnItems;
    case model::EndStorage::kReference:
    case model::EndStorage::kEntries:
      break;
  }
  const std::vector<FieldPath>& identity = model_.entities[model_.end(*spot.end).holder].identity;
  const bool is_in_identity = std::any_of(identity.begin(), identity.end(), [&](const FieldPath& path) {
    return !path.ends.empty() && path.ends.front() == *spot.end;
  });
  return is_in_identity ? Found::kIdentity : Found::kNamed;
}

bool Questions::is_list(size_t spot) const { return spots_[spot].total > 1 || !spots_[spot].is_bounded; }

std::optional<int64_t> Questions::kept(size_t spot) const {
  const model::Node* const shown = spots_[spot].shown;
  if (shown == nullptr || spots_[spot].is_summed) return std::nullopt;
  if (shown->limit) return shown->limit;
  if (spot == result_ && is_list(spot)) return shown->page.value_or(kPage);
  return std::nullopt;
}

Facts Questions::bit(Name name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? 0 : Facts{1} << found->second;
}

Facts Questions::at_start() const { return spots_[0].found == Found::kGiven ? closed(known(0)) : Facts{0}; }

Facts Questions::closed(Facts facts) const {
  for (size_t spot = 1; spot < spots_.size(); ++spot) {
    if (spots_[spot].found == Found::kIdentity && (facts & known(*spots_[spot].above)) != 0)
      facts |= known(spot);
  }
  return facts;
}

Facts Questions::values(size_t spot, const std::set<FieldId>& of) const {
  Facts facts = 0;
  for (const FieldId field : of) facts |= bit({'v', spot, field});
  return facts;
}

Facts Questions::embedded(size_t spot) const {
  Facts facts = known(spot) | values(spot, spots_[spot].fields);
  for (size_t below = spot + 1; below < spots_.size(); ++below) {
    if (spots_[below].above == spot && spots_[below].found == Found::kEmbedded) facts |= embedded(below);
  }
  return facts;
}

std::set<FieldId> Questions::copied(size_t spot) const {
  std::set<FieldId> fields;
  for (const model::CopiedFields& copy : layout_.relations[spots_[spot].end->relation].copies) {
    if (copy.side == spots_[spot].end->side) fields.insert(copy.fields.begin(), copy.fields.end());
  }
  return fields;
}

bool Questions::holds_identity(const Held& held, HoleSource start, const std::string& prefix,
                               EntityId entity) const {
  const std::vector<FieldPath>& identity = model_.entities[entity].identity;
  return std::all_of(identity.begin(), identity.end(), [&](const FieldPath& part) {
    HoleSource source = start;
    source.path.ends.insert(source.path.ends.end(), part.ends.begin(), part.ends.end());
    source.path.field = part.field;
    const bool is_own = prefix.empty() && part.ends.empty();
    std::string name = is_own ? model_.field(entity, part).attribute : prefix + model_.text(entity, part);
    if (!is_own) std::replace(name.begin(), name.end(), '.', '_');
    return held.source(source) || held.attribute(name);
  });
}

Facts Questions::from_item(size_t id, const Held& held) const {
  const Spot& spot = spots_[id];
  Facts facts = holds_identity(held, {}, "", spot.entity) ? known(id) : Facts{0};
  facts |= bit({'x', id, 0});
  const std::vector<model::Field>& fields = model_.entities[spot.entity].fields;
  for (const FieldId field : spot.fields) {
    if (held.attribute(fields[field].attribute) || held.source({.path = {.field = field}}))
      facts |= bit({'v', id, field});
  }
  for (size_t below = id + 1; below < spots_.size(); ++below) {
    const Spot& other = spots_[below];
    if (other.above != id) continue;
    const std::string& name = model_.end(*other.end).name;
    const bool has_entries = layout_.storage(*other.end) == model::EndStorage::kEntries;
    const bool is_list = has_entries || layout_.storage(*other.end) == model::EndStorage::kIds;
    if (other.found == Found::kEmbedded && held.attribute(name)) facts |= embedded(below);
    if (other.found == Found::kNamed &&
        (is_list ? held.attribute(name)
                 : holds_identity(held, {.path = {.ends = {*other.end}}}, name + "_", other.entity)))
      facts |= known(below);
    if (other.found != Found::kNamed && other.found != Found::kIdentity) continue;
    for (const FieldId field : copied(below)) {
      if (held.attribute(has_entries ? name
                                     : name + "_" + model_.entities[other.entity].fields[field].name) ||
          held.source({.path = {.ends = {*other.end}, .field = field}}))
        facts |= bit({'v', below, field});
    }
  }
  return facts;
}

Facts Questions::spare_copies(size_t id) const {
  Facts facts = 0;
  for (size_t below = id + 1; below < spots_.size(); ++below) {
    if (spots_[below].above != id) continue;
    const std::set<FieldId> copies = copied(below);
    const bool is_read = !std::includes(copies.begin(), copies.end(), spots_[below].fields.begin(),
                                        spots_[below].fields.end());
    if (is_read) facts |= values(below, copies);
  }
  return facts;
}

Facts Questions::from_edge(size_t id, const Held& held) const {
  const Spot& spot = spots_[id];
  const std::string& name = model_.end(*spot.end).name;
  Facts facts = 0;
  if (holds_identity(held, {.root = HoleSource::Root::kEdgeEnd, .side = spot.end->side}, name + "_",
                     spot.entity))
    facts |= known(id);
  const std::vector<model::Field>& fields = model_.relations[spot.end->relation].edge_fields;
  for (FieldId field = 0; field < fields.size(); ++field) {
    if (held.attribute(fields[field].attribute) ||
        held.source({.root = HoleSource::Root::kEdgeField, .path = {.field = field}}))
      facts |= bit({'e', id, field});
  }
  for (const FieldId field : copied(id)) {
    if (held.attribute(name + "_" + model_.entities[spot.entity].fields[field].name) ||
        held.source({.root = HoleSource::Root::kEdgeEnd, .side = spot.end->side, .path = {.field = field}}))
      facts |= bit({'v', id, field});
  }
  if (!spot.above) facts |= from_finder(held);
  return facts;
}

// Fields that an edge found by the conditions has of the entity it leads from.
Facts Questions::from_finder(const Held& held) const {
  Facts facts = 0;
  const EndId end = *spots_[0].end, back{.relation = end.relation, .side = 1 - end.side};
  for (size_t below = 1; below < spots_.size(); ++below) {
    if (spots_[below].above != size_t{0} || spots_[below].end != back || spots_[below].shown != nullptr)
      continue;
    facts |= known(below);
    const std::vector<model::Field>& fields = model_.relations[end.relation].edge_fields;
    for (FieldId field = 0; field < fields.size(); ++field) {
      if (held.attribute(fields[field].attribute) ||
          held.source({.root = HoleSource::Root::kEdgeField, .path = {.field = field}}))
        facts |= bit({'e', below, field});
    }
    if (!layout_.item_kinds[layout_.edge_kind(end)].holds_copies(back.side)) continue;
    for (const FieldId field : copied(below)) {
      if (held.attribute(model_.end(back).name + "_" +
                         model_.entities[spots_[below].entity].fields[field].name) ||
          held.source({.root = HoleSource::Root::kEdgeEnd, .side = back.side, .path = {.field = field}}))
        facts |= bit({'v', below, field});
    }
  }
  return facts;
}

}  // namespace sheaf::plans
