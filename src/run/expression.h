// Arithmetic of expressions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf::run {

// `operands` with `marks` (+, - or *) between them: products first, then from left to right. Nothing if an
// operand is missing or, where there is something to compute, no number. kInvalid if a result does not fit.
Result<std::optional<Value>> computed(const std::vector<std::optional<Value>>& operands,
                                      std::string_view marks);

}  // namespace sheaf::run
