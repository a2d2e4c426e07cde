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
  for (const int64_t now : {kNow, kNow + 37, kNow + 259, kNow + 599}) {
    HeatHistory history;
    for (int64_t at = kNow - 4000; at + 10 <= now; at += 10) history.add(at, of(10), at + 10);
    const int64_t told = now - now % 10;  // what came later is in no slice yet
    for (const auto& [window, more] : {std::pair(60, 9), std::pair(600, 59), std::pair(3600, 299)}) {
      const int64_t from = HeatHistory::window_begin(window, now);
      EXPECT_LE(from, now - window);
      EXPECT_GE(from, now - window - more);
      // One unit a second, whatever the window.
      const Seen seen = history.since(window, now);
      EXPECT_EQ(seen.units, static_cast<MilliUnits>(told - from)) << now << " " << window;
      EXPECT_EQ(seen.partitions[0].units, seen.units);
      EXPECT_EQ(seen.requests, static_cast<uint64_t>(told - from) / 10);
    }
  }
}

// Twenty a second for a minute and a half, then two: after another minute the last one knows of those alone.
TEST(HeatHistory, WhatWasBeforeTheWindowIsNotInIt) {
  for (int64_t drop = kNow; drop < kNow + 600; drop += 10) {
    HeatHistory history;
    for (int64_t at = drop - 90; at < drop + 70; at += 10) history.add(at, of(at < drop ? 200 : 20), at + 10);
    EXPECT_EQ(history.since(60, drop + 75).units, 2u * 60) << drop - kNow;
  }
}

TEST(HeatHistory, WhatIsOlderThanAnHourIsForgotten) {
  HeatHistory history;
  EXPECT_EQ(history.newest_s(), INT64_MIN);
  history.add(kNow, of(10), kNow);
  EXPECT_EQ(history.newest_s(), kNow);
  EXPECT_EQ(history.since(3600, kNow + 3600).units, 10u);
  EXPECT_EQ(history.since(3600, kNow + 3900).units, 0u);
  history.add(kNow, of(7), kNow + 10'000);
  EXPECT_EQ(history.since(3600, kNow + 3600).units, 0u);
  EXPECT_EQ(history.newest_s(), INT64_MIN);
}

// A thread that was idle tells late what it saw.
TEST(HeatHistory, TakesOldSlices) {
  HeatHistory history;
  history.add(kNow - 300, of(10), kNow);
  history.add(kNow - 2000, of(5), kNow);
  EXPECT_EQ(history.since(60, kNow).units, 0u);
  EXPECT_EQ(history.since(600, kNow).units, 10u);
  EXPECT_EQ(history.since(3600, kNow).units, 15u);
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
    for (const int64_t window : {1, 60, 61, 600, 601, 3600}) {
      const int64_t from = HeatHistory::window_begin(window, now);
      MilliUnits expected = 0;
      for (const auto& [at, each] : all) expected += at >= from ? each : 0;
      ASSERT_EQ(history.since(window, now).units, expected) << window;
    }
  }
}

TEST(HeatHistory, KeepsTheHottestKeys) {
  HeatHistory history;
  for (size_t i = 0; i < 3 * kTalliesMax; ++i) history.add(kNow, of(1 + i, "key" + std::to_string(i)), kNow);
  const Seen seen = history.since(60, kNow);
  EXPECT_EQ(seen.partitions.size(), kTalliesMax);
  EXPECT_EQ(seen.partitions[0].key, "key" + std::to_string(3 * kTalliesMax - 1));
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
