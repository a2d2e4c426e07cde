#include "traffic/heat.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "traffic/zipf.h"

namespace sheaf::traffic {
namespace {

constexpr int64_t kSecondUs = 1'000'000;
constexpr int64_t kStartUs = int64_t{1'800'000'000} * kSecondUs;

uint64_t hash_of(size_t key) { return (key + 1) * 0x9e3779b97f4a7c15u ^ (key << 7); }

class HeatTest : public ::testing::Test {
 protected:
  void touch(ResourceId resource, Kind kind, size_t key, MilliUnits units = 1000) {
    const std::string text = "key" + std::to_string(key);
    const KeyTouch touch{.hash = hash_of(key), .key = text, .units = units};
    const std::span<const KeyTouch> touches(&touch, 1);
    heat_.add(resource, kind, {.partitions = touches, .items = [&] { return touches; }});
  }

  ManualClock clock_{kStartUs};
  Heat heat_{clock_};
};

TEST_F(HeatTest, ResourcesAndKindsAreApart) {
  touch(1, Kind::kRead, 1);
  touch(1, Kind::kWrite, 2);
  touch(2, Kind::kRead, 3);
  clock_.advance_us(kSecondUs);
  const Seen reads = heat_.report(1, Kind::kRead, 60).seen;
  ASSERT_EQ(reads.partitions.size(), 1u);
  EXPECT_EQ(reads.partitions[0].key, "key1");
  EXPECT_EQ(reads.items[0].key, "key1");
  EXPECT_EQ(heat_.report(1, Kind::kWrite, 60).seen.partitions[0].key, "key2");
  EXPECT_EQ(heat_.report(2, Kind::kRead, 60).seen.partitions[0].key, "key3");
  EXPECT_TRUE(heat_.report(2, Kind::kWrite, 60).seen.partitions.empty());
}

TEST_F(HeatTest, TheWindowBeginsWithTheCounting) {
  touch(1, Kind::kRead, 1);
  clock_.advance_us(4 * kSecondUs);
  EXPECT_DOUBLE_EQ(heat_.report(1, Kind::kRead, 60).seconds, 4);
  clock_.advance_us(1000 * kSecondUs);
  EXPECT_GE(heat_.report(1, Kind::kRead, 60).seconds, 60);
  EXPECT_LT(heat_.report(1, Kind::kRead, 60).seconds, 70);
}

TEST_F(HeatTest, PartsAreByTheFirstBitsOfTheHash) {
  for (const uint64_t part : {0, 1, 2, 3, 3}) {
    const KeyTouch touch{.hash = part << 62 | 17, .key = "k", .units = 10};
    heat_.add(1, Kind::kRead,
              {.partitions = {&touch, 1}, .items = [] { return std::span<const KeyTouch>(); }});
  }
  const Seen seen = heat_.report(1, Kind::kRead, 60).seen;
  EXPECT_EQ(seen.parts, (std::array<MilliUnits, kParts>{10, 10, 10, 20}));
  EXPECT_EQ(seen.units, 50u);
  EXPECT_TRUE(seen.items.empty());
}

// What is promised: of a load as popularity spreads it, over an hour and from several threads, the top 20 are
// right, and their rates within a tenth of what was really done.
TEST_F(HeatTest, AgreesWithExactCountsOfAZipfianLoad) {
  const Zipf zipf(100'000, 0.99);
  struct Done {
    int64_t at_us;
    size_t key;
  };
  std::vector<Done> all;
  std::mt19937_64 random(11);
  constexpr int kThreads = 3;
  // 66 minutes of 100 requests a second, whose hot keys change after half of them.
  for (int second = 0; second < 66 * 60; ++second) {
    std::vector<std::vector<size_t>> keys(kThreads);
    for (int i = 0; i < 100; ++i) {
      const size_t key = zipf.next(random) + (second < 33 * 60 ? 0 : 50'000);
      keys[static_cast<size_t>(i % kThreads)].push_back(key);
      all.push_back({.at_us = clock_.now_us(), .key = key});
    }
    if (second % 60 == 0) {  // of each minute one second's requests come from other threads
      std::vector<std::thread> threads;
      for (const auto& mine : keys)
        threads.emplace_back([&] {
          for (const size_t key : mine) touch(1, Kind::kRead, key);
        });
      for (std::thread& thread : threads) thread.join();
    } else {
      for (const auto& mine : keys)
        for (const size_t key : mine) touch(1, Kind::kRead, key);
    }
    clock_.advance_us(kSecondUs);
  }
  for (const int64_t window : {60, 600, 3600}) {
    const Heat::Report report = heat_.report(1, Kind::kRead, window);
    std::map<std::string, double> exact;
    const double from = static_cast<double>(clock_.now_us()) - report.seconds * 1e6;
    for (const Done& done : all) {
      if (static_cast<double>(done.at_us) >= from) exact["key" + std::to_string(done.key)] += 1;
    }
    std::vector<double> counts;
    for (const auto& [key, count] : exact) counts.push_back(count);
    std::sort(counts.rbegin(), counts.rend());
    ASSERT_GE(report.seen.partitions.size(), 20u);
    double told = 0;
    for (size_t i = 0; i < 20; ++i) {
      const Tally& tally = report.seen.partitions[i];
      const double count = exact[tally.key];
      // Among keys that were touched as often as the twentieth, either is right.
      EXPECT_GE(count, counts[19] * (window == 60 ? 0.9 : 0.97)) << window << ": " << i << " " << tally.key;
      EXPECT_NEAR(static_cast<double>(tally.touches), count, 0.1 * count) << window << ": " << i;
      told += static_cast<double>(tally.units);
    }
    EXPECT_EQ(report.seen.requests, static_cast<uint64_t>(report.seconds * 100)) << window;
    EXPECT_GT(told, 0);
  }
}

// Beyond what is counted one by one: the same promise, and exact totals.
TEST_F(HeatTest, OfABusyTableSomeRequestsStandForOthers) {
  const Zipf zipf(100'000, 0.99);
  std::mt19937_64 random(12);
  std::vector<double> exact(100'000);
  constexpr uint64_t kSeconds = 20, kRate = 16 * Heat::kExactRequests / kSliceSeconds;
  for (uint64_t second = 0; second < kSeconds; ++second) {
    for (uint64_t i = 0; i < kRate; ++i) {
      const size_t key = zipf.next(random);
      touch(1, Kind::kRead, key);
      exact[key] += 1;
    }
    clock_.advance_us(kSecondUs);
  }
  const Seen seen = heat_.report(1, Kind::kRead, 60).seen;
  EXPECT_EQ(seen.requests, kSeconds * kRate);
  EXPECT_EQ(seen.units, kSeconds * kRate * 1000);
  std::vector<double> counts = exact;
  std::sort(counts.rbegin(), counts.rend());
  for (const auto* hottest : {&seen.partitions, &seen.items}) {
    ASSERT_GE(hottest->size(), 20u);
    for (size_t i = 0; i < 20; ++i) {
      const Tally& tally = (*hottest)[i];
      const double count = exact[std::stoul(tally.key.substr(3))];
      EXPECT_GE(count, counts[19] * 0.9) << i << " " << tally.key;
      EXPECT_NEAR(static_cast<double>(tally.touches), count, 0.1 * count) << i;
      EXPECT_EQ(tally.units, tally.touches * 1000);
    }
  }
}

TEST_F(HeatTest, KeysThatTakeTurnsAreSampledAlike) {
  constexpr size_t kKeys = 2 * Heat::kStride;
  constexpr uint64_t kRounds = Heat::kExactRequests;  // so most requests are sampled
  for (uint64_t round = 0; round < kRounds; ++round)
    for (size_t key = 0; key < kKeys; ++key) touch(1, Kind::kRead, key);
  const Seen seen = heat_.report(1, Kind::kRead, 60).seen;
  ASSERT_EQ(seen.partitions.size(), kKeys);
  for (const Tally& tally : seen.partitions)
    EXPECT_NEAR(static_cast<double>(tally.touches), kRounds, 0.1 * kRounds) << tally.key;
}

TEST_F(HeatTest, RemembersABoundedNumber) {
  constexpr ResourceId kFirst = 1'000'000, kNew = kFirst + Heat::kTrackedMax;
  const auto requests = [&](ResourceId resource) {
    return heat_.report(resource, Kind::kRead, 3600).seen.requests;
  };
  for (ResourceId i = kFirst; i < kNew; ++i) touch(i, Kind::kRead, 1);
  touch(kNew, Kind::kRead, 1);
  EXPECT_EQ(requests(kNew - 1), 1u);
  EXPECT_EQ(requests(kNew), 0u);
  // All but the first are used, and somebody looks at all of them again and again.
  for (int64_t second = 0; second < Heat::kIdleSeconds + 10; second += 10) {
    clock_.advance_us(10 * kSecondUs);
    for (ResourceId i = kFirst + 1; i < kNew; ++i) touch(i, Kind::kRead, 1);
    for (ResourceId i = kFirst; i < kNew; ++i) requests(i);
  }
  // A new one takes its place, and one more finds none.
  touch(kNew, Kind::kRead, 1);
  touch(kNew + 1, Kind::kRead, 1);
  clock_.advance_us(10 * kSecondUs);
  EXPECT_EQ(requests(kNew), 1u);
  EXPECT_EQ(requests(kNew + 1), 0u);
  EXPECT_EQ(requests(kFirst), 0u);
  for (ResourceId i = kFirst + 1; i < kNew; ++i) ASSERT_EQ(requests(i), 8u) << i - kFirst;
}

TEST_F(HeatTest, AClockThatGoesBackLosesNothing) {
  touch(1, Kind::kRead, 1);
  clock_.advance_us(-100 * kSecondUs);
  touch(1, Kind::kRead, 1);
  clock_.advance_us(101 * kSecondUs);
  EXPECT_EQ(heat_.report(1, Kind::kRead, 60).seen.requests, 2u);
}

TEST_F(HeatTest, MayBeReadWhileItIsWritten) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 5'000; ++i) touch(1, Kind::kWrite, (i * t) % 100);
    });
  std::thread reader([&] {
    while (!stop) {
      clock_.advance_us(kSecondUs / 10);
      heat_.report(1, Kind::kWrite, 60);
    }
  });
  for (std::thread& thread : threads) thread.join();
  stop = true;
  reader.join();
  EXPECT_EQ(heat_.report(1, Kind::kWrite, 3600).seen.requests, 15'000u);
}

}  // namespace
}  // namespace sheaf::traffic
