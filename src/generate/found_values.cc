#include "generate/found_values.h"

#include <algorithm>

#include "run/conditions.h"

namespace sheaf::generate {

using Test = language::Condition::Test;

std::optional<Met> step(const Generator& generator, const Met& from, model::EndId end, Chance& chance) {
  const Links& links = generator.links(end.relation);
  const uint64_t positions = links.degree(end.side, from.ordinal);
  if (positions == 0) return std::nullopt;
  const uint64_t position = links.position(end.side, from.ordinal, chance.below(positions));
  const auto link = links.at(position);
  if (!link) return std::nullopt;
  const bool is_symmetric = generator.model().relations[end.relation].is_symmetric;
  const int other = !is_symmetric ? 1 - end.side : link->ordinals[0] == from.ordinal ? 1 : 0;
  const EdgePlace edge{.position = position,
                       .number = chance.below(generator.parallel(end.relation, position))};
  return Met{.entity = generator.model().end(end).target,
             .ordinal = link->ordinals[other],
             .edge = std::pair(end.relation, edge)};
}

std::optional<Value> value_at(const Generator& generator, const Met& met, const model::Place& place,
                              Chance& chance) {
  Met at = met;
  for (const model::EndId end : place.ends) {
    const auto next = step(generator, at, end, chance);
    if (!next) return std::nullopt;
    at = *next;
  }
  if (place.kind == model::Place::Kind::kEntity) return generator.id(at.entity, at.ordinal);
  std::optional<Value> value;
  if (place.kind != model::Place::Kind::kEdgeField) {
    value = generator.field(at.entity, at.ordinal, place.field);
  } else if (at.edge) {
    const auto& [relation, edge] = *at.edge;
    const run::Fields fields = generator.edge_fields(relation, edge);
    const auto found = fields.find(generator.model().relations[relation].edge_fields[place.field].name);
    if (found != fields.end()) value = found->second;
  }
  for (const std::string& name : place.inside) {
    if (!value || value->type() != Type::kMap) return std::nullopt;
    const auto inner = value->view().map().find(name);
    value = inner ? std::optional(Value(*inner)) : std::nullopt;
  }
  return value;
}

std::optional<bool> holds(const Generator& generator, const Met& met, const model::Condition& condition,
                          Chance& chance) {
  const language::Condition& syntax = *condition.syntax;
  const auto found = value_at(generator, met, condition.place, chance);
  if (syntax.test == Test::kExists) return found.has_value();
  if (syntax.test == Test::kMissing) return !found;
  std::vector<std::optional<std::strong_ordering>> orders;
  for (const language::Operand& operand : syntax.operands) {
    const auto* const literal = std::get_if<language::Literal>(&operand);
    if (literal == nullptr || literal->kind == language::Literal::Kind::kNow) return std::nullopt;
    if (!found) return false;
    const Value value = run::literal_value(*literal, condition.place.type);
    orders.push_back(*found == value ? std::strong_ordering::equal : compare(*found, value));
  }
  const auto& first = orders.front();
  switch (syntax.test) {
    case Test::kEqual:
      return first == std::strong_ordering::equal;
    case Test::kNotEqual:
      return first != std::strong_ordering::equal;
    case Test::kLess:
      return first && *first < 0;
    case Test::kLessOrEqual:
      return first && *first <= 0;
    case Test::kGreater:
      return first && *first > 0;
    case Test::kGreaterOrEqual:
      return first && *first >= 0;
    case Test::kBetween:
      return first && orders[1] && *first >= 0 && *orders[1] <= 0;
    case Test::kIn:
      return std::find(orders.begin(), orders.end(), std::strong_ordering::equal) != orders.end();
    default:
      return std::nullopt;
  }
}

namespace {

// A value that is a little more, or a little less.
Value beside(const Value& value, int by) {
  if (value.type() == Type::kNumber) {
    const auto sum = add(value.view().number(), Number(by));
    return sum.ok() ? Value(*sum) : value;
  }
  if (value.type() != Type::kString) return value;
  // The last digit or letter that can be changed without another form, as that of a time.
  std::string text(value.view().bytes());
  for (size_t i = text.size(); i-- > 0;) {
    const char c = text[i];
    const bool is_changed = by > 0 ? (c >= '0' && c < '9') || (c >= 'a' && c < 'z')
                                   : (c > '1' && c <= '9') || (c > 'a' && c <= 'z');
    if (!is_changed) continue;
    text[i] = static_cast<char>(c + by);
    return Value(text);
  }
  return value;
}

}  // namespace

Value operand_for(Test test, bool is_second, const Value& found, const Value& other) {
  switch (test) {
    case Test::kBegins: {
      const std::string_view text = found.view().bytes();
      size_t size = (text.size() + 1) / 2;
      while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
      return Value(text.substr(0, size));
    }
    case Test::kBetween: {
      const auto order = compare(found, other);
      if (!order) return found;
      const bool is_lower = *order <= 0;
      return is_second == is_lower ? other : found;
    }
    case Test::kLess:
    case Test::kNotEqual:
      return beside(found, 1);
    case Test::kGreater:
      return beside(found, -1);
    default:
      return found;
  }
}

Value fitted(Value value, const model::Parameter& parameter) {
  if (parameter.entity || parameter.type.kind != language::Type::Kind::kInt || value.type() != Type::kNumber)
    return value;
  if (value.view().number().to_int64().ok()) return value;
  return Value(static_cast<int64_t>(value.view().number().to_double()));
}

}  // namespace sheaf::generate
