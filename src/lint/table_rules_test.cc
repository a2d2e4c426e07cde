#include "lint/table_rules.h"

#include <gtest/gtest.h>

namespace sheaf::lint {
namespace {

std::string ids(const TableStatistics& statistics, const Options& options = {}) {
  std::string out;
  for (const Finding& finding : lint_table(statistics, options))
    out += (out.empty() ? "" : " ") + finding.rule;
  return out;
}

ItemFigures item(std::string partition, std::string sort, std::string type = "Order", int64_t bytes = 100) {
  return {.partition = std::move(partition),
          .sort = std::move(sort),
          .attributes = {"total"},
          .type = std::move(type),
          .bytes = bytes};
}

// `count` items, spread over `partitions`.
TableStatistics spread(int64_t count, int64_t partitions, bool is_whole = true) {
  TableSample sample;
  for (int64_t i = 0; i < count; ++i)
    sample.add(item("C#" + std::to_string(i % partitions), "ORDER#" + std::to_string(i)));
  TableStatistics out = sample.statistics();
  out.table = "orders";
  out.is_whole = is_whole;
  return out;
}

TEST(TableRules, ItemsThatAreSpreadAreFine) { EXPECT_EQ(ids(spread(1000, 1000)), ""); }

// H1, G10
TEST(TableRules, OnePartitionKeyForAllIsFound) {
  EXPECT_EQ(ids(spread(100, 1)), "constant-partition");
  EXPECT_EQ(ids(spread(99, 1)), "");  // too few to tell
  EXPECT_EQ(lint_table(spread(100, 1), {}).front().subject, "table orders");
}

// G10
TEST(TableRules, FewPartitionKeysAreFound) {
  EXPECT_EQ(ids(spread(10'000, 100)), "few-partitions");
  EXPECT_EQ(ids(spread(10'100, 101)), "");
  EXPECT_EQ(ids(spread(9'999, 100)), "");  // fewer than a hundred each
}

TEST(TableRules, OfAPartOfATableHardlyAnyKeysAreFew) {
  EXPECT_EQ(ids(spread(1000, 5, false)), "few-partitions");
  EXPECT_EQ(ids(spread(1000, 6, false)), "");
}

// H2, G4
TEST(TableRules, ACollectionPastTheLineInItemsIsFound) {
  TableStatistics table = spread(500, 500);
  table.largest = {{.key = "C#7", .items = 10'000, .bytes = 1000}};
  EXPECT_EQ(ids(table), "");
  table.largest.front().items = 10'001;
  EXPECT_EQ(ids(table), "large-collection");
  EXPECT_NE(lint_table(table, {}).front().message.find("C#7 has 10001 items"), std::string::npos);
}

// G3
TEST(TableRules, ACollectionPastTheLineInBytesIsFound) {
  TableStatistics table{.table = "orders", .items = 10, .partitions = 2};
  table.largest = {{.key = "C#7", .items = 5, .bytes = int64_t{1} << 30}};
  EXPECT_EQ(ids(table), "");
  ++table.largest.front().bytes;
  EXPECT_EQ(ids(table), "large-collection");
}

// H7
TEST(TableRules, SortKeysWithoutPrefixAreFoundWhereKindsAreMixed) {
  TableSample mixed, alone;
  for (int i = 0; i < 100; ++i) {
    const std::string partition = "C#" + std::to_string(i);
    mixed.add(item(partition, "PROFILE", "Customer"));
    mixed.add(item(partition, "2026-11-" + std::to_string(i), "Order"));
    alone.add(item(partition, "2026-11-" + std::to_string(i), "Order"));
  }
  EXPECT_EQ(ids(mixed.statistics()), "unprefixed-sort-key");
  EXPECT_EQ(ids(alone.statistics()), "");
}

TEST(TableRules, PrefixesTellKindsApart) {
  TableSample sample;
  for (int i = 0; i < 100; ++i) {
    sample.add(item("C#" + std::to_string(i), "PROFILE", "Customer"));
    sample.add(item("C#" + std::to_string(i), "#ORDER#" + std::to_string(i), "Order"));
  }
  EXPECT_EQ(ids(sample.statistics()), "");
}

TEST(TableRules, ItemsThatLackAnAttributeAreNoOtherKind) {
  TableSample sample;
  for (int i = 0; i < 100; ++i) {
    ItemFigures figures = item("C#" + std::to_string(i), std::to_string(i), "");
    figures.attributes = {"date", "total"};
    sample.add(figures);
    figures.sort = std::to_string(i + 1000);
    figures.attributes = {"date", "note", "total"};
    sample.add(figures);
  }
  const TableStatistics table = sample.statistics();
  EXPECT_EQ(table.kinds.size(), 1u);
  EXPECT_EQ(ids(table), "");
}

// G11
TEST(TableRules, OneKeyWithMuchOfTheTableIsFound) {
  const auto table = [](int64_t bytes) {
    TableSample sample;
    for (int i = 0; i < 900; ++i) sample.add(item("C#" + std::to_string(i), "ORDER#1"));
    sample.add(item("C#large", "ORDER#1", "Order", bytes));
    return sample.statistics();
  };
  EXPECT_EQ(ids(table(10'000)), "uneven-partitions");  // a tenth of 100,000
  EXPECT_EQ(ids(table(9'999)), "");
}

// G7, G11
TEST(TableRules, WhatTheTrafficTellsIsToldToo) {
  TableStatistics table = spread(500, 500);
  table.heat = {"one partition key has 70 % of the reads"};
  EXPECT_EQ(ids(table), "uneven-throughput");
}

TEST(TableRules, LimitsAndSeveritiesCanBeSet) {
  Options options;
  ASSERT_TRUE(set_limit(options, "partition-values=9").ok());
  EXPECT_EQ(ids(spread(1000, 10), options), "");
  ASSERT_TRUE(set_severity(options, "few-partitions=error").ok());
  EXPECT_EQ(lint_table(spread(1000, 9), options).front().severity, Severity::kError);
  ASSERT_TRUE(set_severity(options, "few-partitions=off").ok());
  EXPECT_EQ(ids(spread(1000, 9), options), "");
}

TEST(TableStatistics, TellHowMuchWasRead) {
  TableStatistics table{.items_of_table = 400, .items = 100};
  EXPECT_EQ(table.percent_read(), 25);
  table.is_whole = true;
  EXPECT_EQ(table.percent_read(), 100);
  EXPECT_EQ((TableStatistics{.items = 5}).percent_read(), 0);
}

TEST(TableStatistics, KnowTypePrefixes) {
  for (const char* key : {"USER#1", "#ORDER#7", "METADATA", "order:17", "a/b", "__ROOT__x#", "D-E|1"})
    EXPECT_EQ(has_type_prefix(key), key[0] != '_') << key;
  for (const char* key : {"", "17", "2026-11-16", "ann", "#", "u_1", "abc123#x"})
    EXPECT_FALSE(has_type_prefix(key)) << key;
}

}  // namespace
}  // namespace sheaf::lint
