#include "traffic/key_sample.h"

#include <gtest/gtest.h>

#include <map>

namespace sheaf::traffic {
namespace {

// Of many samples, how much of the units goes to keys that begin with each letter.
template <typename Fill>
std::map<char, double> shares(Fill fill) {
  constexpr int kSamples = 200;
  std::map<char, double> shares;
  for (int i = 0; i < kSamples; ++i) {
    const std::vector<SampledKey> keys = fill();
    EXPECT_LE(keys.size(), kSampleMax);
    double all = 0;
    for (const SampledKey& key : keys) all += static_cast<double>(key.units);
    for (const SampledKey& key : keys) shares[key.key[0]] += static_cast<double>(key.units) / all / kSamples;
  }
  return shares;
}

TEST(KeySample, HasEachKindByItsUnits) {
  const auto told = shares([] {
    KeySample sample;
    for (int i = 0; i < 1000; ++i) {
      sample.offer("new" + std::to_string(i), 1000, 1);  // each touched once
      if (i % 2 == 0) sample.offer("hot", 1000, 1);
      if (i % 4 == 0) sample.offer("large", 2000, 1);
    }
    return sample.take();
  });
  EXPECT_NEAR(told.at('n'), 0.5, 0.05);
  EXPECT_NEAR(told.at('h'), 0.25, 0.05);
  EXPECT_NEAR(told.at('l'), 0.25, 0.05);
}

TEST(KeySample, OneTouchMayStandForMany) {
  const auto told = shares([] {
    KeySample sample;
    for (int i = 0; i < 1000; ++i) {
      sample.offer("one", 1000, 1);
      sample.offer("three", 3000, 3);
    }
    return sample.take();
  });
  EXPECT_NEAR(told.at('o'), 0.25, 0.05);
  EXPECT_NEAR(told.at('t'), 0.75, 0.05);
}

TEST(KeySample, SeveralAreAsGoodAsOne) {
  const auto told = shares([] {
    std::vector<SampledKey> all;
    for (const int count : {900, 90, 10}) {
      KeySample sample;
      for (int i = 0; i < count; ++i) sample.offer(count == 900 ? "busy" : "idle", 1000, 1);
      merge(all, sample.take());
    }
    return all;
  });
  EXPECT_NEAR(told.at('b'), 0.9, 0.05);
  EXPECT_NEAR(told.at('i'), 0.1, 0.05);
}

TEST(KeySample, BeginsAnewOnceItWasTaken) {
  KeySample sample;
  for (int i = 0; i < 1000; ++i) sample.offer("before", 1000, 1);
  EXPECT_EQ(sample.take().size(), kSampleMax);
  EXPECT_TRUE(sample.keys().empty());
  sample.offer("after", 500, 1);
  ASSERT_EQ(sample.keys().size(), 1u);
  EXPECT_EQ(sample.keys()[0].key, "after");
  EXPECT_EQ(sample.keys()[0].units, 500u);
}

}  // namespace
}  // namespace sheaf::traffic
