#include "engine/lags.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace sheaf::engine {
namespace {

using std::chrono::milliseconds;

std::string checked(std::vector<Lag> lags) { return outcome_of(check_lags(lags)); }

TEST(Lags, AreFromZeroToAMinute) {
  EXPECT_EQ(checked({}), "ok");
  EXPECT_EQ(checked({{.table = "abc", .min = milliseconds(0), .max = milliseconds(0)}}), "ok");
  EXPECT_EQ(checked({{.table = "abc", .min = kLagMax, .max = kLagMax}}), "ok");
  EXPECT_EQ(checked({{.table = "abc", .min = milliseconds(0), .max = kLagMax + milliseconds(1)}}),
            "the lag of table abc is more than 60000 ms");
  EXPECT_EQ(checked({{.table = "abc", .min = milliseconds(-1), .max = milliseconds(1)}}),
            "the lag of table abc is below zero");
  EXPECT_EQ(checked({{.table = "abc", .min = milliseconds(2), .max = milliseconds(1)}}),
            "the lag of table abc ends before it begins");
}

TEST(Lags, AreOneForATable) {
  EXPECT_EQ(checked({{.table = "abc"}, {.table = "*"}, {.table = "abd"}}), "ok");
  EXPECT_EQ(checked({{.table = "abc"}, {.table = "*"}, {.table = "abc"}}),
            "the lag of table abc is given twice");
  EXPECT_EQ(checked({{.table = "*"}, {.table = "*"}}), "the lag of table * is given twice");
  EXPECT_EQ(checked({{.table = ""}}), "a lag has no table");
}

int64_t max_ms(const std::optional<LagRange>& range) { return range ? range->max_us / 1000 : -1; }

TEST(Lags, OfATableThatIsNotNamedAreThoseOfTheOthers) {
  const Lags lags({{.table = "abc", .max = milliseconds(5)}, {.table = "*", .max = milliseconds(7)}},
                  {{.table = "abd", .min = milliseconds(1), .max = milliseconds(9)}});
  EXPECT_EQ(max_ms(lags.of("abc")->of_global_indexes), 5);
  EXPECT_EQ(max_ms(lags.of("abc")->of_reads), -1);
  EXPECT_EQ(max_ms(lags.of("abd")->of_global_indexes), 7) << "it is named elsewhere only";
  EXPECT_EQ(max_ms(lags.of("abd")->of_reads), 9);
  EXPECT_EQ(lags.of("abd")->of_reads->min_us, 1000);
  EXPECT_EQ(max_ms(lags.of("abe")->of_global_indexes), 7);
  EXPECT_EQ(Lags({{.table = "abc"}}, {}).of("abd"), nullptr);
  EXPECT_EQ(Lags({}, {}).of("abc"), nullptr);
}

TEST(Lags, AreOfGlobalIndexesOrOfEventuallyConsistentReads) {
  IndexSettings local_settings, global_settings;
  local_settings.local = true;
  const Index local{.settings = &local_settings}, global{.settings = &global_settings};
  const TableLags of_index{.of_global_indexes = LagRange{}}, of_reads{.of_reads = LagRange{}};
  for (const ReadMode mode : {ReadMode::kEventual, ReadMode::kStrong, ReadMode::kTransactional}) {
    EXPECT_TRUE(of_index.is_late(&global, mode));
    EXPECT_FALSE(of_index.is_late(&local, mode));
    EXPECT_FALSE(of_index.is_late(nullptr, mode));
    EXPECT_FALSE(of_reads.is_late(&global, mode));
    EXPECT_EQ(of_reads.is_late(&local, mode), mode == ReadMode::kEventual);
    EXPECT_EQ(of_reads.is_late(nullptr, mode), mode == ReadMode::kEventual);
  }
}

}  // namespace
}  // namespace sheaf::engine
