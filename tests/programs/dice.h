// Random choices that follow from one seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace sheaf::programs {

class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}

  // From 0 up to but not including `count`.
  uint64_t below(uint64_t count) { return engine_() % count; }
  bool one_in(uint64_t count) { return below(count) == 0; }
  bool percent(uint64_t chance) { return below(100) < chance; }

  template <typename T>
  const T& pick(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }
  // Some of them, in their order.
  template <typename T>
  std::vector<T> some(const std::vector<T>& choices, uint64_t chance) {
    std::vector<T> chosen;
    for (const T& each : choices) {
      if (percent(chance)) chosen.push_back(each);
    }
    return chosen;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace sheaf::programs
