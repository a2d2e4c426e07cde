// Between two layers of boxes: in which order the upright parts of lines stand.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sheaf::draw {

// A line that comes in at `left_y` and goes out at `right_y`, or, a loop, comes back to the left at
// `right_y`.
struct Crossover {
  double left_y = 0;
  double right_y = 0;
  bool is_loop = false;

  bool needs_track() const { return left_y != right_y; }
};

struct Tracks {
  std::vector<size_t> track;  // one a crossover, from the left; 0 for those that need none
  size_t count = 0;
  // Pairs whose level parts come to lie on each other whatever the order: one of them must be moved.
  std::vector<std::pair<size_t, size_t>> overlaps;
};

// Level parts nearer than `gap_min` to each other count as overlapping. Loops come first; of other orders one
// with few crossings is taken.
Tracks assign_tracks(const std::vector<Crossover>& crossovers, double gap_min);

}  // namespace sheaf::draw
