// Arithmetic of expressions.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf::run {

// `operands` with `marks` (+, - or *) between them: products first, then from left to right. Nothing if an
// operand is missing or, where there is something to compute, no number. kInvalid if a result does not fit.
Result<std::optional<Value>> computed(const std::vector<std::optional<Value>>& operands,
                                      std::string_view marks);

// The same for values that are all there. kInvalid also if one that is combined is no number.
Result<Value> evaluated(const Value& first, const std::vector<std::pair<char, Value>>& rest);

// The sum of two numbers, or the elements of two sets. kInvalid for anything else.
Result<Value> added(const Value& a, const Value& b);

}  // namespace sheaf::run
