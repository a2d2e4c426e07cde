// Rows of CSV, as RFC 4180 has them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::transfer {

struct Cell {
  std::string text;
  bool is_quoted = false;  // tells "" from nothing

  bool operator==(const Cell&) const = default;
};

// The cells of one record, whose line end is taken off. kInvalid if a quote stands where none may.
Result<std::vector<Cell>> split_cells(std::string_view record);

// Appends `text`, in quotes if it needs them or is empty.
void append_cell(std::string& out, std::string_view text);

}  // namespace sheaf::transfer
