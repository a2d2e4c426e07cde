#include "plan/units.h"

#include <gtest/gtest.h>

namespace sheaf::plan {
namespace {

TEST(Units, OfReadsAreRoundedUpTo4KB) {
  for (const auto& [bytes, units] : {std::pair(0.0, 1.0), {4096, 1}, {4097, 2}, {409600, 100}}) {
    EXPECT_EQ(read_units(bytes, ReadKind::kEventual), units / 2) << bytes;
    EXPECT_EQ(read_units(bytes, ReadKind::kStrong), units) << bytes;
    EXPECT_EQ(read_units(bytes, ReadKind::kTransactional), 2 * units) << bytes;
  }
}

TEST(Units, OfWritesAreThoseOfTheLargerImage) {
  EXPECT_EQ(write_units({.after = 1024}, false), 1);
  EXPECT_EQ(write_units({.after = 1025}, false), 2);
  EXPECT_EQ(write_units({.before = 3000, .after = 10}, false), 3);
  EXPECT_EQ(write_units({.before = 3000}, true), 6);
  EXPECT_EQ(write_units({}, false), 1) << "a delete of what is not there";
}

TEST(Units, OfIndexesAreThoseOfTheEntriesThatChange) {
  EXPECT_EQ(index_units({.before = 3000, .after = 3000}, EntryChange::kNone), 0);
  EXPECT_EQ(index_units({.before = 3000, .after = 100}, EntryChange::kInPlace), 3);
  EXPECT_EQ(index_units({.before = 3000, .after = 100}, EntryChange::kMoves), 4);
  EXPECT_EQ(index_units({.after = 100}, EntryChange::kMoves), 1);
  EXPECT_EQ(index_units({.before = 1025}, EntryChange::kMoves), 2);
}

}  // namespace
}  // namespace sheaf::plan
