#include "run/conditions.h"

#include <algorithm>
#include <chrono>

#include "model/value_type.h"
#include "run/item_codec.h"
#include "run/time_text.h"
#include "run/value_check.h"

namespace sheaf::run {

using language::Literal;
using language::Operand;
using Test = language::Condition::Test;

Value literal_value(const Literal& literal, const language::Type& type,
                    std::chrono::system_clock::time_point now) {
  switch (literal.kind) {
    case Literal::Kind::kString:
      return value_of(literal.text, type.kind == language::Type::Kind::kAny ? language::Type{} : type);
    case Literal::Kind::kNumber: {
      const auto number = Number::parse(literal.text);
      return number.ok() ? Value(*number) : Value(literal.text);
    }
    case Literal::Kind::kTrue:
      return Value(true);
    case Literal::Kind::kFalse:
      return Value(false);
    case Literal::Kind::kList: {
      std::vector<Value> items;
      const language::Type element =
          type.element.empty() ? language::Type{.kind = language::Type::Kind::kAny} : type.element.front();
      for (const Literal& item : literal.items) items.push_back(literal_value(item, element, now));
      return Value::list(items);
    }
    case Literal::Kind::kMap: {
      Fields fields;
      for (size_t i = 0; i < literal.items.size(); ++i)
        fields[literal.keys[i]] = literal_value(literal.items[i], {.kind = language::Type::Kind::kAny}, now);
      return Value(item_of(fields));
    }
    case Literal::Kind::kNow:
      if (model::is_numeric(type)) return Value(epoch_milliseconds(now));
      if (type.kind == language::Type::Kind::kDate) return Value(time_text(now).substr(0, 10));
      return Value(time_text(now));
    case Literal::Kind::kNull:
      break;
  }
  return Value();
}

std::optional<Value> operand_value(const model::Model& model, const Operand& operand,
                                   const model::Condition& condition, size_t index,
                                   const std::vector<Argument>& arguments,
                                   const std::vector<model::Parameter>& parameters,
                                   std::chrono::system_clock::time_point now) {
  if (const auto* literal = std::get_if<Literal>(&operand))
    return stored_form(literal_value(*literal, condition.place.type, now), condition.place.type, now);
  const Argument& argument = arguments[*condition.parameters[index]];
  if (!argument.is_given) return std::nullopt;
  const model::Parameter& parameter = parameters[*condition.parameters[index]];
  if (!parameter.entity) return argument.value;
  // $parameter.field: a part of its identity.
  const auto& path = std::get<language::Path>(operand);
  std::string name;
  for (size_t i = 1; i < path.names.size(); ++i) name += (i > 1 ? "." : "") + path.names[i].text;
  const std::vector<model::FieldPath>& identity = model.entities[*parameter.entity].identity;
  for (size_t part = 0; part < identity.size(); ++part) {
    if (model.text(*parameter.entity, identity[part]) == name)
      return value_of(argument.identity[part], model.field(*parameter.entity, identity[part]).type);
  }
  return std::nullopt;
}

namespace {

std::optional<Value> inside(std::optional<Value> value, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!value || value->type() != Type::kMap) return std::nullopt;
    const auto inner = value->view().map().find(name);
    if (!inner) return std::nullopt;
    value = Value(*inner);
  }
  return value;
}

std::optional<Value> named(const Fields& fields, const std::string& name) {
  const auto found = fields.find(name);
  return found == fields.end() ? std::nullopt : std::optional(found->second);
}

// A part of the identity of an entity.
std::optional<Value> part_of(const model::Model& model, model::EntityId entity, const Identity& identity,
                             const model::FieldPath& path) {
  const std::vector<model::FieldPath>& parts = model.entities[entity].identity;
  const auto part = std::find(parts.begin(), parts.end(), path);
  if (part == parts.end() || identity.size() != parts.size()) return std::nullopt;
  return value_of(identity[static_cast<size_t>(part - parts.begin())], model.field(entity, path).type);
}

// What the item of an entity tells of those to whom its end leads.
struct Told {
  const Identity* identity = nullptr;
  const Edge* edge = nullptr;
  const Fields* copies = nullptr;
};

Told told(const Record& record, model::EndId end) {
  Told told;
  if (const auto entries = record.entries.find(end); entries != record.entries.end()) {
    if (entries->second.empty()) return told;
    told.edge = &entries->second.front();
    told.identity = &told.edge->ends[end.side];
    told.copies = &told.edge->copies[end.side];
    return told;
  }
  // An index may have copies and not the reference itself.
  const auto references = record.references.find(end);
  if (references != record.references.end() && !references->second.empty())
    told.identity = &references->second.front();
  if (const auto copies = record.copies.find(end); copies != record.copies.end())
    told.copies = &copies->second;
  return told;
}

}  // namespace

std::optional<Value> value_at(const model::Model& model, model::EntityId entity, const model::Place& place,
                              const Fields& fields, const Edge* edge) {
  switch (place.kind) {
    case model::Place::Kind::kEdgeField:
      if (edge == nullptr) return std::nullopt;
      return inside(named(edge->fields, model.relations[edge->relation].edge_fields[place.field].name),
                    place.inside);
    case model::Place::Kind::kField:
    case model::Place::Kind::kInside:
      return inside(named(fields, model.entities[entity].fields[place.field].name), place.inside);
    case model::Place::Kind::kEntity:
      return Value(true);
    case model::Place::Kind::kParameter:
      break;
  }
  return std::nullopt;
}

std::optional<Value> value_at(const model::Model& model, const model::Place& place, const Record& record) {
  if (place.ends.empty()) return value_at(model, record.entity, place, record.fields, nullptr);
  const bool is_field = place.kind == model::Place::Kind::kField || place.kind == model::Place::Kind::kInside;
  if (is_field) {
    const model::FieldPath path{.ends = place.ends, .field = place.field};
    if (auto part = part_of(model, record.entity, record.identity, path)) return part;
  }
  const Told to = told(record, place.ends.front());
  if (to.identity == nullptr && to.copies == nullptr) return std::nullopt;
  model::Place rest = place;
  rest.ends.erase(rest.ends.begin());
  const model::EntityId target = model.end(place.ends.front()).target;
  if (is_field && to.identity != nullptr) {
    if (auto part = part_of(model, target, *to.identity, {.ends = rest.ends, .field = rest.field}))
      return part;
  }
  if (!rest.ends.empty()) return std::nullopt;
  static const Fields none;
  return value_at(model, target, rest, to.copies != nullptr ? *to.copies : none, to.edge);
}

bool holds(const model::Model& model, const model::Condition& condition, const std::optional<Value>& found,
           const std::vector<Argument>& arguments, const std::vector<model::Parameter>& parameters,
           std::chrono::system_clock::time_point now) {
  const language::Condition& syntax = *condition.syntax;
  std::vector<Value> operands;
  for (size_t i = 0; i < syntax.operands.size(); ++i) {
    auto value = operand_value(model, syntax.operands[i], condition, i, arguments, parameters, now);
    if (!value) return true;
    operands.push_back(std::move(*value));
  }
  return passes(syntax.test, found ? std::optional<ValueView>(*found) : std::nullopt, operands);
}

bool passes(Test test, const std::optional<ValueView>& found, const std::vector<Value>& operands) {
  if (test == Test::kExists) return found.has_value();
  if (test == Test::kMissing) return !found.has_value();
  if (!found) return false;
  const auto order = [&](size_t i) { return compare(*found, operands[i]); };
  switch (test) {
    case Test::kEqual:
      return Value(*found) == operands[0];
    case Test::kNotEqual:
      return !(Value(*found) == operands[0]);
    case Test::kLess:
      return order(0) && *order(0) < 0;
    case Test::kLessOrEqual:
      return order(0) && *order(0) <= 0;
    case Test::kGreater:
      return order(0) && *order(0) > 0;
    case Test::kGreaterOrEqual:
      return order(0) && *order(0) >= 0;
    case Test::kBetween:
      return order(0) && order(1) && *order(0) >= 0 && *order(1) <= 0;
    case Test::kBegins:
      return found->type() == Type::kString && operands[0].type() == Type::kString &&
             found->bytes().starts_with(operands[0].view().bytes());
    case Test::kIn:
      return std::find(operands.begin(), operands.end(), Value(*found)) != operands.end();
    case Test::kExists:
    case Test::kMissing:
      break;
  }
  return false;
}

}  // namespace sheaf::run
