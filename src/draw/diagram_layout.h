// Where the boxes and lines of a diagram lie, once somebody says how large they are. Any unit: columns and
// rows of a terminal, pixels.
#pragma once

#include <cstddef>
#include <vector>

namespace sheaf::draw {

struct DiagramMetrics {
  double port_gap = 0;      // between lines that leave one side of a box
  double port_gap_min = 0;  // what two of them need when one is moved: room for what is written beside them
  double port_shift = 0;    // by how much one may be moved; level lines nearer than this touch
  double box_gap = 0;       // between boxes above each other; at least twice `port_shift`
  double track_gap = 0;     // between the upright parts of lines
  double stub_length = 0;   // of the part of a line at a box that nothing is written beside
  double group_gap = 0;     // between what no line connects
  double width_max = 0;     // groups stand side by side up to it
};

struct BoxSize {
  double width = 0;
  double height = 0;
};

struct DiagramLine {
  size_t from = 0;
  size_t to = 0;
  double from_width = 0;  // of what is written beside the line at `from`
  double to_width = 0;
};

struct Point {
  double x = 0;
  double y = 0;

  bool operator==(const Point&) const = default;
};

struct PlacedBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// Where a line meets a box. What is written beside it there has room from `text_x` on, to the right.
struct PlacedEnd {
  Point at;
  bool is_right_side = false;  // of the box
  double text_x = 0;
};

struct PlacedLine {
  std::vector<Point> points;  // from the first box to the second; each level with or above the one before
  PlacedEnd from;
  PlacedEnd to;
};

struct DiagramLayout {
  double width = 0;
  double height = 0;
  std::vector<PlacedBox> boxes;
  std::vector<PlacedLine> lines;
};

// Boxes stand in layers, all of a layer equally wide, each at least as large as asked for. Lines are level
// where something is written beside them, which is only between two layers and no nearer than `port_gap`
// (less twice `port_shift`) to anything else there; they turn up or down only between what is written on both
// sides. No line passes through a box, and no two lie on each other. Whole numbers give whole numbers.
DiagramLayout lay_out(const std::vector<BoxSize>& boxes, const std::vector<DiagramLine>& lines,
                      const DiagramMetrics& metrics);

}  // namespace sheaf::draw
