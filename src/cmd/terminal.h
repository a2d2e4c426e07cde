// What the standard output is, and how wide.
#pragma once

#include <cstddef>

#include "console/drawn_items.h"

namespace sheaf::cmd {

struct Terminal {
  bool is_one = false;
  size_t rows = 24;
  console::Look look;

  // So many lines of a screen are for items: there are a prompt, heads, and what is said below them.
  size_t item_lines() const;
};

// Colour is for terminals, and not where NO_COLOR is set or TERM is dumb.
Terminal standard_terminal();

// The same for the standard error alone, where mistakes are told.
bool errors_have_colour();

}  // namespace sheaf::cmd
