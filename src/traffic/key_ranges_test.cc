#include "traffic/key_ranges.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/big_endian.h"

namespace sheaf::traffic {
namespace {

constexpr int64_t kRangeSecondUs = 1'000'000;
constexpr int64_t kRangeStartUs = int64_t{1'800'000'000} * kRangeSecondUs;

std::string key_of(uint64_t hash, std::string_view rest = "") {
  std::string key;
  append_u64(key, hash);
  return key.append(rest);
}

constexpr uint64_t kQuarter = uint64_t{1} << 62;

TEST(KeyRanges, AreAsManyAsTheThroughputNeeds) {
  KeyRanges ranges;
  EXPECT_TRUE(ranges.has_some({.ranges_min = 4}, key_of(0), Access::kRead, kRangeStartUs));
  EXPECT_EQ(ranges.begins(),
            (std::vector<std::string>{"", key_of(kQuarter), key_of(2 * kQuarter), key_of(3 * kQuarter)}));
  ranges.has_some({.ranges_min = 1}, key_of(0), Access::kRead, kRangeStartUs);
  EXPECT_EQ(ranges.begins().size(), 4u);  // they never grow together again
  ranges.has_some({.ranges_min = 5}, key_of(0), Access::kRead, kRangeStartUs);
  EXPECT_EQ(ranges.begins().size(), 5u);
  ranges.has_some({.ranges_min = 2 * kRangesMax}, key_of(0), Access::kRead, kRangeStartUs);
  EXPECT_EQ(ranges.begins().size(), kRangesMax);
}

TEST(KeyRanges, EachHasItsOwnCeiling) {
  KeyRanges ranges;
  const RangeRules rules{.ranges_min = 4};
  ASSERT_TRUE(ranges.has_some(rules, key_of(1), Access::kWrite, kRangeStartUs));
  ranges.take(rules, key_of(1), Access::kWrite, 2 * kRangeWriteUnits - 1, kRangeStartUs);
  EXPECT_TRUE(ranges.has_some(rules, key_of(1), Access::kWrite, kRangeStartUs));
  ranges.take(rules, key_of(1), Access::kWrite, 1, kRangeStartUs);
  EXPECT_FALSE(ranges.has_some(rules, key_of(1), Access::kWrite, kRangeStartUs));
  EXPECT_FALSE(ranges.has_some(rules, key_of(kQuarter - 1), Access::kWrite, kRangeStartUs));
  EXPECT_TRUE(ranges.has_some(rules, key_of(kQuarter), Access::kWrite, kRangeStartUs));
  EXPECT_TRUE(ranges.has_some(rules, key_of(1), Access::kRead, kRangeStartUs));
  // A second later, not more than a second's worth.
  const int64_t later = kRangeStartUs + 100 * kRangeSecondUs;
  EXPECT_TRUE(ranges.has_some(rules, key_of(1), Access::kWrite, later));
  ranges.take(rules, key_of(1), Access::kWrite, 2 * kRangeWriteUnits, later);
  EXPECT_FALSE(ranges.has_some(rules, key_of(1), Access::kWrite, later));
}

// Asks for keys, ten times as often as one range can give, ten units each time, for so many seconds. The
// units that were let in in the last of them.
template <typename NextKey>
uint64_t load(KeyRanges& ranges, const RangeRules& rules, NextKey next_key, int64_t seconds,
              int64_t& now_us) {
  uint64_t admitted = 0;
  for (int64_t second = 0; second < seconds; ++second) {
    admitted = 0;
    for (int64_t i = 0; i < kRangeWriteUnits; ++i) {
      now_us += kRangeSecondUs / kRangeWriteUnits;
      const std::string key = next_key();
      if (!ranges.has_some(rules, key, Access::kWrite, now_us)) continue;
      ranges.take(rules, key, Access::kWrite, 20, now_us);
      admitted += 10;
    }
  }
  return admitted;
}

TEST(KeyRanges, HotOnesAreSplit) {
  KeyRanges ranges;
  std::mt19937_64 random(5);
  int64_t now = kRangeStartUs;
  const auto any_of_collection = [&] { return key_of(7, "pk" + std::to_string(random() % 1000)); };
  EXPECT_NEAR(static_cast<double>(load(ranges, {}, any_of_collection, kSplitAfterSeconds - 1, now)),
              kRangeWriteUnits, 10);
  EXPECT_EQ(ranges.begins().size(), 1u);
  load(ranges, {}, any_of_collection, 3, now);
  ASSERT_EQ(ranges.begins().size(), 2u);
  EXPECT_NEAR(static_cast<double>(load(ranges, {}, any_of_collection, 1, now)), 2 * kRangeWriteUnits, 50);
  // And again, until the load can be borne.
  EXPECT_GT(load(ranges, {}, any_of_collection, 5 * kSplitAfterSeconds, now), 9 * kRangeWriteUnits);
}

TEST(KeyRanges, OneItemCannotBeSplit) {
  KeyRanges ranges;
  int64_t now = kRangeStartUs;
  EXPECT_NEAR(static_cast<double>(load(
                  ranges, {}, [] { return key_of(7, "one"); }, 300, now)),
              kRangeWriteUnits, 10);
  EXPECT_EQ(ranges.begins().size(), 1u);
}

TEST(KeyRanges, AHotItemGetsOneForItself) {
  KeyRanges ranges;
  std::mt19937_64 random(5);
  int64_t now = kRangeStartUs;
  load(
      ranges, {}, [&] { return key_of(7, random() % 10 < 9 ? "hot" : std::to_string(random() % 100)); }, 400,
      now);
  // Others get through beside it.
  EXPECT_GE(ranges.begins().size(), 2u);
  EXPECT_GT(
      load(
          ranges, {}, [&] { return key_of(7, random() % 10 < 9 ? "hot" : std::to_string(random() % 100)); },
          1, now),
      static_cast<uint64_t>(kRangeWriteUnits * 19 / 10));
}

TEST(KeyRanges, KeysThatComeInTheirOrderAreNotSplit) {
  for (const bool is_rising : {true, false}) {
    KeyRanges ranges;
    int64_t now = kRangeStartUs;
    uint64_t at = uint64_t{1} << 40;
    load(
        ranges, {}, [&] { return key_of(7, key_of(is_rising ? ++at : --at)); }, 200, now);
    EXPECT_EQ(ranges.begins().size(), 1u);
  }
}

TEST(KeyRanges, CollectionsStayTogetherIfTheyMust) {
  KeyRanges ranges;
  std::mt19937_64 random(5);
  int64_t now = kRangeStartUs;
  const RangeRules rules{.splits_collections = false};
  load(
      ranges, rules, [&] { return key_of(7, std::to_string(random() % 100)); }, 200, now);
  EXPECT_EQ(ranges.begins().size(), 1u);
  load(
      ranges, rules, [&] { return key_of(random() % 4, std::to_string(random() % 100)); }, 400, now);
  const std::vector<std::string> begins = ranges.begins();
  EXPECT_EQ(begins.size(), 4u);
  for (const std::string& begin : begins) EXPECT_TRUE(begin.empty() || begin.size() == 8);
}

TEST(KeyRanges, WarmOnesAreNotSplit) {
  KeyRanges ranges;
  std::mt19937_64 random(5);
  int64_t now = kRangeStartUs;
  for (int64_t i = 0; i < 300 * 800; ++i) {  // 800 units a second
    now += kRangeSecondUs / 800;
    const std::string key = key_of(7, std::to_string(random() % 1000));
    ASSERT_TRUE(ranges.has_some({}, key, Access::kWrite, now));
    ranges.take({}, key, Access::kWrite, 2, now);
  }
  EXPECT_EQ(ranges.begins().size(), 1u);
}

// The rule, written down: in each range a bucket of one second, filled by the microsecond; a range splits
// when its hot seconds outnumber the others by sixty.
TEST(KeyRanges, AgreeWithTheWrittenRuleInVirtualTime) {
  struct Model {
    long double level;
    int64_t at_us;
  };
  size_t refused = 0, admitted = 0;
  for (uint32_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    KeyRanges ranges;
    const RangeRules rules{.ranges_min = 4};
    std::map<std::pair<uint64_t, Access>, Model> model;
    int64_t now = kRangeStartUs;
    for (int i = 0; i < 2000; ++i) {
      now += static_cast<int64_t>(random() % (kRangeSecondUs / 4));
      const uint64_t hash = random();
      const Access access = random() % 2 == 0 ? Access::kRead : Access::kWrite;
      const long double rate = access == Access::kRead ? 6000 : 2000;
      const auto [found, is_new] = model.try_emplace({hash / kQuarter, access}, Model{rate, now});
      Model& bucket = found->second;
      bucket.level += rate * static_cast<long double>(now - bucket.at_us) / 1e6L;
      bucket.level = std::min(bucket.level, rate);
      bucket.at_us = now;
      const bool is_admitted = ranges.has_some(rules, key_of(hash), access, now);
      ASSERT_EQ(is_admitted, bucket.level > 0) << "seed " << seed << ", " << i;
      ++(is_admitted ? admitted : refused);
      if (!is_admitted) continue;
      const uint64_t half_units = random() % 3000;
      ranges.take(rules, key_of(hash), access, half_units, now);
      bucket.level -= static_cast<long double>(half_units);
      if (ranges.begins().size() > 4) break;  // split: from here on there are others
    }
  }
  EXPECT_GT(refused, 1'000u);
  EXPECT_GT(admitted, 10'000u);
}

TEST(RangeCeilings, ResourcesAreApart) {
  RangeCeilings ceilings;
  const std::string key = key_of(1);
  EXPECT_TRUE(ceilings.begins(1).empty());
  ceilings.take(1, {}, key, Access::kRead, 6000, kRangeStartUs);
  EXPECT_FALSE(ceilings.has_some(1, {}, key, Access::kRead, kRangeStartUs));
  EXPECT_TRUE(ceilings.has_some(17, {}, key, Access::kRead, kRangeStartUs));
  EXPECT_EQ(ceilings.begins(1).size(), 1u);
}

}  // namespace
}  // namespace sheaf::traffic
