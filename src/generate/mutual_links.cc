#include <algorithm>

#include "generate/chance.h"
#include "generate/links.h"

namespace sheaf::generate {
namespace {

uint64_t whole_root(uint64_t number) {
  uint64_t root = 0;
  for (int bit = 32; bit-- > 0;) {
    const uint64_t tried = root | uint64_t{1} << bit;
    if (tried * tried <= number) root = tried;
  }
  return root;
}

// Halves of links are the cells of a square without its diagonal, row after row: (i, j) and (j, i) make one.
// Members have cells side by side, fewer than half a row; rows are shuffled in two halves by their columns,
// each by itself, for the reason that net_links.cc gives. The cells (h-1, h) and (h, h-1), with h in the
// middle, are all that one could have both: the first of them stays far from its row's end.
class SquareLinks final : public Links {
 public:
  // At least 4 rows; nobody has more than most_of(rows).
  SquareLinks(const MutualOptions& options, uint64_t rows)
      : key_(options.key),
        members_(options.members),
        rows_(rows),
        half_(rows / 2),
        shares_({.holders = members_.count(),
                 .total = rows * (rows - 1),
                 .max = std::min(options.max, most_of(rows)),
                 .skew = options.skew}) {}

  static uint64_t most_of(uint64_t rows) { return std::min(rows / 2 - 1, rows - 1 - rows / 2); }

  uint64_t total() const override { return rows_ * (rows_ - 1) / 2; }

  std::optional<Link> at(uint64_t position) const override {
    uint64_t high = (whole_root(8 * position + 1) + 1) / 2;
    const uint64_t low = position - high * (high - 1) / 2;
    return Link{{owner(low, high), owner(high, low)}};
  }

  uint64_t degree(int, uint64_t ordinal) const override { return shares_.count(members_.rank(ordinal)); }

  uint64_t position(int, uint64_t ordinal, uint64_t number) const override {
    const uint64_t place = shares_.first(members_.rank(ordinal)) + number;
    const uint64_t row = place / (rows_ - 1), column = column_at(row, place % (rows_ - 1));
    const uint64_t high = std::max(row, column), low = std::min(row, column);
    return high * (high - 1) / 2 + low;
  }

  uint64_t most(int) const override { return shares_.most(); }

 private:
  uint64_t lower_columns(uint64_t row) const { return row < half_ ? half_ - 1 : half_; }
  Permutation lower(uint64_t row) const { return {mixed(key_, 2 * row), lower_columns(row)}; }
  Permutation upper(uint64_t row) const { return {mixed(key_, 2 * row + 1), rows_ - 1 - lower_columns(row)}; }
  // In the row before the middle, the first of the upper columns is the first of its half.
  static uint64_t swapped(const Permutation& upper, uint64_t slot) {
    const uint64_t middle = upper.forward(0);
    return slot == 0 ? middle : slot == middle ? 0 : slot;
  }

  uint64_t slot_of(uint64_t row, uint64_t column) const {
    const uint64_t place = column < row ? column : column - 1;
    const uint64_t low = lower_columns(row);
    if (place < low) return lower(row).forward(place);
    const Permutation up = upper(row);
    const uint64_t slot = up.forward(place - low);
    return low + (row == half_ - 1 ? swapped(up, slot) : slot);
  }

  uint64_t column_at(uint64_t row, uint64_t slot) const {
    const uint64_t low = lower_columns(row);
    uint64_t place = 0;
    if (slot < low) {
      place = lower(row).backward(slot);
    } else {
      const Permutation up = upper(row);
      place = low + up.backward(row == half_ - 1 ? swapped(up, slot - low) : slot - low);
    }
    return place < row ? place : place + 1;
  }

  uint64_t owner(uint64_t row, uint64_t column) const {
    return members_.ordinal(shares_.owner(row * (rows_ - 1) + slot_of(row, column)));
  }

  const uint64_t key_;
  const Population members_;
  const uint64_t rows_, half_;
  const Shares shares_;
};

// All have the same number: members on a ring are linked with their neighbours, and, if that number is odd,
// with whom they see across it.
class RingLinks final : public Links {
 public:
  // Of the first `ring` ranks; an even number, if each has an odd number of links.
  RingLinks(const Population& members, uint64_t ring, uint64_t each)
      : members_(members), ring_(ring), near_(each / 2), has_across_(each % 2 == 1) {}

  uint64_t total() const override { return near_links() + (has_across_ ? ring_ / 2 : 0); }

  std::optional<Link> at(uint64_t position) const override {
    uint64_t one = 0, other = 0;
    if (position < near_links()) {
      one = position / near_;
      other = (one + 1 + position % near_) % ring_;
    } else {
      one = position - near_links();
      other = one + ring_ / 2;
    }
    return Link{{members_.ordinal(one), members_.ordinal(other)}};
  }

  uint64_t degree(int, uint64_t ordinal) const override {
    return members_.rank(ordinal) < ring_ ? most(0) : 0;
  }

  uint64_t position(int, uint64_t ordinal, uint64_t number) const override {
    const uint64_t rank = members_.rank(ordinal);
    if (number < near_) return rank * near_ + number;
    if (number < 2 * near_) {
      const uint64_t step = number - near_;
      return (rank + ring_ - 1 - step) % ring_ * near_ + step;
    }
    return near_links() + rank % (ring_ / 2);
  }

  uint64_t most(int) const override { return 2 * near_ + (has_across_ ? 1 : 0); }

 private:
  uint64_t near_links() const { return ring_ * near_; }

  const Population members_;
  const uint64_t ring_, near_;
  const bool has_across_;
};

}  // namespace

std::unique_ptr<Links> mutual_links(const MutualOptions& options) {
  const uint64_t count = options.members.count();
  // rows * (rows - 1) halves, as near as possible to two a link.
  const uint64_t halves = 2 * options.total;
  uint64_t rows = (whole_root(4 * halves + 1) + 1) / 2;
  if ((rows + 1) * rows - halves < halves - rows * (rows - 1)) ++rows;
  // Never more than there may be.
  while (rows >= 4 && rows * (rows - 1) > count * options.max) --rows;
  if (options.max == 1)
    return std::make_unique<RingLinks>(options.members, std::min(halves, count / 2 * 2),
                                       options.total > 0 ? 1 : 0);
  if (rows >= 4 && rows * (rows - 1) <= count * std::min(options.max, SquareLinks::most_of(rows)))
    return std::make_unique<SquareLinks>(options, rows);
  uint64_t each = count < 2 ? 0 : std::min({(halves + count / 2) / count, options.max, count - 1});
  if (each % 2 == 1 && count % 2 == 1) --each;
  return std::make_unique<RingLinks>(options.members, count, each);
}

}  // namespace sheaf::generate
