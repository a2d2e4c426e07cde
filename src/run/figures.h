// What a run really took.
#pragma once

#include <cstdint>

namespace sheaf::run {

struct Figures {
  uint64_t requests = 0;
  uint64_t rounds = 0;
  uint64_t items_read = 0;
  double units = 0;
  uint64_t dangling = 0;  // references whose target is gone
  uint64_t foreign = 0;   // items that no entity or edge explains
};

}  // namespace sheaf::run
