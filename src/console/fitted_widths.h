// Columns that are narrowed until they fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sheaf::console {

// The widest that a column may be so that all of them take no more than `room`: SIZE_MAX if all fit as they
// are, 0 if no width is narrow enough.
inline size_t fitting_cap(std::vector<size_t> widths, size_t room) {
  size_t wide = std::accumulate(widths.begin(), widths.end(), size_t{0});
  if (wide <= room) return SIZE_MAX;
  std::sort(widths.begin(), widths.end());
  size_t narrow = 0;  // of the columns that stay as they are
  for (size_t i = 0; i < widths.size(); ++i) {
    const size_t cap = room < narrow ? 0 : (room - narrow) / (widths.size() - i);
    if (cap < widths[i]) return cap;
    narrow += widths[i];
  }
  return 0;
}

}  // namespace sheaf::console
