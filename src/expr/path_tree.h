// Paths that do not clash, as a tree: to walk an item and all paths into it at once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "expr/path.h"

namespace sheaf::expr {

// Immutable. Children of a node are contiguous and ascend as their elements do in an item: names by their
// bytes, list indexes by number.
class PathTree {
 public:
  struct Node {
    uint32_t path;          // one that goes through here; of a leaf the one that ends here
    uint32_t depth;         // which element of it: 0 is the attribute
    uint32_t first, count;  // children
  };

  PathTree() = default;
  // `paths` must not clash (find_clash).
  explicit PathTree(std::vector<Path> paths);

  // As given.
  std::span<const Path> paths() const { return paths_; }

  // One for each top-level attribute.
  std::span<const Node> roots() const { return {nodes_.data(), roots_}; }
  std::span<const Node> children(const Node& node) const { return {nodes_.data() + node.first, node.count}; }
  bool is_leaf(const Node& node) const { return node.count == 0; }

  // Of a node that is not an index, and of one that is.
  std::string_view name(const Node& node) const;
  uint32_t index(const Node& node) const { return paths_[node.path].steps()[node.depth - 1].index(); }
  bool is_index(const Node& node) const {
    return node.depth > 0 && paths_[node.path].steps()[node.depth - 1].is_index();
  }

 private:
  std::vector<Path> paths_;
  std::vector<Node> nodes_;
  uint32_t roots_ = 0;
};

}  // namespace sheaf::expr
