#include "generate/permutation.h"

#include <bit>

#include "generate/chance.h"

namespace sheaf::generate {

// A Feistel network over the next power of four; what falls outside is sent through again.
Permutation::Permutation(uint64_t key, uint64_t count) : key_(key), count_(count) {
  if (count < 2) return;
  half_bits_ = (static_cast<int>(std::bit_width(count - 1)) + 1) / 2;
  half_mask_ = (uint64_t{1} << half_bits_) - 1;
}

uint64_t Permutation::step(int round, uint64_t half) const {
  return mixed(key_ + static_cast<uint64_t>(round), half) & half_mask_;
}

uint64_t Permutation::forward(uint64_t number) const {
  if (count_ < 2) return number;
  do {
    uint64_t left = number >> half_bits_, right = number & half_mask_;
    for (int round = 0; round < kRounds; ++round) {
      const uint64_t next = left ^ step(round, right);
      left = right;
      right = next;
    }
    number = left << half_bits_ | right;
  } while (number >= count_);
  return number;
}

uint64_t Permutation::backward(uint64_t place) const {
  if (count_ < 2) return place;
  do {
    uint64_t left = place >> half_bits_, right = place & half_mask_;
    for (int round = kRounds; round-- > 0;) {
      const uint64_t before = right ^ step(round, left);
      right = left;
      left = before;
    }
    place = left << half_bits_ | right;
  } while (place >= count_);
  return place;
}

}  // namespace sheaf::generate
