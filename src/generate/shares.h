// How many each of many has, when popularity spreads them: the one of rank k has a share that is proportional
// to 1/k^skew, but no more than there may be. Worked out with whole numbers, so that all machines agree.
#pragma once

#include <cstdint>
#include <vector>

namespace sheaf::generate {

// An exponent in thousandths: 1000 is Zipf's own law, 0 is even.
struct Skew {
  uint32_t thousandths = 1000;
};
inline constexpr uint32_t kSkewThousandthsMax = 3000;

// 2^62 / number^skew; `number` is at least 1.
uint64_t zipf_weight(uint64_t number, Skew skew);

// Things 0, 1, .. total-1 lie in a row; those of rank 0 come first, and so on. The first 64 ranks follow the
// law to the rounding, groups of later ones (each 3 % of those before it) as a whole, with even shares in a
// group.
class Shares {
 public:
  struct Options {
    uint64_t holders = 0;
    uint64_t total = 0;  // at most holders * max
    uint64_t max = ~uint64_t{0};
    Skew skew;
  };
  explicit Shares(const Options& options);

  uint64_t holders() const { return holders_; }
  uint64_t total() const { return total_; }
  // Where those of a rank begin; of rank `holders` it is `total`.
  uint64_t first(uint64_t rank) const;
  uint64_t count(uint64_t rank) const { return first(rank + 1) - first(rank); }
  // The most that somebody has.
  uint64_t most() const { return most_; }
  // The rank that has the thing at `position`, which is below `total`.
  uint64_t owner(uint64_t position) const;

 private:
  struct Group {
    uint64_t rank = 0;      // its first one
    uint64_t position = 0;  // of the first thing that they have
  };

  uint64_t holders_;
  uint64_t total_;
  uint64_t most_ = 0;
  std::vector<Group> groups_;  // and one behind them
};

}  // namespace sheaf::generate
