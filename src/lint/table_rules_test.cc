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

TEST(TableRules, WhatTheDatabaseCountsIsKnownThoughAPartWasRead) {
  TableStatistics table = spread(1000, 6, false);
  table.counted = {.partitions = 100, .items = 10'000, .bytes = 1'000'000};
  EXPECT_EQ(ids(table), "few-partitions");
  EXPECT_EQ(lint_table(table, {}).front().message, "10000 items have 100 partition keys");
  ++table.counted->partitions;
  EXPECT_EQ(ids(table), "");
}

// G11: the share is one of the table, as the size is.
TEST(TableRules, AShareIsOfAllThatItsSizeIsOf) {
  TableStatistics table = spread(500, 500, false);
  table.items_of_table = 50'000;
  const int64_t of_table = table.bytes * 100;
  table.largest = {{.key = "C#7", .items = 9000, .bytes = of_table / 11, .is_counted = true}};
  EXPECT_EQ(ids(table), "");
  table.largest.front().bytes = of_table / 9;
  EXPECT_EQ(ids(table), "uneven-partitions");
  EXPECT_NE(lint_table(table, {}).front().message.find("has 11 % of the bytes"), std::string::npos);
  table.counted = {.partitions = 40'000, .items = 50'000, .bytes = of_table * 2};
  EXPECT_EQ(ids(table), "");
}

TEST(TableRules, ThoseWithTheMostBytesAndThoseWithTheMostItemsAreKept) {
  LargestPartitions largest;
  for (int64_t i = 0; i < 100; ++i) {
    EXPECT_TRUE(i >= 50 || i < 10 || largest.has_room_for(i, i)) << i;
    largest.add({.key = std::to_string(i), .items = i < 50 ? i : 100 - i, .bytes = i});
  }
  const std::vector<PartitionFigures> all = largest.all();
  ASSERT_EQ(all.size(), 20u);
  EXPECT_EQ(all.front().key, "99");
  EXPECT_EQ(all[9].key, "90");
  EXPECT_EQ(all[10].key, "50");
  EXPECT_EQ(all[11].key, "49");  // as many items as 51, and before it
  EXPECT_FALSE(largest.has_room_for(45, 90));
  EXPECT_TRUE(largest.has_room_for(46, 0));
  EXPECT_TRUE(largest.has_room_for(0, 91));
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
    for (int i = 0; i < 10; ++i) sample.add(item("C#large", "ORDER#" + std::to_string(i), "Order", bytes));
    return sample.statistics();
  };
  EXPECT_EQ(ids(table(1'000)), "uneven-partitions");  // a tenth of 100,000
  EXPECT_EQ(ids(table(999)), "");
}

// A17: no shard splits one item.
TEST(TableRules, APartitionThatIsLargeBecauseOfOneItemIsNotUneven) {
  TableSample sample;
  for (int i = 0; i < 900; ++i) sample.add(item("C#" + std::to_string(i), "ORDER#1"));
  sample.add(item("C#large", "ORDER#1", "Order", 240 * 1024));
  EXPECT_EQ(ids(sample.statistics()), "");
  for (int i = 0; i < 10; ++i) sample.add(item("C#busy", "ORDER#" + std::to_string(i), "Order", 9'000));
  const TableStatistics table = sample.statistics();
  ASSERT_EQ(ids(table), "uneven-partitions");
  EXPECT_EQ(lint_table(table, {}).front().message.substr(0, 6), "C#busy");
}

// `table` with the shapes of these items.
TableStatistics with_shapes(TableStatistics table, std::vector<IndexShape> indexes,
                            const std::vector<ItemShape>& items) {
  ItemShapes shapes(std::move(indexes));
  for (const ItemShape& each : items) shapes.add(each);
  table.shapes = shapes.figures();
  return table;
}

std::string message_of(const TableStatistics& table) { return lint_table(table, {}).front().message; }

// G1
TEST(TableRules, ItemsNearTheirLimitAreFound) {
  const auto table = [](int64_t bytes) {
    return with_shapes(spread(5, 5), {},
                       {{.key = "C#1, A", .bytes = 100}, {.key = "C#1, B", .bytes = bytes}});
  };
  EXPECT_EQ(ids(table(320 * 1024 - 1)), "");
  EXPECT_EQ(ids(table(320 * 1024)), "large-item");
  EXPECT_EQ(message_of(table(320 * 1024)), "items come near 400 KB: C#1, B has 320 KB");
}

// G12
TEST(TableRules, LongSortKeysAreFoundInTheTableAndInIndexes) {
  const auto table = [](int64_t own, int64_t in_index) {
    return with_shapes(spread(5, 5), {{.name = "GSI1"}},
                       {{.key = "C#1",
                         .sort_bytes = own,
                         .indexes = {{.index = 0, .partition = "P", .sort_bytes = in_index}}}});
  };
  EXPECT_EQ(ids(table(819, 819)), "");
  EXPECT_EQ(ids(table(820, 819)), "long-sort-key");
  EXPECT_EQ(message_of(table(1, 820)),
            "the sort key of C#1 in the index GSI1 has 820 bytes, and 1024 is the limit");
}

// H6
TEST(TableRules, LongListsInItemsAreFound) {
  const auto table = [](int64_t entries) {
    return with_shapes(spread(5, 5), {},
                       {{.key = "C#1", .lists = {{"tags", 3}, {"orders", entries}}},
                        {.key = "C#2", .lists = {{"orders", 2}}}});
  };
  EXPECT_EQ(ids(table(100)), "");
  EXPECT_EQ(ids(table(101)), "unbounded-field");
  EXPECT_EQ(message_of(table(101)), "lists in items have more than 100 entries: orders of C#1 has 101");
}

// G5
TEST(TableRules, ManyIndexesAreFound) {
  const auto table = [](size_t count) {
    return with_shapes(spread(5, 5), std::vector<IndexShape>(count), {});
  };
  EXPECT_EQ(ids(table(15)), "");
  EXPECT_EQ(ids(table(16)), "many-indexes");
}

// So many items, each in the indexes that `which` says, with keys of `partitions` values.
std::vector<ItemShape> indexed(int64_t count, int64_t partitions, auto which) {
  std::vector<ItemShape> items;
  for (int64_t i = 0; i < count; ++i) {
    ItemShape item{.key = std::to_string(i)};
    for (const size_t index : which(i))
      item.indexes.push_back({.index = index, .partition = "K#" + std::to_string(i % partitions)});
    items.push_back(std::move(item));
  }
  return items;
}

// H4, G10
TEST(TableRules, AnIndexWithOneKeyForAllIsFound) {
  const auto all = [](int64_t) { return std::vector<size_t>{0}; };
  const auto table = [&](int64_t count, int64_t partitions) {
    return with_shapes(spread(1000, 1000), {{.name = "GSI1"}}, indexed(count, partitions, all));
  };
  EXPECT_EQ(ids(table(100, 1)), "constant-partition");
  EXPECT_EQ(message_of(table(100, 1)),
            "all 100 items that were seen in the index GSI1 have one partition key, K#0");
  EXPECT_EQ(ids(table(99, 1)), "") << "too few to tell";
  EXPECT_EQ(ids(table(200, 2)), "few-partitions");
  EXPECT_EQ(ids(table(199, 2)), "");
}

// H4
TEST(TableRules, IndexesThatNoItemIsInBothOfAreFound) {
  const std::vector<IndexShape> alike{{.name = "by_mail", .form = "S/S"}, {.name = "by_sku", .form = "S/S"}};
  const auto apart = [](int64_t i) { return std::vector<size_t>{i % 2 == 0 ? 0u : 1u}; };
  const auto nearly = [](int64_t i) {
    return i == 7 ? std::vector<size_t>{0, 1} : std::vector<size_t>{i % 2 == 0 ? 0u : 1u};
  };
  EXPECT_EQ(ids(with_shapes(spread(500, 500), alike, indexed(500, 500, apart))), "index-per-view");
  EXPECT_EQ(ids(with_shapes(spread(500, 500), alike, indexed(500, 500, nearly))), "");
  const std::vector<IndexShape> other{{.name = "by_mail", .form = "S/S"}, {.name = "by_size", .form = "S/N"}};
  EXPECT_EQ(ids(with_shapes(spread(500, 500), other, indexed(500, 500, apart))), "");
  EXPECT_EQ(ids(with_shapes(spread(500, 500, false), alike, indexed(190, 190, apart))), "")
      << "of a part of a table, others may be in both";
}

TEST(TableRules, AnIndexThatHoldsNothingIsFoundIfAllItemsWereRead) {
  const auto table = [](bool is_whole) {
    return with_shapes(spread(500, 500, is_whole), {{.name = "GSI1"}}, {{.key = "C#1"}});
  };
  EXPECT_EQ(ids(table(true)), "unused-index");
  EXPECT_EQ(ids(table(false)), "");
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
