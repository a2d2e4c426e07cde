#include "traffic/token_bucket.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sheaf::traffic {
namespace {

constexpr int64_t kSecond = 1'000'000;

TEST(TokenBucket, IsFullAtFirstAndHoldsFiveMinutes) {
  TokenBucket bucket;
  const int64_t start = 1'000 * kSecond;
  EXPECT_TRUE(bucket.has_some(10, start));
  bucket.take(2'999);
  EXPECT_TRUE(bucket.has_some(10, start));
  bucket.take(1);
  EXPECT_FALSE(bucket.has_some(10, start));
  // A day later it holds no more than before.
  EXPECT_TRUE(bucket.has_some(10, start + 86'400 * kSecond));
  bucket.take(3'000);
  EXPECT_FALSE(bucket.has_some(10, start + 86'400 * kSecond));
}

TEST(TokenBucket, MayBeOverdrawnAndThenHasToWait) {
  TokenBucket bucket;
  const int64_t start = 1'000 * kSecond;
  EXPECT_TRUE(bucket.has_some(2, start));
  bucket.take(700);
  EXPECT_FALSE(bucket.has_some(2, start + 50 * kSecond));
  EXPECT_TRUE(bucket.has_some(2, start + 50 * kSecond + 1));
}

TEST(TokenBucket, LosesNothingBetweenTwoLooks) {
  TokenBucket bucket;
  const int64_t start = 1'000 * kSecond;
  bucket.has_some(2, start);
  bucket.take(602);  // one second in debt
  for (int64_t i = 1; i < 1'000'000; i += 997) EXPECT_FALSE(bucket.has_some(2, start + i));
  EXPECT_TRUE(bucket.has_some(2, start + kSecond + 1));
}

TEST(TokenBucket, ChangesItsRate) {
  TokenBucket bucket;
  const int64_t start = 1'000 * kSecond;
  bucket.has_some(10, start);
  // What is left over no longer fits.
  EXPECT_TRUE(bucket.has_some(2, start));
  bucket.take(600);
  EXPECT_FALSE(bucket.has_some(2, start));
  // What passed before the change counts at the old rate.
  EXPECT_TRUE(bucket.has_some(100, start + kSecond));
  bucket.take(2);
  EXPECT_FALSE(bucket.has_some(100, start + kSecond));
}

TEST(TokenBucket, DebtsOfAnyLengthArePaidByWaiting) {
  TokenBucket bucket;
  const int64_t start = 1'000 * kSecond;
  EXPECT_TRUE(bucket.has_some(2, start));
  bucket.take(600 + 2 * 5'000);
  EXPECT_FALSE(bucket.has_some(2, start + 5'000 * kSecond));
  TokenBucket unwatched;
  EXPECT_TRUE(unwatched.has_some(2, start));
  unwatched.take(600 + 2 * 5'000);
  EXPECT_TRUE(unwatched.has_some(2, start + 5'001 * kSecond));
}

TEST(TokenBucket, HoldsTheLargestThroughput) {
  constexpr int64_t kRate = 2 * int64_t{1'000'000'000'000};
  TokenBucket bucket;
  EXPECT_TRUE(bucket.has_some(kRate, 1'000 * kSecond));
  bucket.take(static_cast<uint64_t>(kRate) * 299);
  EXPECT_TRUE(bucket.has_some(kRate, 1'000 * kSecond));
  bucket.take(static_cast<uint64_t>(kRate));
  EXPECT_FALSE(bucket.has_some(kRate, 1'000 * kSecond));
  EXPECT_TRUE(bucket.has_some(kRate, 1'000'000'000 * kSecond));
}

TEST(TokenBucket, ATimeThatGoesBackCountsAsNone) {
  TokenBucket bucket;
  bucket.has_some(2, 1'000 * kSecond);
  bucket.take(600);
  EXPECT_FALSE(bucket.has_some(2, 10 * kSecond));
  EXPECT_FALSE(bucket.has_some(2, 1'000 * kSecond));
  EXPECT_TRUE(bucket.has_some(2, 1'001 * kSecond));
}

// The rule, written down: all that happened is gone through again at each look.
class Model {
 public:
  struct Event {
    int64_t at_us;
    int64_t rate;
    int64_t taken;
  };
  bool has_some(int64_t rate, int64_t now_us) {
    events_.push_back({.at_us = now_us, .rate = rate, .taken = 0});
    return level() > 0;
  }
  void take(int64_t half_units) { events_.back().taken += half_units; }

 private:
  long double level() const {
    long double level = static_cast<long double>(events_.front().rate) * 300;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (i > 0) {
        const Event& before = events_[i - 1];
        level -= static_cast<long double>(before.taken);
        level += static_cast<long double>(before.rate) *
                 static_cast<long double>(event.at_us - before.at_us) / 1e6L;
      }
      level = std::min(level, static_cast<long double>(event.rate) * 300);
    }
    return level;
  }

  std::vector<Event> events_;
};

TEST(TokenBucket, AgreesWithTheWrittenRuleInVirtualTime) {
  size_t admitted = 0, refused = 0;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    TokenBucket bucket;
    Model model;
    int64_t now = 1'000 * kSecond, rate = 2 * (1 + random() % 20);
    for (int i = 0; i < 150; ++i) {
      now += random() % 10 == 0 ? static_cast<int64_t>(random() % 400) * kSecond : random() % (2 * kSecond);
      if (random() % 40 == 0) rate = 2 * (1 + random() % 20);
      const bool is_admitted = bucket.has_some(rate, now);
      ASSERT_EQ(is_admitted, model.has_some(rate, now)) << "seed " << seed << ", " << i;
      ++(is_admitted ? admitted : refused);
      if (!is_admitted) continue;
      const uint32_t seconds = random() % 4 == 0 ? 900 : 60;  // of the rate, at most
      const auto half_units = static_cast<uint64_t>(random() % (seconds * static_cast<uint32_t>(rate)));
      bucket.take(half_units);
      model.take(static_cast<int64_t>(half_units));
    }
  }
  EXPECT_GT(admitted, 5'000u);
  EXPECT_GT(refused, 5'000u);
}

}  // namespace
}  // namespace sheaf::traffic
