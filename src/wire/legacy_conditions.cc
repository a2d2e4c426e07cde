// Expected, QueryFilter and ScanFilter.
#include "api/expressions.h"
#include "base/try.h"
#include "wire/legacy.h"
#include "wire/legacy_comparison.h"
#include "wire/legacy_entries.h"

namespace sheaf::wire {
namespace {

using Op = ComparisonOperator;
using Node = expr::ConditionBuilder::Node;

enum ExpectedMember : size_t { kValues, kOperator, kExists, kSingleValue };

constexpr Member kExpectedMembers[] = {
    {"AttributeValueList", &kValueList},
    {"ComparisonOperator", &kString, {.values = kComparisonOperators}},
    {"Exists", &kBoolean},
    {"Value", &kValue},
};

constexpr Shape kExpectedShape{.kind = Kind::kStructure,
                               .class_name = "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue",
                               .members = kExpectedMembers};

// Which members of an entry of Expected may stand together.
Result<void> check_members(const Fields& fields, std::string_view attribute) {
  const auto refused = [&](const std::string& text) {
    return invalid_parameter(text + " for Attribute: " + std::string(attribute));
  };
  const bool has_value = fields.has(kSingleValue);
  if (fields.has(kValues) && has_value)
    return refused("Value and AttributeValueList cannot be used together");
  if (fields.has(kOperator)) {
    if (fields.has(kExists)) return refused("Exists and ComparisonOperator cannot be used together");
    const std::string_view name = fields.text(kOperator);
    if (name != "NULL" && name != "NOT_NULL" && !fields.has(kValues) && !has_value) {
      return refused("Value or AttributeValueList must be used with ComparisonOperator: " +
                     std::string(name));
    }
    return {};
  }
  if (fields.has(kValues)) return refused("AttributeValueList can only be used with a ComparisonOperator");
  const bool expects_none = fields.has(kExists) && !fields.flag(kExists);
  if (expects_none && has_value) return refused("Value cannot be used when Exists is false");
  if (!expects_none && !has_value)
    return refused(std::string("Value must be provided when Exists is ") +
                   (fields.has(kExists) ? "true" : "null"));
  return {};
}

Result<Comparison> read_expectation(const Input& input, const LegacyEntry& entry) {
  const Fields fields(entry.json, kExpectedShape);
  TRY(check_members(fields, entry.attribute));
  // Before there were operators, an attribute could be expected to have a value, or not to be there.
  const std::string_view name = fields.has(kOperator)      ? fields.text(kOperator)
                                : fields.has(kSingleValue) ? "EQ"
                                                           : "NULL";
  std::vector<Json> values;
  if (fields.has(kValues)) values = elements_of(fields.list(kValues));
  if (fields.has(kSingleValue)) values.push_back(fields.json(kSingleValue));
  return read_comparison(input, name, values);
}

Node add(expr::ConditionBuilder& builder, std::string_view attribute, const Comparison& comparison) {
  const auto path = builder.path(expr::Path(std::string(attribute)));
  std::vector<expr::ConditionBuilder::Operand> values;
  for (const Value& value : comparison.values) values.push_back(builder.literal(value));
  switch (comparison.op) {
    case Op::kEqual:
      return builder.compare(expr::Comparator::kEqual, path, values[0]);
    case Op::kNotEqual:
      return builder.compare(expr::Comparator::kNotEqual, path, values[0]);
    case Op::kLess:
      return builder.compare(expr::Comparator::kLess, path, values[0]);
    case Op::kLessEqual:
      return builder.compare(expr::Comparator::kLessEqual, path, values[0]);
    case Op::kGreater:
      return builder.compare(expr::Comparator::kGreater, path, values[0]);
    case Op::kGreaterEqual:
      return builder.compare(expr::Comparator::kGreaterEqual, path, values[0]);
    case Op::kBetween:
      return builder.between(path, values[0], values[1]);
    case Op::kIn:
      return builder.in(path, values);
    case Op::kBeginsWith:
      return builder.begins_with(path, values[0]);
    case Op::kContains:
      return builder.contains(path, values[0]);
    case Op::kNotContains: {
      // Unlike NE, it does not hold of an attribute that is not there.
      const Node contains = builder.contains(path, values[0]);
      const Node parts[] = {builder.negate(contains), builder.exists(path)};
      return builder.all_of(parts);
    }
    case Op::kNull:
      return builder.not_exists(path);
    case Op::kNotNull:
      break;
  }
  return builder.exists(path);
}

// There must be something for ConditionalOperator to join.
Result<void> check_joins(size_t conditions) {
  if (conditions == 0) return invalid("ConditionalOperator cannot be used without Filter or Expected");
  if (conditions == 1) {
    return invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return {};
}

using ReadEntry = Result<Comparison> (*)(const Input&, const LegacyEntry&);

Result<std::optional<expr::Condition>> read_conditions(const Input& input, size_t member,
                                                       size_t conditional_operator, ReadEntry read_entry) {
  std::vector<LegacyEntry> entries;
  if (input.has(member)) entries = TRY(read_entries(input.fields().map(member)));
  if (input.has(conditional_operator)) TRY(check_joins(entries.size()));
  if (entries.empty()) return std::optional<expr::Condition>();
  expr::ConditionBuilder builder;
  std::vector<Node> nodes;
  for (const LegacyEntry& entry : entries)
    nodes.push_back(add(builder, entry.attribute, TRY(read_entry(input, entry))));
  if (nodes.size() == 1) return std::optional(std::move(builder).build(nodes.front()));
  const bool any = input.fields().text(conditional_operator) == "OR";
  const Node root = any ? builder.any_of(nodes) : builder.all_of(nodes);
  return std::optional(std::move(builder).build(root));
}

}  // namespace

constexpr Shape kExpectedMap{.kind = Kind::kMap, .element = &kExpectedShape};

Result<std::optional<expr::Condition>> read_expected(const Input& input, size_t expected,
                                                     size_t conditional_operator) {
  return read_conditions(input, expected, conditional_operator, read_expectation);
}

Result<std::optional<expr::Condition>> read_filter(const Input& input, size_t filter,
                                                   size_t conditional_operator) {
  return read_conditions(
      input, filter, conditional_operator,
      [](const Input& whole, const LegacyEntry& entry) { return read_condition(whole, entry.json); });
}

}  // namespace sheaf::wire
