// What is wrong with an expression, in AWS's words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::expr {

// The request parameter that a text came from: every error about it begins with this name, but for a
// statement of PartiQL, which has none.
enum class ExpressionKind : uint8_t { kCondition, kFilter, kKeyCondition, kProjection, kUpdate, kStatement };

// "ConditionExpression", "FilterExpression", ...; nothing for a statement.
std::string_view parameter_name(ExpressionKind kind);

// "Invalid FilterExpression: " and `problem`; of a statement only that.
Error invalid_expression(ExpressionKind kind, std::string_view problem);

}  // namespace sheaf::expr
