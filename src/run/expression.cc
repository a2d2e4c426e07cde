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

bool is_any_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

Result<Value> united(const Value& a, const Value& b) {
  ValueWriter writer;
  writer.begin_set(a.type());
  const SetView first = a.view().set();
  for (const std::string_view element : first) writer.element(element);
  for (const std::string_view element : b.view().set()) {
    if (!first.contains(element)) writer.element(element);
  }
  writer.end_set();
  std::string encoded = TRY(writer.finish());
  return Value::from_encoded(std::move(encoded));
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

Result<Value> evaluated(const Value& first, const std::vector<std::pair<char, Value>>& rest) {
  std::vector<std::optional<Value>> operands = {first};
  std::string marks;
  for (const auto& [mark, value] : rest) {
    marks += mark;
    operands.emplace_back(value);
  }
  std::optional<Value> value = TRY(computed(operands, marks));
  if (!value) return Error{Code::kInvalid, "a value that is added up is no number"};
  return *std::move(value);
}

Result<Value> added(const Value& a, const Value& b) {
  if (is_any_set(a.type()) && a.type() == b.type()) return united(a, b);
  return evaluated(a, {{'+', b}});
}

}  // namespace sheaf::run
