#include "expr/bound_tree.h"

#include <algorithm>
#include <string>

#include "base/try.h"
#include "expr/limits.h"
#include "expr/reserved_words.h"

namespace sheaf::expr {
namespace {

using Kind = SyntaxNode::Kind;

struct FunctionInfo {
  std::string_view name;
  Function function;
  uint32_t operands;
};
constexpr FunctionInfo kFunctions[] = {
    {"attribute_exists", Function::kAttributeExists, 1},
    {"attribute_not_exists", Function::kAttributeNotExists, 1},
    {"attribute_type", Function::kAttributeType, 2},
    {"begins_with", Function::kBeginsWith, 2},
    {"contains", Function::kContains, 2},
    {"size", Function::kSize, 1},
    {"if_not_exists", Function::kIfNotExists, 2},
    {"list_append", Function::kListAppend, 2},
};

uint32_t operand_count(Function function) {
  return std::ranges::find(kFunctions, function, &FunctionInfo::function)->operands;
}

constexpr Type kOrdered[] = {Type::kString, Type::kNumber, Type::kBinary};
constexpr Type kPrefixed[] = {Type::kString, Type::kBinary};
constexpr Type kSized[] = {Type::kString,    Type::kBinary,    Type::kList,     Type::kMap,
                           Type::kStringSet, Type::kNumberSet, Type::kBinarySet};
constexpr Type kNumbers[] = {Type::kNumber};
constexpr Type kLists[] = {Type::kList};

// As AWS prints the bounds of a BETWEEN, which can only be numbers, strings and binaries.
std::string describe(ValueView value) {
  std::string text = "AttributeValue: {" + std::string(type_name(value.type())) + ":";
  if (value.type() == Type::kNumber) {
    value.number().append_to(text);
  } else if (value.type() == Type::kBinary) {
    const std::string bytes = std::to_string(value.bytes().size());
    text += "java.nio.HeapByteBuffer[pos=0 lim=" + bytes + " cap=" + bytes + "]";
  } else {
    text += value.bytes();
  }
  return text + "}";
}

bool is_function_of_updates(Function function) {
  return function == Function::kIfNotExists || function == Function::kListAppend;
}

}  // namespace

std::optional<Type> type_named(std::string_view name) {
  for (auto type = static_cast<uint8_t>(Type::kNull); type <= static_cast<uint8_t>(Type::kBinarySet);
       ++type) {
    if (type_name(static_cast<Type>(type)) == name) return static_cast<Type>(type);
  }
  return std::nullopt;
}

Function function_of(const SyntaxNode& node) {
  const auto found = std::ranges::find(kFunctions, node.text, &FunctionInfo::name);
  return found == std::end(kFunctions) ? Function::kUnknown : found->function;
}

BoundTree::BoundTree(ExpressionKind kind, const SyntaxTree& tree, Placeholders& placeholders)
    : kind_(kind),
      tree_(tree),
      placeholders_(placeholders),
      bindings_(tree.nodes.size(), tree.nodes.get_allocator()) {
  paths_.reserve(static_cast<size_t>(std::ranges::count(tree.nodes, Kind::kPath, &SyntaxNode::kind)));
}

Result<void> BoundTree::bind_condition() {
  TRY(check_parentheses());
  TRY(check_function_names());
  TRY(check_function_places());
  TRY(check_reserved_words());
  // From here on, AWS takes one comparison or function after the other, and with each looks first for what is
  // not defined.
  size_t begin = 0;
  for (size_t at = 0; at < tree_.nodes.size(); ++at) {
    const SyntaxNode& node = tree_.nodes[at];
    const bool joins = node.kind == Kind::kAnd || node.kind == Kind::kOr || node.kind == Kind::kNot;
    const bool is_condition = node.kind == Kind::kCompare || node.kind == Kind::kBetween ||
                              node.kind == Kind::kIn || (node.kind == Kind::kFunction && node.is_condition);
    if (!joins && !is_condition) continue;
    for (size_t part = begin; part < at; ++part) {
      TRY(bind_path(part));
      TRY(bind_value(part));
    }
    TRY(check_operand_counts(begin, at + 1));
    TRY(check_distinct_operands(begin, at + 1));
    TRY(check_operand_types(begin, at + 1));
    begin = at + 1;
  }
  return {};
}

Result<void> BoundTree::check_parentheses() const {
  if (tree_.redundant_parentheses) return invalid("The expression has redundant parentheses;");
  return {};
}

Result<void> BoundTree::check_reserved_words() const {
  for (const SyntaxStep& step : tree_.steps) {
    if (step.name.empty() || step.name.front() == '#' || !is_reserved_word(step.name)) continue;
    return invalid("Attribute name is a reserved keyword; reserved keyword: " + std::string(step.name));
  }
  return {};
}

Result<void> BoundTree::check_function_names() const {
  for (const SyntaxNode& node : tree_.nodes) {
    if (node.kind != Kind::kFunction || function_of(node) != Function::kUnknown) continue;
    return invalid("Invalid function name; function: " + std::string(node.text));
  }
  return {};
}

Result<void> BoundTree::check_function_places() const {
  const bool in_update = kind_ == ExpressionKind::kUpdate;
  for (const SyntaxNode& node : tree_.nodes) {
    if (node.kind != Kind::kFunction) continue;
    const Function function = function_of(node);
    if (in_update != is_function_of_updates(function)) {
      return invalid("The function is not allowed in " +
                     std::string(in_update ? "an update" : "a condition") +
                     " expression; function: " + std::string(node.text));
    }
    if (!in_update && node.is_condition == (function == Function::kSize)) {
      return invalid("The function is not allowed to be used this way in an expression; function: " +
                     std::string(node.text));
    }
  }
  if (!in_update) return {};
  // list_append gives a value only to SET itself, never to an operator or a function.
  for (const SyntaxNode& node : tree_.nodes) {
    if (node.kind != Kind::kFunction && node.kind != Kind::kPlus && node.kind != Kind::kMinus) continue;
    for (const uint32_t child : tree_.children_of(node)) {
      const SyntaxNode& part = tree_.nodes[child];
      if (part.kind != Kind::kFunction || function_of(part) != Function::kListAppend) continue;
      return invalid("The function is not allowed to be used this way in an expression; function: " +
                     std::string(part.text));
    }
  }
  return {};
}

Result<void> BoundTree::bind_paths() {
  for (size_t at = 0; at < tree_.nodes.size(); ++at) TRY(bind_path(at));
  return {};
}

Result<void> BoundTree::bind_values() {
  for (size_t at = 0; at < tree_.nodes.size(); ++at) TRY(bind_value(at));
  return {};
}

Result<std::string> BoundTree::name_of(const SyntaxStep& step) {
  if (step.name.front() != '#') return std::string(step.name);
  if (const auto name = placeholders_.name(step.name)) return std::string(*name);
  return invalid("An expression attribute name used in the document path is not defined; attribute name: " +
                 std::string(step.name));
}

Result<void> BoundTree::bind_path(size_t at) {
  const SyntaxNode& node = tree_.nodes[at];
  if (node.kind != Kind::kPath) return {};
  const auto steps = tree_.steps_of(node);
  std::string attribute = TRY(name_of(steps.front()));
  std::vector<PathElement> elements;
  elements.reserve(steps.size() - 1);
  for (const SyntaxStep& step : steps.subspan(1)) {
    if (step.name.empty()) {
      elements.emplace_back(step.index);
    } else {
      elements.emplace_back(TRY(name_of(step)));
    }
  }
  bindings_[at].path = static_cast<uint32_t>(paths_.size());
  paths_.emplace_back(std::move(attribute), std::move(elements));
  return {};
}

Result<void> BoundTree::bind_value(size_t at) {
  const SyntaxNode& node = tree_.nodes[at];
  if (node.kind != Kind::kValue) return {};
  bindings_[at].value = placeholders_.value(node.text);
  if (bindings_[at].value) return {};
  return invalid("An expression attribute value used in expression is not defined; attribute value: " +
                 std::string(node.text));
}

Result<void> BoundTree::check_operand_counts(size_t begin, size_t end) const {
  for (const SyntaxNode& node : std::span(tree_.nodes).subspan(begin, end - begin)) {
    if (node.kind == Kind::kFunction && node.count != operand_count(function_of(node))) {
      return invalid("Incorrect number of operands for operator or function; operator or function: " +
                     std::string(node.text) + ", number of operands: " + std::to_string(node.count));
    }
    if (node.kind == Kind::kIn && node.count - 1 > kInOperandsMax) {
      return invalid("The IN operator is provided with too many operands; number of operands: " +
                     std::to_string(node.count - 1));
    }
  }
  return {};
}

Result<void> BoundTree::check_distinct_operands(size_t begin, size_t end) const {
  for (const SyntaxNode& node : std::span(tree_.nodes).subspan(begin, end - begin)) {
    const bool has_operands = node.kind == Kind::kCompare || node.kind == Kind::kBetween ||
                              node.kind == Kind::kIn ||
                              (node.kind == Kind::kFunction && function_of(node) != Function::kListAppend);
    if (!has_operands) continue;
    const auto operands = tree_.children_of(node);
    if (!is_path(operands.front())) continue;
    const Path& first = path(operands.front());
    for (const uint32_t operand : operands.subspan(1)) {
      if (!is_path(operand) || path(operand) != first) continue;
      return invalid(
          "The first operand must be distinct from the remaining operands for this operator or function; "
          "operator: " +
          std::string(node.text) + ", first operand: " + first.to_string());
    }
  }
  return {};
}

std::optional<Type> BoundTree::static_type(uint32_t at) const {
  if (is_value(at)) return value(at).type();
  const bool is_size = node(at).kind == Kind::kFunction && function_of(node(at)) == Function::kSize;
  return is_size ? std::optional(Type::kNumber) : std::nullopt;
}

Error BoundTree::wrong_type(const SyntaxNode& node, std::string_view type) const {
  return invalid("Incorrect operand type for operator or function; operator or function: " +
                 std::string(node.text) + ", operand type: " + std::string(type));
}

Result<void> BoundTree::check_types(const SyntaxNode& node, std::span<const Type> allowed) const {
  for (const uint32_t operand : tree_.children_of(node)) {
    const auto type = static_type(operand);
    if (type && !(std::ranges::find(allowed, *type) != allowed.end()))
      return wrong_type(node, type_name(*type));
  }
  return {};
}

Result<void> BoundTree::check_between_bounds(const SyntaxNode& between) const {
  const auto operands = tree_.children_of(between);
  if (!is_value(operands[1]) || !is_value(operands[2])) return {};
  const ValueView low = value(operands[1]), high = value(operands[2]);
  std::string_view rule;
  if (low.type() != high.type()) {
    rule = "same data type for lower and upper bounds";
  } else if (compare(low, high) == std::strong_ordering::greater) {
    rule = "upper bound to be greater than or equal to lower bound";
  } else {
    return {};
  }
  return invalid("The BETWEEN operator requires " + std::string(rule) +
                 "; lower bound operand: " + describe(low) + ", upper bound operand: " + describe(high));
}

Result<void> BoundTree::check_attribute_type(const SyntaxNode& function) const {
  const uint32_t operand = tree_.children_of(function)[1];
  if (!is_value(operand)) {
    const auto type = static_type(operand);
    // An attribute could be anything, and AWS says so.
    return wrong_type(function, type ? type_name(*type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  }
  if (value(operand).type() != Type::kString) return wrong_type(function, type_name(value(operand).type()));
  if (type_named(value(operand).bytes())) return {};
  const bool is_statement = kind_ == ExpressionKind::kStatement;
  return invalid("Invalid attribute type name found; type: " + std::string(value(operand).bytes()) +
                 ", valid types: " +
                 (is_statement ? "{N,BS,L,B,NULL,M,S,SS,NS,BOOL}" : "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"));
}

Result<void> BoundTree::check_function_operands(const SyntaxNode& function) const {
  switch (function_of(function)) {
    case Function::kAttributeExists:
    case Function::kAttributeNotExists:
    case Function::kIfNotExists:
      if (is_path(tree_.children_of(function).front())) return {};
      return invalid("Operator or function requires a document path; operator or function: " +
                     std::string(function.text));
    case Function::kAttributeType:
      return check_attribute_type(function);
    case Function::kBeginsWith:
      return check_types(function, kPrefixed);
    case Function::kSize:
      return check_types(function, kSized);
    case Function::kListAppend:
      return check_types(function, kLists);
    default:
      return {};
  }
}

Result<void> BoundTree::check_operand_types(size_t begin, size_t end) const {
  for (const SyntaxNode& node : std::span(tree_.nodes).subspan(begin, end - begin)) {
    switch (node.kind) {
      case Kind::kCompare:
        if (node.comparator == Comparator::kEqual || node.comparator == Comparator::kNotEqual) break;
        TRY(check_types(node, kOrdered));
        break;
      case Kind::kBetween:
        TRY(check_types(node, kOrdered));
        TRY(check_between_bounds(node));
        break;
      case Kind::kPlus:
      case Kind::kMinus:
        TRY(check_types(node, kNumbers));
        break;
      case Kind::kFunction:
        TRY(check_function_operands(node));
        break;
      default:
        break;
    }
  }
  return {};
}

}  // namespace sheaf::expr
