#include "traffic/heat_history.h"

#include <gtest/gtest.h>

#include <random>

namespace sheaf::traffic {
namespace {

constexpr int64_t kNow = 1'800'000'000;

Seen of(MilliUnits units, std::string key = "k") {
  Seen seen;
  seen.units = units;
  seen.requests = 1;
  seen.partitions = {{.hash = std::hash<std::string>()(key), .units = units, .touches = 1, .key = key}};
  return seen;
}

TEST(HeatHistory, AWindowHasWhatWasSeenInIt) {
  HeatHistory history;
  for (int64_t at = kNow - 3600; at < kNow; at += 10) history.add(at, of(10), at + 10);
  const auto minute = history.since(60, kNow), ten = history.since(600, kNow),
             hour = history.since(3600, kNow);
  // One unit a second, whatever the window: it says itself since when it looks.
  for (const auto& span : {minute, ten, hour})
    EXPECT_EQ(span.seen.units, static_cast<MilliUnits>(kNow - span.from_s));
  EXPECT_EQ(minute.from_s, kNow - 60);
  EXPECT_LE(kNow - ten.from_s, 660);
  EXPECT_GE(kNow - ten.from_s, 600);
  EXPECT_EQ(hour.from_s, kNow - 3600);
  EXPECT_EQ(hour.seen.partitions[0].units, 3600u);
  EXPECT_EQ(hour.seen.requests, 360u);
}

TEST(HeatHistory, WhatIsOlderThanAnHourIsForgotten) {
  HeatHistory history;
  history.add(kNow, of(10), kNow);
  EXPECT_FALSE(history.empty(kNow + 3600));
  EXPECT_EQ(history.since(3600, kNow + 3600).seen.units, 10u);
  EXPECT_TRUE(history.empty(kNow + 3600 + 10));
  EXPECT_EQ(history.since(3600, kNow + 3600 + 10).seen.units, 0u);
  history.add(kNow, of(7), kNow + 10'000);
  EXPECT_TRUE(history.empty(kNow + 10'000));
}

// A thread that was idle tells late what it saw.
TEST(HeatHistory, TakesOldSlices) {
  HeatHistory history;
  history.add(kNow - 300, of(10), kNow);
  history.add(kNow - 2000, of(5), kNow);
  EXPECT_EQ(history.since(60, kNow).seen.units, 0u);
  EXPECT_EQ(history.since(600, kNow).seen.units, 10u);
  EXPECT_EQ(history.since(3600, kNow).seen.units, 15u);
}

TEST(HeatHistory, NothingIsLostOrCountedTwiceWhileItAges) {
  std::mt19937_64 random(7);
  HeatHistory history;
  std::vector<std::pair<int64_t, MilliUnits>> all;
  int64_t now = kNow;
  for (int i = 0; i < 2000; ++i) {
    now += static_cast<int64_t>(random() % 30);
    const int64_t begin = (now - static_cast<int64_t>(random() % 200)) / 10 * 10;
    const MilliUnits units = 1 + random() % 100;
    history.add(begin, of(units), now);
    all.emplace_back(begin, units);
    for (const int64_t window : {60, 600, 3600}) {
      const auto span = history.since(window, now);
      ASSERT_LE(span.from_s, now - window);
      MilliUnits expected = 0;
      for (const auto& [at, each] : all) expected += at >= span.from_s ? each : 0;
      // The slice at the window's edge may begin before it, but nothing older is in it.
      ASSERT_LE(span.seen.units, expected);
      MilliUnits within = 0;
      for (const auto& [at, each] : all) within += at >= now - window ? each : 0;
      ASSERT_GE(span.seen.units, within) << window;
    }
  }
}

TEST(HeatHistory, KeepsTheHottestKeys) {
  HeatHistory history;
  for (size_t i = 0; i < 3 * kTalliesMax; ++i) history.add(kNow, of(1 + i, "key" + std::to_string(i)), kNow);
  const auto span = history.since(60, kNow);
  EXPECT_EQ(span.seen.partitions.size(), kTalliesMax);
  EXPECT_EQ(span.seen.partitions[0].key, "key" + std::to_string(3 * kTalliesMax - 1));
}

TEST(DistinctKeys, AreCountedAboutRight) {
  std::mt19937_64 random(3);
  for (const size_t count : {1u, 10u, 100u, 1000u}) {
    DistinctKeys keys;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t hash = random();
      keys.add(hash);
      keys.add(hash);
    }
    EXPECT_NEAR(keys.count(), static_cast<double>(count), 0.5 + 0.1 * static_cast<double>(count));
  }
  DistinctKeys many;
  for (size_t i = 0; i < 1'000'000; ++i) many.add(random());
  EXPECT_GT(many.count(), 5'000);
}

}  // namespace
}  // namespace sheaf::traffic
