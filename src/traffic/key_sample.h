// Keys picked at random, each touch with the same chance: what kinds of keys there are, and how much of the
// units goes to each, also where no key is hotter than others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/quick_random.h"
#include "traffic/key_sketch.h"

namespace sheaf::traffic {

struct SampledKey {
  uint64_t rank = 0;  // drawn by lot; the lowest ones stay
  MilliUnits units = 0;
  std::string key;
};

inline constexpr size_t kSampleMax = 64;

// Adds `others` to `keys`: what is left is as if one sample had seen all of it.
void merge(std::vector<SampledKey>& keys, std::vector<SampledKey> others);

class KeySample {
 public:
  // So many touches, which took these units together. Most cost a comparison.
  void offer(std::string_view key, MilliUnits units, uint64_t touches) {
    if (touches == 0) return;
    // About the lowest of so many.
    const uint64_t rank = quick_random() / touches;
    if (rank < limit_) insert({.rank = rank, .units = units / touches, .key = std::string(key)});
  }

  const std::vector<SampledKey>& keys() const { return keys_; }
  // The same, and begins anew.
  std::vector<SampledKey> take();

 private:
  void insert(SampledKey key);

  uint64_t limit_ = UINT64_MAX;
  std::vector<SampledKey> keys_;  // a heap, the highest rank in front
};

}  // namespace sheaf::traffic
