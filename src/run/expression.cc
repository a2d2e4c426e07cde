#include "run/expression.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::run {
namespace {

Result<Value> combined(char mark, const Value& a, const Value& b) {
  const NumberView x = a.view().number(), y = b.view().number();
  const Number result = TRY(mark == '*' ? multiply(x, y) : mark == '-' ? subtract(x, y) : add(x, y));
  return Value(result);
}

}  // namespace

Result<std::optional<Value>> computed(const std::vector<std::optional<Value>>& operands,
                                      std::string_view marks) {
  const auto is_missing = [&](const std::optional<Value>& operand) {
    return !operand || (!marks.empty() && operand->type() != Type::kNumber);
  };
  if (std::any_of(operands.begin(), operands.end(), is_missing)) return std::optional<Value>();
  std::vector<Value> terms = {*operands.front()};
  std::string signs;
  for (size_t i = 0; i < marks.size(); ++i) {
    const Value& next = *operands[i + 1];
    if (marks[i] == '*') {
      terms.back() = TRY(combined('*', terms.back(), next));
    } else {
      signs += marks[i];
      terms.push_back(next);
    }
  }
  Value sum = terms.front();
  for (size_t i = 0; i < signs.size(); ++i) sum = TRY(combined(signs[i], sum, terms[i + 1]));
  return std::optional<Value>(std::move(sum));
}

}  // namespace sheaf::run
