#include "partiql/conditions.h"

#include <algorithm>
#include <deque>

#include "base/errors.h"
#include "base/try.h"
#include "expr/limits.h"
#include "expr/syntax_tree.h"
#include "partiql/paths.h"

namespace sheaf::partiql {
namespace {

using Kind = Expression::Kind;
using expr::Comparator;
using expr::SyntaxNode;

constexpr std::string_view kConditionFunctions[] = {"begins_with", "contains", "attribute_type",
                                                    "attribute_exists", "attribute_not_exists"};

bool is_condition(const Expression& expression) {
  switch (expression.kind) {
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kNot:
    case Kind::kCompare:
    case Kind::kIn:
    case Kind::kBetween:
    case Kind::kIs:
      return true;
    case Kind::kCall:
      return is_condition_function(expression.text);
    default:
      return false;
  }
}

Comparator comparator_of(std::string_view sign) {
  if (sign == "=") return Comparator::kEqual;
  if (sign == "<>") return Comparator::kNotEqual;
  if (sign == "<") return Comparator::kLess;
  if (sign == "<=") return Comparator::kLessEqual;
  return sign == ">" ? Comparator::kGreater : Comparator::kGreaterEqual;
}

// The types of items that a type of PartiQL stands for.
std::vector<std::string_view> types_named(std::string_view name) {
  for (const std::string_view text :
       {"string", "char", "character", "character varying", "varchar", "symbol"}) {
    if (name == text) return {"S"};
  }
  if (name == "null") return {"NULL"};
  if (name == "bool" || name == "boolean") return {"BOOL"};
  if (name == "list" || name == "sexp") return {"L"};
  if (name == "struct" || name == "tuple") return {"M"};
  if (name == "blob" || name == "clob") return {"B"};
  if (name == "bag") return {"SS", "NS", "BS"};
  return {"N"};
}

// Writes a condition as a syntax tree of the expression language, and has it bound by the same rules.
class ConditionWriter {
 public:
  // What was written last is the whole.
  Result<expr::Condition> bind() {
    std::vector<expr::NamePlaceholder> names;
    for (const auto& [placeholder, name] : names_)
      names.push_back({.placeholder = placeholder, .name = name});
    ValueWriter writer(kNestingMax + 1);
    writer.begin_item();
    for (const auto& [placeholder, value] : values_) {
      writer.key(placeholder);
      writer.copy(value);
    }
    writer.end_item();
    const Item values = Item::from_encoded(TRY(writer.finish()));
    expr::Placeholders placeholders(names, values);
    return expr::Condition::bind(tree_, placeholders, expr::ExpressionKind::kStatement);
  }

  // Each returns its node.
  Result<uint32_t> condition(const Expression& expression) {
    switch (expression.kind) {
      case Kind::kAnd:
      case Kind::kOr: {
        std::vector<uint32_t> parts;
        for (const Expression& part : expression.parts) parts.push_back(TRY(condition(part)));
        return add(expression.is(Kind::kAnd) ? SyntaxNode::Kind::kAnd : SyntaxNode::Kind::kOr,
                   expression.is(Kind::kAnd) ? "AND" : "OR", parts);
      }
      case Kind::kNot:
        return negate(TRY(condition(expression.parts[0])));
      case Kind::kCompare:
        return compare(expression);
      case Kind::kIn:
        return negate_if(expression.is_negated, TRY(in(expression)));
      case Kind::kBetween:
        return negate_if(expression.is_negated, TRY(between(expression)));
      case Kind::kIs:
        return negate_if(expression.is_negated, TRY(is_of_type(expression)));
      case Kind::kCall:
        return call(expression, true);
      default:
        return invalid("Unsupported condition at " + expression.place.to_string());
    }
  }

  uint32_t either(uint32_t a, uint32_t b) { return add(SyntaxNode::Kind::kOr, "OR", {a, b}); }
  uint32_t negate(uint32_t part) { return add(SyntaxNode::Kind::kNot, "NOT", {part}); }

  uint32_t not_exists(const std::string& attribute) {
    return function("attribute_not_exists", {path(expr::Path(attribute))});
  }

 private:
  uint32_t negate_if(bool is_negated, uint32_t part) { return is_negated ? negate(part) : part; }
  uint32_t both(uint32_t a, uint32_t b) { return add(SyntaxNode::Kind::kAnd, "AND", {a, b}); }

  uint32_t add(SyntaxNode::Kind kind, std::string_view text, const std::vector<uint32_t>& parts,
               Comparator comparator = {}, bool is_yes_or_no = false) {
    const auto first = static_cast<uint32_t>(tree_.children.size());
    tree_.children.insert(tree_.children.end(), parts.begin(), parts.end());
    tree_.nodes.push_back({.kind = kind,
                           .comparator = comparator,
                           .is_condition = is_yes_or_no,
                           .text = keep(text),
                           .first = first,
                           .count = static_cast<uint32_t>(parts.size())});
    return static_cast<uint32_t>(tree_.nodes.size() - 1);
  }

  std::string_view keep(std::string_view text) { return texts_.emplace_back(text); }

  uint32_t function(std::string_view name, const std::vector<uint32_t>& parts, bool is_yes_or_no = true) {
    return add(SyntaxNode::Kind::kFunction, name, parts, {}, is_yes_or_no);
  }

  // --- Operands

  uint32_t path(const expr::Path& path) {
    const auto first = static_cast<uint32_t>(tree_.steps.size());
    tree_.steps.push_back({.name = name(path.attribute()), .index = 0});
    for (const expr::PathElement& step : path.steps()) {
      if (step.is_index()) {
        tree_.steps.push_back({.name = {}, .index = step.index()});
      } else {
        tree_.steps.push_back({.name = name(step.name()), .index = 0});
      }
    }
    tree_.nodes.push_back({.kind = SyntaxNode::Kind::kPath,
                           .comparator = {},
                           .is_condition = false,
                           .text = {},
                           .first = first,
                           .count = static_cast<uint32_t>(tree_.steps.size()) - first});
    return static_cast<uint32_t>(tree_.nodes.size() - 1);
  }

  std::string_view name(const std::string& text) {
    return names_.emplace_back("#" + std::to_string(names_.size()), text).first;
  }

  uint32_t value(const Value& literal) {
    const std::string_view placeholder =
        values_.emplace_back(":" + std::to_string(values_.size()), literal).first;
    return add(SyntaxNode::Kind::kValue, placeholder, {});
  }

  Result<uint32_t> operand(const Expression& expression) {
    if (is_path(expression)) return path(TRY(to_path(expression)));
    switch (expression.kind) {
      case Kind::kLiteral:
        return value(expression.value);
      case Kind::kCall:
        return call(expression, false);
      case Kind::kSign:
        return invalid("Incorrect number of operands for operator or function; operator or function: " +
                       expression.text + ", number of operands: 1");
      case Kind::kBinary:
        return invalid("Unsupported operator in Condition Expression. Operator: " + expression.text);
      default:
        return invalid("Unsupported operand at " + expression.place.to_string());
    }
  }

  Result<uint32_t> call(const Expression& expression, bool is_yes_or_no) {
    if (!is_condition_function(expression.text) && expression.text != "size")
      return invalid("Unrecognized function: " + expression.text + " at " + expression.place.to_string());
    std::vector<uint32_t> parts;
    for (const Expression& part : expression.parts) parts.push_back(TRY(operand(part)));
    return function(expression.text, parts, is_yes_or_no);
  }

  // --- Conditions

  Result<uint32_t> compare(const Expression& expression) {
    if (expression.text == "like")
      return invalid("Unsupported operator in Condition Expression. Operator: LIKE");
    const Expression &left = expression.parts[0], &right = expression.parts[1];
    if (is_condition(left)) return compare_booleans(expression, left, right);
    if (is_condition(right)) return compare_booleans(expression, right, left);
    return compare_values(expression.text, left, right);
  }

  // What is not there is neither equal nor unequal to anything.
  Result<uint32_t> compare_values(const std::string& sign, const Expression& left, const Expression& right) {
    const uint32_t a = TRY(operand(left));
    const uint32_t b = TRY(operand(right));
    uint32_t made = add(SyntaxNode::Kind::kCompare, sign, {a, b}, comparator_of(sign));
    if (sign != "<>") return made;
    for (const Expression* side : {&left, &right}) {
      if (is_path(*side)) made = both(made, function("attribute_exists", {path(TRY(to_path(*side)))}));
    }
    return made;
  }

  // A condition and what may be a boolean, or another condition.
  Result<uint32_t> compare_booleans(const Expression& expression, const Expression& condition_part,
                                    const Expression& other) {
    if (expression.text != "=" && expression.text != "<>") {
      return invalid("Incorrect operand type for operator or function; operator or function: " +
                     expression.text + ", operand type: BOOL");
    }
    const bool is_equal = expression.text == "=";
    if (is_condition(other)) {
      const uint32_t first = TRY(condition(condition_part));
      const uint32_t both_hold = both(first, TRY(condition(other)));
      const uint32_t not_first = negate(TRY(condition(condition_part)));
      const uint32_t neither = both(not_first, negate(TRY(condition(other))));
      return negate_if(!is_equal, either(both_hold, neither));
    }
    if (other.is(Kind::kLiteral)) {
      const bool is_boolean = other.value.type() == Type::kBool;
      if (is_boolean)
        return negate_if(other.value.view().boolean() != is_equal, TRY(condition(condition_part)));
      // Never equal to anything else.
      const uint32_t holds = TRY(condition(condition_part));
      const uint32_t fails = negate(TRY(condition(condition_part)));
      return is_equal ? both(holds, fails) : either(holds, fails);
    }
    const Expression yes{.value = Value(true)}, no{.value = Value(false)};
    const uint32_t holds = TRY(condition(condition_part));
    const uint32_t if_true = both(holds, TRY(compare_values(expression.text, other, yes)));
    const uint32_t fails = negate(TRY(condition(condition_part)));
    const uint32_t if_false = both(fails, TRY(compare_values(expression.text, other, no)));
    return either(if_true, if_false);
  }

  Result<uint32_t> in(const Expression& expression) {
    const Expression &left = expression.parts[0], &list = expression.parts[1];
    if (!list.is(Kind::kList)) {
      const std::string_view type = list.is(Kind::kLiteral) ? type_name(list.value.type()) : "L";
      return invalid(
          "Incorrect operand type for operator or function; operator or function: IN, operand type: " +
          std::string(type));
    }
    if (list.parts.empty())
      return invalid(
          "Incorrect number of operands for operator or function; operator or function: IN, number of "
          "operands: 1");
    if (list.parts.size() > expr::kInOperandsMax) {
      return invalid("The IN operator is provided with too many operands; number of operands: " +
                     std::to_string(list.parts.size()));
    }
    if (is_condition(left)) {
      std::vector<uint32_t> any;
      const Expression equal{.kind = Kind::kCompare, .place = expression.place, .text = "="};
      for (const Expression& part : list.parts) any.push_back(TRY(compare_booleans(equal, left, part)));
      return any.size() == 1 ? any[0] : add(SyntaxNode::Kind::kOr, "OR", any);
    }
    std::vector<uint32_t> parts = {TRY(operand(left))};
    for (const Expression& part : list.parts) parts.push_back(TRY(operand(part)));
    return add(SyntaxNode::Kind::kIn, "IN", parts);
  }

  Result<uint32_t> between(const Expression& expression) {
    std::vector<uint32_t> parts;
    for (const Expression& part : expression.parts) parts.push_back(TRY(operand(part)));
    return add(SyntaxNode::Kind::kBetween, "BETWEEN", parts);
  }

  Result<uint32_t> is_of_type(const Expression& expression) {
    if (!is_path(expression.parts[0]))
      return invalid("Operator or function requires a document path; operator or function: IS");
    const expr::Path what = TRY(to_path(expression.parts[0]));
    if (expression.text == "missing") return function("attribute_not_exists", {path(what)});
    std::vector<uint32_t> any;
    for (const std::string_view type : types_named(expression.text)) {
      const uint32_t a = path(what);
      const uint32_t b = value(Value(type));
      any.push_back(function("attribute_type", {a, b}));
    }
    return any.size() == 1 ? any[0] : add(SyntaxNode::Kind::kOr, "OR", any);
  }

  expr::SyntaxTree tree_;
  std::deque<std::string> texts_;
  std::deque<std::pair<std::string, std::string>> names_;
  std::deque<std::pair<std::string, Value>> values_;
};

}  // namespace

bool is_condition_function(std::string_view name) {
  return std::find(std::begin(kConditionFunctions), std::end(kConditionFunctions), name) !=
         std::end(kConditionFunctions);
}

Result<expr::Condition> to_condition(const Expression& where) {
  ConditionWriter writer;
  TRY(writer.condition(where));
  return writer.bind();
}

Result<expr::Condition> to_condition_if_exists(const Expression& where, const std::string& key_attribute) {
  ConditionWriter writer;
  const uint32_t missing = writer.not_exists(key_attribute);
  const uint32_t holds = TRY(writer.condition(where));
  writer.either(missing, holds);
  return writer.bind();
}

}  // namespace sheaf::partiql
