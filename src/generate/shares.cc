#include "generate/shares.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace sheaf::generate {
namespace {

using Wide = unsigned __int128;

constexpr int kFraction = 32;            // bits behind the point of a logarithm
constexpr uint64_t kSingleRanks = 64;    // that are groups by themselves
constexpr uint64_t kGroupsPerRank = 32;  // later groups have this part of the ranks before them

int width(uint64_t number) { return static_cast<int>(std::bit_width(number)); }

// The logarithm to base 2, by squaring: whenever a square is 2 or more, there is another bit.
uint64_t logarithm(uint64_t number) {
  const int whole = width(number) - 1;
  uint64_t result = static_cast<uint64_t>(whole) << kFraction;
  uint64_t x = number << (63 - whole);  // from 1 to 2, with 63 bits behind the point
  for (int bit = kFraction; bit-- > 0;) {
    const Wide square = (static_cast<Wide>(x) * x) >> 63;
    const bool is_two = (square >> 64) != 0;
    x = static_cast<uint64_t>(is_two ? square >> 1 : square);
    if (is_two) result |= uint64_t{1} << bit;
  }
  return result;
}

uint64_t square_root(Wide number) {
  uint64_t root = 0;
  for (int bit = 64; bit-- > 0;) {
    const uint64_t tried = root | uint64_t{1} << bit;
    if (static_cast<Wide>(tried) * tried <= number) root = tried;
  }
  return root;
}

// 2^-(1/2), 2^-(1/4), ..: with 64 bits behind the point.
const std::array<uint64_t, kFraction>& roots_of_half() {
  static const std::array<uint64_t, kFraction> roots = [] {
    std::array<uint64_t, kFraction> made{};
    Wide square = static_cast<Wide>(1) << 127;
    for (uint64_t& root : made) {
      root = square_root(square);
      square = static_cast<Wide>(root) << 64;
    }
    return made;
  }();
  return roots;
}

}  // namespace

uint64_t zipf_weight(uint64_t number, Skew skew) {
  const auto exponent = static_cast<Wide>(logarithm(number)) * skew.thousandths / 1000;
  const auto whole = static_cast<uint64_t>(exponent >> kFraction);
  if (whole > 62) return 0;
  uint64_t weight = ~uint64_t{0};
  for (int i = 0; i < kFraction; ++i) {
    if ((exponent >> (kFraction - 1 - i) & 1) != 0)
      weight =
          static_cast<uint64_t>((static_cast<Wide>(weight) * roots_of_half()[static_cast<size_t>(i)]) >> 64);
  }
  return (weight >> 2) >> whole;
}

Shares::Shares(const Options& options) : holders_(options.holders), total_(options.total) {
  assert(holders_ > 0 ? static_cast<Wide>(options.max) * holders_ >= total_ : total_ == 0);
  struct Weighed {
    uint64_t rank, size;
    Wide weight;  // of all of them
  };
  std::vector<Weighed> weighed;
  Wide weight_left = 0;
  for (uint64_t rank = 0; rank < holders_;) {
    const uint64_t size =
        std::min(holders_ - rank, rank < kSingleRanks ? 1 : std::max<uint64_t>(1, rank / kGroupsPerRank));
    const Wide weight = static_cast<Wide>(zipf_weight(rank + (size - 1) / 2 + 1, options.skew) | 1) * size;
    weighed.push_back({.rank = rank, .size = size, .weight = weight});
    weight_left += weight;
    rank += size;
  }
  // Those whose share would be more than they may have get that; the others share what is left.
  uint64_t left = total_, position = 0;
  Wide weight_done = 0;
  uint64_t given = 0;
  for (const Weighed& group : weighed) {
    groups_.push_back({.rank = group.rank, .position = position});
    const Wide room = static_cast<Wide>(options.max) * group.size;
    // left * weight may need more than 128 bits: the weights lose their last ones.
    const int shift = std::max(0, width(static_cast<uint64_t>(weight_left >> 64)) + width(left) - 62);
    const auto share_until = [&](Wide weight) {
      return static_cast<uint64_t>(static_cast<Wide>(left) * (weight >> shift) /
                                   std::max<Wide>(weight_left >> shift, 1));
    };
    uint64_t count = std::min(share_until(weight_done + group.weight), left) - given;
    if (count >= room && weight_done == 0) {
      count = static_cast<uint64_t>(room);
      left -= count;
      weight_left -= group.weight;
    } else {
      if (count > room) count = static_cast<uint64_t>(room);
      weight_done += group.weight;
      given += count;
    }
    position += count;
    most_ = std::max(most_, count == 0 ? 0 : (count - 1) / group.size + 1);
  }
  groups_.push_back({.rank = holders_, .position = position});
  // What rounding left over goes to the first that have room for it.
  uint64_t over = total_ - position, moved = 0;
  for (size_t i = 0; i + 1 < groups_.size(); ++i) {
    const uint64_t size = groups_[i + 1].rank - groups_[i].rank;
    const uint64_t count = groups_[i + 1].position - groups_[i].position;
    const Wide room = static_cast<Wide>(options.max) * size - count;
    const auto more = room < over ? static_cast<uint64_t>(room) : over;
    groups_[i].position += moved;
    moved += more;
    over -= more;
    if (more > 0) most_ = std::max(most_, (count + more - 1) / size + 1);
  }
  groups_.back().position += moved;
}

uint64_t Shares::first(uint64_t rank) const {
  if (rank >= holders_) return total_;
  const auto next = std::upper_bound(groups_.begin(), groups_.end(), rank,
                                     [](uint64_t a, const Group& b) { return a < b.rank; });
  const Group &group = next[-1], &after = *next;
  const uint64_t size = after.rank - group.rank, count = after.position - group.position;
  return group.position + static_cast<uint64_t>(static_cast<Wide>(count) * (rank - group.rank) / size);
}

uint64_t Shares::owner(uint64_t position) const {
  const auto next = std::upper_bound(groups_.begin(), groups_.end(), position,
                                     [](uint64_t a, const Group& b) { return a < b.position; });
  const Group &group = next[-1], &after = *next;
  const uint64_t size = after.rank - group.rank, count = after.position - group.position;
  // The last one that begins at `position` or before.
  return group.rank +
         static_cast<uint64_t>((static_cast<Wide>(position - group.position + 1) * size - 1) / count);
}

}  // namespace sheaf::generate
