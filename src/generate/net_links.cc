#include <algorithm>

#include "generate/chance.h"
#include "generate/links.h"

namespace sheaf::generate {
namespace {

// Positions of the first side, those of its first rank first, are written row by row into a grid, and those
// of the second side are read out column by column: whoever has no more than a row holds meets each of those
// who have no more than half a column at most once. For that, columns are shuffled in two halves, each by
// itself: one whose positions go on from the end of one column into the beginning of the next meets the upper
// rows in one, the lower ones in the other.
class Grid {
 public:
  Grid(uint64_t key, uint64_t total, uint64_t columns)
      : key_(key),
        total_(total),
        columns_(columns),
        rows_((total + columns - 1) / columns),
        whole_columns_(total - (rows_ - 1) * columns),
        half_((rows_ - 1) / 2) {}

  uint64_t half() const { return half_; }

  uint64_t forward(uint64_t position) const {
    const uint64_t row = position / columns_, column = position % columns_;
    const uint64_t begin = column * rows_ - (column > whole_columns_ ? column - whole_columns_ : 0);
    return begin + (row < half_ ? low(column).forward(row) : half_ + high(column).forward(row - half_));
  }

  uint64_t backward(uint64_t place) const {
    const uint64_t whole = whole_columns_ * rows_;
    const bool is_whole = place < whole;
    const uint64_t column = is_whole ? place / rows_ : whole_columns_ + (place - whole) / (rows_ - 1);
    const uint64_t slot = is_whole ? place % rows_ : (place - whole) % (rows_ - 1);
    const uint64_t row =
        slot < half_ ? low(column).backward(slot) : half_ + high(column).backward(slot - half_);
    return row * columns_ + column;
  }

 private:
  Permutation low(uint64_t column) const { return {mixed(key_, 2 * column), half_}; }
  Permutation high(uint64_t column) const {
    return {mixed(key_, 2 * column + 1), (column < whole_columns_ ? rows_ : rows_ - 1) - half_};
  }

  const uint64_t key_, total_, columns_, rows_, whole_columns_, half_;
};

class NetLinks final : public Links {
 public:
  NetLinks(const NetOptions& options, uint64_t most_first, uint64_t most_second)
      : sides_{options.sides[0], options.sides[1]},
        shares_{Shares(shares(options, 0, most_first)), Shares(shares(options, 1, most_second))},
        grid_(options.key, options.total, most_first + 1),
        leaves_out_loops_(options.leaves_out_loops) {}

  uint64_t total() const override { return shares_[0].total(); }

  std::optional<Link> at(uint64_t position) const override {
    const Link link{{sides_[0].ordinal(shares_[0].owner(position)),
                     sides_[1].ordinal(shares_[1].owner(grid_.forward(position)))}};
    if (leaves_out_loops_ && link.ordinals[0] == link.ordinals[1]) return std::nullopt;
    return link;
  }

  uint64_t degree(int side, uint64_t ordinal) const override {
    return shares_[side].count(sides_[side].rank(ordinal));
  }

  uint64_t position(int side, uint64_t ordinal, uint64_t number) const override {
    const uint64_t place = shares_[side].first(sides_[side].rank(ordinal)) + number;
    return side == 0 ? place : grid_.backward(place);
  }

  uint64_t most(int side) const override { return shares_[side].most(); }
  bool has_gaps() const override { return leaves_out_loops_; }

  static Shares::Options shares(const NetOptions& options, int side, uint64_t most) {
    return {
        .holders = options.sides[side].count(), .total = options.total, .max = most, .skew = options.skew};
  }

 private:
  const Population sides_[2];
  const Shares shares_[2];
  const Grid grid_;
  const bool leaves_out_loops_;
};

// All of the first side have the same number: each is a row, and a column has one of every row.
class DenseLinks final : public Links {
 public:
  explicit DenseLinks(const NetOptions& options)
      : sides_{options.sides[0], options.sides[1]},
        each_(options.total / options.sides[0].count()),
        shares_({.holders = options.sides[1].count(),
                 .total = each_ * options.sides[0].count(),
                 .max = std::min(options.max[1], options.sides[0].count()),
                 .skew = options.skew}),
        leaves_out_loops_(options.leaves_out_loops) {}

  uint64_t total() const override { return shares_.total(); }

  std::optional<Link> at(uint64_t position) const override {
    const uint64_t row = position / each_;
    const uint64_t place = position % each_ * sides_[0].count() + row;
    const Link link{{sides_[0].ordinal(row), sides_[1].ordinal(shares_.owner(place))}};
    if (leaves_out_loops_ && link.ordinals[0] == link.ordinals[1]) return std::nullopt;
    return link;
  }

  uint64_t degree(int side, uint64_t ordinal) const override {
    return side == 0 ? each_ : shares_.count(sides_[1].rank(ordinal));
  }

  uint64_t position(int side, uint64_t ordinal, uint64_t number) const override {
    if (side == 0) return sides_[0].rank(ordinal) * each_ + number;
    const uint64_t place = shares_.first(sides_[1].rank(ordinal)) + number;
    return place % sides_[0].count() * each_ + place / sides_[0].count();
  }

  uint64_t most(int side) const override { return side == 0 ? each_ : shares_.most(); }
  bool has_gaps() const override { return leaves_out_loops_; }

 private:
  const Population sides_[2];
  const uint64_t each_;
  const Shares shares_;
  const bool leaves_out_loops_;
};

class NoLinks final : public Links {
 public:
  uint64_t total() const override { return 0; }
  std::optional<Link> at(uint64_t) const override { return std::nullopt; }
  uint64_t degree(int, uint64_t) const override { return 0; }
  uint64_t position(int, uint64_t, uint64_t) const override { return 0; }
  uint64_t most(int) const override { return 0; }
};

}  // namespace

std::unique_ptr<Links> net_links(const NetOptions& options) {
  if (options.total == 0) return std::make_unique<NoLinks>();
  uint64_t least[2], most[2];
  for (const int side : {0, 1}) {
    const uint64_t others = options.sides[1 - side].count(), own = options.sides[side].count();
    least[side] = (options.total + own - 1) / own;
    const uint64_t max = std::max(std::min(options.max[side], others), least[side]);
    most[side] = Shares(NetLinks::shares(options, side, max)).most();
  }
  const auto fits = [&] { return Grid(0, options.total, most[0] + 1).half() >= most[1]; };
  while (!fits()) {
    // The one that is farther from what it needs.
    const bool is_first = most[0] * least[1] >= most[1] * least[0];
    int side = is_first ? 0 : 1;
    if (most[side] == least[side]) side = 1 - side;
    if (most[side] == least[side]) return std::make_unique<DenseLinks>(options);
    most[side] = std::max(least[side], most[side] - std::max<uint64_t>(1, most[side] / 8));
  }
  return std::make_unique<NetLinks>(options, most[0], most[1]);
}

}  // namespace sheaf::generate
