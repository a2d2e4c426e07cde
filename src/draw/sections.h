// A drawing before it has a form: what is shown, in which order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "draw/diagram.h"
#include "draw/grid.h"

namespace sheaf::draw {

// Two grids whose rows are the same items in two orders.
struct GridPair {
  struct Link {
    size_t left_row = 0;
    size_t right_row = 0;
    Hue hue = 0;
  };
  Grid left;
  Grid right;
  std::vector<Link> links;
};

struct LegendEntry {
  ShownText name;
  Hue hue = 0;
};

struct Section {
  enum class Level : uint8_t { kDrawing, kPart };  // of its title
  Level level = Level::kPart;
  bool begins_row = false;  // where several parts stand side by side
  ShownText title;
  ShownText note;
  std::vector<LegendEntry> legend;
  std::variant<std::monostate, Grid, GridPair, Diagram> body;
};

// Whether something is narrow enough for where it will be shown. Builders with several ways to arrange the
// same choose the first that fits.
struct Fits {
  std::function<bool(const Grid&)> grid;
  std::function<bool(const GridPair&)> pair;
};

}  // namespace sheaf::draw
