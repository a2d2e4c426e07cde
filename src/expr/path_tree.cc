#include "expr/path_tree.h"

#include <algorithm>
#include <numeric>

namespace sheaf::expr {

PathTree::PathTree(std::vector<Path> paths) : paths_(std::move(paths)) {
  std::vector<uint32_t> sorted(paths_.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, [&](uint32_t a, uint32_t b) { return paths_[a] < paths_[b]; });

  const auto same_element = [&](uint32_t a, uint32_t b, uint32_t depth) {
    return depth == 0 ? paths_[a].attribute() == paths_[b].attribute()
                      : paths_[a].steps()[depth - 1] == paths_[b].steps()[depth - 1];
  };
  // Adds one node for each element that the paths sorted[begin, end) have at `depth`. Until a node's own
  // children are added, `first` and `count` hold the range of its paths.
  const auto add_level = [&](uint32_t begin, uint32_t end, uint32_t depth) {
    for (uint32_t at = begin; at < end;) {
      uint32_t behind = at + 1;
      while (behind < end && same_element(sorted[at], sorted[behind], depth)) ++behind;
      nodes_.push_back({sorted[at], depth, at, behind - at});
      at = behind;
    }
  };
  nodes_.reserve(paths_.size());
  add_level(0, static_cast<uint32_t>(sorted.size()), 0);
  roots_ = static_cast<uint32_t>(nodes_.size());
  for (size_t at = 0; at < nodes_.size(); ++at) {
    const Node node = nodes_[at];
    const auto first = static_cast<uint32_t>(nodes_.size());
    if (paths_[node.path].steps().size() > node.depth)
      add_level(node.first, node.first + node.count, node.depth + 1);
    nodes_[at].first = first;
    nodes_[at].count = static_cast<uint32_t>(nodes_.size()) - first;
  }
}

std::string_view PathTree::name(const Node& node) const {
  const Path& path = paths_[node.path];
  return node.depth == 0 ? path.attribute() : path.steps()[node.depth - 1].name();
}

}  // namespace sheaf::expr
