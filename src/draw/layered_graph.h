// Boxes in layers from left to right, so that lines go from one layer to the next and few of them cross.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace sheaf::draw {

struct LayeredGraph {
  struct Node {
    std::optional<size_t> box;  // none: a line passes here on its way over several layers
    size_t layer = 0;
  };
  // A piece of a line between two neighbouring layers.
  struct Segment {
    size_t left = 0;   // nodes
    size_t right = 0;  // of the next layer
    size_t line = 0;
  };
  std::vector<Node> nodes;  // the boxes first, in their order
  std::vector<Segment> segments;
  std::vector<std::vector<size_t>> layers;  // nodes, top to bottom
  std::vector<std::vector<size_t>>
      line_paths;                 // one a line: its segments, left to right; none if it is a loop
  std::vector<bool> is_reversed;  // one a line: it goes from right to left
};

// `lines` are pairs of boxes. A line goes to a later layer, unless it closes a circle. Deterministic.
LayeredGraph make_layers(size_t box_count, const std::vector<std::pair<size_t, size_t>>& lines);

// How many pairs of segments between two neighbouring layers cross, with the layers' present order.
size_t count_crossings(const LayeredGraph& graph);

// Boxes that lines connect, group by group, each in ascending order.
std::vector<std::vector<size_t>> connected_groups(size_t box_count,
                                                  const std::vector<std::pair<size_t, size_t>>& lines);

}  // namespace sheaf::draw
