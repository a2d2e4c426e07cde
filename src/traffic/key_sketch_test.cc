#include "traffic/key_sketch.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "traffic/zipf.h"

namespace sheaf::traffic {
namespace {

uint64_t sketch_hash_of(size_t key) { return (key + 1) * 0x9e3779b97f4a7c15u ^ (key << 7); }

TEST(KeySketch, TellsOfFewKeysExactly) {
  KeySketch sketch;
  for (size_t i = 0; i < 30; ++i) {
    for (size_t times = 0; times <= i; ++times)
      sketch.touch(sketch_hash_of(i), "key" + std::to_string(i), 500, 1);
  }
  const std::vector<Tally> hottest = sketch.hottest(100);
  ASSERT_EQ(hottest.size(), 30u);
  for (size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(hottest[i].key, "key" + std::to_string(29 - i));
    EXPECT_EQ(hottest[i].units, 500 * (30 - i));
    EXPECT_EQ(hottest[i].touches, 30 - i);
  }
  EXPECT_EQ(sketch.hottest(3).size(), 3u);
}

TEST(KeySketch, BeginsAnewWhenItIsTaken) {
  KeySketch sketch;
  sketch.touch(1, "a", 1, 1);
  EXPECT_EQ(sketch.take_hottest(10).size(), 1u);
  EXPECT_TRUE(sketch.hottest(10).empty());
}

TEST(KeySketch, NeverTellsTooMuchAndFindsTheHottest) {
  const Zipf zipf(100'000, 0.99);
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    std::mt19937_64 random(seed);
    KeySketch sketch;
    std::map<std::string, uint64_t> exact;
    for (int i = 0; i < 100'000; ++i) {
      const size_t key = zipf.next(random);
      const std::string text = "key" + std::to_string(key);
      const uint64_t units = 500 * (1 + key % 3);
      exact[text] += units;
      sketch.touch(sketch_hash_of(key), text, units, 1);
    }
    std::vector<std::pair<uint64_t, std::string>> order;
    for (const auto& [key, units] : exact) order.emplace_back(units, key);
    std::sort(order.rbegin(), order.rend());
    std::set<std::string> top;
    for (size_t i = 0; i < 20; ++i) top.insert(order[i].second);
    std::set<std::string> told;
    for (const Tally& tally : sketch.hottest(20)) {
      told.insert(tally.key);
      EXPECT_LE(tally.units, exact[tally.key]);
      EXPECT_GE(static_cast<double>(tally.units), 0.98 * static_cast<double>(exact[tally.key]));
    }
    EXPECT_EQ(told, top) << "seed " << seed;
  }
}

// Where no key is hotter than others, none is said to be.
TEST(KeySketch, EvenTrafficHasNoHotKeys) {
  std::mt19937_64 random(1);
  KeySketch sketch;
  for (int i = 0; i < 300'000; ++i) {
    const size_t key = random() % 100'000;
    sketch.touch(sketch_hash_of(key), "key" + std::to_string(key), 500, 1);
  }
  for (const Tally& tally : sketch.hottest(20)) EXPECT_LE(tally.touches, 15u);
}

TEST(Tallies, AreMergedKeyByKey) {
  std::vector<Tally> tallies = {{.hash = 1, .units = 5, .touches = 1, .key = "a"}};
  merge(tallies, {{.hash = 2, .units = 9, .touches = 3, .key = "b"},
                  {.hash = 1, .units = 2, .touches = 1, .key = "a"}});
  keep_hottest(tallies, 10);
  ASSERT_EQ(tallies.size(), 2u);
  EXPECT_EQ(tallies[0].key, "b");
  EXPECT_EQ(tallies[1].units, 7u);
  EXPECT_EQ(tallies[1].touches, 2u);
}

}  // namespace
}  // namespace sheaf::traffic
