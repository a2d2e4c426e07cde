#include "engine/capacity.h"

#include <gtest/gtest.h>

namespace sheaf::engine {
namespace {

constexpr uint64_t kKb = 1024;

struct ReadCost {
  uint64_t bytes;
  HalfUnits eventual, strong, transactional;
};

TEST(Capacity, ReadsStepEveryFourKilobytes) {
  const ReadCost table[] = {{0, 1, 2, 4},
                            {1, 1, 2, 4},
                            {4 * kKb - 1, 1, 2, 4},
                            {4 * kKb, 1, 2, 4},
                            {4 * kKb + 1, 2, 4, 8},
                            {8 * kKb, 2, 4, 8},
                            {8 * kKb + 1, 3, 6, 12},
                            {400 * kKb, 100, 200, 400},
                            {1024 * kKb, 256, 512, 1024}};
  for (const ReadCost& cost : table) {
    EXPECT_EQ(read_half_units(cost.bytes, ReadMode::kEventual), cost.eventual) << cost.bytes;
    EXPECT_EQ(read_half_units(cost.bytes, ReadMode::kStrong), cost.strong) << cost.bytes;
    EXPECT_EQ(read_half_units(cost.bytes, ReadMode::kTransactional), cost.transactional) << cost.bytes;
  }
}

TEST(Capacity, WritesStepEveryKilobyte) {
  const std::pair<uint64_t, uint64_t> table[] = {{0, 1},           {1, 1},           {kKb - 1, 1},
                                                 {kKb, 1},         {kKb + 1, 2},     {2 * kKb, 2},
                                                 {2 * kKb + 1, 3}, {400 * kKb, 400}, {399 * kKb + 1, 400}};
  for (const auto& [bytes, units] : table) EXPECT_EQ(write_units(bytes), units) << bytes;
}

// A12: every index's extra load is metered by itself.
TEST(Capacity, UnitsAddUpByIndex) {
  Consumed consumed{.table = 2};
  consumed.add_index(7, 4);
  consumed.add_index(8, 6);
  consumed.add_index(7, 10);
  Consumed other{.table = 3};
  other.add_index(8, 1);
  other.add_index(9, 20);
  consumed.add(other);
  EXPECT_EQ(consumed.table, 5u);
  ASSERT_EQ(consumed.indexes.size(), 3u);
  EXPECT_EQ(consumed.indexes[0].index, 7u);
  EXPECT_EQ(consumed.indexes[0].half_units, 14u);
  EXPECT_EQ(consumed.indexes[1].half_units, 7u);
  EXPECT_EQ(consumed.indexes[2].half_units, 20u);
  EXPECT_EQ(consumed.total(), 46u);
}

}  // namespace
}  // namespace sheaf::engine
