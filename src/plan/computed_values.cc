#include "plan/computed_values.h"

#include <algorithm>

#include "model/value_type.h"
#include "plan/write_needs.h"

namespace sheaf::plan {
namespace {

using model::Place;
using TypeKind = language::Type::Kind;
using Kind = language::Write::Kind;

bool is_identity(const model::Model& model, model::EntityId entity, const Place& place) {
  const std::vector<model::FieldPath>& parts = model.entities[entity].identity;
  const model::FieldPath path{.ends = place.ends, .field = place.field};
  return place.kind == Place::Kind::kField && std::find(parts.begin(), parts.end(), path) != parts.end();
}

bool is_read(const model::Model& model, const model::Operation& operation, const model::Operand& operand) {
  if (!operand.parameter || !operand.place) return false;
  return !is_identity(model, *operation.parameters[*operand.parameter].entity, *operand.place);
}

// On which nothing else in the item depends.
bool is_free(const model::Model& model, const model::Layout& layout, model::EntityId entity,
             model::FieldId field) {
  const std::optional<language::Name>& ttl = model.entities[entity].syntax->ttl;
  const bool is_expiry = ttl && ttl->text == model.entities[entity].fields[field].name;
  return !is_expiry && !is_in_some_key(layout, entity, field);
}

bool has_limits(const model::Field& field) {
  return field.syntax->max || field.syntax->matches || field.syntax->since;
}

bool is_part_of(const language::Type& type, const language::Type& whole) {
  if (whole.kind == TypeKind::kAny || (whole.kind == TypeKind::kNumber && type.kind == TypeKind::kInt))
    return true;
  if (whole.kind == TypeKind::kString && model::is_textual(type)) return true;
  return type.kind == whole.kind && model::is_scalar(type) && type.kind != TypeKind::kEnum;
}

const language::Type& type_of(const model::Operation& operation, const model::Operand& operand) {
  return operand.place ? operand.place->type : operation.parameters[*operand.parameter].type;
}

}  // namespace

bool is_own_field(const model::Model& model, const model::Operation& operation, const model::Operand& operand,
                  size_t parameter) {
  return operand.parameter == parameter && is_read(model, operation, operand) && operand.place->ends.empty();
}

bool is_stored_elsewhere(const model::Model& model, const model::Operation& operation,
                         const model::Operand& operand, size_t parameter) {
  return is_read(model, operation, operand) && !is_own_field(model, operation, operand, parameter);
}

bool is_computed_in_update(const model::Model& model, const model::Layout& layout,
                           const model::Operation& operation, const model::Write& write, size_t place) {
  const Place& to = write.places[place];
  const model::EntityId entity = *operation.parameters[write.parameter].entity;
  const model::Field& field = model.entities[entity].fields[to.field];
  const std::vector<model::Operand>& operands = write.expressions[place];
  const auto& marks = write.syntax->assignments[place].second.rest;
  const bool is_add = write.syntax->kind == Kind::kAdd;
  if (field.syntax->is_unique || !is_free(model, layout, entity, to.field)) return false;
  const auto is_own = [&](const model::Operand& operand) {
    return is_own_field(model, operation, operand, write.parameter);
  };
  const bool has_own = std::any_of(operands.begin(), operands.end(), is_own);
  if (is_add && to.type.kind == TypeKind::kSet)
    return to.inside.empty() && layout.has_items(entity) && !has_limits(field) && !has_own;
  // Values that are given are added up before.
  const bool is_given = std::none_of(operands.begin(), operands.end(), [&](const model::Operand& operand) {
    return is_read(model, operation, operand);
  });
  const bool is_product =
      std::any_of(marks.begin(), marks.end(), [](const auto& term) { return term.first == '*'; });
  const size_t terms = is_given ? 1 : operands.size();
  if (terms > (is_add ? 1U : 2U) || (is_product && !is_given)) return false;
  const bool is_sum = is_add || terms > 1;
  if (is_sum && !model::is_numeric(to.type)) return false;
  const bool fits = std::all_of(operands.begin(), operands.end(), [&](const model::Operand& operand) {
    if (!operand.parameter) return true;
    const bool is_elsewhere =
        is_own(operand) && ((layout.is_by_field(entity) && operand.place->field != to.field) ||
                            !is_free(model, layout, entity, operand.place->field));
    const bool must_be_whole = is_sum && to.type.kind == TypeKind::kInt;
    const language::Type& type = type_of(operation, operand);
    if (is_elsewhere || (must_be_whole && type.kind != TypeKind::kInt)) return false;
    return !is_own(operand) || is_part_of(type, to.type);
  });
  if (!fits) return false;
  return !has_limits(field) || (is_given && (is_add || terms == 1));
}

bool is_tested_in_write(const model::Model& model, const model::Layout& layout,
                        const model::Operation& operation, const model::Write& write,
                        const model::Condition& condition) {
  const model::EntityId entity = *operation.parameters[write.parameter].entity;
  const Place& place = condition.place;
  const bool is_made = std::any_of(operation.writes.begin(), operation.writes.end(), [&](const auto& other) {
    const bool is_put = other.syntax->kind == Kind::kPut || other.syntax->kind == Kind::kUpsert;
    return is_put && other.parameter == write.parameter;
  });
  if (is_made || is_identity(model, entity, place)) return true;  // known before
  if (!layout.has_items(entity)) return false;
  const model::ItemKind& kind = *layout.kind(entity);
  if (place.ends.empty()) {
    if (kind.holds_in_key({.path = {.field = place.field}})) return false;
  } else {
    const model::EndId end = place.ends.front();
    const auto& parts = model.entities[model.end(end).target].identity;
    const model::FieldPath rest{.ends = {place.ends.begin() + 1, place.ends.end()}, .field = place.field};
    auto part = parts.begin();
    if (place.kind == Place::Kind::kField) part = std::find(parts.begin(), parts.end(), rest);
    const bool is_reference =
        layout.storage(end) == model::EndStorage::kReference && part != parts.end() &&
        (place.kind == Place::Kind::kField || (place.kind == Place::Kind::kEntity && place.ends.size() == 1));
    if (!is_reference) return false;
    model::HoleSource source{.path = *part};
    source.path.ends.insert(source.path.ends.begin(), end);
    if (kind.holds_in_key(source)) return false;
  }
  return std::none_of(condition.operands.begin(), condition.operands.end(), [&](const auto& operand) {
    return is_own_field(model, operation, operand, write.parameter) &&
           (kind.is_by_field() || kind.holds_in_key({.path = {.field = operand.place->field}}));
  });
}

}  // namespace sheaf::plan
