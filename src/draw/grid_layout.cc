#include "draw/grid_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "draw/line_breaks.h"

namespace sheaf::draw {
namespace {

double sum(const std::vector<double>& sizes, size_t begin, size_t count) {
  return std::accumulate(sizes.begin() + static_cast<ptrdiff_t>(begin),
                         sizes.begin() + static_cast<ptrdiff_t>(begin + count), 0.0);
}

// Where each begins, and where the last ends.
std::vector<double> starts(const std::vector<double>& sizes) {
  std::vector<double> out{0};
  for (const double size : sizes) out.push_back(out.back() + size);
  return out;
}

// Cells that span several rows or columns come last, and share out what is missing.
void give_room(std::vector<double>& sizes, size_t begin, size_t count, double needed) {
  const double missing = needed - sum(sizes, begin, count);
  if (missing <= 0) return;
  const double share = std::ceil(missing / static_cast<double>(count));
  for (size_t i = begin; i < begin + count; ++i) sizes[i] += share;
}

double wanted_width(const Cell& cell, const GridMetrics& metrics) {
  double width = 0;
  for (const Line& line : cell.lines)
    width = std::max(width, std::ceil(metrics.text_width(line.text.utf8(), line.style)));
  return std::min(width, metrics.text_width_max) + metrics.padding_x;
}

std::vector<double> natural_widths(const Grid& grid, const GridMetrics& metrics) {
  std::vector<double> widths(grid.columns, metrics.padding_x);
  for (const Cell& cell : grid.cells) {
    if (cell.columns == 1) widths[cell.column] = std::max(widths[cell.column], wanted_width(cell, metrics));
  }
  for (const Cell& cell : grid.cells) {
    if (cell.columns > 1 && !cell.lines.empty())
      give_room(widths, cell.column, cell.columns, wanted_width(cell, metrics));
  }
  return widths;
}

// Takes from the widest columns what is too much.
void narrow(std::vector<double>& widths, const GridMetrics& metrics) {
  const auto total = [&](double width_max) {
    double all = 0;
    for (const double width : widths) all += std::min(width, width_max);
    return all;
  };
  double high = *std::max_element(widths.begin(), widths.end());
  if (total(high) <= metrics.width_max) return;
  double low = std::min(high, metrics.column_width_min + metrics.padding_x);
  // The largest whole width that fits, or else the smallest allowed.
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (total(middle) <= metrics.width_max ? low : high) = middle;
  }
  double spare = metrics.width_max - total(low);
  for (double& width : widths) {
    if (width <= low) continue;
    const double more = spare >= 1 ? 1 : 0;
    width = low + more;
    spare -= more;
  }
}

std::vector<Line> fitted(const Cell& cell, double width, const GridMetrics& metrics) {
  std::vector<Line> lines;
  for (const Line& line : cell.lines) {
    const auto measure = [&](std::string_view text) { return metrics.text_width(text, line.style); };
    for (const std::string& part : broken_lines(line.text.utf8(), width, measure))
      lines.push_back({.text = part, .style = line.style});
  }
  return lines;
}

}  // namespace

double natural_width(const Grid& grid, const GridMetrics& metrics) {
  const std::vector<double> widths = natural_widths(grid, metrics);
  return sum(widths, 0, widths.size());
}

GridLayout lay_out(const Grid& grid, const GridMetrics& metrics) {
  GridLayout layout;
  if (grid.columns == 0) return layout;
  std::vector<double> widths = natural_widths(grid, metrics);
  narrow(widths, metrics);
  const std::vector<double> lefts = starts(widths);

  std::vector<double> heights(grid.rows, metrics.padding_y);
  std::vector<double> wanted;
  for (const Cell& cell : grid.cells) {
    PlacedCell placed{.cell = &cell,
                      .x = lefts[cell.column],
                      .width = lefts[cell.column + cell.columns] - lefts[cell.column]};
    placed.lines = fitted(cell, placed.width - metrics.padding_x, metrics);
    double height = metrics.padding_y;
    for (const Line& line : placed.lines) height += metrics.line_height(line.style);
    if (cell.rows == 1) heights[cell.row] = std::max(heights[cell.row], height);
    wanted.push_back(height);
    layout.cells.push_back(std::move(placed));
  }
  for (size_t i = 0; i < grid.cells.size(); ++i) {
    if (grid.cells[i].rows > 1) give_room(heights, grid.cells[i].row, grid.cells[i].rows, wanted[i]);
  }
  const std::vector<double> tops = starts(heights);
  for (PlacedCell& placed : layout.cells) {
    placed.y = tops[placed.cell->row];
    placed.height = tops[placed.cell->row + placed.cell->rows] - placed.y;
  }
  layout.width = lefts.back();
  layout.height = tops.back();
  return layout;
}

}  // namespace sheaf::draw
