// What an operation makes of fields. DynamoDB computes one sum of two operands by itself; everything else is
// computed here, from what was read, under the condition that it is still so.
#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "model/value_type.h"
#include "plan/write_needs.h"
#include "run/attempt.h"
#include "run/document.h"
#include "run/expression.h"
#include "run/guards.h"
#include "run/inner_value.h"
#include "run/value_check.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;
using model::FieldId;
using TypeKind = language::Type::Kind;

namespace {

Error missing_operand(const model::Field& field) {
  return {Code::kInvalid, "a value that the field " + field.name + " is computed from is missing"};
}

Error no_place(const model::Field& field, const OwnField& to) {
  const std::string& outer = to.inside.size() > 1 ? to.inside[to.inside.size() - 2] : field.name;
  return {Code::kInvalid, "there is no " + outer + " to put " + to.inside.back() + " into"};
}

bool has_limits(const model::Field& field, const Declared& declared) {
  const language::Field* const syntax = declared.field != nullptr ? declared.field : field.syntax;
  return syntax != nullptr && (syntax->max || syntax->matches || syntax->since);
}

bool is_whole(const Value& value) {
  return value.type() == Type::kNumber && !misfit(value, language::Type{.kind = TypeKind::kInt});
}

// Whether every value of one type is one of the other.
bool is_part_of(const language::Type& type, const language::Type& whole) {
  if (whole.kind == TypeKind::kAny || (whole.kind == TypeKind::kNumber && type.kind == TypeKind::kInt))
    return true;
  if (whole.kind == TypeKind::kString && model::is_textual(type)) return true;
  const bool is_simple = model::is_scalar(type) && type.kind != TypeKind::kEnum;
  return type.kind == whole.kind && is_simple;
}

}  // namespace

// --- Whether DynamoDB can do it

// An attribute of its own item on which nothing else in the item depends.
bool Attempt::is_attribute(EntityId entity, FieldId field) const {
  const std::optional<language::Name>& ttl = model_.entities[entity].syntax->ttl;
  const bool is_expiry = ttl && ttl->text == model_.entities[entity].fields[field].name;
  return !is_expiry && !plan::is_in_some_key(layout_, entity, field);
}

bool Attempt::is_blind(const Change& change, const Assigned& assigned) const {
  const model::Field& field = model_.entities[change.entity].fields[assigned.to.field];
  const Declared to = declared_inside(field.type, assigned.to.inside);
  const bool is_add = change.kind == Change::Kind::kAdd;
  if (field.syntax->is_unique || !is_attribute(change.entity, assigned.to.field)) return false;
  const bool is_child = layout_.embedding_end(model_, change.entity).has_value();
  const bool is_of_others = layout_.is_by_field(change.entity);
  // A set can only grow at the top of an item.
  if (is_add && to.type.kind == TypeKind::kSet)
    return assigned.to.inside.empty() && !is_child && !has_limits(field, to) &&
           !std::holds_alternative<OwnField>(assigned.first);
  if (is_add && !model::is_numeric(to.type)) return false;
  std::vector<const ChangeOperand*> operands = {&assigned.first};
  for (const auto& [mark, operand] : assigned.rest) {
    if (mark == '*') return false;
    operands.push_back(&operand);
  }
  if (operands.size() > (is_add ? 1U : 2U)) return false;
  const bool is_sum = is_add || operands.size() > 1;
  if (is_sum && !model::is_numeric(to.type)) return false;
  bool has_own = false;
  for (const ChangeOperand* const operand : operands) {
    if (const auto* value = std::get_if<Value>(operand)) {
      if (is_sum && to.type.kind == TypeKind::kInt && !is_whole(*value)) return false;
      continue;
    }
    const auto* own = std::get_if<OwnField>(operand);
    if (own == nullptr) {  // its value is known when this is written
      const language::Type& type = std::get<StoredValue>(*operand).place.type;
      if (is_sum && to.type.kind == TypeKind::kInt && type.kind != TypeKind::kInt) return false;
      continue;
    }
    has_own = true;
    const bool is_elsewhere = is_of_others && own->field != assigned.to.field;
    if (is_elsewhere || !is_attribute(change.entity, own->field)) return false;
    const model::Field& from = model_.entities[change.entity].fields[own->field];
    if (!is_part_of(declared_inside(from.type, own->inside).type, to.type)) return false;
  }
  if (!has_limits(field, to)) return true;
  // One number that is added is compared with what is left of the maximum.
  const auto* value = std::get_if<Value>(&assigned.first);
  if (is_add)
    return value != nullptr && value->type() == Type::kNumber && !misfit(*value, field, assigned.to.inside);
  return !has_own && value != nullptr && operands.size() == 1;
}

// Nothing is removed from what is missing, which DynamoDB refuses.
bool Attempt::is_blind(const Change& change, const OwnField& removed) const {
  const model::Field& field = model_.entities[change.entity].fields[removed.field];
  return removed.inside.size() <= 1 && !field.is_optional && is_attribute(change.entity, removed.field);
}

// --- What is computed

// An assignment without values that are stored elsewhere: those are known by now.
Result<Assigned> Attempt::folded(const Assigned& assigned) const {
  const auto fold = [&](const ChangeOperand& operand) -> Result<ChangeOperand> {
    if (!std::holds_alternative<StoredValue>(operand)) return operand;
    const std::optional<Value> value = TRY(known(operand, {}, model_.entities.front()));
    if (!value) return Error{Code::kInvalid, "a value that is to be written is missing"};
    return ChangeOperand(*value);
  };
  Assigned made{.to = assigned.to};
  made.first = TRY(fold(assigned.first));
  bool is_known = std::holds_alternative<Value>(made.first);
  for (const auto& [mark, operand] : assigned.rest) {
    ChangeOperand one = TRY(fold(operand));
    is_known = is_known && std::holds_alternative<Value>(one);
    made.rest.emplace_back(mark, std::move(one));
  }
  if (!is_known || made.rest.empty()) return made;
  std::vector<std::pair<char, Value>> rest;
  for (const auto& [mark, operand] : made.rest) rest.emplace_back(mark, std::get<Value>(operand));
  made.first = TRY(evaluated(std::get<Value>(made.first), rest));
  made.rest.clear();
  return made;
}

Result<void> Attempt::check_result(const model::Field& field, ValueView value) const {
  if (auto why = misfit(value, field)) return Error{Code::kInvalid, "the field " + field.name + " " + *why};
  if (auto why = outside(value, field, options_.now))
    return Error{Code::kInvalid, "the field " + field.name + " " + *why};
  return {};
}

Result<void> Attempt::assign(const model::Entity& entity, const Assigned& assigned, bool is_add,
                             const Fields& before, Fields& after) const {
  const model::Field& field = entity.fields[assigned.to.field];
  const auto value_of = [&](const ChangeOperand& operand) -> Result<Value> {
    std::optional<Value> value = TRY(known(operand, before, entity));
    if (!value) return missing_operand(field);
    return *std::move(value);
  };
  const Value first = TRY(value_of(assigned.first));
  std::vector<std::pair<char, Value>> rest;
  for (const auto& [mark, operand] : assigned.rest) {
    Value value = TRY(value_of(operand));
    rest.emplace_back(mark, std::move(value));
  }
  Value result = TRY(evaluated(first, rest));
  const auto was = after.find(field.name);
  if (is_add) {
    const auto sum = was == after.end() ? std::nullopt : value_inside(was->second, assigned.to.inside);
    result = TRY(added(sum.value_or(result.type() == Type::kNumber ? Value(0) : result), result));
  }
  if (!assigned.to.inside.empty()) {
    if (was == after.end()) return no_place(field, assigned.to);
    result = TRY(with_inside(was->second, assigned.to.inside, result));
  }
  after[field.name] = std::move(result);
  return {};
}

Result<void> Attempt::assign_blindly(Subject& self, const Assigned& assigned, bool is_add) {
  const model::Entity& entity = model_.entities[self.entity];
  const model::Field& field = entity.fields[assigned.to.field];
  Assigned made = TRY(folded(assigned));
  const Declared to = declared_inside(field.type, assigned.to.inside);
  const auto* value = std::get_if<Value>(&made.first);
  const bool is_set = to.type.kind == TypeKind::kSet;
  if (value != nullptr && made.rest.empty() && (!is_add || is_set)) {
    if (auto why = misfit(*value, field, assigned.to.inside))
      return Error{Code::kInvalid, "the field " + field.name + " " + *why};
  }
  const auto expect_present = [&](AttributePath path) {
    self.expected.push_back(
        {.kind = Expected::Kind::kPresent, .path = std::move(path), .error = missing_operand(field)});
  };
  const bool is_child = layout_.embedding_end(model_, self.entity).has_value();
  const auto path_to = [&](const model::Field& of, const std::vector<std::string>& inside) {
    AttributePath path = path_of(of, inside);
    if (is_child) path.front() = of.name;
    return path;
  };
  const auto expect_operand = [&](const ChangeOperand& operand) {
    const auto* own = std::get_if<OwnField>(&operand);
    if (own != nullptr && (entity.fields[own->field].is_optional || !own->inside.empty()))
      expect_present(path_to(entity.fields[own->field], own->inside));
  };
  expect_operand(made.first);
  for (const auto& [mark, operand] : made.rest) expect_operand(operand);
  if (!assigned.to.inside.empty()) {
    AttributePath parent = path_to(field, assigned.to.inside);
    parent.pop_back();
    self.expected.push_back(
        {.kind = Expected::Kind::kPresent, .path = std::move(parent), .error = no_place(field, assigned.to)});
  }
  const language::Field* const limits = to.field != nullptr ? to.field : field.syntax;
  if (is_add && !is_set && value != nullptr && limits->max) {
    const Number room =
        TRY(subtract(Number(static_cast<int64_t>(limits->max->value)), value->view().number()));
    self.expected.push_back({.kind = Expected::Kind::kAtMost,
                             .path = path_to(field, assigned.to.inside),
                             .values = {Value(room)},
                             .error = {Code::kInvalid, "the field " + field.name + " is more than its max " +
                                                           std::to_string(limits->max->value)}});
  }
  self.sums.emplace_back(std::move(made), is_add);
  return {};
}

// All that the operation writes of the fields of one entity, from what they are before it.
Result<void> Attempt::settle(Subject& self) {
  if (self.fate == Subject::Fate::kUpserted) settle_upsert(self);
  if (self.assigned.empty() && self.removed.empty()) return {};
  const model::Entity& entity = model_.entities[self.entity];
  const bool is_made = self.made != nullptr;
  if (!is_made) TRY(settle_child(self));
  if (!is_made && self.is_loaded && !self.stored)
    return Error{Code::kNotFound, "there is no " + entity.name + " " + shown(self.identity)};
  const Fields before = is_made ? self.made->fields : self.before.fields;
  Fields& after = is_made ? self.made_fields.emplace(before) : self.after.fields;
  for (const auto& [assigned, is_add] : self.assigned) {
    TRY(check_changeable(self.entity, assigned->to.field));
    if (!is_made && !self.fields.contains(assigned->to.field)) {
      TRY(assign_blindly(self, *assigned, is_add));
      continue;
    }
    TRY(assign(entity, *assigned, is_add, before, after));
    // What it was computed from must still be so.
    if (is_add || !assigned->to.inside.empty()) self.computed_from.insert(assigned->to.field);
    if (const auto* own = std::get_if<OwnField>(&assigned->first)) self.computed_from.insert(own->field);
    for (const auto& [mark, operand] : assigned->rest) {
      if (const auto* own = std::get_if<OwnField>(&operand)) self.computed_from.insert(own->field);
    }
  }
  for (const auto& [assigned, is_add] : self.assigned) {
    const model::Field& field = entity.fields[assigned->to.field];
    const auto value = after.find(field.name);
    if (value != after.end() && (is_made || self.fields.contains(assigned->to.field)))
      TRY(check_result(field, value->second));
  }
  for (const OwnField* const own : self.removed) {
    TRY(check_changeable(self.entity, own->field));
    const std::string& name = entity.fields[own->field].name;
    if (!is_made && !self.fields.contains(own->field)) {
      self.removed_inside.push_back(*own);
    } else if (own->inside.empty()) {
      after.erase(name);
    } else if (const auto was = after.find(name); was != after.end()) {
      was->second = TRY(with_inside(was->second, own->inside, std::nullopt));
      self.computed_from.insert(own->field);
    }
  }
  return {};
}

// It is known by now whether it is there.
void Attempt::settle_upsert(Subject& self) {
  self.fields.clear();
  self.fate = self.stored ? Subject::Fate::kKept : Subject::Fate::kNew;
  if (self.stored) return;
  self.expected.push_back({.kind = Expected::Kind::kAbsent, .is_race = true});
  self.ends.clear();
}

// --- Of a child that lies in its parent

// What is known of it is in its parent's item.
Result<void> Attempt::settle_child(Subject& self) {
  const auto end = layout_.embedding_end(model_, self.entity);
  if (!end) return {};
  const Subject& parent =
      subject(model_.end(*end).holder, parent_in(model_, self.entity, self.identity, end->other()));
  if (parent.made != nullptr && !parent.stored)
    return Error{Code::kInvalid, with_article(model_.entities[self.entity].name) +
                                     " that comes with its parent cannot be changed in the same operation"};
  if (!parent.is_loaded) return {};
  self.is_loaded = true;
  if (!parent.stored) return {};
  const Fields* const fields = child_in(parent.before, *end, self.entity, self.identity);
  if (fields == nullptr) return {};
  self.stored = Item();
  self.before.fields = self.after.fields = *fields;
  return {};
}

Result<void> Attempt::apply_embedded(const Change& change) {
  using Kind = Change::Kind;
  const EndId end = *layout_.embedding_end(model_, change.entity);
  Subject& parent = **parent_of(change, end);
  Subject& self = subject(change.entity, change.identity);
  const model::Entity& child = model_.entities[change.entity];
  const bool is_whole = change.kind == Kind::kPut || change.kind == Kind::kDelete;
  // Once; and what is put has its changes in its document.
  if (!is_whole && (self.made != nullptr || self.is_settled)) return {};
  self.is_settled = true;
  EmbeddedChange made{.end = end, .child = change.entity};
  for (size_t part = 0; part < child.identity.size(); ++part) {
    if (!child.identity[part].ends.empty()) continue;
    const model::Field& field = child.fields[child.identity[part].field];
    made.ids[field.name] = value_of(change.identity[part], field.type);
  }
  made.kind = change.kind == Kind::kPut      ? EmbeddedChange::Kind::kPut
              : change.kind == Kind::kDelete ? EmbeddedChange::Kind::kDelete
                                             : EmbeddedChange::Kind::kChange;
  if (change.kind == Kind::kPut) made.fields = self.made_fields.value_or(change.fields);
  if (is_whole) count(end, parent.identity, change.kind == Kind::kPut ? 1 : -1);
  if (!is_whole) fill_embedded(self, made);
  if (parent.fate == Subject::Fate::kNew && change.kind == Kind::kPut) {
    parent.after.embedded[end].push_back(std::move(made.fields));
  } else {
    parent.embedded.push_back(std::move(made));
  }
  return {};
}

void Attempt::fill_embedded(const Subject& self, EmbeddedChange& made) const {
  const model::Entity& child = model_.entities[self.entity];
  made.assigned = self.sums;
  made.removed = self.removed_inside;
  made.expected = self.expected;
  for (const FieldId id : self.fields) {
    const auto value = self.after.fields.find(child.fields[id].name);
    if (value == self.after.fields.end()) {
      made.removed.push_back({.field = id});
    } else {
      made.assigned.emplace_back(Assigned{.to = {.field = id}, .first = value->second, .rest = {}}, false);
    }
  }
  for (const FieldId id : self.computed_from) {
    const std::string& name = child.fields[id].name;
    const auto value = self.before.fields.find(name);
    const bool is_there = value != self.before.fields.end();
    made.expected.push_back({.kind = is_there ? Expected::Kind::kEquals : Expected::Kind::kMissing,
                             .path = {name},
                             .values = {is_there ? value->second : Value()},
                             .is_race = true});
  }
}

}  // namespace sheaf::run
