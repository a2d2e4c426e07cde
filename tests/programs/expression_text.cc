#include <algorithm>
#include <set>

#include "programs/expression_model.h"

namespace sheaf::programs {
namespace {

// Names that may stand in an expression as they are; all others get a placeholder.
const std::set<std::string>& plain_names() {
  static const std::set<std::string> names = {"pk", "sk",  "gp",   "gn",    "gb", "ls", "ln", "lb",
                                              "v",  "doc", "tags", "list0", "x",  "y",  "z"};
  return names;
}

std::string_view section_name(UpdateStep::Kind kind) {
  switch (kind) {
    case UpdateStep::Kind::kSet:
      return "SET";
    case UpdateStep::Kind::kRemove:
      return "REMOVE";
    case UpdateStep::Kind::kAdd:
      return "ADD";
    case UpdateStep::Kind::kDelete:
      break;
  }
  return "DELETE";
}

}  // namespace

// Every third use of a plain name goes through a placeholder all the same.
std::string ExpressionText::name(const std::string& name) {
  if (plain_names().contains(name) && ++name_uses_ % 3 != 0) return name;
  const auto known =
      std::find_if(names_.begin(), names_.end(), [&](const auto& pair) { return pair.second == name; });
  if (known != names_.end()) return known->first;
  names_.emplace_back("#n" + std::to_string(names_.size()), name);
  return names_.back().first;
}

std::string ExpressionText::path(const DocumentPath& path) {
  std::string text = name(path.attribute);
  for (const DocumentPath::Step& step : path.steps) {
    if (const auto* member = std::get_if<std::string>(&step)) {
      text += "." + name(*member);
    } else {
      text += "[" + std::to_string(std::get<uint32_t>(step)) + "]";
    }
  }
  return text;
}

std::string ExpressionText::value(const Value& value) {
  const std::string placeholder = ":v" + std::to_string(value_count_++);
  values_.set(placeholder, value);
  return placeholder;
}

std::string ExpressionText::operand(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kPath:
      return path(operand.path);
    case Operand::Kind::kValue:
      return value(operand.value);
    case Operand::Kind::kSize:
      break;
  }
  return "size(" + path(operand.path) + ")";
}

// Parentheses where they are needed: doubled or needless ones are refused.
std::string ExpressionText::part(const Condition& condition) {
  const bool joins = condition.kind == Condition::Kind::kAnd || condition.kind == Condition::Kind::kOr;
  return joins ? "(" + (*this)(condition) + ")" : (*this)(condition);
}

std::string ExpressionText::joined(const std::vector<Condition>& parts, const std::string& word) {
  std::string text;
  for (const Condition& each : parts) text += (text.empty() ? "" : " " + word + " ") + part(each);
  return text;
}

std::string ExpressionText::operator()(const Condition& condition) {
  const std::vector<Operand>& operands = condition.operands;
  switch (condition.kind) {
    case Condition::Kind::kAnd:
      return joined(condition.parts, "AND");
    case Condition::Kind::kOr:
      return joined(condition.parts, "OR");
    case Condition::Kind::kNot:
      return "NOT " + part(condition.parts.front());
    case Condition::Kind::kCompare: {
      const std::string left = operand(operands[0]);
      return left + " " + condition.comparator + " " + operand(operands[1]);
    }
    case Condition::Kind::kBetween: {
      const std::string middle = operand(operands[0]);
      const std::string low = operand(operands[1]);
      return middle + " BETWEEN " + low + " AND " + operand(operands[2]);
    }
    case Condition::Kind::kIn: {
      std::string text = operand(operands[0]) + " IN (";
      for (size_t i = 1; i < operands.size(); ++i) text += (i > 1 ? ", " : "") + operand(operands[i]);
      return text + ")";
    }
    case Condition::Kind::kExists:
      return "attribute_exists(" + operand(operands[0]) + ")";
    case Condition::Kind::kNotExists:
      return "attribute_not_exists(" + operand(operands[0]) + ")";
    case Condition::Kind::kTypeIs: {
      const std::string left = operand(operands[0]);
      return "attribute_type(" + left + ", " + value(Value(type_name(condition.type))) + ")";
    }
    case Condition::Kind::kBeginsWith: {
      const std::string left = operand(operands[0]);
      return "begins_with(" + left + ", " + operand(operands[1]) + ")";
    }
    case Condition::Kind::kContains:
      break;
  }
  const std::string left = operand(operands[0]);
  return "contains(" + left + ", " + operand(operands[1]) + ")";
}

std::string ExpressionText::set_value(const SetValue& value) {
  switch (value.kind) {
    case SetValue::Kind::kOperand:
      return operand(value.operand);
    case SetValue::Kind::kIfNotExists: {
      const std::string where = operand(value.operand);
      return "if_not_exists(" + where + ", " + set_value(value.parts[0]) + ")";
    }
    default:
      break;
  }
  const std::string left = set_value(value.parts[0]);
  const std::string right = set_value(value.parts[1]);
  if (value.kind == SetValue::Kind::kListAppend) return "list_append(" + left + ", " + right + ")";
  return left + (value.kind == SetValue::Kind::kPlus ? " + " : " - ") + right;
}

std::string ExpressionText::operator()(const Update& update) {
  std::string text;
  for (size_t i = 0; i < update.size(); ++i) {
    const UpdateStep& step = update[i];
    if (i == 0 || update[i - 1].kind != step.kind) {
      text += (i == 0 ? "" : " ") + std::string(section_name(step.kind)) + " ";
    } else {
      text += ", ";
    }
    text += path(step.path);
    if (step.kind == UpdateStep::Kind::kSet) text += " = " + set_value(step.value);
    if (step.kind == UpdateStep::Kind::kAdd || step.kind == UpdateStep::Kind::kDelete)
      text += " " + value(step.operand);
  }
  return text;
}

std::string ExpressionText::operator()(const Projection& projection) {
  std::string text;
  for (const DocumentPath& each : projection) text += (text.empty() ? "" : ", ") + path(each);
  return text;
}

std::string ExpressionText::operator()(const std::vector<KeyClause>& clauses) {
  std::string text;
  for (const KeyClause& clause : clauses) {
    if (!text.empty()) text += " AND ";
    const std::string attribute = name(clause.attribute);
    switch (clause.kind) {
      case KeyClause::Kind::kCompare:
        text += attribute + " " + clause.comparator + " " + value(clause.value);
        break;
      case KeyClause::Kind::kBetween: {
        const std::string low = value(clause.value);
        text += attribute + " BETWEEN " + low + " AND " + value(clause.upper);
        break;
      }
      case KeyClause::Kind::kBeginsWith:
        text += "begins_with(" + attribute + ", " + value(clause.value) + ")";
        break;
    }
  }
  return text;
}

}  // namespace sheaf::programs
