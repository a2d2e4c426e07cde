// The parameters that expressions have replaced: Expected, KeyConditions, QueryFilter, ScanFilter,
// AttributeUpdates, AttributesToGet. They become the same bound forms as expressions.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "wire/input.h"

namespace sheaf::wire {

// {"name": {"ComparisonOperator": "EQ", "AttributeValueList": [...]}, ...}; of Expected also Value and
// Exists.
extern const Shape kExpectedMap;
extern const Shape kConditionMap;
// {"name": {"Action": "PUT", "Value": {...}}, ...}
extern const Shape kAttributeUpdateMap;
inline constexpr std::array<std::string_view, 2> kConditionalOperators = {"OR", "AND"};

// AWS refuses a request that uses both ways of saying things; but KeyConditions may stand beside any
// expression except KeyConditionExpression. Members by their places in the request's shape, in AWS's order:
// AttributesToGet, AttributeUpdates, the filter, Expected, ConditionalOperator, KeyConditions;
// ProjectionExpression, UpdateExpression, FilterExpression, ConditionExpression, KeyConditionExpression.
Result<void> check_not_mixed(const Input& input, std::span<const size_t> legacy,
                             std::span<const size_t> expressions);

// Each reads one member of the request; nothing if it is not there, or says nothing. Errors in AWS's words:
// names and values that cannot be, conditions that contradict themselves, ConditionalOperator with nothing to
// join, AttributesToGet with a name twice, no KeyConditions at all.
Result<std::optional<expr::Condition>> read_expected(const Input& input, size_t expected,
                                                     size_t conditional_operator);
// QueryFilter or ScanFilter.
Result<std::optional<expr::Condition>> read_filter(const Input& input, size_t filter,
                                                   size_t conditional_operator);
Result<std::optional<expr::Update>> read_attribute_updates(const Input& input, size_t updates);
Result<std::optional<expr::Projection>> read_attributes_to_get(const Input& input, size_t attributes);
// What they ask of the key, and whether it can be asked, is for expr::bind_key_condition to judge.
Result<std::optional<std::vector<expr::KeyClause>>> read_key_conditions(const Input& input,
                                                                        size_t conditions);

}  // namespace sheaf::wire
