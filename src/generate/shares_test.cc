#include "generate/shares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "generate/chance.h"
#include "generate/permutation.h"

namespace sheaf::generate {
namespace {

TEST(Permutation, GivesEachNumberOnceAndBackAgain) {
  for (const uint64_t count : {1, 2, 3, 4, 5, 16, 17, 1000}) {
    const Permutation order(count * 31, count);
    std::vector<bool> seen(count);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t place = order.forward(i);
      ASSERT_LT(place, count);
      EXPECT_FALSE(seen[place]);
      seen[place] = true;
      EXPECT_EQ(order.backward(place), i);
    }
  }
  const Permutation large(5, uint64_t{1} << 62);
  for (uint64_t i = 0; i < 100; ++i)
    EXPECT_EQ(large.backward(large.forward(i * 12345678901)), i * 12345678901);
}

TEST(Permutation, LooksLikeChance) {
  const Permutation order(1, 10000);
  uint64_t rises = 0;
  for (uint64_t i = 1; i < 10000; ++i) rises += order.forward(i) > order.forward(i - 1) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(rises), 5000, 200);
}

TEST(Shares, WeightsFollowTheLaw) {
  for (const uint32_t skew : {0, 500, 1000, 1500, 2000}) {
    for (const uint64_t number : {1, 2, 3, 10, 777, 1000000}) {
      const double law = std::ldexp(std::pow(static_cast<double>(number), -(skew / 1000.0)), 62);
      EXPECT_NEAR(static_cast<double>(zipf_weight(number, {skew})) / law, 1, 1e-6) << skew << " " << number;
    }
  }
  EXPECT_EQ(zipf_weight(~uint64_t{0}, {kSkewThousandthsMax}), 0u);
}

TEST(Shares, AddUpAndStayWithinTheirMax) {
  Chance chance(1);
  for (int i = 0; i < 2000; ++i) {
    const uint64_t holders = 1 + chance.below(i % 2 == 0 ? 20 : 700), max = 1 + chance.below(50);
    const uint64_t total = chance.below(holders * max + 1);
    const Shares shares({.holders = holders,
                         .total = total,
                         .max = max,
                         .skew = {static_cast<uint32_t>(chance.below(3001))}});
    uint64_t sum = 0, most = 0;
    for (uint64_t rank = 0; rank < holders; ++rank) {
      ASSERT_EQ(shares.first(rank), sum);
      const uint64_t count = shares.count(rank);
      ASSERT_LE(count, max);
      most = std::max(most, count);
      for (uint64_t k = 0; k < count; ++k) ASSERT_EQ(shares.owner(sum + k), rank);
      sum += count;
    }
    ASSERT_EQ(sum, total);
    ASSERT_EQ(shares.most(), most);
  }
}

TEST(Shares, FollowZipfsLawToTheRounding) {
  for (const uint32_t skew : {500, 1000, 1500}) {
    constexpr uint64_t kHolders = 5000, kTotal = 1000000;
    const Shares shares({.holders = kHolders, .total = kTotal, .skew = {skew}});
    double sum = 0;
    for (uint64_t rank = 1; rank <= kHolders; ++rank) sum += std::pow(rank, -(skew / 1000.0));
    for (uint64_t rank = 0; rank < kHolders; ++rank) {
      const double law = kTotal * std::pow(static_cast<double>(rank + 1), -(skew / 1000.0)) / sum;
      ASSERT_NEAR(static_cast<double>(shares.count(rank)), law, 1 + 0.03 * law) << skew << " " << rank;
    }
  }
}

TEST(Shares, WithoutSkewAreEven) {
  const Shares shares({.holders = 3000, .total = 7000, .skew = {0}});
  for (uint64_t rank = 0; rank < 3000; ++rank) {
    EXPECT_GE(shares.count(rank), 2u);
    EXPECT_LE(shares.count(rank), 3u);
  }
}

// What the max takes from the first goes to the others, in the proportion of the law.
TEST(Shares, BelowTheMaxKeepTheirProportion) {
  const Shares shares({.holders = 1000, .total = 20000, .max = 90, .skew = {1000}});
  EXPECT_EQ(shares.count(0), 90u);
  EXPECT_EQ(shares.count(30), 90u);
  EXPECT_NEAR(static_cast<double>(shares.count(199)) / static_cast<double>(shares.count(399)), 2, 0.15);
}

TEST(Shares, OfTenMillionCostAFewGroups) {
  const Shares shares({.holders = 10000000, .total = 200000000, .skew = {1000}});
  EXPECT_EQ(shares.first(10000000), 200000000u);
  EXPECT_EQ(shares.owner(199999999), 9999999u);
  const uint64_t rank = shares.owner(123456789);
  EXPECT_LE(shares.first(rank), 123456789u);
  EXPECT_GT(shares.first(rank + 1), 123456789u);
}

}  // namespace
}  // namespace sheaf::generate
