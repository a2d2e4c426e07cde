#include "engine/row_sample.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::engine {
namespace {

RowSample sample_of(size_t rows) {
  RowSample sample;
  for (size_t i = 0; i < rows; ++i) sample.add("row" + std::to_string(i), 1 + i);
  return sample;
}

TEST(RowSample, HasAllRowsOfAShortPage) {
  EXPECT_EQ(sample_of(0).size(), 0u);
  const RowSample sample = sample_of(RowSample::kRowsMax);
  ASSERT_EQ(sample.size(), RowSample::kRowsMax);
  EXPECT_EQ(sample.stride(), 1u);
  for (size_t i = 0; i < sample.size(); ++i) {
    EXPECT_EQ(sample.key(i), "row" + std::to_string(i));
    EXPECT_EQ(sample.part(i, 10'000), 1000 * (1 + i));  // 1 + 2 + 3 + 4 bytes
  }
}

TEST(RowSample, KeysMayBeLong) {
  const std::vector<std::string> keys{"short", std::string(200, 'a'), std::string(2000, 'b'), "last"};
  RowSample sample;
  for (const std::string& key : keys) sample.add(key, 1);
  const RowSample copy = sample;
  ASSERT_EQ(copy.size(), keys.size());
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(copy.key(i), keys[i]);
}

TEST(RowSample, OfALongPageEachStandsForThoseBesideIt) {
  for (size_t rows = RowSample::kRowsMax + 1; rows < 300; ++rows) {
    const RowSample sample = sample_of(rows);
    ASSERT_GT(sample.size(), 0u);
    ASSERT_LE(sample.size(), RowSample::kRowsMax);
    ASSERT_GT(sample.size() * sample.stride() + sample.stride(), rows) << rows;
    ASSERT_LT(sample.size() * sample.stride(), rows + sample.stride()) << rows;
    uint64_t parts = 0;
    for (size_t i = 0; i < sample.size(); ++i) {
      if (i > 0) {
        const auto at = [&](size_t place) { return std::stoul(std::string(sample.key(place).substr(3))); };
        ASSERT_EQ(at(i) - at(i - 1), sample.stride()) << rows;
      }
      parts += sample.part(i, 1'000'000);
    }
    ASSERT_NEAR(static_cast<double>(parts), 1e6, RowSample::kRowsMax);
  }
}

TEST(RowSample, PrefersNoRow) {
  constexpr size_t kRows = 100, kRounds = 8'000;
  std::vector<double> seen(kRows);
  for (size_t round = 0; round < kRounds; ++round) {
    const RowSample sample = sample_of(kRows);
    for (size_t i = 0; i < sample.size(); ++i)
      seen[std::stoul(std::string(sample.key(i).substr(3)))] += static_cast<double>(sample.stride());
  }
  // 250 of 8,000 rounds have a row, give or take 16.
  for (size_t row = 0; row < kRows; ++row) EXPECT_NEAR(seen[row] / kRounds, 1, 0.3) << row;
}

}  // namespace
}  // namespace sheaf::engine
