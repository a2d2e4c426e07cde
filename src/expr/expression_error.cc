#include "expr/expression_error.h"

namespace sheaf::expr {

std::string_view parameter_name(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kCondition:
      return "ConditionExpression";
    case ExpressionKind::kFilter:
      return "FilterExpression";
    case ExpressionKind::kKeyCondition:
      return "KeyConditionExpression";
    case ExpressionKind::kProjection:
      return "ProjectionExpression";
    case ExpressionKind::kUpdate:
      return "UpdateExpression";
    case ExpressionKind::kStatement:
      break;
  }
  return {};
}

Error invalid_expression(ExpressionKind kind, std::string_view problem) {
  if (kind == ExpressionKind::kStatement) return {Code::kInvalid, std::string(problem)};
  std::string message = "Invalid ";
  message += parameter_name(kind);
  message += ": ";
  message += problem;
  return {Code::kInvalid, std::move(message)};
}

}  // namespace sheaf::expr
