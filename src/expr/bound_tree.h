// A syntax tree whose placeholders are resolved, and the checks that AWS makes before it reads an item.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "expr/expression_error.h"
#include "expr/path.h"
#include "expr/placeholders.h"
#include "expr/syntax_tree.h"

namespace sheaf::expr {

enum class Function : uint8_t {
  kUnknown,
  kAttributeExists,
  kAttributeNotExists,
  kAttributeType,
  kBeginsWith,
  kContains,
  kSize,
  kIfNotExists,
  kListAppend
};
// The type that DynamoDB calls "S", "NS", ...
std::optional<Type> type_named(std::string_view name);

// Function names are case-sensitive.
Function function_of(const SyntaxNode& node);

// Borrows tree and placeholders. Each step returns the first problem it finds, as AWS words it; the order in
// which AWS would find problems of several kinds is the order in which the callers call.
class BoundTree {
 public:
  BoundTree(ExpressionKind kind, const SyntaxTree& tree, Placeholders& placeholders);

  // All that can be wrong with a condition.
  Result<void> bind_condition();

  Result<void> check_parentheses() const;
  Result<void> check_reserved_words() const;
  Result<void> check_function_names() const;
  Result<void> check_function_places() const;
  // Resolves the placeholders of all paths and of all values.
  Result<void> bind_paths();
  Result<void> bind_values();
  // Of the nodes [begin, end).
  Result<void> check_operand_counts(size_t begin, size_t end) const;
  Result<void> check_distinct_operands(size_t begin, size_t end) const;
  Result<void> check_operand_types(size_t begin, size_t end) const;

  // Of a node that is bound.
  const Path& path(uint32_t node) const { return paths_[bindings_[node].path]; }
  ValueView value(uint32_t node) const { return *bindings_[node].value; }
  // Moves one path out, or all in the order of the text.
  Path take_path(uint32_t node) { return std::move(paths_[bindings_[node].path]); }
  std::vector<Path> take_paths() && { return std::move(paths_); }

  const SyntaxTree& tree() const { return tree_; }
  const SyntaxNode& node(uint32_t at) const { return tree_.nodes[at]; }
  bool is_path(uint32_t at) const { return node(at).kind == SyntaxNode::Kind::kPath; }
  bool is_value(uint32_t at) const { return node(at).kind == SyntaxNode::Kind::kValue; }

 private:
  struct Binding {
    uint32_t path;
    std::optional<ValueView> value;
  };

  Result<void> bind_path(size_t at);
  Result<void> bind_value(size_t at);
  Result<std::string> name_of(const SyntaxStep& step);
  Error invalid(std::string_view problem) const { return invalid_expression(kind_, problem); }
  // The type that an operand is known to have: of a value, or of size().
  std::optional<Type> static_type(uint32_t node) const;
  Result<void> check_types(const SyntaxNode& node, std::span<const Type> allowed) const;
  Result<void> check_between_bounds(const SyntaxNode& between) const;
  Result<void> check_attribute_type(const SyntaxNode& function) const;
  Result<void> check_function_operands(const SyntaxNode& function) const;
  Error wrong_type(const SyntaxNode& node, std::string_view type) const;

  const ExpressionKind kind_;
  const SyntaxTree& tree_;
  Placeholders& placeholders_;
  std::pmr::vector<Binding> bindings_;  // one for each node
  std::vector<Path> paths_;
};

}  // namespace sheaf::expr
