// The parts of an item that a request asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "expr/path.h"
#include "expr/path_tree.h"
#include "expr/placeholders.h"

namespace sheaf::expr {

// Immutable and self-contained; project() is thread-safe.
class Projection {
 public:
  // Reads and checks a ProjectionExpression. Errors carry AWS's messages. Marks the placeholders it uses.
  static Result<Projection> parse(std::string_view text, Placeholders& placeholders);
  // Whole top-level attributes: AttributesToGet, index projections. A name given twice counts once.
  static Projection of_names(std::vector<std::string> names);
  // `paths` must not clash (find_clash).
  static Projection of_paths(std::vector<Path> paths) { return Projection(PathTree(std::move(paths))); }

  // The parts that `item` has. Maps keep their names, lists close up over the elements that were not asked
  // for, and a map or list of which no part was found is left out.
  Item project(ItemView item) const;
  // The same with the caller's writer, which a loop over items keeps.
  Item project(ItemView item, ValueWriter& writer) const;

  // The top-level attributes it needs, ascending, each once; and whether one of them is `attribute`.
  std::vector<std::string_view> attributes() const;
  bool needs(std::string_view attribute) const;

  // In the order of the text.
  std::span<const Path> paths() const { return tree_.paths(); }
  const PathTree& tree() const { return tree_; }

 private:
  explicit Projection(PathTree tree) : tree_(std::move(tree)) {}
  bool finds(ValueView value, const PathTree::Node& node) const;
  void write(ValueView value, const PathTree::Node& node, ValueWriter& out) const;

  PathTree tree_;
};

}  // namespace sheaf::expr
