// Where the cells of a grid lie, once somebody says how wide letters are. Any unit: columns of a terminal,
// pixels.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "draw/grid.h"

namespace sheaf::draw {

struct GridMetrics {
  std::function<double(std::string_view utf8, TextStyle style)> text_width;
  std::function<double(TextStyle style)> line_height;
  double padding_x = 0;         // of a cell, both sides together, with one border
  double padding_y = 0;         // likewise, above and below
  double text_width_max = 0;    // a line that is wider is broken
  double column_width_min = 0;  // columns are not narrowed further to fit into `width_max`
  double width_max = 0;
};

struct PlacedCell {
  const Cell* cell = nullptr;
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  std::vector<Line> lines;  // broken to fit
};

struct GridLayout {
  double width = 0;
  double height = 0;
  std::vector<PlacedCell> cells;  // in the order of the grid's
};

// All places are whole numbers if the metrics are. Borrows `grid`.
GridLayout lay_out(const Grid& grid, const GridMetrics& metrics);

// How wide the grid would be if no line had to be broken for `width_max`.
double natural_width(const Grid& grid, const GridMetrics& metrics);

}  // namespace sheaf::draw
