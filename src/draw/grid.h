// A table with cells that span rows and columns, before anybody knows how wide a letter is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "draw/shown_text.h"

namespace sheaf::draw {

enum class TextStyle : uint8_t {
  kHeading,  // of a column
  kName,     // of an attribute, above its value
  kCode,     // keys, values, templates: as they are stored
  kPlain,
  kStrong,
  kMuted,
};

struct Line {
  ShownText text;
  TextStyle style = TextStyle::kPlain;
};

// One of the colours that tell kinds of items apart: an entity has the same in all drawings.
using Hue = size_t;

struct Cell {
  enum class Role : uint8_t {
    kHeader,
    kPartition,  // a partition key, beside all its items
    kMark,       // what names an item: its sort key, its number, an entity's name
    kAttribute,  // a name above a value
    kValue,      // a value below the name of its column
    kPlain,
    kEmpty,
  };
  size_t row = 0;
  size_t column = 0;
  size_t rows = 1;
  size_t columns = 1;
  Role role = Role::kPlain;
  std::optional<Hue> hue;
  std::vector<Line> lines;
};

struct Grid {
  size_t rows = 0;
  size_t columns = 0;
  size_t header_rows = 0;
  std::vector<Cell> cells;

  // Grows to hold it.
  void add(Cell cell);
  // Each place belongs to exactly one cell. Drawings of other grids would have holes.
  bool is_whole() const;
};

// Cells of one line.
Cell header_cell(size_t row, size_t column, ShownText text, size_t columns = 1);
Cell plain_cell(size_t row, size_t column, ShownText text, TextStyle style = TextStyle::kPlain);

}  // namespace sheaf::draw
