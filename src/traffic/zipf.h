// For tests: numbers as popularity spreads them, the k-th as often as 1/k^s.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace sheaf::traffic {

class Zipf {
 public:
  Zipf(size_t count, double skew) {
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sums_.push_back(sum += 1 / std::pow(static_cast<double>(i + 1), skew));
  }

  // From 0 on, the most frequent first.
  size_t next(std::mt19937_64& random) const {
    const double at = std::uniform_real_distribution<>(0, sums_.back())(random);
    return static_cast<size_t>(std::upper_bound(sums_.begin(), sums_.end(), at) - sums_.begin());
  }

 private:
  std::vector<double> sums_;
};

}  // namespace sheaf::traffic
