#include "run/conditions.h"

#include <algorithm>
#include <chrono>

#include "model/value_type.h"
#include "run/item_codec.h"
#include "run/time_text.h"

namespace sheaf::run {

using language::Literal;
using language::Operand;
using Test = language::Condition::Test;

Value literal_value(const Literal& literal, const language::Type& type) {
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
      for (const Literal& item : literal.items) items.push_back(literal_value(item, element));
      return Value::list(items);
    }
    case Literal::Kind::kMap: {
      Fields fields;
      for (size_t i = 0; i < literal.items.size(); ++i)
        fields[literal.keys[i]] = literal_value(literal.items[i], {.kind = language::Type::Kind::kAny});
      return Value(item_of(fields));
    }
    case Literal::Kind::kNow:
      return Value(time_text(std::chrono::system_clock::now()));
    case Literal::Kind::kNull:
      break;
  }
  return Value();
}

std::optional<Value> operand_value(const model::Model& model, const Operand& operand,
                                   const model::Condition& condition, size_t index,
                                   const std::vector<Argument>& arguments,
                                   const std::vector<model::Parameter>& parameters) {
  if (const auto* literal = std::get_if<Literal>(&operand))
    return literal_value(*literal, condition.place.type);
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

std::optional<Value> value_at(const model::Model& model, const model::Place& place, const Fields& fields,
                              const Edge* edge, const Record* record) {
  std::optional<Value> value;
  if (place.kind == model::Place::Kind::kEdgeField) {
    if (edge == nullptr) return std::nullopt;
    const auto found = edge->fields.find(model.relations[edge->relation].edge_fields[place.field].name);
    if (found != edge->fields.end()) value = found->second;
  } else if (place.ends.empty()) {
    // The entity is told by the record's kind; its fields are by name.
    const std::string* name = nullptr;
    if (record != nullptr) name = &model.entities[record->entity].fields[place.field].name;
    if (name == nullptr) return std::nullopt;
    const auto found = fields.find(*name);
    if (found != fields.end()) value = found->second;
  } else if (record != nullptr) {
    const auto reference = record->references.find(place.ends.front());
    if (reference == record->references.end() || reference->second.empty()) return std::nullopt;
    const model::EntityId target = model.end(place.ends.front()).target;
    const model::FieldPath rest{.ends = {place.ends.begin() + 1, place.ends.end()}, .field = place.field};
    const auto& identity = model.entities[target].identity;
    const auto part = std::find(identity.begin(), identity.end(), rest);
    if (part != identity.end())
      value = value_of(reference->second.front()[static_cast<size_t>(part - identity.begin())],
                       model.field(target, rest).type);
  }
  for (const std::string& name : place.inside) {
    if (!value || value->type() != Type::kMap) return std::nullopt;
    const auto inner = value->view().map().find(name);
    if (!inner) return std::nullopt;
    value = Value(*inner);
  }
  return value;
}

bool holds(const model::Model& model, const model::Condition& condition, const Fields& fields,
           const Edge* edge, const Record* record, const std::vector<Argument>& arguments,
           const std::vector<model::Parameter>& parameters) {
  const language::Condition& syntax = *condition.syntax;
  const std::optional<Value> found = value_at(model, condition.place, fields, edge, record);
  std::vector<Value> operands;
  for (size_t i = 0; i < syntax.operands.size(); ++i) {
    auto value = operand_value(model, syntax.operands[i], condition, i, arguments, parameters);
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
