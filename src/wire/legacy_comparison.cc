#include "wire/legacy_comparison.h"

#include <algorithm>

#include "api/expressions.h"
#include "base/try.h"
#include "wire/legacy.h"

namespace sheaf::wire {
namespace {

using Op = ComparisonOperator;

enum ConditionMember : size_t { kValues, kOperator };

constexpr Member kConditionMembers[] = {
    {"AttributeValueList", &kValueList},
    {"ComparisonOperator", &kString, {.required = true, .values = kComparisonOperators}}};
constexpr Shape kConditionShape{.kind = Kind::kStructure,
                                .class_name = "com.amazonaws.dynamodb.v20120810.Condition",
                                .members = kConditionMembers};

ComparisonOperator operator_of(std::string_view name) {
  const auto found = std::find(kComparisonOperators.begin(), kComparisonOperators.end(), name);
  return static_cast<ComparisonOperator>(found - kComparisonOperators.begin());
}

bool takes_count(ComparisonOperator op, size_t count) {
  switch (op) {
    case Op::kNull:
    case Op::kNotNull:
      return count == 0;
    case Op::kBetween:
      return count == 2;
    case Op::kIn:
      return count > 0;
    default:
      return count == 1;
  }
}

bool is_ordered(Type type) { return type == Type::kString || type == Type::kNumber || type == Type::kBinary; }

bool takes_type(ComparisonOperator op, Type type) {
  switch (op) {
    case Op::kEqual:
    case Op::kNotEqual:
      return true;
    case Op::kContains:
    case Op::kNotContains:
      return is_ordered(type) || type == Type::kBool || type == Type::kNull;
    case Op::kBeginsWith:
      return type == Type::kString || type == Type::kBinary;
    default:
      return is_ordered(type);
  }
}

Result<void> check(const Comparison& comparison, std::string_view name) {
  const std::vector<Value>& values = comparison.values;
  if (!takes_count(comparison.op, values.size())) {
    return invalid_parameter("Invalid number of argument(s) for the " + std::string(name) +
                             " ComparisonOperator");
  }
  if (values.empty()) return {};
  const Type type = values.front().type();
  if (std::ranges::any_of(values, [&](const Value& value) { return value.type() != type; }))
    return invalid_parameter("AttributeValues inside AttributeValueList must be of same type");
  if (!takes_type(comparison.op, type)) {
    return invalid_parameter("ComparisonOperator " + std::string(name) + " is not valid for " +
                             std::string(type_name(type)) + " AttributeValue type");
  }
  if (comparison.op == Op::kBetween && *compare(values[0], values[1]) > 0) {
    return invalid(
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  }
  return {};
}

}  // namespace

constexpr Shape kConditionMap{.kind = Kind::kMap, .element = &kConditionShape};

Result<Comparison> read_comparison(const Input& input, std::string_view name,
                                   const std::vector<Json>& values) {
  Comparison comparison{.op = operator_of(name), .values = {}};
  comparison.values.reserve(values.size());
  for (const Json json : values) comparison.values.push_back(TRY(input.value(json)));
  TRY(check(comparison, name));
  return comparison;
}

Result<Comparison> read_condition(const Input& input, Json condition) {
  const Fields fields(condition, kConditionShape);
  std::vector<Json> values;
  if (fields.has(kValues)) values = elements_of(fields.list(kValues));
  return read_comparison(input, fields.text(kOperator), values);
}

std::vector<Json> elements_of(simdjson::dom::array list) {
  std::vector<Json> elements;
  for (const Json element : list) elements.push_back(element);
  return elements;
}

}  // namespace sheaf::wire
