// Drawings for a terminal.
#pragma once

#include <string>
#include <vector>

#include "draw/sections.h"

namespace sheaf::draw {

// What fits into so many columns. Columns of grids are narrowed to it, and text wrapped.
Fits text_fits(size_t columns);

// A grid by itself. With colour, keys and names of attributes are told apart by it.
enum class Paint : bool { kNone, kColours };
std::string grid_text(const Grid& grid, size_t columns, Paint paint);

std::string to_text(const std::vector<Section>& sections, size_t columns);

}  // namespace sheaf::draw
