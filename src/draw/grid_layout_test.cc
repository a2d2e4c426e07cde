#include "draw/grid_layout.h"

#include <gtest/gtest.h>

#include <random>

#include "draw/text_width.h"

namespace sheaf::draw {
namespace {

GridMetrics metrics(double width_max) {
  return {.text_width = [](std::string_view text, TextStyle) { return double(columns(text)); },
          .line_height = [](TextStyle) { return 1.0; },
          .padding_x = 3,
          .padding_y = 1,
          .text_width_max = width_max,
          .column_width_min = 4,
          .width_max = width_max};
}

TEST(Grid, IsWholeIfEachPlaceBelongsToOneCell) {
  Grid grid;
  grid.add(header_cell(0, 0, "both", 2));
  grid.add(plain_cell(1, 0, "a"));
  EXPECT_FALSE(grid.is_whole());
  grid.add(plain_cell(1, 1, "b"));
  EXPECT_TRUE(grid.is_whole());
  grid.add(plain_cell(1, 1, "c"));
  EXPECT_FALSE(grid.is_whole());
}

TEST(GridLayout, ColumnsAreAsWideAsTheirWidestCell) {
  Grid grid;
  grid.add(plain_cell(0, 0, "PK"));
  grid.add(plain_cell(0, 1, "SK"));
  grid.add(plain_cell(1, 0, "ORG#acme"));
  grid.add(plain_cell(1, 1, "部门"));
  const GridLayout layout = lay_out(grid, metrics(100));
  EXPECT_EQ(layout.width, (8 + 3) + (4 + 3));
  EXPECT_EQ(layout.height, 4);
  EXPECT_EQ(layout.cells[1].x, 11);
  EXPECT_EQ(layout.cells[3].y, 2);
}

TEST(GridLayout, SpanningCellsGetRoomFromAllThatTheySpan) {
  Grid grid;
  grid.add(header_cell(0, 0, "a long heading", 2));  // 14 + 3
  grid.add(plain_cell(1, 0, "a"));
  grid.add(plain_cell(1, 1, "b"));
  const GridLayout layout = lay_out(grid, metrics(100));
  EXPECT_GE(layout.cells[0].width, 17);
  EXPECT_EQ(layout.cells[0].lines.size(), 1U);
  EXPECT_EQ(layout.cells[1].width + layout.cells[2].width, layout.cells[0].width);
}

TEST(GridLayout, WideColumnsAreNarrowedAndTheirTextIsBroken) {
  Grid grid;
  grid.add(plain_cell(0, 0, "PK"));
  grid.add(plain_cell(0, 1, "ORG#acme#USER#ann#TICKET#1"));
  const GridLayout layout = lay_out(grid, metrics(20));
  EXPECT_LE(layout.width, 20);
  EXPECT_EQ(layout.cells[0].width, 2 + 3);  // the narrow one is left alone
  EXPECT_GT(layout.cells[1].lines.size(), 1U);
}

// Cells with random spans: a grid of blocks.
Grid random_grid(std::mt19937& dice) {
  Grid grid;
  const size_t columns = 1 + dice() % 6;
  for (size_t block = 1 + dice() % 4; block > 0; --block) {
    const size_t first = grid.rows;
    const size_t rows = 1 + dice() % 3;
    const auto text = [&] { return std::string(dice() % 40, 'x'); };
    grid.add({.row = first, .rows = rows, .lines = {{.text = text()}}});
    for (size_t row = first; row < first + rows; ++row) {
      for (size_t column = 1; column < columns;) {
        const size_t span = 1 + dice() % (columns - column);
        grid.add({.row = row, .column = column, .columns = span, .lines = {{.text = text()}}});
        column += span;
      }
    }
  }
  return grid;
}

TEST(GridLayout, CellsCoverTheGridAndTheirTextFits) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    std::mt19937 dice(seed);
    const Grid grid = random_grid(dice);
    ASSERT_TRUE(grid.is_whole()) << "seed " << seed;
    const GridMetrics sizes = metrics(30 + dice() % 60);
    const GridLayout layout = lay_out(grid, sizes);
    double area = 0;
    for (const PlacedCell& cell : layout.cells) {
      area += cell.width * cell.height;
      EXPECT_LE(static_cast<double>(cell.lines.size()) + sizes.padding_y, cell.height) << "seed " << seed;
      for (const Line& line : cell.lines)
        EXPECT_LE(columns(line.text.utf8()) + sizes.padding_x, cell.width) << "seed " << seed;
    }
    EXPECT_EQ(area, layout.width * layout.height) << "seed " << seed;
    const double narrowest = static_cast<double>(grid.columns) * (sizes.column_width_min + sizes.padding_x);
    EXPECT_LE(layout.width, std::max(sizes.width_max, narrowest)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sheaf::draw
