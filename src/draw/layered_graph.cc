#include "draw/layered_graph.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sheaf::draw {
namespace {

using Lines = std::vector<std::pair<size_t, size_t>>;

constexpr int kLayerSweeps = 24;

// Lines that close a circle are turned round, so that there is none.
class CircleBreaker {
 public:
  CircleBreaker(size_t box_count, const Lines& lines)
      : lines_(lines), state_(box_count, State::kNew), is_reversed_(lines.size(), false) {}

  std::vector<bool> run() {
    std::vector<size_t> incoming(state_.size(), 0);
    for (const auto& [from, to] : lines_) incoming[to] += from != to ? 1 : 0;
    // From where nothing leads to, if there is such a box; then what only circles reach.
    for (size_t box = 0; box < state_.size(); ++box) {
      if (incoming[box] == 0) visit(box);
    }
    for (size_t box = 0; box < state_.size(); ++box) visit(box);
    return std::move(is_reversed_);
  }

 private:
  enum class State : uint8_t { kNew, kOpen, kDone };

  void visit(size_t box) {
    if (state_[box] != State::kNew) return;
    state_[box] = State::kOpen;
    for (size_t line = 0; line < lines_.size(); ++line) {
      const auto& [from, to] = lines_[line];
      if (from != box || to == box) continue;
      if (state_[to] == State::kOpen) {
        is_reversed_[line] = true;
      } else {
        visit(to);
      }
    }
    state_[box] = State::kDone;
  }

  const Lines& lines_;
  std::vector<State> state_;
  std::vector<bool> is_reversed_;
};

// The longest way to each box; then boxes that nothing leads to move to where their lines go.
std::vector<size_t> layers_of(size_t box_count, const Lines& forward) {
  std::vector<size_t> layer(box_count, 0);
  for (size_t round = 0; round < box_count; ++round) {
    for (const auto& [from, to] : forward) {
      if (from != to) layer[to] = std::max(layer[to], layer[from] + 1);
    }
  }
  for (size_t box = 0; box < box_count; ++box) {
    bool is_source = true;
    size_t nearest = SIZE_MAX;
    for (const auto& [from, to] : forward) {
      if (to == box && from != box) is_source = false;
      if (from == box && to != box) nearest = std::min(nearest, layer[to]);
    }
    if (is_source && nearest != SIZE_MAX) layer[box] = nearest - 1;
  }
  return layer;
}

std::vector<size_t> positions(const LayeredGraph& graph) {
  std::vector<size_t> position(graph.nodes.size(), 0);
  for (const auto& layer : graph.layers) {
    for (size_t i = 0; i < layer.size(); ++i) position[layer[i]] = i;
  }
  return position;
}

// Sorts a layer by where its neighbours in the layer before (or behind) are, on average. What has none there
// stays where it is.
void sort_by_neighbours(LayeredGraph& graph, size_t layer, bool by_left) {
  const std::vector<size_t> position = positions(graph);
  std::vector<double> wanted(graph.nodes.size());
  for (const size_t node : graph.layers[layer]) {
    double sum = 0;
    size_t count = 0;
    for (const LayeredGraph::Segment& segment : graph.segments) {
      if ((by_left ? segment.right : segment.left) != node) continue;
      sum += static_cast<double>(position[by_left ? segment.left : segment.right]);
      ++count;
    }
    wanted[node] = count == 0 ? static_cast<double>(position[node]) : sum / static_cast<double>(count);
  }
  std::stable_sort(graph.layers[layer].begin(), graph.layers[layer].end(),
                   [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
}

// Swaps neighbours as long as that helps.
void swap_neighbours(LayeredGraph& graph) {
  size_t best = count_crossings(graph);
  for (bool is_better = true; is_better && best > 0;) {
    is_better = false;
    for (auto& layer : graph.layers) {
      for (size_t i = 0; i + 1 < layer.size(); ++i) {
        std::swap(layer[i], layer[i + 1]);
        const size_t now = count_crossings(graph);
        if (now < best) {
          best = now;
          is_better = true;
        } else {
          std::swap(layer[i], layer[i + 1]);
        }
      }
    }
  }
}

void order_layers(LayeredGraph& graph) {
  auto best = graph.layers;
  size_t fewest = count_crossings(graph);
  for (int sweep = 0; sweep < kLayerSweeps && fewest > 0; ++sweep) {
    if (sweep % 2 == 0) {
      for (size_t layer = 1; layer < graph.layers.size(); ++layer) sort_by_neighbours(graph, layer, true);
    } else {
      for (size_t layer = graph.layers.size() - 1; layer-- > 0;) sort_by_neighbours(graph, layer, false);
    }
    const size_t now = count_crossings(graph);
    if (now >= fewest) continue;
    fewest = now;
    best = graph.layers;
  }
  graph.layers = std::move(best);
  swap_neighbours(graph);
}

}  // namespace

size_t count_crossings(const LayeredGraph& graph) {
  const std::vector<size_t> position = positions(graph);
  size_t crossings = 0;
  for (size_t i = 0; i < graph.segments.size(); ++i) {
    const LayeredGraph::Segment& a = graph.segments[i];
    for (size_t j = i + 1; j < graph.segments.size(); ++j) {
      const LayeredGraph::Segment& b = graph.segments[j];
      if (graph.nodes[a.left].layer != graph.nodes[b.left].layer) continue;
      const auto left = static_cast<ptrdiff_t>(position[a.left]) - static_cast<ptrdiff_t>(position[b.left]);
      const auto right =
          static_cast<ptrdiff_t>(position[a.right]) - static_cast<ptrdiff_t>(position[b.right]);
      crossings += left * right < 0 ? 1 : 0;
    }
  }
  return crossings;
}

LayeredGraph make_layers(size_t box_count, const Lines& lines) {
  LayeredGraph graph;
  graph.is_reversed = CircleBreaker(box_count, lines).run();
  Lines forward = lines;
  for (size_t line = 0; line < lines.size(); ++line) {
    if (graph.is_reversed[line]) std::swap(forward[line].first, forward[line].second);
  }
  const std::vector<size_t> layer = layers_of(box_count, forward);
  for (size_t box = 0; box < box_count; ++box) graph.nodes.push_back({.box = box, .layer = layer[box]});
  graph.line_paths.resize(lines.size());
  for (size_t line = 0; line < lines.size(); ++line) {
    const auto& [from, to] = forward[line];
    if (from == to) continue;
    size_t at = from;
    while (layer[to] - graph.nodes[at].layer > 1) {
      graph.nodes.push_back({.layer = graph.nodes[at].layer + 1});
      graph.line_paths[line].push_back(graph.segments.size());
      graph.segments.push_back({.left = at, .right = graph.nodes.size() - 1, .line = line});
      at = graph.nodes.size() - 1;
    }
    graph.line_paths[line].push_back(graph.segments.size());
    graph.segments.push_back({.left = at, .right = to, .line = line});
  }
  size_t layer_count = 0;
  for (const LayeredGraph::Node& node : graph.nodes) layer_count = std::max(layer_count, node.layer + 1);
  graph.layers.resize(layer_count);
  for (size_t node = 0; node < graph.nodes.size(); ++node)
    graph.layers[graph.nodes[node].layer].push_back(node);
  order_layers(graph);
  return graph;
}

std::vector<std::vector<size_t>> connected_groups(size_t box_count, const Lines& lines) {
  std::vector<size_t> group(box_count);  // the smallest box of it
  std::iota(group.begin(), group.end(), size_t{0});
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (const auto& [from, to] : lines) {
      const size_t smaller = std::min(group[from], group[to]);
      is_changed |= group[from] != smaller || group[to] != smaller;
      group[from] = group[to] = smaller;
    }
  }
  std::vector<std::vector<size_t>> groups;
  for (size_t box = 0; box < box_count; ++box) {
    if (group[box] != box) continue;
    groups.emplace_back();
    for (size_t each = box; each < box_count; ++each) {
      if (group[each] == box) groups.back().push_back(each);
    }
  }
  return groups;
}

}  // namespace sheaf::draw
