// `sheaf top` on a screen: as much as there is room for.
#pragma once

#include <cstddef>
#include <string>

#include "cmd/top_view.h"

namespace sheaf::cmd {

// At most so many lines, the last of which says how to leave. Sections share what room there is; each has a
// line at least, or is left out, the least important one first.
std::string top_screen(const TopSnapshot& snapshot, size_t lines_max, bool has_colour);

}  // namespace sheaf::cmd
