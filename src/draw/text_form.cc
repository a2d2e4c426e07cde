#include "draw/text_form.h"

#include <algorithm>
#include <cmath>

#include "draw/diagram_layout.h"
#include "draw/grid_layout.h"
#include "draw/text_canvas.h"
#include "draw/text_width.h"

namespace sheaf::draw {
namespace {

constexpr double kTextPairGap = 3;   // between two grids side by side
constexpr size_t kComfortable = 24;  // columns of a cell that are better broken than put elsewhere

size_t whole(double value) { return static_cast<size_t>(value); }

GridMetrics grid_metrics(double width_max, double text_width_max) {
  return {.text_width = [](std::string_view text, TextStyle) { return static_cast<double>(columns(text)); },
          .line_height = [](TextStyle) { return 1.0; },
          .padding_x = 3,
          .padding_y = 1,
          .text_width_max = text_width_max,
          .column_width_min = 6,
          // The last border.
          .width_max = width_max - 1};
}

// Where the two grids of a pair begin, and how wide each may be.
struct PairWidths {
  double left = 0;
  double right = 0;
};

PairWidths pair_widths(const GridPair& pair, double width_max) {
  const GridMetrics metrics = grid_metrics(width_max, width_max);
  const double left = natural_width(pair.left, metrics) + 1;
  const double right = natural_width(pair.right, metrics) + 1;
  const double room = width_max - kTextPairGap;
  if (left + right <= room) return {left, right};
  const double half = std::floor(room / 2);
  if (left <= half) return {left, room - left};
  if (right <= half) return {room - right, right};
  return {half, room - half};
}

std::string_view paint_of(const Cell& cell, const Line& line) {
  if (cell.role == Cell::Role::kPartition) return "\033[1;36m";
  if (cell.role == Cell::Role::kMark) return "\033[36m";
  if (line.style == TextStyle::kHeading) return "\033[1m";
  return line.style == TextStyle::kName || line.style == TextStyle::kMuted ? "\033[2m" : "";
}

void draw_grid(TextCanvas& canvas, const Grid& grid, const GridLayout& layout, size_t left,
               Paint paint = Paint::kNone) {
  for (const PlacedCell& placed : layout.cells) {
    const size_t x = left + whole(placed.x);
    const size_t y = whole(placed.y);
    canvas.rectangle(x, y, whole(placed.width), whole(placed.height));
    if (placed.cell->row + placed.cell->rows == grid.header_rows)
      canvas.level_line(x, x + whole(placed.width), y + whole(placed.height), TextCanvas::Stroke::kDouble);
    size_t line_y = y + 1;
    for (const Line& line : placed.lines) {
      canvas.text(x + 2, line_y++, line.text.utf8(),
                  paint == Paint::kNone ? "" : paint_of(*placed.cell, line));
    }
  }
}

std::string text_of(const GridPair& pair, size_t columns) {
  const PairWidths widths = pair_widths(pair, static_cast<double>(columns));
  const GridLayout left = lay_out(pair.left, grid_metrics(widths.left, widths.left));
  const GridLayout right = lay_out(pair.right, grid_metrics(widths.right, widths.right));
  const size_t right_x = whole(left.width + 1 + kTextPairGap);
  TextCanvas canvas(right_x + whole(right.width) + 1, whole(std::max(left.height, right.height)) + 1);
  draw_grid(canvas, pair.left, left, 0);
  draw_grid(canvas, pair.right, right, right_x);
  return canvas.str();
}

// --- Diagrams

constexpr size_t kFootColumns = 2;

double width_of(const ShownText& text) { return columns(text.utf8()); }

double name_width(const Box& box) {
  double width = 0;
  for (const BoxRow& row : box.rows) width = std::max(width, width_of(row.name) + (row.is_identity ? 2 : 0));
  return width;
}

BoxSize box_size(const Box& box) {
  double type_width = 0;
  for (const BoxRow& row : box.rows) type_width = std::max(type_width, width_of(row.type));
  const double title = std::max(width_of(box.title), width_of(box.subtitle));
  const double width = std::max(title, name_width(box) + 2 + type_width) + 4;
  const double head = box.subtitle.empty() ? 1 : 2;
  return {.width = width, .height = head + static_cast<double>(box.rows.size()) + 3};
}

void draw_box(TextCanvas& canvas, const Box& box, const PlacedBox& placed) {
  const size_t x = whole(placed.x);
  size_t y = whole(placed.y);
  const size_t width = whole(placed.width) - 1;
  canvas.rectangle(x, y, width, whole(placed.height) - 1);
  canvas.text(x + 2, ++y, box.title.utf8());
  if (!box.subtitle.empty()) canvas.text(x + 2, ++y, box.subtitle.utf8());
  canvas.level_line(x, x + width, ++y);
  for (const BoxRow& row : box.rows) {
    canvas.text(x + 2, ++y, (row.is_identity ? "* " : "") + row.name.utf8());
    canvas.text(x + width - 1 - whole(width_of(row.type)), y, row.type.utf8());
  }
}

// The foot opens towards the box.
void draw_foot(TextCanvas& canvas, const PlacedEnd& end, Multiplicity multiplicity) {
  const size_t y = whole(end.at.y);
  const size_t nearest = whole(end.at.x) - (end.is_right_side ? 0 : 1);
  const size_t next = end.is_right_side ? nearest + 1 : nearest - 1;
  switch (multiplicity) {
    case Multiplicity::kOne:
      canvas.text(nearest, y, "╫");
      return;
    case Multiplicity::kZeroOrOne:
      canvas.text(nearest, y, "┼");
      return canvas.text(next, y, "○");
    case Multiplicity::kMany:
      canvas.text(nearest, y, end.is_right_side ? ">" : "<");
      return canvas.text(next, y, "○");
  }
}

void draw_line(TextCanvas& canvas, const PlacedLine& line) {
  const auto cell = [](const Point& point, const PlacedEnd& end) {
    return std::pair(whole(point.x) - (end.is_right_side ? 0 : 1), whole(point.y));
  };
  for (size_t i = 0; i + 1 < line.points.size(); ++i) {
    std::pair<size_t, size_t> a{whole(line.points[i].x), whole(line.points[i].y)};
    std::pair<size_t, size_t> b{whole(line.points[i + 1].x), whole(line.points[i + 1].y)};
    if (i == 0) a = cell(line.points.front(), line.from);
    if (i + 2 == line.points.size()) b = cell(line.points.back(), line.to);
    if (a.second == b.second) {
      canvas.level_line(a.first, b.first, a.second);
    } else {
      canvas.upright_line(a.first, a.second, b.second);
    }
  }
}

std::string text_of(const Diagram& diagram, size_t columns) {
  std::vector<BoxSize> boxes;
  for (const Box& box : diagram.boxes) boxes.push_back(box_size(box));
  std::vector<DiagramLine> lines;
  for (const Connection& connection : diagram.connections) {
    lines.push_back({.from = connection.from.box,
                     .to = connection.to.box,
                     .from_width = std::max(width_of(connection.from.label), width_of(connection.note)) + 1,
                     .to_width = width_of(connection.to.label) + 1});
  }
  const DiagramLayout layout = lay_out(boxes, lines,
                                       {.port_gap = 4,
                                        .port_gap_min = 3,
                                        .port_shift = 1,
                                        .box_gap = 2,
                                        .track_gap = 2,
                                        .stub_length = kFootColumns + 1,
                                        .group_gap = 3,
                                        .width_max = static_cast<double>(columns)});
  TextCanvas canvas(whole(layout.width) + 1, whole(layout.height) + 1);
  for (const PlacedLine& line : layout.lines) draw_line(canvas, line);
  for (size_t i = 0; i < diagram.boxes.size(); ++i) draw_box(canvas, diagram.boxes[i], layout.boxes[i]);
  for (size_t i = 0; i < layout.lines.size(); ++i) {
    const PlacedLine& line = layout.lines[i];
    const Connection& connection = diagram.connections[i];
    draw_foot(canvas, line.from, connection.from.multiplicity);
    draw_foot(canvas, line.to, connection.to.multiplicity);
    canvas.text(whole(line.from.text_x), whole(line.from.at.y) - 1, connection.from.label.utf8());
    canvas.text(whole(line.from.text_x), whole(line.from.at.y) + 1, connection.note.utf8());
    canvas.text(whole(line.to.text_x), whole(line.to.at.y) - 1, connection.to.label.utf8());
  }
  return canvas.str();
}

std::string underlined(const ShownText& title, char with) {
  return title.utf8() + "\n" + std::string(static_cast<size_t>(columns(title.utf8())), with) + "\n";
}

}  // namespace

Fits text_fits(size_t columns) {
  // Breaking what is long is better than putting it elsewhere, up to a point.
  const auto width_max = static_cast<double>(columns);
  return {.grid =
              [=](const Grid& grid) {
                return natural_width(grid, grid_metrics(width_max, kComfortable)) + 1 <= width_max;
              },
          .pair =
              [=](const GridPair& pair) {
                const GridMetrics metrics = grid_metrics(width_max, kComfortable);
                return natural_width(pair.left, metrics) + natural_width(pair.right, metrics) + 2 +
                           kTextPairGap <=
                       width_max;
              }};
}

std::string grid_text(const Grid& grid, size_t columns, Paint paint) {
  const auto width_max = static_cast<double>(columns);
  const GridLayout layout = lay_out(grid, grid_metrics(width_max, width_max));
  TextCanvas canvas(whole(layout.width) + 1, whole(layout.height) + 1);
  draw_grid(canvas, grid, layout, 0, paint);
  return canvas.str();
}

std::string to_text(const std::vector<Section>& sections, size_t columns) {
  std::string out;
  for (const Section& section : sections) {
    if (!out.empty()) out += "\n";
    out += underlined(section.title, section.level == Section::Level::kDrawing ? '=' : '-');
    if (!section.note.empty()) out += section.note.utf8() + "\n";
    if (const auto* grid = std::get_if<Grid>(&section.body))
      out += "\n" + grid_text(*grid, columns, Paint::kNone);
    if (const auto* pair = std::get_if<GridPair>(&section.body)) out += "\n" + text_of(*pair, columns);
    if (const auto* diagram = std::get_if<Diagram>(&section.body)) out += "\n" + text_of(*diagram, columns);
  }
  return out;
}

}  // namespace sheaf::draw
