// Random numbers that follow from a seed and are the same on every machine: no distribution of the standard
// library is used, because those differ between libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sheaf::prove {

// SplitMix64. Draw only once in an expression: the order in which operands are evaluated is the compiler's
// choice.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }
  // Less than `bound`, which is at least 1.
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }
  // Both included.
  size_t between(size_t least, size_t most) { return least + below(most - least + 1); }
  bool one_in(size_t many) { return below(many) == 0; }
  bool percent(size_t share) { return below(100) < share; }
  template <typename T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  template <typename T>
  void shuffle(std::vector<T>& list) {
    for (size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }
  // A sequence of its own: what is drawn from it does not change what follows here.
  Chance fork(uint64_t label) {
    Chance made(state_ ^ (label * 0xD6E8FEB86659FD93));
    made.next();
    return made;
  }

 private:
  uint64_t state_;
};

}  // namespace sheaf::prove
