// What is wrong with an expression, in AWS's words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::expr {

// The request parameter that a text came from: every error about it begins with this name.
enum class ExpressionKind : uint8_t { kCondition, kFilter, kKeyCondition, kProjection, kUpdate };

// "ConditionExpression", "FilterExpression", ...
std::string_view parameter_name(ExpressionKind kind);

// "Invalid FilterExpression: " and `problem`.
Error invalid_expression(ExpressionKind kind, std::string_view problem);

}  // namespace sheaf::expr
