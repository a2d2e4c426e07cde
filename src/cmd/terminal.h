// What the standard output is, and how wide.
#pragma once

#include <cstddef>

#include "console/drawn_items.h"

namespace sheaf::cmd {

struct Terminal {
  bool is_one = false;
  size_t rows = 24;
  console::Look look;
};

// Colour is for terminals, and not where NO_COLOR is set or TERM is dumb.
Terminal standard_terminal();

}  // namespace sheaf::cmd
