#include "expr/key_condition.h"

#include <algorithm>
#include <cassert>

#include "base/errors.h"
#include "base/try.h"
#include "expr/bound_tree.h"
#include "expr/expression_parser.h"
#include "expr/limits.h"

namespace sheaf::expr {
namespace {

Error invalid_key_condition(std::string_view problem) {
  return invalid_expression(ExpressionKind::kKeyCondition, problem);
}

KeyOperator operator_of(Comparator comparator) {
  switch (comparator) {
    case Comparator::kLess:
      return KeyOperator::kLess;
    case Comparator::kLessEqual:
      return KeyOperator::kLessEqual;
    case Comparator::kGreater:
      return KeyOperator::kGreater;
    case Comparator::kGreaterEqual:
      return KeyOperator::kGreaterEqual;
    default:
      return KeyOperator::kEqual;
  }
}

// :v < a is a > :v
KeyOperator mirrored(KeyOperator op) {
  switch (op) {
    case KeyOperator::kLess:
      return KeyOperator::kGreater;
    case KeyOperator::kLessEqual:
      return KeyOperator::kGreaterEqual;
    case KeyOperator::kGreater:
      return KeyOperator::kLess;
    case KeyOperator::kGreaterEqual:
      return KeyOperator::kLessEqual;
    default:
      return op;
  }
}

// Takes the clauses out of a condition that is well-formed in every other way.
class ClauseReader {
 public:
  explicit ClauseReader(const BoundTree& bound) : bound_(bound) {}

  // From the outside in, as AWS does: an OR is reported before what it joins. An AND has no AND inside
  // without parentheses, so the depth of recursion is that of parentheses, which the number of operators
  // bounds.
  Result<void> read(uint32_t at) {
    const SyntaxNode& node = bound_.node(at);
    switch (node.kind) {
      case SyntaxNode::Kind::kAnd:
        for (const uint32_t part : bound_.tree().children_of(node)) TRY(read(part));
        return {};
      case SyntaxNode::Kind::kOr:
      case SyntaxNode::Kind::kNot:
      case SyntaxNode::Kind::kIn:
        return unsupported(node);
      case SyntaxNode::Kind::kCompare:
        if (node.comparator == Comparator::kNotEqual) return unsupported(node);
        return read_clause(node, operator_of(node.comparator));
      case SyntaxNode::Kind::kBetween:
        TRY(check_first_operand(node));
        return read_clause(node, KeyOperator::kBetween);
      default:
        if (function_of(node) != Function::kBeginsWith) return unsupported(node);
        TRY(check_first_operand(node));
        return read_clause(node, KeyOperator::kBeginsWith);
    }
  }

  std::vector<KeyClause> take() && { return std::move(clauses_); }

 private:
  static Error unsupported(const SyntaxNode& node) {
    return invalid_key_condition("Invalid operator used in KeyConditionExpression: " +
                                 std::string(node.text));
  }

  Result<void> check_first_operand(const SyntaxNode& node) const {
    if (bound_.is_path(bound_.tree().children_of(node).front())) return {};
    return invalid_key_condition("Invalid condition in KeyConditionExpression: " + std::string(node.text) +
                                 " operator must have the key attribute as its first operand");
  }

  static Error nested_operation() {
    return invalid_key_condition("KeyConditionExpressions cannot contain nested operations");
  }

  Result<void> read_clause(const SyntaxNode& node, KeyOperator op) {
    const auto operands = bound_.tree().children_of(node);
    const Path* attribute = nullptr;
    for (const uint32_t operand : operands) {
      if (bound_.is_path(operand)) {
        if (attribute != nullptr) {
          return invalid_key_condition(
              "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition");
        }
        attribute = &bound_.path(operand);
        if (attribute->is_nested()) {
          return invalid_key_condition("KeyConditionExpressions cannot have conditions on nested attributes");
        }
      } else if (!bound_.is_value(operand)) {
        return nested_operation();
      }
    }
    if (attribute == nullptr) {
      return invalid_key_condition("Invalid condition in KeyConditionExpression: No key attribute specified");
    }
    if (std::ranges::find(clauses_, attribute->attribute(), &KeyClause::attribute) != clauses_.end()) {
      return invalid_key_condition("KeyConditionExpressions must only contain one condition per key");
    }
    const bool value_first = !bound_.is_path(operands[0]);
    clauses_.push_back({attribute->attribute(), value_first ? mirrored(op) : op,
                        Value(bound_.value(operands[value_first ? 0 : 1])),
                        op == KeyOperator::kBetween ? Value(bound_.value(operands[2])) : Value()});
    return {};
  }

  const BoundTree& bound_;
  std::vector<KeyClause> clauses_;
};

// The clause on an attribute, or null.
KeyClause* clause_on(std::vector<KeyClause>& clauses, std::string_view attribute) {
  const auto found = std::ranges::find(clauses, attribute, &KeyClause::attribute);
  return found == clauses.end() ? nullptr : &*found;
}

Error missed(std::string_view attribute) {
  return invalid("Query condition missed key schema element: " + std::string(attribute));
}

Result<void> check_clause(const KeyClause& clause, const KeyAttribute& attribute) {
  if (!clause.indexable) return invalid("Attempted conditional constraint is not an indexable operation");
  const bool matches = clause.value.type() == attribute.type &&
                       (clause.op != KeyOperator::kBetween || clause.upper.type() == attribute.type);
  if (matches) return {};
  return invalid(
      "One or more parameter values were invalid: Condition parameter type does not match schema type");
}

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

Result<void> bind_partition(std::vector<KeyClause>& clauses, const KeySchema& schema, KeyCondition& bound) {
  std::vector<std::string_view> unequal;
  for (const KeyAttribute& attribute : schema.partition) {
    KeyClause* const clause = clause_on(clauses, attribute.name);
    if (clause != nullptr) TRY(check_clause(*clause, attribute));
    if (clause != nullptr && clause->op == KeyOperator::kEqual) {
      bound.partition.push_back(std::move(clause->value));
    } else if (schema.partition.size() > 1) {
      unequal.push_back(attribute.name);
    } else if (clause != nullptr) {
      return invalid("Query key condition not supported");
    } else {
      return missed(attribute.name);
    }
  }
  if (unequal.empty()) return {};
  return invalid("HASH key attributes " + joined(unequal) +
                 " must have equality conditions specified in the query");
}

Result<void> bind_sort(std::vector<KeyClause>& clauses, const KeySchema& schema, KeyCondition& bound) {
  std::vector<std::string_view> unequal;
  for (const KeyAttribute& attribute : schema.sort) {
    KeyClause* const clause = clause_on(clauses, attribute.name);
    if (clause != nullptr) {
      TRY(check_clause(*clause, attribute));
      if (!unequal.empty()) {
        return invalid(
            "RANGE key attributes " + joined(unequal) +
            " must have equality conditions specified in the query because a condition is present on key "
            "attribute " +
            std::string(attribute.name));
      }
      if (clause->op == KeyOperator::kEqual) {
        bound.sort_equals.push_back(std::move(clause->value));
        continue;
      }
      bound.range = {clause->op, std::move(clause->value), std::move(clause->upper)};
    }
    unequal.push_back(attribute.name);
  }
  return {};
}

}  // namespace

Result<std::vector<KeyClause>> parse_key_condition(std::string_view text, Placeholders& placeholders) {
  constexpr auto kKind = ExpressionKind::kKeyCondition;
  TRY(check_text(kKind, text));
  SyntaxTree tree;
  Tokens tokens(text);
  const uint32_t root = TRY(ExpressionParser(kKind, tokens, tree).expression());
  BoundTree bound(kKind, tree, placeholders);
  TRY(bound.bind_condition());
  ClauseReader reader(bound);
  TRY(reader.read(root));
  return std::move(reader).take();
}

Result<KeyCondition> bind_key_condition(std::vector<KeyClause> clauses, const KeySchema& schema) {
  assert(!schema.partition.empty() && schema.partition.size() <= kKeyAttributesMax);
  assert(schema.sort.size() <= kKeyAttributesMax);
  const size_t attributes = schema.partition.size() + schema.sort.size();
  if (clauses.size() > attributes) {
    return invalid("The number of query conditions (" + std::to_string(clauses.size()) +
                   ") exceeds the number of key attributes defined in the schema (" +
                   std::to_string(attributes) + ")");
  }
  KeyCondition bound;
  TRY(bind_partition(clauses, schema, bound));
  TRY(bind_sort(clauses, schema, bound));
  const size_t used = bound.partition.size() + bound.sort_equals.size() + (bound.range ? 1 : 0);
  if (used == clauses.size()) return bound;
  // A clause on something else took the place of a sort attribute: AWS names the attribute that it misses.
  return missed(schema.sort[bound.sort_equals.size() + (bound.range ? 1 : 0)].name);
}

}  // namespace sheaf::expr
