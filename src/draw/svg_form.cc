#include "draw/svg_form.h"

#include <algorithm>
#include <cmath>

#include "draw/diagram_layout.h"
#include "draw/grid_layout.h"
#include "draw/svg_style.h"
#include "draw/svg_writer.h"

namespace sheaf::draw {
namespace {

constexpr double kMargin = 32;
constexpr double kSectionGap = 36;
constexpr double kColumnGap = 44;
constexpr double kRowWidth = 1180;  // sections stand side by side up to it
constexpr double kGridWidthMax = 1480;
constexpr double kPairGap = 110;  // room for the links
constexpr double kPairWidthMax = 1480;
constexpr double kRadius = 7;
constexpr double kPadding = 10;  // left of a text in a cell
constexpr double kBar = 4;       // of colour, beside what names an item
constexpr double kSwatch = 10;

// The baseline of a line of text, from its top.
double baseline(const SvgFont& font) { return (font.line_height + font.size * 0.72) / 2; }

GridMetrics grid_metrics(double width_max) {
  return {.text_width =
              [](std::string_view text, TextStyle style) {
                const SvgFont& font = svg_font(style);
                return ems(text, font.typeface) * font.size;
              },
          .line_height = [](TextStyle style) { return svg_font(style).line_height; },
          .padding_x = 2 * kPadding,
          .padding_y = 10,
          .text_width_max = 300,
          .column_width_min = 60,
          .width_max = width_max};
}

double pair_width(const GridPair& pair) {
  const GridMetrics metrics = grid_metrics(kGridWidthMax);
  return natural_width(pair.left, metrics) + kPairGap + natural_width(pair.right, metrics);
}

// Draws one section, from its top left corner.
class SectionDrawing {
 public:
  SectionDrawing(SvgWriter& out, Point corner) : out_(out), corner_(corner) {}

  BoxSize run(const Section& section) {
    title(section.title, section.level == Section::Level::kDrawing ? kDrawingTitle : kSectionTitle);
    if (!section.note.empty()) title(section.note, kNote);
    if (!section.legend.empty()) legend(section.legend);
    if (!std::holds_alternative<std::monostate>(section.body)) begin(12);
    if (const auto* grid = std::get_if<Grid>(&section.body)) add(*grid);
    if (const auto* pair = std::get_if<GridPair>(&section.body)) add(*pair);
    if (const auto* diagram = std::get_if<Diagram>(&section.body)) add(*diagram);
    return {width_, y_};
  }

 private:
  // What follows is drawn below what is there.
  void begin(double gap = 0) {
    y_ += gap;
    out_.move_to({corner_.x, corner_.y + y_});
  }

  void use(double width, double height) {
    width_ = std::max(width_, width);
    y_ += height;
  }

  void title(const ShownText& text, const SvgFont& font) {
    begin();
    out_.text({0, baseline(font)}, text, font.name);
    use(std::ceil(width_of(text, font)), font.line_height);
  }

  // Names beside their colours, in as many rows as it takes.
  void legend(const std::vector<LegendEntry>& entries) {
    begin(4);
    double x = 0;
    double y = 0;
    for (const LegendEntry& entry : entries) {
      const double width = kSwatch + 6 + std::ceil(width_of(entry.name, kNote));
      if (x > 0 && x + width > kGridWidthMax / 2) {
        x = 0;
        y += kNote.line_height;
      }
      out_.rectangle(x, y + (kNote.line_height - kSwatch) / 2, kSwatch, kSwatch, accent(entry.hue),
                     {true, true, true, true}, 3);
      out_.text({x + kSwatch + 6, y + baseline(kNote)}, entry.name, kNote.name);
      use(x + width, 0);
      x += width + 18;
    }
    y_ += y + kNote.line_height;
  }

  // --- Grids

  void add(const Grid& grid) {
    const GridLayout layout = lay_out(grid, grid_metrics(kGridWidthMax));
    draw(grid, layout);
    use(layout.width, layout.height);
  }

  void add(const GridPair& pair) {
    const GridMetrics metrics = grid_metrics((kPairWidthMax - kPairGap) / 2);
    const GridLayout left = lay_out(pair.left, metrics);
    const GridLayout right = lay_out(pair.right, metrics);
    draw(pair.left, left);
    out_.move_to({corner_.x + left.width + kPairGap, corner_.y + y_});
    draw(pair.right, right);
    begin();
    for (const GridPair::Link& link : pair.links) {
      const Point from{left.width + 1, row_middle(left, link.left_row)};
      const Point to{left.width + kPairGap - 1, row_middle(right, link.right_row)};
      out_.curve(from, to, "link " + accent_stroke(link.hue));
      out_.circle(from, 3.5, accent(link.hue));
      out_.circle(to, 3.5, accent(link.hue));
    }
    use(left.width + kPairGap + right.width, std::max(left.height, right.height));
  }

  static double row_middle(const GridLayout& layout, size_t row) {
    for (const PlacedCell& placed : layout.cells) {
      if (placed.cell->row == row && placed.cell->rows == 1) return placed.y + placed.height / 2;
    }
    return 0;
  }

  void draw(const Grid& grid, const GridLayout& layout) {
    for (const PlacedCell& placed : layout.cells) draw(grid, placed);
    out_.rectangle(0, 0, layout.width, layout.height, "none edge", {true, true, true, true}, kRadius);
  }

  void draw(const Grid& grid, const PlacedCell& placed) {
    const Cell& cell = *placed.cell;
    const bool is_top = cell.row == 0;
    const bool is_bottom = cell.row + cell.rows == grid.rows;
    const bool is_left = cell.column == 0;
    const bool is_right = cell.column + cell.columns == grid.columns;
    const Corners corners{is_top && is_left, is_top && is_right, is_bottom && is_right, is_bottom && is_left};
    const auto area = [&](std::string_view classes) {
      out_.rectangle(placed.x, placed.y, placed.width, placed.height, classes, corners, kRadius);
    };
    switch (cell.role) {
      case Cell::Role::kEmpty:
        return;
      case Cell::Role::kHeader:
        area("head edge");
        break;
      case Cell::Role::kPartition:
        area(cell.hue ? tint(*cell.hue) + " edge" : "part edge");
        break;
      case Cell::Role::kMark:
        area(tint(*cell.hue) + " edge");
        out_.rectangle(placed.x + 0.5, placed.y + 0.5, kBar, placed.height - 1, accent(*cell.hue),
                       {corners.top_left, false, false, corners.bottom_left}, kBar);
        break;
      case Cell::Role::kAttribute:
      case Cell::Role::kValue:
      case Cell::Role::kPlain:
        area("page edge");
        break;
    }
    if (cell.role == Cell::Role::kAttribute) draw_name_band(placed, corners);
    draw_lines(placed);
  }

  // The colour behind the name of an attribute.
  void draw_name_band(const PlacedCell& placed, const Corners& corners) {
    double height = 3;
    for (const Line& line : placed.lines) {
      if (line.style == TextStyle::kName) height += svg_font(line.style).line_height;
    }
    out_.rectangle(placed.x + 0.5, placed.y + 0.5, placed.width - 1, height, tint(*placed.cell->hue),
                   {corners.top_left, corners.top_right}, kRadius);
  }

  void draw_lines(const PlacedCell& placed) {
    double height = 0;
    for (const Line& line : placed.lines) height += svg_font(line.style).line_height;
    const Cell::Role role = placed.cell->role;
    double y = placed.y + (placed.height - height) / 2;
    if (role == Cell::Role::kAttribute) y = placed.y + 2;
    if (role == Cell::Role::kPlain) y = placed.y + 5;
    bool is_below_name = false;
    for (const Line& line : placed.lines) {
      const SvgFont& font = svg_font(line.style);
      if (is_below_name && line.style != TextStyle::kName) y += 3;  // out of the band
      is_below_name = role == Cell::Role::kAttribute && line.style == TextStyle::kName;
      out_.text({placed.x + kPadding, y + baseline(font)}, line.text, font.name);
      y += font.line_height;
    }
  }

  // --- Diagrams

  static constexpr double kFoot = 13;
  static constexpr double kRowHeight = 20;

  static double head_height(const Box& box) { return box.subtitle.empty() ? 34 : 50; }

  static BoxSize box_size(const Box& box) {
    double width = width_of(box.title, kBoxTitle) + 28;
    width = std::max(width, width_of(box.subtitle, kNote) + 28);
    for (const BoxRow& row : box.rows) {
      const SvgFont& name = svg_font(row.is_identity ? TextStyle::kStrong : TextStyle::kPlain);
      width = std::max(width,
                       width_of(row.name, name) + 24 + width_of(row.type, svg_font(TextStyle::kMuted)) + 28);
    }
    return {.width = std::ceil(std::max(width, 130.0)),
            .height = head_height(box) + kRowHeight * static_cast<double>(box.rows.size()) + 12};
  }

  void add(const Diagram& diagram) {
    std::vector<BoxSize> boxes;
    for (const Box& box : diagram.boxes) boxes.push_back(box_size(box));
    std::vector<DiagramLine> lines;
    for (const Connection& connection : diagram.connections) {
      const double from =
          std::max(width_of(connection.from.label, kLabel), width_of(connection.note, kLabelNote));
      lines.push_back({.from = connection.from.box,
                       .to = connection.to.box,
                       .from_width = std::ceil(from) + 10,
                       .to_width = std::ceil(width_of(connection.to.label, kLabel)) + 4});
    }
    const DiagramLayout layout = lay_out(boxes, lines,
                                         {.port_gap = 48,
                                          .port_gap_min = 40,
                                          .port_shift = 8,
                                          .box_gap = 28,
                                          .track_gap = 18,
                                          .stub_length = 26,
                                          .group_gap = 40,
                                          .width_max = kGridWidthMax});
    for (const PlacedLine& line : layout.lines) {
      out_.line(line.points, "halo", 10);
      out_.line(line.points, "line", 10);
    }
    for (size_t i = 0; i < diagram.boxes.size(); ++i) draw(diagram.boxes[i], layout.boxes[i]);
    for (size_t i = 0; i < layout.lines.size(); ++i) {
      const Connection& connection = diagram.connections[i];
      const PlacedLine& line = layout.lines[i];
      draw_foot(line.from, connection.from.multiplicity);
      draw_foot(line.to, connection.to.multiplicity);
      out_.text({line.from.text_x, line.from.at.y - 6}, connection.from.label, kLabel.name);
      out_.text({line.from.text_x, line.from.at.y + 15}, connection.note, kLabelNote.name);
      out_.text({line.to.text_x, line.to.at.y - 6}, connection.to.label, kLabel.name);
    }
    use(layout.width, layout.height);
  }

  void draw(const Box& box, const PlacedBox& placed) {
    const Corners all{true, true, true, true};
    const double head = head_height(box);
    out_.rectangle(placed.x, placed.y, placed.width, placed.height, "page", all, kRadius);
    out_.rectangle(placed.x, placed.y, placed.width, head, accent(box.hue), {true, true}, kRadius);
    out_.rectangle(placed.x, placed.y + kBar, placed.width, head - kBar, tint(box.hue));
    out_.rectangle(placed.x, placed.y, placed.width, placed.height, "none edge", all, kRadius);
    out_.text({placed.x + 14, placed.y + 8 + baseline(kBoxTitle)}, box.title, kBoxTitle.name);
    out_.text({placed.x + 14, placed.y + 27 + baseline(kNote)}, box.subtitle, kNote.name);
    double y = placed.y + head + 6;
    for (const BoxRow& row : box.rows) {
      const SvgFont& plain = svg_font(TextStyle::kPlain);
      const SvgFont& muted = svg_font(TextStyle::kMuted);
      out_.text({placed.x + 14, y + baseline(plain)}, row.name,
                std::string(plain.name) + (row.is_identity ? " id" : ""));
      out_.text({placed.x + placed.width - 14, y + baseline(plain)}, row.type,
                std::string(muted.name) + " end");
      y += kRowHeight;
    }
  }

  void draw_foot(const PlacedEnd& end, Multiplicity multiplicity) {
    const double away = end.is_right_side ? 1 : -1;
    const Point at = end.at;
    const auto bar = [&](double distance) {
      const double x = at.x + away * distance;
      out_.line({{x, at.y - 6}, {x, at.y + 6}}, "line");
    };
    const auto ring = [&](double distance) { out_.circle({at.x + away * distance, at.y}, 4, "page line"); };
    switch (multiplicity) {
      case Multiplicity::kOne:
        bar(8);
        return bar(13);
      case Multiplicity::kZeroOrOne:
        bar(8);
        return ring(17);
      case Multiplicity::kMany:
        out_.line({{at.x, at.y - 7}, {at.x + away * kFoot, at.y}, {at.x, at.y + 7}}, "line");
        return ring(kFoot + 4);
    }
  }

  SvgWriter& out_;
  const Point corner_;
  double width_ = 0;
  double y_ = 0;
};

BoxSize size_of(const Section& section) {
  SvgWriter scratch;
  return SectionDrawing(scratch, {}).run(section);
}

}  // namespace

Fits svg_fits() {
  return {
      .grid =
          [](const Grid& grid) { return natural_width(grid, grid_metrics(kGridWidthMax)) <= kGridWidthMax; },
      .pair = [](const GridPair& pair) { return pair_width(pair) <= kPairWidthMax; }};
}

std::string to_svg(const std::vector<Section>& sections) {
  std::vector<BoxSize> sizes;
  double row_width = kRowWidth;
  for (const Section& section : sections) {
    sizes.push_back(size_of(section));
    row_width = std::max(row_width, sizes.back().width);
  }
  SvgWriter drawn;
  double width = 0;
  Point at{kMargin, kMargin};
  double row_height = 0;
  for (size_t i = 0; i < sections.size(); ++i) {
    const bool fits = at.x + sizes[i].width <= kMargin + row_width;
    if (i > 0 && (sections[i].begins_row || !fits)) {
      at = {kMargin, at.y + row_height + kSectionGap};
      row_height = 0;
    }
    SectionDrawing(drawn, at).run(sections[i]);
    width = std::max(width, at.x + sizes[i].width);
    row_height = std::max(row_height, sizes[i].height);
    at.x += sizes[i].width + kColumnGap;
  }
  width += kMargin;
  const double height = at.y + row_height + kMargin;
  SvgWriter page;
  page.rectangle(0, 0, width, height, "page");
  page.append(drawn);
  return page.finish(width, height, sections.empty() ? "" : sections.front().title, style_sheet());
}

}  // namespace sheaf::draw
