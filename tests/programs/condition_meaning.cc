// What a condition means, read off its tree.
#include <algorithm>

#include "programs/expression_model.h"

namespace sheaf::programs {
namespace {

// Characters, where those beyond the first 65,536 count twice.
int64_t length_of(std::string_view text) {
  int64_t length = 0;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    length += bytes == 4 ? 2 : 1;
    i += bytes;
  }
  return length;
}

std::optional<Value> size_of(ValueView value) {
  switch (value.type()) {
    case Type::kString:
      return Value(length_of(value.bytes()));
    case Type::kBinary:
      return Value(static_cast<int64_t>(value.bytes().size()));
    case Type::kMap:
      return Value(static_cast<int64_t>(value.map().size()));
    case Type::kList:
      return Value(static_cast<int64_t>(value.list().size()));
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return Value(static_cast<int64_t>(value.set().size()));
    default:
      return std::nullopt;
  }
}

std::optional<Value> evaluate(const Operand& operand, ItemView item) {
  if (operand.kind == Operand::Kind::kValue) return operand.value;
  const std::optional<ValueView> value = value_at(item, operand.path);
  if (!value) return std::nullopt;
  return operand.kind == Operand::Kind::kSize ? size_of(*value) : Value(*value);
}

bool compares(const std::string& comparator, const std::optional<Value>& left,
              const std::optional<Value>& right) {
  const bool equal = left && right && *left == *right;
  if (comparator == "=") return equal;
  if (comparator == "<>") return !equal;
  if (!left || !right) return false;
  const auto order = compare(*left, *right);
  if (!order) return false;
  if (comparator == "<") return *order < 0;
  if (comparator == "<=") return *order <= 0;
  if (comparator == ">") return *order > 0;
  return *order >= 0;
}

bool is_text(Type type) { return type == Type::kString || type == Type::kBinary; }

bool contains(ValueView container, ValueView element) {
  const Type type = container.type();
  if (is_text(type))
    return element.type() == type && container.bytes().find(element.bytes()) != std::string_view::npos;
  if (type == Type::kList) {
    for (const ValueView each : container.list()) {
      if (each == element) return true;
    }
    return false;
  }
  const bool fits = (type == Type::kStringSet && element.type() == Type::kString) ||
                    (type == Type::kBinarySet && element.type() == Type::kBinary) ||
                    (type == Type::kNumberSet && element.type() == Type::kNumber);
  if (!fits) return false;
  for (const std::string_view each : container.set()) {
    if (type == Type::kNumberSet ? NumberView(each) == element.number() : each == element.bytes())
      return true;
  }
  return false;
}

}  // namespace

bool holds(const Condition& condition, ItemView item) {
  const auto part_holds = [&](const Condition& part) { return holds(part, item); };
  switch (condition.kind) {
    case Condition::Kind::kAnd:
      return std::all_of(condition.parts.begin(), condition.parts.end(), part_holds);
    case Condition::Kind::kOr:
      return std::any_of(condition.parts.begin(), condition.parts.end(), part_holds);
    case Condition::Kind::kNot:
      return !holds(condition.parts.front(), item);
    default:
      break;
  }
  std::vector<std::optional<Value>> values;
  for (const Operand& operand : condition.operands) values.push_back(evaluate(operand, item));
  const std::optional<Value>& first = values.front();
  switch (condition.kind) {
    case Condition::Kind::kCompare:
      return compares(condition.comparator, first, values[1]);
    case Condition::Kind::kBetween:
      return compares(">=", first, values[1]) && compares("<=", first, values[2]);
    case Condition::Kind::kIn:
      return std::any_of(values.begin() + 1, values.end(),
                         [&](const auto& each) { return compares("=", first, each); });
    case Condition::Kind::kExists:
      return first.has_value();
    case Condition::Kind::kNotExists:
      return !first.has_value();
    case Condition::Kind::kTypeIs:
      return first && first->type() == condition.type;
    case Condition::Kind::kBeginsWith:
      return first && values[1] && is_text(first->type()) && first->type() == values[1]->type() &&
             first->view().bytes().starts_with(values[1]->view().bytes());
    default:
      return first && values[1] && contains(*first, *values[1]);
  }
}

bool holds(const KeyClause& clause, ValueView value) {
  switch (clause.kind) {
    case KeyClause::Kind::kCompare:
      return compares(clause.comparator, Value(value), clause.value);
    case KeyClause::Kind::kBetween:
      return compares(">=", Value(value), clause.value) && compares("<=", Value(value), clause.upper);
    case KeyClause::Kind::kBeginsWith:
      break;
  }
  return value.bytes().starts_with(clause.value.view().bytes());
}

void collect_paths(const Condition& condition, std::vector<DocumentPath>& paths) {
  for (const Condition& part : condition.parts) collect_paths(part, paths);
  for (const Operand& operand : condition.operands) {
    if (operand.kind != Operand::Kind::kValue) paths.push_back(operand.path);
  }
}

}  // namespace sheaf::programs
