#include "draw/diagram_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "draw/layered_graph.h"
#include "draw/line_tracks.h"

namespace sheaf::draw {
namespace {

constexpr int kDiagramSweeps = 12;
constexpr int kShiftsMax = 60;

// Values that ascend by at least `gaps[i]` from one to the next and are nearest to `wanted` by the squares of
// their distances, each counted `weight` times. (Neighbours that are in each other's way are pooled.)
std::vector<double> nearest_ascending(const std::vector<double>& wanted, const std::vector<double>& weight,
                                      const std::vector<double>& gaps) {
  struct Pool {
    double sum;
    double weight;
    size_t count;

    double mean() const { return sum / weight; }
  };
  std::vector<Pool> pools;
  std::vector<double> offset;
  double at = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    offset.push_back(at);
    if (i < gaps.size()) at += gaps[i];
    pools.push_back({.sum = (wanted[i] - offset[i]) * weight[i], .weight = weight[i], .count = 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().weight += last.weight;
      pools.back().count += last.count;
    }
  }
  std::vector<double> values;
  for (const Pool& pool : pools) {
    for (size_t i = 0; i < pool.count; ++i) values.push_back(std::round(pool.mean()) + offset[values.size()]);
  }
  return values;
}

// Boxes that lines connect.
class GroupLayout {
 public:
  GroupLayout(const std::vector<BoxSize>& boxes, const std::vector<DiagramLine>& lines,
              const DiagramMetrics& metrics)
      : boxes_(boxes), lines_(lines), metrics_(metrics) {}

  DiagramLayout run() {
    std::vector<std::pair<size_t, size_t>> pairs;
    for (const DiagramLine& line : lines_) pairs.emplace_back(line.from, line.to);
    graph_ = make_layers(boxes_.size(), pairs);
    make_ports();
    size_nodes();
    place_ports();
    place_nodes();
    straighten();
    part_overlaps();
    return placed();
  }

 private:
  // Where a line meets a side of a node.
  struct Port {
    size_t node = 0;
    size_t line = 0;
    bool is_from = false;  // the line's own beginning or end; else it passes
    bool is_to = false;
    double offset = 0;  // from the node's top
    double shift = 0;
  };

  double y(const Port& port) const { return node_y_[port.node] + port.offset + port.shift; }

  // --- Ports

  size_t add_port(std::vector<size_t>& side, Port port) {
    ports_.push_back(port);
    side.push_back(ports_.size() - 1);
    return ports_.size() - 1;
  }

  void make_ports() {
    std::vector<size_t> position(graph_.nodes.size(), 0);
    for (const auto& layer : graph_.layers) {
      for (size_t i = 0; i < layer.size(); ++i) position[layer[i]] = i;
    }
    left_side_.resize(graph_.nodes.size());
    right_side_.resize(graph_.nodes.size());
    left_port_.resize(graph_.segments.size());
    right_port_.resize(graph_.segments.size());
    loop_ports_.resize(lines_.size());
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      // In the order of the nodes at the other ends; lines between the same two stay side by side.
      std::vector<std::pair<std::pair<size_t, size_t>, size_t>> to_left;
      std::vector<std::pair<std::pair<size_t, size_t>, size_t>> to_right;
      for (size_t id = 0; id < graph_.segments.size(); ++id) {
        const LayeredGraph::Segment& segment = graph_.segments[id];
        if (segment.right == node) to_left.push_back({{position[segment.left], segment.line}, id});
        if (segment.left == node) to_right.push_back({{position[segment.right], segment.line}, id});
      }
      std::sort(to_left.begin(), to_left.end());
      std::sort(to_right.begin(), to_right.end());
      const bool is_box = graph_.nodes[node].box.has_value();
      for (const auto& [key, id] : to_left) {
        const size_t line = graph_.segments[id].line;
        const bool is_reversed = graph_.is_reversed[line];
        right_port_[id] = add_port(
            left_side_[node],
            {.node = node, .line = line, .is_from = is_box && is_reversed, .is_to = is_box && !is_reversed});
      }
      for (const auto& [key, id] : to_right) {
        const size_t line = graph_.segments[id].line;
        const bool is_reversed = graph_.is_reversed[line];
        left_port_[id] = add_port(
            right_side_[node],
            {.node = node, .line = line, .is_from = is_box && !is_reversed, .is_to = is_box && is_reversed});
      }
      for (size_t line = 0; is_box && line < lines_.size(); ++line) {
        if (lines_[line].from != node || lines_[line].to != node) continue;
        loop_ports_[line].first = add_port(right_side_[node], {.node = node, .line = line, .is_from = true});
        loop_ports_[line].second = add_port(right_side_[node], {.node = node, .line = line, .is_to = true});
      }
    }
  }

  void size_nodes() {
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      const auto ports = static_cast<double>(std::max(left_side_[node].size(), right_side_[node].size()));
      const double asked = graph_.nodes[node].box ? boxes_[*graph_.nodes[node].box].height : 0;
      node_height_.push_back(std::max(asked, ports * metrics_.port_gap));
    }
  }

  // In the middle of their side.
  void place_ports() {
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      for (const std::vector<size_t>* side : {&left_side_[node], &right_side_[node]}) {
        const double span = static_cast<double>(side->size() - 1) * metrics_.port_gap;
        for (size_t i = 0; i < side->size(); ++i) {
          ports_[(*side)[i]].offset =
              std::floor((node_height_[node] - span) / 2) + static_cast<double>(i) * metrics_.port_gap;
        }
      }
    }
  }

  // --- Up and down

  void place_nodes() {
    node_y_.assign(graph_.nodes.size(), 0);
    for (const auto& layer : graph_.layers) {
      double at = 0;
      for (const size_t node : layer) {
        node_y_[node] = at;
        at += node_height_[node] + metrics_.box_gap;
      }
    }
    for (int sweep = 0; sweep < kDiagramSweeps; ++sweep) {
      for (size_t layer = graph_.layers.size() - 1; layer-- > 0;) align(layer, false);
      for (size_t layer = 1; layer < graph_.layers.size(); ++layer) align(layer, true);
    }
    const double top = *std::min_element(node_y_.begin(), node_y_.end());
    for (double& each : node_y_) each -= top;
  }

  // Moves the nodes of a layer to where their lines on one side are straight, as far as there is room.
  void align(size_t layer, bool by_left) {
    std::vector<double> wanted;
    std::vector<double> weight;
    std::vector<double> gaps;
    for (const size_t node : graph_.layers[layer]) {
      std::vector<double> straight;  // where one of its lines would be so
      for (size_t id = 0; id < graph_.segments.size(); ++id) {
        const LayeredGraph::Segment& segment = graph_.segments[id];
        if ((by_left ? segment.right : segment.left) != node) continue;
        const Port& here = ports_[by_left ? right_port_[id] : left_port_[id]];
        const Port& there = ports_[by_left ? left_port_[id] : right_port_[id]];
        straight.push_back(y(there) - here.offset);
      }
      // The middle one: straight for one line at least, and for all if they agree.
      std::sort(straight.begin(), straight.end());
      wanted.push_back(straight.empty() ? node_y_[node] : straight[(straight.size() - 1) / 2]);
      weight.push_back(straight.empty() ? 0.01 : static_cast<double>(straight.size()));
      gaps.push_back(node_height_[node] + metrics_.box_gap);
    }
    const std::vector<double> values = nearest_ascending(wanted, weight, gaps);
    for (size_t i = 0; i < values.size(); ++i) node_y_[graph_.layers[layer][i]] = values[i];
  }

  // --- Small moves of lines

  // What a port shares with the other side of a node that a line passes.
  std::vector<size_t> moved_with(size_t port) const {
    const size_t node = ports_[port].node;
    if (graph_.nodes[node].box) return {port};
    return {left_side_[node].front(), right_side_[node].front()};
  }

  bool may_shift(size_t port, double shift) const {
    if (std::abs(shift) > metrics_.port_shift) return false;
    for (const std::vector<size_t>* side :
         {&left_side_[ports_[port].node], &right_side_[ports_[port].node]}) {
      const auto found = std::find(side->begin(), side->end(), port);
      if (found == side->end()) continue;
      const double to = ports_[port].offset + shift;
      const auto distance = [&](size_t other) {
        return std::abs(ports_[other].offset + ports_[other].shift - to);
      };
      if (found != side->begin() && distance(*(found - 1)) < metrics_.port_gap_min) return false;
      if (found + 1 != side->end() && distance(*(found + 1)) < metrics_.port_gap_min) return false;
    }
    return true;
  }

  bool try_shift(size_t port, double shift) {
    if (!may_shift(port, shift)) return false;
    for (const size_t each : moved_with(port)) ports_[each].shift = shift;
    return true;
  }

  // A line that is almost level becomes so.
  void straighten() {
    for (size_t id = 0; id < graph_.segments.size(); ++id) {
      const double difference = y(ports_[left_port_[id]]) - y(ports_[right_port_[id]]);
      if (difference == 0 || std::abs(difference) > metrics_.port_shift) continue;
      if (!try_shift(right_port_[id], ports_[right_port_[id]].shift + difference))
        try_shift(left_port_[id], ports_[left_port_[id]].shift - difference);
    }
  }

  // Of the gap behind a layer. `ports`: where each begins and ends.
  std::vector<Crossover> crossovers(size_t layer, std::vector<std::pair<size_t, size_t>>& ports) const {
    std::vector<Crossover> all;
    for (size_t line = 0; line < lines_.size(); ++line) {
      if (lines_[line].from != lines_[line].to || graph_.nodes[lines_[line].from].layer != layer) continue;
      ports.push_back(loop_ports_[line]);
      all.push_back({.left_y = y(ports_[ports.back().first]),
                     .right_y = y(ports_[ports.back().second]),
                     .is_loop = true});
    }
    for (size_t id = 0; id < graph_.segments.size(); ++id) {
      if (graph_.nodes[graph_.segments[id].left].layer != layer) continue;
      ports.emplace_back(left_port_[id], right_port_[id]);
      all.push_back({.left_y = y(ports_[left_port_[id]]), .right_y = y(ports_[right_port_[id]])});
    }
    return all;
  }

  // Pairs of ports at the same height whose lines would lie on each other.
  std::vector<std::pair<size_t, size_t>> overlaps() const {
    std::vector<std::pair<size_t, size_t>> found;
    for (size_t layer = 0; layer < graph_.layers.size(); ++layer) {
      std::vector<std::pair<size_t, size_t>> ports;
      const Tracks tracks = assign_tracks(crossovers(layer, ports), metrics_.port_shift);
      for (const auto& [first, second] : tracks.overlaps)
        found.emplace_back(ports[first].second, ports[second].first);
    }
    return found;
  }

  void part_overlaps() {
    std::vector<std::pair<size_t, size_t>> found = overlaps();
    for (int shifts = 0; shifts < kShiftsMax && !found.empty(); ++shifts) {
      if (!part_one(found)) return;
    }
  }

  // Moves one line, so that fewer lie on each other.
  bool part_one(std::vector<std::pair<size_t, size_t>>& found) {
    std::vector<size_t> candidates;
    for (const auto& [first, second] : found) candidates.insert(candidates.end(), {first, second});
    for (const size_t port : candidates) {
      for (const double shift : {metrics_.port_shift, -metrics_.port_shift}) {
        const double before = ports_[port].shift;
        if (!try_shift(port, shift)) continue;
        std::vector<std::pair<size_t, size_t>> now = overlaps();
        if (now.size() < found.size()) {
          found = std::move(now);
          return true;
        }
        for (const size_t each : moved_with(port)) ports_[each].shift = before;
      }
    }
    return false;
  }

  // --- Left and right

  double text_width(const std::vector<size_t>& side) const {
    double width = 0;
    for (const size_t id : side) {
      const Port& port = ports_[id];
      if (port.is_from) width = std::max(width, lines_[port.line].from_width);
      if (port.is_to) width = std::max(width, lines_[port.line].to_width);
    }
    return width;
  }

  DiagramLayout placed() {
    DiagramLayout layout;
    layout.boxes.resize(boxes_.size());
    layout.lines.resize(lines_.size());
    std::vector<std::vector<Point>> segment_points(graph_.segments.size());
    double x = 0;
    for (size_t layer = 0; layer < graph_.layers.size(); ++layer) {
      double box_width = 0;
      double text_left = 0;
      double text_right = 0;
      bool has_left = false;
      bool has_right = false;
      for (const size_t node : graph_.layers[layer]) {
        if (graph_.nodes[node].box) box_width = std::max(box_width, boxes_[*graph_.nodes[node].box].width);
        text_left = std::max(text_left, text_width(left_side_[node]));
        text_right = std::max(text_right, text_width(right_side_[node]));
        has_left |= !left_side_[node].empty();
        has_right |= !right_side_[node].empty();
      }
      if (has_left) x += text_left + metrics_.stub_length;
      layer_x_.push_back(x);
      layer_width_.push_back(box_width);
      for (const size_t node : graph_.layers[layer]) {
        if (!graph_.nodes[node].box) continue;
        layout.boxes[*graph_.nodes[node].box] = {
            .x = x, .y = node_y_[node], .width = box_width, .height = node_height_[node]};
      }
      x += box_width;
      if (has_right) x += text_right + metrics_.stub_length;
      x += place_tracks(layer, x, layout, segment_points);
    }
    layout.width = x;
    for (size_t node = 0; node < graph_.nodes.size(); ++node)
      layout.height = std::max(layout.height, node_y_[node] + node_height_[node]);
    join_segments(layout, segment_points);
    return layout;
  }

  // The upright parts behind a layer, from `x` on. Returns how wide they are together.
  double place_tracks(size_t layer, double x, DiagramLayout& layout,
                      std::vector<std::vector<Point>>& segment_points) const {
    std::vector<std::pair<size_t, size_t>> ports;
    const std::vector<Crossover> all = crossovers(layer, ports);
    if (all.empty()) return 0;
    const Tracks tracks = assign_tracks(all, metrics_.port_shift);
    const auto track_x = [&](size_t i) {
      return x + static_cast<double>(tracks.track[i]) * metrics_.track_gap;
    };
    size_t i = 0;
    for (size_t line = 0; line < lines_.size(); ++line) {
      if (lines_[line].from != lines_[line].to || graph_.nodes[lines_[line].from].layer != layer) continue;
      const double box_right = layer_x_[layer] + layer_width_[layer];
      PlacedLine& placed = layout.lines[line];
      placed.points = {{box_right, all[i].left_y},
                       {track_x(i), all[i].left_y},
                       {track_x(i), all[i].right_y},
                       {box_right, all[i].right_y}};
      placed.from = {
          .at = placed.points.front(), .is_right_side = true, .text_x = box_right + metrics_.stub_length};
      placed.to = {
          .at = placed.points.back(), .is_right_side = true, .text_x = box_right + metrics_.stub_length};
      ++i;
    }
    for (size_t id = 0; id < graph_.segments.size(); ++id) {
      if (graph_.nodes[graph_.segments[id].left].layer != layer) continue;
      if (all[i].needs_track())
        segment_points[id] = {{track_x(i), all[i].left_y}, {track_x(i), all[i].right_y}};
      ++i;
    }
    return static_cast<double>(std::max<size_t>(tracks.count, 1)) * metrics_.track_gap;
  }

  void join_segments(DiagramLayout& layout, const std::vector<std::vector<Point>>& segment_points) const {
    for (size_t line = 0; line < lines_.size(); ++line) {
      const std::vector<size_t>& path = graph_.line_paths[line];
      if (path.empty()) continue;
      PlacedLine& placed = layout.lines[line];
      const Port& first = ports_[left_port_[path.front()]];
      const Port& last = ports_[right_port_[path.back()]];
      const size_t first_layer = graph_.nodes[first.node].layer;
      const size_t last_layer = graph_.nodes[last.node].layer;
      placed.points.push_back({layer_x_[first_layer] + layer_width_[first_layer], y(first)});
      for (const size_t id : path)
        placed.points.insert(placed.points.end(), segment_points[id].begin(), segment_points[id].end());
      placed.points.push_back({layer_x_[last_layer], y(last)});
      PlacedEnd left{.at = placed.points.front(), .is_right_side = true};
      left.text_x = left.at.x + metrics_.stub_length;
      PlacedEnd right{.at = placed.points.back()};
      const bool is_reversed = graph_.is_reversed[line];
      right.text_x =
          right.at.x - metrics_.stub_length - (is_reversed ? lines_[line].from_width : lines_[line].to_width);
      placed.from = is_reversed ? right : left;
      placed.to = is_reversed ? left : right;
      if (is_reversed) std::reverse(placed.points.begin(), placed.points.end());
    }
  }

  const std::vector<BoxSize>& boxes_;
  const std::vector<DiagramLine>& lines_;
  const DiagramMetrics& metrics_;
  LayeredGraph graph_;
  std::vector<Port> ports_;
  std::vector<std::vector<size_t>> left_side_;         // one a node: its ports, top to bottom
  std::vector<std::vector<size_t>> right_side_;        // likewise
  std::vector<size_t> left_port_;                      // one a segment
  std::vector<size_t> right_port_;                     // likewise
  std::vector<std::pair<size_t, size_t>> loop_ports_;  // one a line
  std::vector<double> node_height_;
  std::vector<double> node_y_;
  std::vector<double> layer_x_;
  std::vector<double> layer_width_;
};

void move(PlacedEnd& end, double x, double y) {
  end.at.x += x;
  end.at.y += y;
  end.text_x += x;
}

}  // namespace

DiagramLayout lay_out(const std::vector<BoxSize>& boxes, const std::vector<DiagramLine>& lines,
                      const DiagramMetrics& metrics) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (const DiagramLine& line : lines) pairs.emplace_back(line.from, line.to);
  DiagramLayout all;
  all.boxes.resize(boxes.size());
  all.lines.resize(lines.size());
  // Groups side by side, as in a text.
  double row_x = 0;
  double row_y = 0;
  double row_height = 0;
  for (const std::vector<size_t>& group : connected_groups(boxes.size(), pairs)) {
    std::vector<BoxSize> group_boxes;
    std::map<size_t, size_t> number;
    for (const size_t box : group) {
      number[box] = group_boxes.size();
      group_boxes.push_back(boxes[box]);
    }
    std::vector<DiagramLine> group_lines;
    std::vector<size_t> line_ids;
    for (size_t line = 0; line < lines.size(); ++line) {
      if (!number.contains(lines[line].from)) continue;
      group_lines.push_back(lines[line]);
      group_lines.back().from = number.at(lines[line].from);
      group_lines.back().to = number.at(lines[line].to);
      line_ids.push_back(line);
    }
    DiagramLayout layout = GroupLayout(group_boxes, group_lines, metrics).run();
    if (row_x > 0 && row_x + layout.width > metrics.width_max) {
      row_x = 0;
      row_y += row_height + metrics.group_gap;
      row_height = 0;
    }
    for (size_t i = 0; i < group.size(); ++i) {
      PlacedBox& box = layout.boxes[i];
      box.x += row_x;
      box.y += row_y;
      all.boxes[group[i]] = box;
    }
    for (size_t i = 0; i < line_ids.size(); ++i) {
      PlacedLine& line = layout.lines[i];
      for (Point& point : line.points) point = {point.x + row_x, point.y + row_y};
      move(line.from, row_x, row_y);
      move(line.to, row_x, row_y);
      all.lines[line_ids[i]] = std::move(line);
    }
    row_height = std::max(row_height, layout.height);
    all.width = std::max(all.width, row_x + layout.width);
    all.height = std::max(all.height, row_y + row_height);
    row_x += layout.width + metrics.group_gap;
  }
  return all;
}

}  // namespace sheaf::draw
