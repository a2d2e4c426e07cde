// From text to syntax tree: the grammar of operands, conditions and SET values.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

#include "expr/expression_error.h"
#include "expr/syntax_tree.h"
#include "expr/tokens.h"

namespace sheaf::expr {

// Refuses an empty text and one that is too long.
Result<void> check_text(ExpressionKind kind, std::string_view text);

// Adds what it reads to a tree. Keeps its own stack, so that no text can exhaust the thread's. Errors are
// syntax errors and passed limits, as AWS words them.
class ExpressionParser {
 public:
  // Borrows both. Which words are keywords depends on `kind`.
  ExpressionParser(ExpressionKind kind, Tokens& tokens, SyntaxTree& tree);

  // A condition, to the end of the text; in an update the right-hand side of a SET, up to what cannot belong
  // to it. Returns the node, like the others.
  Result<uint32_t> expression();
  Result<uint32_t> path();
  // A :value.
  Result<uint32_t> value();

  Error syntax_error() const { return invalid_expression(kind_, tokens_.syntax_error()); }

 private:
  // What is being read and not complete yet.
  struct Frame {
    enum class Kind : uint8_t {
      kParentheses,
      kFunction,
      kCompare,
      kBetween,
      kBetweenAnd,
      kIn,
      kNot,
      kAnd,
      kOr,
      kSum
    };
    Kind kind;
    bool operand_only;      // of kParentheses: a condition or a sum may not stand in it
    Comparator comparator;  // of kCompare
    std::string_view text;  // of the node to come
    uint32_t parts;         // where its parts begin in parts_
  };
  // What was read last.
  struct Piece {
    enum class Kind : uint8_t { kOperand, kSum, kCondition };
    Kind kind;
    bool in_parentheses;
    uint32_t node;
  };

  enum class Next : uint8_t { kStart, kGoOn, kEnd };

  bool in_update() const { return kind_ == ExpressionKind::kUpdate; }
  bool at_name() const;
  // Whether more than an operand can stand here: a condition, or in an update a sum.
  bool may_be_whole() const;

  Result<void> read_start();
  Result<Next> read_rest();
  Result<Next> read_after_set_operand();
  Result<Next> read_after_operand();
  Result<Next> read_after_condition();
  Result<Next> open(Frame::Kind kind, std::string_view text, Comparator comparator = {});
  Result<Next> close_parentheses();
  Result<void> read_steps(uint32_t path);
  Result<uint32_t> list_index();
  Result<void> count_operator();

  void push(Frame::Kind kind, std::string_view text, Comparator comparator = {});
  void push_part() { parts_.push_back(piece_.node); }
  void reduce(SyntaxNode::Kind kind, Piece::Kind piece);
  uint32_t add(SyntaxNode node);

  const ExpressionKind kind_;
  Tokens& tokens_;
  SyntaxTree& tree_;
  uint32_t operators_ = 0;
  std::pmr::vector<Frame> frames_;
  std::pmr::vector<uint32_t> parts_;  // nodes that wait for their frame
  Piece piece_{};
};

}  // namespace sheaf::expr
