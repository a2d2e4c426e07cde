// Chance that costs next to nothing, for sampling: nobody must rely on it.
#pragma once

#include <cstdint>

namespace sheaf {

// A number of this thread's own row of them.
inline uint64_t quick_random() {
  thread_local uint64_t state = 0x9e3779b97f4a7c15u ^ reinterpret_cast<uintptr_t>(&state);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

}  // namespace sheaf
