#include "expr/projection.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "expr/bound_tree.h"
#include "expr/expression_parser.h"

namespace sheaf::expr {
namespace {

using Node = PathTree::Node;

// Calls `visit` with each member of `map` that is among `nodes`. Both ascend, so one pass over each will do.
template <typename Visit>
void for_each_member(const PathTree& tree, ItemView map, std::span<const Node> nodes, Visit visit) {
  auto node = nodes.begin();
  for (const auto [name, value] : map) {
    while (node != nodes.end() && tree.name(*node) < name) ++node;
    if (node == nodes.end()) return;
    if (tree.name(*node) != name) continue;
    if (!visit(name, value, *node)) return;
  }
}

// Likewise with the elements of a list.
template <typename Visit>
void for_each_element(const PathTree& tree, ListView list, std::span<const Node> nodes, Visit visit) {
  auto node = nodes.begin();
  uint32_t index = 0;
  for (const ValueView value : list) {
    if (node == nodes.end()) return;
    if (tree.index(*node) == index++ && !visit(value, *node++)) return;
  }
}

}  // namespace

Result<Projection> Projection::parse(std::string_view text, Placeholders& placeholders) {
  constexpr auto kKind = ExpressionKind::kProjection;
  TRY(check_text(kKind, text));
  SyntaxTree syntax;
  Tokens tokens(text);
  ExpressionParser parser(kKind, tokens, syntax);
  do {
    TRY(parser.path());
  } while (tokens.take(Token::Kind::kComma));
  if (tokens.kind() != Token::Kind::kEnd) return parser.syntax_error();

  BoundTree bound(kKind, syntax, placeholders);
  TRY(bound.check_reserved_words());
  TRY(bound.bind_paths());
  std::vector<Path> paths = std::move(bound).take_paths();
  if (const auto clash = find_clash(paths)) return invalid_expression(kKind, *clash);
  return of_paths(std::move(paths));
}

Projection Projection::of_names(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Path> paths;
  paths.reserve(names.size());
  for (std::string& name : names) paths.emplace_back(std::move(name));
  return of_paths(std::move(paths));
}

Item Projection::project(ItemView item) const {
  ValueWriter writer;
  return project(item, writer);
}

Item Projection::project(ItemView item, ValueWriter& writer) const {
  writer.begin_item();
  for_each_member(tree_, item, tree_.roots(), [&](std::string_view name, ValueView value, const Node& node) {
    if (finds(value, node)) {
      writer.key(name);
      write(value, node, writer);
    }
    return true;
  });
  writer.end_item();
  // Parts of an item are never more than the item was.
  return Item::from_encoded(std::move(writer.finish()).value());
}

bool Projection::finds(ValueView value, const Node& node) const {
  if (tree_.is_leaf(node)) return true;
  const auto children = tree_.children(node);
  bool found = false;
  if (tree_.is_index(children.front())) {
    if (value.type() != Type::kList) return false;
    for_each_element(tree_, value.list(), children,
                     [&](ValueView element, const Node& child) { return !(found = finds(element, child)); });
  } else {
    if (value.type() != Type::kMap) return false;
    for_each_member(tree_, value.map(), children, [&](std::string_view, ValueView member, const Node& child) {
      return !(found = finds(member, child));
    });
  }
  return found;
}

// Only for what finds() has found.
void Projection::write(ValueView value, const Node& node, ValueWriter& out) const {
  if (tree_.is_leaf(node)) return out.copy(value);
  const auto children = tree_.children(node);
  if (value.type() == Type::kList) {
    out.begin_list();
    for_each_element(tree_, value.list(), children, [&](ValueView element, const Node& child) {
      if (finds(element, child)) write(element, child, out);
      return true;
    });
    out.end_list();
  } else {
    out.begin_map();
    for_each_member(tree_, value.map(), children,
                    [&](std::string_view name, ValueView member, const Node& child) {
                      if (finds(member, child)) {
                        out.key(name);
                        write(member, child, out);
                      }
                      return true;
                    });
    out.end_map();
  }
}

std::vector<std::string_view> Projection::attributes() const {
  std::vector<std::string_view> names;
  names.reserve(tree_.roots().size());
  for (const Node& root : tree_.roots()) names.push_back(tree_.name(root));
  return names;
}

bool Projection::needs(std::string_view attribute) const {
  return std::ranges::binary_search(tree_.roots(), attribute, {},
                                    [&](const Node& root) { return tree_.name(root); });
}

}  // namespace sheaf::expr
