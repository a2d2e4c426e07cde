#include "generate/generator.h"

#include <algorithm>

#include "base/try.h"
#include "generate/words.h"
#include "run/item_codec.h"
#include "run/value_check.h"

namespace sheaf::generate {
namespace {

using model::EndId;
using model::EntityId;
using model::FieldId;
using model::RelationId;

constexpr uint64_t kOptionalMissing = 3;  // one in so many
constexpr uint64_t kNamesShift = 500;     // siblings begin somewhere in the lists of names

Value typed(const std::string& text, const model::Field& field) { return run::value_of(text, field.type); }

}  // namespace

// --- Places and times

Generator::Place Generator::place(EntityId entity, uint64_t ordinal) const {
  const auto& within = model_.entities[entity].within;
  if (!within) return {.number = ordinal};
  const Links& links = *links_[within->relation];
  const int parent_side = 1 - within->side;
  const uint64_t position = links.position(within->side, ordinal, 0);
  const uint64_t parent = links.at(position)->ordinals[parent_side];
  return {.parent = parent, .number = position - links.position(parent_side, parent, 0)};
}

int64_t Generator::moment(EntityId entity, uint64_t ordinal) const {
  const auto& primary = plans_[entity].primary;
  std::optional<int64_t> parent;
  if (primary) {
    if (const auto above = target(*primary, ordinal)) parent = moment(model_.end(*primary).target, *above);
  }
  return moment_after(entity, ordinal, parent);
}

// After that of its parent, and more often in the recent past: the age is a square.
int64_t Generator::moment_after(EntityId entity, uint64_t ordinal, std::optional<int64_t> parent) const {
  const EntityPlan& plan = plans_[entity];
  const int64_t begin = std::max(plan.period.begin_ms, parent.value_or(plan.period.begin_ms));
  const auto span = static_cast<uint64_t>(std::max<int64_t>(plan.period.end_ms - begin, 1));
  const uint64_t chance = mixed(mixed(plan.key, "time"), ordinal) >> 32;
  const uint64_t square = (chance * chance) >> 32;
  return plan.period.end_ms - 1 - static_cast<int64_t>((static_cast<unsigned __int128>(span) * square) >> 32);
}

// --- Ids

Generator::Subject Generator::subject(EntityId entity, uint64_t ordinal) const {
  return {.entity = entity,
          .ordinal = ordinal,
          .place = place(entity, ordinal),
          .occasion = {.time_ms = moment(entity, ordinal), .period = plans_[entity].period}};
}

Value Generator::own_id(const Subject& subject, size_t id) const {
  const EntityPlan& plan = plans_[subject.entity];
  const FieldId field = plan.ids[id];
  const FieldValues& values = plan.values[field];
  if (!plan.carrier) {
    // All of them are the digits of one number.
    uint64_t number = subject.place.number;
    for (size_t i = plan.ids.size(); i-- > id + 1;) number /= plan.values[plan.ids[i]].count();
    return values.nth(number % values.count(), subject.occasion);
  }
  if (*plan.carrier == id) {
    uint64_t number = plan.is_by_ordinal ? subject.ordinal : subject.place.number;
    const bool is_name = !plan.is_by_ordinal && values.count() >= FieldValues::kCountMax;
    if (is_name) number += mixed(plan.key, subject.place.parent.value_or(0)) % kNamesShift;
    return values.nth(number, subject.occasion);
  }
  Chance chance(mixed(mixed(plan.key, field), subject.ordinal));
  return values.some(subject.occasion, chance);
}

run::Identity Generator::identity_of(const Subject& subject) const {
  const model::Entity& entity = model_.entities[subject.entity];
  run::Identity made;
  if (subject.place.parent) made = identity(model_.end(*entity.within).target, *subject.place.parent);
  for (size_t i = 0; i < plans_[subject.entity].ids.size(); ++i) {
    const model::Field& field = entity.fields[plans_[subject.entity].ids[i]];
    made.push_back(*run::key_text(run::stored_form(own_id(subject, i), field.type)));
  }
  return made;
}

run::Identity Generator::identity(EntityId entity, uint64_t ordinal) const {
  return identity_of(subject(entity, ordinal));
}

Value Generator::id_value(EntityId entity, const run::Identity& identity) const {
  if (identity.size() == 1) return typed(identity[0], run::identity_field(model_, entity, 0));
  std::vector<Value> parts;
  for (size_t i = 0; i < identity.size(); ++i)
    parts.push_back(typed(identity[i], run::identity_field(model_, entity, i)));
  return Value::list(parts);
}

Value Generator::id(EntityId entity, uint64_t ordinal) const {
  return id_value(entity, identity(entity, ordinal));
}

// --- Fields

std::optional<Value> Generator::plain_field(EntityId entity, uint64_t ordinal, FieldId field,
                                            const Occasion& occasion) const {
  const model::Field& declared = model_.entities[entity].fields[field];
  const FieldValues& values = plans_[entity].values[field];
  Chance chance(mixed(mixed(plans_[entity].key, declared.name), ordinal));
  if (declared.kept == model::Kept::kVersion) return Value(1);
  if (declared.is_optional && chance.one_in(kOptionalMissing)) return std::nullopt;
  Value value;
  if (declared.syntax->is_unique) {
    if (ordinal >= values.count()) return std::nullopt;
    value = values.nth(ordinal, occasion);
  } else {
    value = values.some(occasion, chance);
  }
  return run::stored_form(value, declared.type);
}

Value Generator::filled_text(const Subject& subject, Value text) const {
  const EntityPlan& plan = plans_[subject.entity];
  const std::vector<model::Field>& fields = model_.entities[subject.entity].fields;
  uint64_t bytes = fields[*plan.filled].attribute.size();
  for (FieldId id = 0; id < fields.size(); ++id) {
    if (id == *plan.filled || fields[id].is_id || fields[id].count_of) continue;
    const auto value = plain_field(subject.entity, subject.ordinal, id, subject.occasion);
    if (value) bytes += fields[id].attribute.size() + value->view().size_bytes();
  }
  for (const std::string& part : identity_of(subject)) bytes += part.size();
  const uint64_t size = text.view().bytes().size();
  if (bytes + size >= plan.bytes) return text;
  Chance chance(mixed(mixed(plan.key, "filler"), subject.ordinal));
  return Value(std::string(text.view().bytes()) + " " + filler(plan.bytes - bytes - size - 1, chance));
}

std::optional<Value> Generator::field_of(const Subject& subject, FieldId field) const {
  const EntityPlan& plan = plans_[subject.entity];
  const model::Field& declared = model_.entities[subject.entity].fields[field];
  if (declared.count_of) return Value(static_cast<int64_t>(degree(*declared.count_of, subject.ordinal)));
  if (declared.is_id) {
    const auto id =
        static_cast<size_t>(std::find(plan.ids.begin(), plan.ids.end(), field) - plan.ids.begin());
    return run::stored_form(own_id(subject, id), declared.type);
  }
  auto value = plain_field(subject.entity, subject.ordinal, field, subject.occasion);
  if (value && plan.filled == field) return filled_text(subject, std::move(*value));
  return value;
}

std::optional<Value> Generator::field(EntityId entity, uint64_t ordinal, FieldId field) const {
  return field_of(subject(entity, ordinal), field);
}

run::Fields Generator::fields(EntityId entity, uint64_t ordinal) const {
  run::Fields made;
  const Subject who = subject(entity, ordinal);
  const std::vector<model::Field>& declared = model_.entities[entity].fields;
  for (FieldId id = 0; id < declared.size(); ++id) {
    if (auto value = field_of(who, id)) made.emplace(declared[id].name, std::move(*value));
  }
  return made;
}

bool Generator::is_in_document(EndId end) const {
  const model::Relation& relation = model_.relations[end.relation];
  return sizes_.relations[end.relation].parent_side == 1 - end.side && relation.edge_fields.empty();
}

Value Generator::document(EntityId entity, uint64_t ordinal) const {
  run::Fields made;
  const Subject who = subject(entity, ordinal);
  const model::Entity& declared = model_.entities[entity];
  for (FieldId id = 0; id < declared.fields.size(); ++id) {
    if (declared.fields[id].count_of || declared.fields[id].kept == model::Kept::kVersion) continue;
    if (auto value = field_of(who, id)) made.emplace(declared.fields[id].name, std::move(*value));
  }
  for (const EndId end : declared.ends) {
    if (!is_in_document(end)) continue;
    if (const auto other = target(end, ordinal))
      made.emplace(model_.end(end).name, id(model_.end(end).target, *other));
  }
  return Value(run::item_of(made));
}

// --- Edges

uint64_t Generator::degree(EndId end, uint64_t ordinal) const {
  const Links& links = *links_[end.relation];
  const uint64_t positions = links.degree(end.side, ordinal);
  if (!links.has_gaps() && sizes_.relations[end.relation].parallel_max == 1) return positions;
  uint64_t count = 0;
  for (uint64_t i = 0; i < positions; ++i) {
    const uint64_t position = links.position(end.side, ordinal, i);
    if (links.has_gaps() && !links.at(position)) continue;
    count += parallel(end.relation, position);
  }
  return count;
}

void Generator::each_edge(EndId end, uint64_t ordinal,
                          const std::function<bool(const EdgePlace&, uint64_t other)>& each) const {
  const Links& links = *links_[end.relation];
  const bool is_symmetric = model_.relations[end.relation].is_symmetric;
  const uint64_t positions = links.degree(end.side, ordinal);
  for (uint64_t i = 0; i < positions; ++i) {
    const uint64_t position = links.position(end.side, ordinal, i);
    const auto link = links.at(position);
    if (!link) continue;
    const int other = is_symmetric && link->ordinals[0] != ordinal ? 0 : is_symmetric ? 1 : 1 - end.side;
    for (uint64_t number = 0; number < parallel(end.relation, position); ++number) {
      if (!each({.position = position, .number = number}, link->ordinals[other])) return;
    }
  }
}

std::optional<uint64_t> Generator::target(EndId end, uint64_t ordinal) const {
  const Links& links = *links_[end.relation];
  if (links.degree(end.side, ordinal) == 0) return std::nullopt;
  const auto link = links.at(links.position(end.side, ordinal, 0));
  if (!link) return std::nullopt;
  if (model_.relations[end.relation].is_symmetric)
    return link->ordinals[0] == ordinal ? link->ordinals[1] : link->ordinals[0];
  return link->ordinals[1 - end.side];
}

run::Fields Generator::edge_fields(RelationId relation, const EdgePlace& place) const {
  run::Fields made;
  const std::vector<model::Field>& declared = model_.relations[relation].edge_fields;
  const Occasion occasion{
      .time_ms = period_.end_ms - 1 -
                 static_cast<int64_t>(mixed(edge_keys_[relation], place.position) %
                                      static_cast<uint64_t>(period_.end_ms - period_.begin_ms)),
      .period = period_};
  // Ids differ between the same two: together they are a number, which goes on from somewhere.
  uint64_t number = mixed(edge_keys_[relation], place.position) % 7919 + place.number;
  for (FieldId id = 0; id < declared.size(); ++id) {
    const FieldValues& values = edge_values_[relation][id];
    Chance chance(mixed(mixed(mixed(edge_keys_[relation], declared[id].name), place.position), place.number));
    Value value;
    if (declared[id].is_id) {
      value = values.nth(number % values.count(), occasion);
      number /= values.count();
    } else if (declared[id].is_optional && chance.one_in(kOptionalMissing)) {
      continue;
    } else {
      value = values.some(occasion, chance);
    }
    made.emplace(declared[id].name, run::stored_form(value, declared[id].type));
  }
  return made;
}

// --- For asking

uint64_t Generator::pick(EntityId entity, Chance& chance) const {
  const Shares& shares = popularity_[entity];
  return populations_[entity].ordinal(shares.owner(chance.below(shares.total())));
}

Value Generator::missing_id(EntityId entity, uint64_t nonce) const {
  const uint64_t ordinal = count(entity) + nonce;
  const auto& within = model_.entities[entity].within;
  Place place{.number = ordinal};
  if (within) {
    Chance chance(mixed(nonce, "parent"));
    place.parent = pick(model_.end(*within).target, chance);
  }
  run::Identity made;
  if (place.parent) made = identity(model_.end(*within).target, *place.parent);
  const EntityPlan& plan = plans_[entity];
  const Occasion occasion{.time_ms = moment_after(entity, ordinal, std::nullopt), .period = plan.period};
  for (size_t i = 0; i < plan.ids.size(); ++i) {
    const FieldValues& values = plan.values[plan.ids[i]];
    Chance chance(mixed(mixed(plan.key, i), ordinal));
    const bool is_carrier = plan.carrier == i && values.count() > ordinal + kNamesShift;
    const Value value =
        is_carrier ? values.nth(ordinal + kNamesShift, occasion) : values.some(occasion, chance);
    made.push_back(*run::key_text(run::stored_form(value, model_.entities[entity].fields[plan.ids[i]].type)));
  }
  return id_value(entity, made);
}

uint64_t Generator::room(EntityId entity) const {
  const EntityPlan& plan = plans_[entity];
  if (plan.ids.empty()) return FieldValues::kCountMax;  // its id is its parent's
  const uint64_t values = plan.carrier ? plan.values[plan.ids[*plan.carrier]].count() : 0;
  const uint64_t taken = count(entity) + kNamesShift;
  return values > taken ? values - taken : 0;
}

Result<Value> Generator::new_document(EntityId entity, uint64_t nonce,
                                      const std::vector<EndId>& without) const {
  const EntityPlan& plan = plans_[entity];
  const model::Entity& declared = model_.entities[entity];
  const uint64_t ordinal = count(entity) + nonce;
  if (nonce >= room(entity))
    return Error{Code::kInvalid, "the ids of " + declared.name + " have no values for more of them"};
  const Occasion occasion{.time_ms = moment_after(entity, ordinal, std::nullopt), .period = plan.period};
  run::Fields made;
  for (FieldId id = 0; id < declared.fields.size(); ++id) {
    const model::Field& field = declared.fields[id];
    if (field.count_of || field.kept != model::Kept::kNo) continue;
    if (field.is_id && plan.carrier && plan.ids[*plan.carrier] == id) {
      made.emplace(field.name, plan.values[id].nth(ordinal + kNamesShift, occasion));
      continue;
    }
    if (auto value = plain_field(entity, ordinal, id, occasion)) made.emplace(field.name, std::move(*value));
  }
  for (const EndId end : declared.ends) {
    const bool is_needed = model_.end(end).is_required || declared.within == end;
    if (!is_needed || std::find(without.begin(), without.end(), end) != without.end()) continue;
    Chance chance(mixed(mixed(plan.key, model_.end(end).name), ordinal));
    const EntityId other = model_.end(end).target;
    if (count(other) == 0) return Error{Code::kInvalid, "there is no " + model_.entities[other].name};
    made.emplace(model_.end(end).name, id(other, pick(other, chance)));
  }
  return Value(run::item_of(made));
}

Value Generator::some_value(EntityId entity, FieldId field, Chance& chance) const {
  const EntityPlan& plan = plans_[entity];
  const Occasion occasion{.time_ms = moment_after(entity, chance.next(), std::nullopt),
                          .period = plan.period};
  const FieldValues& values = plan.values[field];
  if (model_.entities[entity].fields[field].syntax->is_unique && values.count() > count(entity))
    return values.nth(count(entity) + chance.below(values.count() - count(entity)), occasion);
  return values.some(occasion, chance);
}

Value Generator::some_edge_value(RelationId relation, FieldId field, Chance& chance) const {
  return edge_values_[relation][field].some({.time_ms = period_.end_ms - 1, .period = period_}, chance);
}

}  // namespace sheaf::generate
