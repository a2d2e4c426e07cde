#include "draw/grid.h"

#include <algorithm>

namespace sheaf::draw {

void Grid::add(Cell cell) {
  rows = std::max(rows, cell.row + cell.rows);
  columns = std::max(columns, cell.column + cell.columns);
  cells.push_back(std::move(cell));
}

bool Grid::is_whole() const {
  std::vector<int> owners(rows * columns, 0);
  for (const Cell& cell : cells) {
    for (size_t row = cell.row; row < cell.row + cell.rows; ++row) {
      for (size_t column = cell.column; column < cell.column + cell.columns; ++column)
        ++owners[row * columns + column];
    }
  }
  return std::all_of(owners.begin(), owners.end(), [](int count) { return count == 1; });
}

Cell header_cell(size_t row, size_t column, ShownText text, size_t columns) {
  return {.row = row,
          .column = column,
          .columns = columns,
          .role = Cell::Role::kHeader,
          .lines = {{.text = std::move(text), .style = TextStyle::kHeading}}};
}

Cell plain_cell(size_t row, size_t column, ShownText text, TextStyle style) {
  Cell cell{.row = row, .column = column};
  if (!text.empty()) cell.lines.push_back({.text = std::move(text), .style = style});
  return cell;
}

}  // namespace sheaf::draw
