// From the text of an update to its bound form.
#include <algorithm>
#include <array>

#include "base/try.h"
#include "expr/bound_tree.h"
#include "expr/expression_parser.h"
#include "expr/update.h"

namespace sheaf::expr {
namespace {

using ActionKind = UpdateAction::Kind;
constexpr auto kKind = ExpressionKind::kUpdate;

struct Section {
  std::string_view name;
  ActionKind kind;
};
constexpr Section kSections[] = {{"SET", ActionKind::kSet},
                                 {"REMOVE", ActionKind::kRemove},
                                 {"ADD", ActionKind::kAdd},
                                 {"DELETE", ActionKind::kDelete}};

// One action as it is written; the nodes are in the tree.
struct ActionSyntax {
  ActionKind kind;
  uint32_t path;
  uint32_t value;  // not of REMOVE
};

struct UpdateSyntax {
  std::vector<ActionSyntax> actions;
  std::string_view repeated_section;  // the first one that comes twice
};

const Section* section_at(const Tokens& tokens) {
  const auto found = std::ranges::find_if(
      kSections, [&](const Section& section) { return tokens.current().is_word(section.name); });
  return found == std::end(kSections) ? nullptr : found;
}

Result<ActionSyntax> parse_action(ActionKind kind, Tokens& tokens, ExpressionParser& parser) {
  const uint32_t path = TRY(parser.path());
  switch (kind) {
    case ActionKind::kRemove:
      return ActionSyntax{kind, path, 0};
    case ActionKind::kSet: {
      if (!tokens.take(Token::Kind::kEqual)) return parser.syntax_error();
      const uint32_t value = TRY(parser.expression());
      return ActionSyntax{kind, path, value};
    }
    default: {
      const uint32_t value = TRY(parser.value());
      return ActionSyntax{kind, path, value};
    }
  }
}

Result<UpdateSyntax> parse_sections(Tokens& tokens, ExpressionParser& parser) {
  UpdateSyntax syntax;
  std::array<bool, std::size(kSections)> seen{};
  do {
    const Section* const section = section_at(tokens);
    if (section == nullptr) return parser.syntax_error();
    bool& repeated = seen[static_cast<size_t>(section - kSections)];
    if (repeated && syntax.repeated_section.empty()) syntax.repeated_section = section->name;
    repeated = true;
    tokens.advance();
    do {
      syntax.actions.push_back(TRY(parse_action(section->kind, tokens, parser)));
    } while (tokens.take(Token::Kind::kComma));
  } while (tokens.kind() != Token::Kind::kEnd);
  return syntax;
}

std::string_view long_type_name(Type type) {
  switch (type) {
    case Type::kString:
      return "STRING";
    case Type::kNumber:
      return "NUMBER";
    case Type::kBinary:
      return "BINARY";
    case Type::kNull:
      return "NULL";
    case Type::kBool:
      return "BOOLEAN";
    case Type::kList:
      return "LIST";
    default:
      return "MAP";
  }
}

// ADD takes numbers and sets, DELETE takes sets.
Result<void> check_operands(const UpdateSyntax& syntax, const BoundTree& bound) {
  for (const ActionSyntax& action : syntax.actions) {
    if (action.kind != ActionKind::kAdd && action.kind != ActionKind::kDelete) continue;
    const Type type = bound.value(action.value).type();
    const bool is_set = type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
    if (is_set || (action.kind == ActionKind::kAdd && type == Type::kNumber)) continue;
    const std::string name = action.kind == ActionKind::kAdd ? "ADD" : "DELETE";
    return invalid_expression(kKind, "Incorrect operand type for operator or function; operator: " + name +
                                         ", operand type: " + std::string(long_type_name(type)) +
                                         ", typeSet: ALLOWED_FOR_" + name + "_OPERAND");
  }
  return {};
}

// Recursion is bounded by the length of an expression.
SetValue bind_value(BoundTree& bound, uint32_t at) {
  if (bound.is_path(at)) return SetValue::of(bound.take_path(at));
  if (bound.is_value(at)) return SetValue::of(bound.value(at));
  const SyntaxNode& node = bound.node(at);
  const auto operands = bound.tree().children_of(node);
  if (node.kind == SyntaxNode::Kind::kFunction && function_of(node) == Function::kIfNotExists) {
    Path path = bound.take_path(operands[0]);
    return SetValue::if_not_exists(std::move(path), bind_value(bound, operands[1]));
  }
  SetValue left = bind_value(bound, operands[0]);
  SetValue right = bind_value(bound, operands[1]);
  if (node.kind == SyntaxNode::Kind::kPlus) return SetValue::plus(std::move(left), std::move(right));
  if (node.kind == SyntaxNode::Kind::kMinus) return SetValue::minus(std::move(left), std::move(right));
  return SetValue::list_append(std::move(left), std::move(right));
}

}  // namespace

Result<Update> Update::parse(std::string_view text, Placeholders& placeholders) {
  TRY(check_text(kKind, text));
  SyntaxTree tree;
  Tokens tokens(text);
  ExpressionParser parser(kKind, tokens, tree);
  const UpdateSyntax syntax = TRY(parse_sections(tokens, parser));

  // In the order in which AWS finds problems.
  BoundTree bound(kKind, tree, placeholders);
  TRY(bound.check_parentheses());
  TRY(bound.check_reserved_words());
  TRY(bound.check_function_names());
  TRY(bound.check_function_places());
  if (!syntax.repeated_section.empty()) {
    return invalid_expression(kKind, "The \"" + std::string(syntax.repeated_section) +
                                         "\" section can only be used once in an update expression;");
  }
  TRY(bound.bind_paths());
  TRY(bound.bind_values());
  std::vector<Path> paths;
  paths.reserve(syntax.actions.size());
  for (const ActionSyntax& action : syntax.actions) paths.push_back(bound.take_path(action.path));
  if (const auto clash = find_clash(paths)) return invalid_expression(kKind, *clash);
  TRY(check_operands(syntax, bound));
  TRY(bound.check_operand_counts(0, tree.nodes.size()));
  TRY(bound.check_distinct_operands(0, tree.nodes.size()));
  TRY(bound.check_operand_types(0, tree.nodes.size()));

  std::vector<Action> actions;
  actions.reserve(syntax.actions.size());
  for (const ActionSyntax& action : syntax.actions) {
    switch (action.kind) {
      case ActionKind::kSet:
        actions.push_back({action.kind, bind_value(bound, action.value), {}});
        break;
      case ActionKind::kRemove:
        actions.push_back({action.kind, {}, {}});
        break;
      default:
        actions.push_back({action.kind, {}, Value(bound.value(action.value))});
    }
  }
  return Update(std::move(actions), Projection::of_paths(std::move(paths)), UpdateDialect::kExpression);
}

}  // namespace sheaf::expr
