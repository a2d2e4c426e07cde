// From the text of a condition to its bound form.
#include "base/try.h"
#include "expr/bound_tree.h"
#include "expr/condition.h"
#include "expr/expression_parser.h"

namespace sheaf::expr {
namespace {

class ConditionBinder {
 public:
  explicit ConditionBinder(BoundTree& bound) : bound_(bound) {}

  Condition bind() && {
    // Nodes come after their parts, so the parts of one that joins conditions are the last ones made.
    for (const SyntaxNode& node : bound_.tree().nodes) {
      switch (node.kind) {
        case SyntaxNode::Kind::kAnd:
          join(builder_.all_of(last(node.count)), node.count);
          break;
        case SyntaxNode::Kind::kOr:
          join(builder_.any_of(last(node.count)), node.count);
          break;
        case SyntaxNode::Kind::kNot:
          join(builder_.negate(conditions_.back()), 1);
          break;
        case SyntaxNode::Kind::kCompare:
          conditions_.push_back(compare(node));
          break;
        case SyntaxNode::Kind::kBetween:
          conditions_.push_back(between(node));
          break;
        case SyntaxNode::Kind::kIn:
          conditions_.push_back(in(node));
          break;
        case SyntaxNode::Kind::kFunction:
          if (node.is_condition) conditions_.push_back(call(node));
          break;
        default:
          break;
      }
    }
    return std::move(builder_).build(conditions_.back());
  }

 private:
  using Node = ConditionBuilder::Node;
  using Operand = ConditionBuilder::Operand;

  std::span<const Node> last(size_t count) const { return std::span(conditions_).last(count); }

  void join(Node node, size_t count) {
    conditions_.erase(conditions_.end() - static_cast<std::ptrdiff_t>(count), conditions_.end());
    conditions_.push_back(node);
  }

  uint32_t operand_at(const SyntaxNode& node, size_t at) const { return bound_.tree().children_of(node)[at]; }

  // Each is called once, in the order of the text.
  Operand operand(const SyntaxNode& node, size_t at) {
    const uint32_t part = operand_at(node, at);
    if (bound_.is_path(part)) return builder_.path(bound_.take_path(part));
    if (bound_.is_value(part)) return builder_.literal(bound_.value(part));
    // The only function that stands for a value.
    const uint32_t sized = operand_at(bound_.node(part), 0);
    if (bound_.is_path(sized)) return builder_.size_of(bound_.take_path(sized));
    return builder_.size_of(bound_.value(sized));
  }

  Node compare(const SyntaxNode& node) {
    const Operand left = operand(node, 0);
    const Operand right = operand(node, 1);
    return builder_.compare(node.comparator, left, right);
  }

  Node between(const SyntaxNode& node) {
    const Operand value = operand(node, 0);
    const Operand low = operand(node, 1);
    const Operand high = operand(node, 2);
    return builder_.between(value, low, high);
  }

  Node in(const SyntaxNode& node) {
    const Operand value = operand(node, 0);
    std::vector<Operand> list;
    list.reserve(node.count - 1);
    for (size_t at = 1; at < node.count; ++at) list.push_back(operand(node, at));
    return builder_.in(value, list);
  }

  Node call(const SyntaxNode& node) {
    const Operand first = operand(node, 0);
    switch (function_of(node)) {
      case Function::kAttributeExists:
        return builder_.exists(first);
      case Function::kAttributeNotExists:
        return builder_.not_exists(first);
      case Function::kAttributeType:
        return builder_.type_is(first, *type_named(bound_.value(operand_at(node, 1)).bytes()));
      case Function::kBeginsWith:
        return builder_.begins_with(first, operand(node, 1));
      default:
        return builder_.contains(first, operand(node, 1));
    }
  }

  BoundTree& bound_;
  ConditionBuilder builder_;
  std::vector<Node> conditions_;
};

}  // namespace

Result<Condition> Condition::parse(std::string_view text, Placeholders& placeholders, ExpressionKind kind) {
  TRY(check_text(kind, text));
  SyntaxTree tree;
  Tokens tokens(text);
  TRY(ExpressionParser(kind, tokens, tree).expression());
  return bind(tree, placeholders, kind);
}

Result<Condition> Condition::bind(const SyntaxTree& tree, Placeholders& placeholders, ExpressionKind kind) {
  BoundTree bound(kind, tree, placeholders);
  TRY(bound.bind_condition());
  return ConditionBinder(bound).bind();
}

}  // namespace sheaf::expr
