#include "generate/links.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "generate/chance.h"

namespace sheaf::generate {
namespace {

// What every kind of links promises: positions and links tell the same from both sides, nobody has more than
// the max, and no two are linked twice.
struct Seen {
  uint64_t links = 0;
  uint64_t most[2] = {0, 0};
};

Seen check(const Links& links, const uint64_t counts[2], const uint64_t max[2], bool is_mutual,
           bool may_loop) {
  Seen seen;
  std::set<std::pair<uint64_t, uint64_t>> pairs;
  std::map<std::pair<int, uint64_t>, std::set<uint64_t>> positions;
  uint64_t gaps = 0;
  for (uint64_t position = 0; position < links.total(); ++position) {
    const auto link = links.at(position);
    if (!link) {
      ++gaps;
      continue;
    }
    ++seen.links;
    auto [a, b] = std::pair(link->ordinals[0], link->ordinals[1]);
    EXPECT_LT(a, counts[0]);
    EXPECT_LT(b, counts[1]);
    if (!may_loop) {
      EXPECT_NE(a, b);
    }
    positions[{0, a}].insert(position);
    positions[{is_mutual ? 0 : 1, b}].insert(position);
    if (is_mutual && b < a) std::swap(a, b);
    EXPECT_TRUE(pairs.insert({a, b}).second) << a << " and " << b << " are linked twice";
  }
  if (!links.has_gaps()) {
    EXPECT_EQ(gaps, 0u);
  }
  for (const int side : {0, 1}) {
    for (uint64_t ordinal = 0; ordinal < counts[side]; ++ordinal) {
      std::set<uint64_t> own;
      for (uint64_t i = 0; i < links.degree(side, ordinal); ++i) {
        const uint64_t position = links.position(side, ordinal, i);
        EXPECT_LT(position, links.total());
        if (links.at(position)) own.insert(position);
      }
      EXPECT_EQ(own, (positions[{is_mutual ? 0 : side, ordinal}])) << side << " " << ordinal;
      EXPECT_LE(own.size(), max[side]);
      EXPECT_LE(own.size(), links.most(side));
      seen.most[side] = std::max<uint64_t>(seen.most[side], own.size());
    }
  }
  return seen;
}

TEST(Links, ChildrenKnowTheirParentAndParentsTheirChildren) {
  Chance chance(1);
  for (int i = 0; i < 300; ++i) {
    const uint64_t parents = 1 + chance.below(60), max = 1 + chance.below(30);
    const uint64_t children = 1 + chance.below(parents * max);
    const uint64_t linked = chance.one_in(2) ? children : chance.below(children + 1);
    const auto skew = static_cast<uint32_t>(chance.below(4) * 500);
    const int side = static_cast<int>(chance.below(2));
    const auto links = tree_links({.key = chance.next(),
                                   .parent_side = side,
                                   .parents = Population(chance.next(), parents),
                                   .children = children,
                                   .linked = linked,
                                   .max = max,
                                   .skew = {skew},
                                   .is_in_order = chance.one_in(2)});
    uint64_t counts[2], most[2];
    counts[side] = parents;
    counts[1 - side] = children;
    most[side] = max;
    most[1 - side] = 1;
    EXPECT_EQ(check(*links, counts, most, false, true).links, linked);
  }
}

TEST(Links, NobodyIsTheirOwnParentNorThatOfTheirParents) {
  Chance chance(2);
  for (int i = 0; i < 400; ++i) {
    const uint64_t count = 2 + chance.below(80);
    const bool is_required = chance.one_in(8);
    const uint64_t linked = is_required ? count : chance.below(count);
    const uint64_t max = std::min<uint64_t>(count - 1, (linked + count - 2) / (count - 1) + chance.below(20));
    const auto links = tree_links({.parents = Population(chance.next(), count),
                                   .children = count,
                                   .linked = linked,
                                   .max = std::max<uint64_t>(max, 1 + (is_required ? 1 : 0)),
                                   .skew = {static_cast<uint32_t>(chance.below(4) * 500)},
                                   .is_with_itself = true});
    const uint64_t counts[2] = {count, count}, most[2] = {std::max<uint64_t>(max, 2), 1};
    EXPECT_EQ(check(*links, counts, most, false, false).links, linked)
        << count << " " << linked << " " << max;
    if (is_required) continue;
    for (uint64_t ordinal = 0; ordinal < count; ++ordinal) {
      uint64_t at = ordinal, steps = 0;
      while (links->degree(1, at) > 0 && steps <= count) {
        at = links->at(links->position(1, at, 0))->ordinals[0];
        ++steps;
      }
      ASSERT_LE(steps, count) << "a circle";
    }
  }
}

TEST(Links, ManyToManyHasEveryPairOnceAndAsManyLinksAsAskedFor) {
  Chance chance(3);
  for (int i = 0; i < 400; ++i) {
    const uint64_t counts[2] = {1 + chance.below(80), 1 + chance.below(80)};
    const uint64_t max[2] = {1 + chance.below(40), 1 + chance.below(40)};
    const uint64_t most =
        std::min(counts[0] * std::min(max[0], counts[1]), counts[1] * std::min(max[1], counts[0]));
    const uint64_t total = chance.below(most + 1);
    const auto links =
        net_links({.key = chance.next(),
                   .sides = {Population(chance.next(), counts[0]), Population(chance.next(), counts[1])},
                   .total = total,
                   .max = {max[0], max[1]},
                   .skew = {static_cast<uint32_t>(chance.below(4) * 500)}});
    const uint64_t made = check(*links, counts, max, false, true).links;
    // Where links are dense, all of the first side have the same number.
    EXPECT_LE(made, total);
    EXPECT_GT(made + counts[0], total);
  }
}

TEST(Links, ManyToManyWithItselfLeavesOutLoopsOnly) {
  Chance chance(4);
  for (int i = 0; i < 100; ++i) {
    const uint64_t count = 2 + chance.below(100), max = 1 + chance.below(30);
    const uint64_t total = chance.below(count * std::min(max, count) + 1);
    const Population members(chance.next(), count);
    const auto links = net_links({.key = chance.next(),
                                  .sides = {members, members},
                                  .total = total,
                                  .max = {max, max},
                                  .leaves_out_loops = true});
    const uint64_t counts[2] = {count, count}, most[2] = {max, max};
    check(*links, counts, most, false, false);
  }
}

TEST(Links, MutualLinksAreTheSameFromBothSides) {
  Chance chance(5);
  for (int i = 0; i < 400; ++i) {
    const uint64_t count = 1 + chance.below(i < 50 ? 10 : 300), max = 1 + chance.below(40);
    const uint64_t total = chance.below(count * std::min(max, count - 1) / 2 + 1);
    const auto links = mutual_links({.key = chance.next(),
                                     .members = Population(chance.next(), count),
                                     .total = total,
                                     .max = max,
                                     .skew = {static_cast<uint32_t>(chance.below(4) * 500)}});
    const uint64_t counts[2] = {count, count}, most[2] = {max, max};
    const uint64_t made = check(*links, counts, most, true, false).links;
    // Rows of a square, or one number for all: the next that is possible.
    if (max > 1) {
      EXPECT_LE(made, total + 2 * count);
      EXPECT_GE(made + 2 * count, total);
    } else {
      EXPECT_EQ(made, std::min(total, count / 2));
    }
  }
}

TEST(Links, LargeSquaresHaveAsManyLinksAsAskedFor) {
  const auto links = mutual_links({.key = 7, .members = Population(8, 10000), .total = 100000, .max = 90});
  EXPECT_NEAR(static_cast<double>(links->total()), 100000, 500);
  EXPECT_EQ(links->most(0), 90u);
}

}  // namespace
}  // namespace sheaf::generate
