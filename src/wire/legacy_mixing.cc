#include "api/expressions.h"
#include "wire/legacy.h"

namespace sheaf::wire {
namespace {

void append(std::string& names, std::string_view name) {
  if (!names.empty()) names += ", ";
  names += name;
}

}  // namespace

Result<void> check_not_mixed(const Input& input, std::span<const size_t> legacy,
                             std::span<const size_t> expressions) {
  std::string expression_names;
  bool has_key_expression = false;
  for (const size_t member : expressions) {
    if (!input.has(member)) continue;
    const std::string_view name = input.fields().name(member);
    append(expression_names, name);
    has_key_expression |= name == "KeyConditionExpression";
  }
  if (expression_names.empty()) return {};
  std::string legacy_names;
  for (const size_t member : legacy) {
    if (!input.has(member)) continue;
    const std::string_view name = input.fields().name(member);
    // It may stand beside the expressions that say something else.
    if (name == "KeyConditions" && !has_key_expression) continue;
    append(legacy_names, name);
  }
  if (legacy_names.empty()) return {};
  return invalid(
      "Can not use both expression and non-expression parameters in the same request: Non-expression "
      "parameters: {" +
      legacy_names + "} Expression parameters: {" + expression_names + "}");
}

}  // namespace sheaf::wire
