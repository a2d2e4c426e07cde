#include "engine/table_throughput.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace sheaf::engine {
namespace {

constexpr Throughput kFive{.read_units = 5, .write_units = 5};

TableSettings provisioned() {
  TableSettings table = collection_table("t");
  table.indexes = {local_index("lsi", text_key("l")),
                   global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
  table.billing = BillingMode::kProvisioned;
  table.throughput = table.indexes[1].throughput = kFive;
  return table;
}

TEST(TableThroughput, WhatIsNotGivenStays) {
  TableSettings table = provisioned();
  table.throughput.read_units_warm = 100;
  ASSERT_TRUE(
      update_throughput(table, {.throughput = Throughput{.read_units = 6, .write_units = 4}}, 1).ok());
  EXPECT_EQ(table.throughput,
            (Throughput{.read_units = 6, .write_units = 4, .read_units_warm = 100, .write_units_warm = 5}));
  EXPECT_EQ(table.indexes[1].throughput, kFive);
  ASSERT_TRUE(update_throughput(table, {.throughput = Throughput{.write_units_warm = 200}}, 1).ok());
  EXPECT_EQ(table.throughput,
            (Throughput{.read_units = 6, .write_units = 4, .read_units_warm = 100, .write_units_warm = 200}));
}

TEST(TableThroughput, ChangesAreCountedByDay) {
  TableSettings table = provisioned();
  const auto change = [&](int64_t read, int64_t write, int64_t now_us) {
    const Result<void> changed = update_throughput(
        table, {.index_throughput = {{"gsi", {.read_units = read, .write_units = write}}}}, now_us);
    EXPECT_TRUE(changed.ok()) << changed.error().message;
    return table.indexes[1].throughput_changes;
  };
  const int64_t day_us = 24 * kHourUs;
  EXPECT_EQ(change(6, 5, day_us + 1), (ThroughputChanges{.raised_us = day_us + 1}));
  EXPECT_EQ(change(5, 5, day_us + 2),
            (ThroughputChanges{.raised_us = day_us + 1, .lowered_us = day_us + 2, .lowered_that_day = 1}));
  EXPECT_EQ(change(4, 6, day_us + 3),
            (ThroughputChanges{.raised_us = day_us + 3, .lowered_us = day_us + 3, .lowered_that_day = 2}));
  EXPECT_EQ(change(4, 5, 2 * day_us),
            (ThroughputChanges{.raised_us = day_us + 3, .lowered_us = 2 * day_us, .lowered_that_day = 1}));
  EXPECT_EQ(table.throughput_changes, ThroughputChanges{});
}

TEST(TableThroughput, EachBillingModeKeepsItsOwn) {
  TableSettings table = provisioned();
  ASSERT_TRUE(update_throughput(table,
                                {.billing = BillingMode::kOnDemand,
                                 .throughput = Throughput{.read_units_max = 7, .write_units_max = 8}},
                                99)
                  .ok());
  EXPECT_EQ(table.on_demand_since_us, 99);
  EXPECT_EQ(table.throughput, (Throughput{.read_units_max = 7, .write_units_max = 8}));
  EXPECT_EQ(table.indexes[1].throughput, Throughput{});
  EXPECT_EQ(table.throughput_changes, ThroughputChanges{}) << "nothing was lowered by anyone";

  ASSERT_TRUE(update_throughput(table, {.billing = BillingMode::kOnDemand}, 100).ok());
  EXPECT_EQ(table.on_demand_since_us, 99) << "it was on demand already";

  EXPECT_FALSE(
      update_throughput(table, {.billing = BillingMode::kProvisioned, .throughput = kFive}, 101).ok());
  ASSERT_TRUE(
      update_throughput(
          table,
          {.billing = BillingMode::kProvisioned, .throughput = kFive, .index_throughput = {{"gsi", kFive}}},
          101)
          .ok());
  EXPECT_EQ(
      table.throughput,
      (Throughput{.read_units = 5, .write_units = 5, .read_units_warm = 12000, .write_units_warm = 4000}));
  EXPECT_EQ(table.indexes[0].throughput, Throughput{}) << "a local index has none";
  EXPECT_EQ(table.on_demand_since_us, 99);
}

TEST(TableThroughput, AnIndexThatIsBeingRemovedNeedsNoUnits) {
  TableSettings table = provisioned();
  table.billing = BillingMode::kOnDemand;
  table.indexes[1].status = IndexStatus::kDeleting;
  EXPECT_TRUE(update_throughput(table, {.billing = BillingMode::kProvisioned, .throughput = kFive}, 1).ok());
}

TEST(TableThroughput, IndexesMustBeThereAndGlobal) {
  for (const BillingMode billing : {BillingMode::kProvisioned, BillingMode::kOnDemand}) {
    TableSettings table = provisioned();
    table.billing = billing;
    EXPECT_EQ(update_throughput(table, {.index_throughput = {{"ghost", kFive}}}, 1).error(),
              (Error{Code::kNotFound, "Requested resource not found: Index ghost for table t"}));
    EXPECT_EQ(update_throughput(table, {.index_throughput = {{"lsi", kFive}}}, 1).error().code,
              Code::kInvalid);
  }
}

TEST(TableThroughput, WarmUnitsOnlyGrow) {
  TableSettings table = provisioned();
  EXPECT_EQ(warm_units(table.billing, table.throughput).read, 5);
  EXPECT_EQ(update_throughput(table, {.throughput = Throughput{.write_units_warm = 4}}, 1).error().message,
            "One or more parameter values were invalid: Requested WriteUnitsPerSecond for WarmThroughput for "
            "table is lower than current WarmThroughput, decreasing WarmThroughput is not supported");
  ASSERT_TRUE(update_throughput(table, {.throughput = Throughput{.write_units_warm = 50}}, 1).ok());
  EXPECT_EQ(warm_units(table.billing, table.throughput).write, 50);
  EXPECT_EQ(warm_units(BillingMode::kOnDemand, table.throughput).write, 4000);
  EXPECT_EQ(warm_units(BillingMode::kOnDemand, table.throughput).read, 12000);
  EXPECT_FALSE(update_throughput(table, {.index_throughput = {{"gsi", {.read_units_warm = 4}}}}, 1).ok());
}

TEST(TableThroughput, ATableStaysReadyForTheMostItEverHad) {
  TableSettings table = provisioned();
  const auto ready_for = [](const TableSettings& settings) {
    const WarmUnits warm = warm_units(settings.billing, settings.throughput);
    return std::pair(warm.read, warm.write);
  };
  const auto change = [&](const TableUpdate& update) {
    const Result<void> changed = update_throughput(table, update, 1);
    EXPECT_TRUE(changed.ok()) << changed.error().message;
  };
  change({.throughput = Throughput{.read_units = 8, .write_units = 2}});
  EXPECT_EQ(ready_for(table), std::pair(int64_t{8}, int64_t{5}));
  change({.throughput = Throughput{.read_units = 1, .write_units = 1}});
  EXPECT_EQ(ready_for(table), std::pair(int64_t{8}, int64_t{5}));
  change({.billing = BillingMode::kOnDemand});
  EXPECT_EQ(ready_for(table), std::pair(int64_t{12000}, int64_t{4000}));
  EXPECT_EQ(table.throughput, Throughput{}) << "that is what on demand brings";
  change({.billing = BillingMode::kProvisioned, .throughput = kFive, .index_throughput = {{"gsi", kFive}}});
  EXPECT_EQ(ready_for(table), std::pair(int64_t{12000}, int64_t{4000}));
  EXPECT_EQ(warm_units(table.billing, table.indexes[1].throughput).read, 12000);
}

TEST(TableThroughput, AChangeOfAnIndexMustSaySomething) {
  TableSettings table = provisioned();
  EXPECT_EQ(
      update_throughput(table, {.index_throughput = {{"gsi", {}}}}, 1).error().message,
      "One or more parameter values were invalid: Both ReadCapacityUnits and WriteCapacityUnits must be "
      "specified for index: gsi");
  table.billing = BillingMode::kOnDemand;
  EXPECT_EQ(update_throughput(table, {.index_throughput = {{"gsi", {}}}}, 1).error().message,
            "One or more parameter values were invalid: The only Updates for index: gsi when "
            "TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput");
}

}  // namespace
}  // namespace sheaf::engine
