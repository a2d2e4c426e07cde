#include "expr/expression_parser.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "base/try.h"
#include "expr/limits.h"

namespace sheaf::expr {
namespace {

constexpr std::string_view kConditionKeywords[] = {"AND", "OR", "NOT", "IN", "BETWEEN"};
constexpr std::string_view kUpdateKeywords[] = {"SET", "REMOVE", "ADD", "DELETE"};

std::optional<Comparator> comparator_of(Token::Kind kind) {
  switch (kind) {
    case Token::Kind::kEqual:
      return Comparator::kEqual;
    case Token::Kind::kNotEqual:
      return Comparator::kNotEqual;
    case Token::Kind::kLess:
      return Comparator::kLess;
    case Token::Kind::kLessEqual:
      return Comparator::kLessEqual;
    case Token::Kind::kGreater:
      return Comparator::kGreater;
    case Token::Kind::kGreaterEqual:
      return Comparator::kGreaterEqual;
    default:
      return std::nullopt;
  }
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

}  // namespace

Result<void> check_text(ExpressionKind kind, std::string_view text) {
  if (text.size() > kExpressionBytesMax) {
    return invalid_expression(kind,
                              "Expression size has exceeded the maximum allowed size; expression size: " +
                                  std::to_string(text.size()));
  }
  if (is_blank(text)) return invalid_expression(kind, "The expression can not be empty;");
  return {};
}

ExpressionParser::ExpressionParser(ExpressionKind kind, Tokens& tokens, SyntaxTree& tree)
    : kind_(kind), tokens_(tokens), tree_(tree), frames_(tree.memory()), parts_(tree.memory()) {
  frames_.reserve(8);
  parts_.reserve(16);
}

bool ExpressionParser::at_name() const {
  const Token& token = tokens_.current();
  if (token.kind == Token::Kind::kNamePlaceholder) return true;
  if (token.kind != Token::Kind::kWord) return false;
  const auto keywords = in_update() ? std::span<const std::string_view>(kUpdateKeywords)
                                    : std::span<const std::string_view>(kConditionKeywords);
  return kind_ == ExpressionKind::kProjection ||
         std::ranges::none_of(keywords, [&](std::string_view keyword) { return token.is_word(keyword); });
}

bool ExpressionParser::may_be_whole() const {
  if (frames_.empty()) return true;
  switch (frames_.back().kind) {
    case Frame::Kind::kParentheses:
      return !frames_.back().operand_only;
    case Frame::Kind::kNot:
    case Frame::Kind::kAnd:
    case Frame::Kind::kOr:
      return true;
    default:
      return false;
  }
}

uint32_t ExpressionParser::add(SyntaxNode node) {
  tree_.nodes.push_back(node);
  return static_cast<uint32_t>(tree_.nodes.size() - 1);
}

void ExpressionParser::push(Frame::Kind kind, std::string_view text, Comparator comparator) {
  frames_.push_back({kind, false, comparator, text, static_cast<uint32_t>(parts_.size())});
}

// Completes the last frame: what waits for it becomes a node, and that the piece read last.
void ExpressionParser::reduce(SyntaxNode::Kind kind, Piece::Kind piece) {
  const Frame frame = frames_.back();
  frames_.pop_back();
  const auto first = static_cast<uint32_t>(tree_.children.size());
  tree_.children.insert(tree_.children.end(), parts_.begin() + frame.parts, parts_.end());
  const auto count = static_cast<uint32_t>(parts_.size() - frame.parts);
  parts_.resize(frame.parts);
  piece_ = {piece, false, add({kind, frame.comparator, false, frame.text, first, count})};
}

Result<void> ExpressionParser::count_operator() {
  if (++operators_ <= kOperatorsMax) return {};
  return invalid_expression(
      kind_, "The expression contains too many operators; operator count: " + std::to_string(operators_));
}

Result<uint32_t> ExpressionParser::expression() {
  for (Next next = Next::kStart; next != Next::kEnd;) {
    if (next == Next::kStart) TRY(read_start());
    next = TRY(read_rest());
  }
  return piece_.node;
}

Result<uint32_t> ExpressionParser::value() {
  if (tokens_.kind() != Token::Kind::kValuePlaceholder) return syntax_error();
  const uint32_t node = add({SyntaxNode::Kind::kValue, {}, false, tokens_.current().text, 0, 0});
  tokens_.advance();
  return node;
}

Result<uint32_t> ExpressionParser::path() {
  if (!at_name()) return syntax_error();
  const uint32_t node =
      add({SyntaxNode::Kind::kPath, {}, false, {}, static_cast<uint32_t>(tree_.steps.size()), 1});
  tree_.steps.push_back({tokens_.current().text, 0});
  tokens_.advance();
  TRY(read_steps(node));
  return node;
}

// Extends the path that was read last by what follows of it. Nothing else has added steps since.
Result<void> ExpressionParser::read_steps(uint32_t path) {
  for (;;) {
    if (tokens_.take(Token::Kind::kDot)) {
      if (!at_name()) return syntax_error();
      tree_.steps.push_back({tokens_.current().text, 0});
      tokens_.advance();
    } else if (tokens_.take(Token::Kind::kOpenBracket)) {
      const uint32_t index = TRY(list_index());
      tree_.steps.push_back({{}, index});
      if (!tokens_.take(Token::Kind::kCloseBracket)) return syntax_error();
    } else {
      break;
    }
    ++tree_.nodes[path].count;
  }
  const uint32_t levels = tree_.nodes[path].count;
  if (levels <= kPathDepthMax) return {};
  return invalid_expression(
      kind_, "The document path has too many nesting levels; nesting levels: " + std::to_string(levels));
}

Result<uint32_t> ExpressionParser::list_index() {
  if (tokens_.kind() != Token::Kind::kInteger) return syntax_error();
  const std::string_view digits = tokens_.current().text;
  uint32_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || index > kListIndexMax) {
    return invalid_expression(
        kind_, "List index is not within the allowable range; index: [" + std::string(digits) + "]");
  }
  tokens_.advance();
  return index;
}

// Reads up to and with the first operand: what opens something is pushed on the way.
Result<void> ExpressionParser::read_start() {
  for (;;) {
    const Token token = tokens_.current();
    switch (token.kind) {
      case Token::Kind::kOpen: {
        const bool operand_only = !may_be_whole();
        push(Frame::Kind::kParentheses, {});
        frames_.back().operand_only = operand_only;
        tokens_.advance();
        continue;
      }
      case Token::Kind::kValuePlaceholder: {
        const uint32_t node = TRY(value());
        piece_ = {Piece::Kind::kOperand, false, node};
        return {};
      }
      case Token::Kind::kWord:
        if (!in_update() && token.is_word("NOT") && may_be_whole()) {
          TRY(count_operator());
          push(Frame::Kind::kNot, "NOT");
          tokens_.advance();
          continue;
        }
        break;
      default:
        break;
    }
    const uint32_t node = TRY(path());
    // A name before a parenthesis was the name of a function.
    const bool is_call = token.kind == Token::Kind::kWord && tree_.nodes[node].count == 1 &&
                         tokens_.kind() == Token::Kind::kOpen;
    if (!is_call) {
      piece_ = {Piece::Kind::kOperand, false, node};
      return {};
    }
    tree_.nodes.pop_back();
    tree_.steps.pop_back();
    push(Frame::Kind::kFunction, token.text);
    tokens_.advance();
  }
}

Result<ExpressionParser::Next> ExpressionParser::read_rest() {
  const Token::Kind kind = tokens_.kind();
  const bool is_step = kind == Token::Kind::kDot || kind == Token::Kind::kOpenBracket;
  // Only conditions go on behind the parentheses around a path: (a.b).c
  if (is_step && !in_update() && piece_.kind == Piece::Kind::kOperand &&
      tree_.nodes[piece_.node].kind == SyntaxNode::Kind::kPath) {
    TRY(read_steps(piece_.node));
    piece_.in_parentheses = false;
    return Next::kGoOn;
  }
  if (may_be_whole()) {
    if (in_update()) return read_after_set_operand();
    return piece_.kind == Piece::Kind::kCondition ? read_after_condition() : read_after_operand();
  }
  switch (frames_.back().kind) {
    case Frame::Kind::kFunction:
    case Frame::Kind::kIn: {
      push_part();
      if (tokens_.take(Token::Kind::kComma)) return Next::kStart;
      if (!tokens_.take(Token::Kind::kClose)) return syntax_error();
      const bool is_function = frames_.back().kind == Frame::Kind::kFunction;
      reduce(is_function ? SyntaxNode::Kind::kFunction : SyntaxNode::Kind::kIn,
             is_function ? Piece::Kind::kOperand : Piece::Kind::kCondition);
      return Next::kGoOn;
    }
    case Frame::Kind::kCompare:
      push_part();
      reduce(SyntaxNode::Kind::kCompare, Piece::Kind::kCondition);
      return Next::kGoOn;
    case Frame::Kind::kBetween:
      if (!tokens_.current().is_word("AND")) return syntax_error();
      tokens_.advance();
      push_part();
      frames_.back().kind = Frame::Kind::kBetweenAnd;
      return Next::kStart;
    case Frame::Kind::kBetweenAnd:
      push_part();
      reduce(SyntaxNode::Kind::kBetween, Piece::Kind::kCondition);
      return Next::kGoOn;
    case Frame::Kind::kSum:
      push_part();
      reduce(frames_.back().text == "+" ? SyntaxNode::Kind::kPlus : SyntaxNode::Kind::kMinus,
             Piece::Kind::kSum);
      return Next::kGoOn;
    default:
      return close_parentheses();
  }
}

Result<ExpressionParser::Next> ExpressionParser::read_after_set_operand() {
  const Token token = tokens_.current();
  const bool is_sign = token.kind == Token::Kind::kPlus || token.kind == Token::Kind::kMinus;
  if (is_sign && piece_.kind == Piece::Kind::kOperand) return open(Frame::Kind::kSum, token.text);
  return frames_.empty() ? Next::kEnd : close_parentheses();
}

Result<ExpressionParser::Next> ExpressionParser::read_after_operand() {
  const Token token = tokens_.current();
  if (const auto comparator = comparator_of(token.kind)) {
    return open(Frame::Kind::kCompare, token.text, *comparator);
  }
  if (token.is_word("BETWEEN")) return open(Frame::Kind::kBetween, "BETWEEN");
  if (token.is_word("IN")) {
    const Next next = TRY(open(Frame::Kind::kIn, "IN"));
    if (!tokens_.take(Token::Kind::kOpen)) return syntax_error();
    return next;
  }
  if (token.kind == Token::Kind::kClose && !frames_.empty() &&
      frames_.back().kind == Frame::Kind::kParentheses) {
    return close_parentheses();
  }
  SyntaxNode& operand = tree_.nodes[piece_.node];
  if (operand.kind != SyntaxNode::Kind::kFunction) return syntax_error();
  operand.is_condition = true;
  piece_.kind = Piece::Kind::kCondition;
  return Next::kGoOn;
}

Result<ExpressionParser::Next> ExpressionParser::read_after_condition() {
  const auto is_in = [&](Frame::Kind kind) { return !frames_.empty() && frames_.back().kind == kind; };
  const auto close = [&](SyntaxNode::Kind kind) {
    push_part();
    reduce(kind, Piece::Kind::kCondition);
    return Next::kGoOn;
  };
  // From the tightest to the loosest: what binds tighter than the operator to come is complete.
  if (is_in(Frame::Kind::kNot)) return close(SyntaxNode::Kind::kNot);
  if (tokens_.current().is_word("AND")) return open(Frame::Kind::kAnd, "AND");
  if (is_in(Frame::Kind::kAnd)) return close(SyntaxNode::Kind::kAnd);
  if (tokens_.current().is_word("OR")) return open(Frame::Kind::kOr, "OR");
  if (is_in(Frame::Kind::kOr)) return close(SyntaxNode::Kind::kOr);
  if (is_in(Frame::Kind::kParentheses)) return close_parentheses();
  if (tokens_.kind() != Token::Kind::kEnd) return syntax_error();
  return Next::kEnd;
}

// Takes an operator, with the piece before it as its first part, or as one more part of the same operator.
Result<ExpressionParser::Next> ExpressionParser::open(Frame::Kind kind, std::string_view text,
                                                      Comparator comparator) {
  TRY(count_operator());
  const bool joins = kind == Frame::Kind::kAnd || kind == Frame::Kind::kOr;
  if (!joins || frames_.empty() || frames_.back().kind != kind) push(kind, text, comparator);
  push_part();
  tokens_.advance();
  return Next::kStart;
}

Result<ExpressionParser::Next> ExpressionParser::close_parentheses() {
  if (!tokens_.take(Token::Kind::kClose)) return syntax_error();
  if (piece_.in_parentheses) tree_.redundant_parentheses = true;
  piece_.in_parentheses = true;
  frames_.pop_back();
  return Next::kGoOn;
}

}  // namespace sheaf::expr
