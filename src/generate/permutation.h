// The numbers below `count` in an order that looks like chance, without keeping it: where each comes is
// worked out, and so is who comes at a place.
#pragma once

#include <cstdint>

namespace sheaf::generate {

class Permutation {
 public:
  // `count` is at most 2^62.
  Permutation(uint64_t key, uint64_t count);

  uint64_t count() const { return count_; }
  // Both take and give numbers below `count`, and each undoes the other.
  uint64_t forward(uint64_t number) const;
  uint64_t backward(uint64_t place) const;

 private:
  static constexpr int kRounds = 4;

  uint64_t step(int round, uint64_t half) const;

  uint64_t key_;
  uint64_t count_;
  int half_bits_ = 1;
  uint64_t half_mask_ = 1;
};

}  // namespace sheaf::generate
