#include "cmd/table_figures.h"

#include <gtest/gtest.h>

#include "api/forwarding_database.h"
#include "api/local_database.h"
#include "cmd/counted_collections.h"
#include "lint/table_rules.h"
#include "store/memory_store.h"

namespace sheaf::cmd {
namespace {

class TableSampleTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        database_->create_table({.table = "items", .key = {.partition = {{"PK"}}, .sort = {{"SK"}}}}).ok());
  }

  void put(const std::string& pk, const std::string& sk, const std::string& type) {
    ASSERT_TRUE(
        database_->put_item({.table = "items", .item = {{"PK", pk}, {"SK", sk}, {"Type", type}, {"n", "1"}}})
            .ok());
  }

  lint::TableStatistics sample(uint64_t items_max) {
    Result<lint::TableStatistics> statistics =
        table_figures(watch::source_of(*database_), "items", {.items_max = items_max});
    EXPECT_TRUE(statistics.ok());
    return std::move(*statistics);
  }

  std::string ids(uint64_t items_max = 10'000) {
    std::string out;
    for (const lint::Finding& each : lint::lint_table(sample(items_max), {}))
      out += (out.empty() ? "" : " ") + each.rule;
    return out;
  }

  std::unique_ptr<Database> database_ = Database::open_in_memory();
};

TEST_F(TableSampleTest, OfAllItemsIsWhole) {
  for (int i = 0; i < 120; ++i) put("C#" + std::to_string(i), "CUSTOMER", "Customer");
  const lint::TableStatistics all = sample(1000);
  EXPECT_EQ(all.items, 120);
  EXPECT_EQ(all.items_of_table, 120);
  EXPECT_EQ(all.partitions, 120);
  EXPECT_TRUE(all.is_whole);
  ASSERT_EQ(all.kinds.size(), 1u);
  EXPECT_EQ(all.kinds.front().name, "Customer");
  EXPECT_EQ(ids(), "");
}

TEST_F(TableSampleTest, ReadsNoMoreThanItMay) {
  for (int i = 0; i < 400; ++i) put("C#" + std::to_string(i), "CUSTOMER", "Customer");
  const lint::TableStatistics some = sample(100);
  EXPECT_LE(some.items, 100);
  EXPECT_GE(some.items, 90);
  EXPECT_FALSE(some.is_whole);
  EXPECT_EQ(some.percent_read(), static_cast<double>(some.items) / 4);
}

TEST_F(TableSampleTest, TheLargestCollectionsAreToldInFull) {
  for (int i = 0; i < 300; ++i) put("C#1", "ORDER#" + std::to_string(i), "Order");
  const lint::TableStatistics some = sample(80);
  EXPECT_LT(some.items, 300);
  ASSERT_EQ(some.largest.size(), 1u);
  EXPECT_EQ(some.largest.front().items, 300);
}

// A key with much of the table lies at one place of 32: a part of the items hardly ever meets it.
TEST_F(TableSampleTest, TheLargestCollectionIsKnownThoughNoItemOfItWasRead) {
  const auto put_many = [&](const std::string& pk, int count) {
    for (int i = 0; i < count; ++i) put(pk, "ORDER#" + std::to_string(i), "Order");
  };
  for (int i = 0; i < 600; ++i) put("C#" + std::to_string(i), "ORDER#1", "Order");
  for (const std::string key : {"A", "B", "D", "E"}) put_many(key, 150);
  put("gone", "ORDER#1", "Order");
  ASSERT_TRUE(database_->delete_item({.table = "items", .key = {{"PK", "gone"}, {"SK", "ORDER#1"}}}).ok());
  const lint::TableStatistics some = sample(100);
  EXPECT_FALSE(some.is_whole);
  ASSERT_TRUE(some.counted);
  EXPECT_EQ(some.counted->partitions, 604);
  EXPECT_EQ(some.counted->items, 1200);
  ASSERT_GE(some.largest.size(), 10u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(some.largest[i].items, 150);
  EXPECT_EQ(some.largest[4].items, 1);
  EXPECT_EQ(ids(100), "uneven-partitions");
  lint::Options options;
  options.limits.collection_items = 149;
  EXPECT_NE(lint::lint_table(some, options).back().message.find("has 150 items"), std::string::npos);

  const auto counted = [&](int64_t most) { return counted_collections(*database_, "items", most); };
  EXPECT_TRUE(counted(604)->has_value());
  EXPECT_FALSE(counted(603)->has_value());
}

// Over an endpoint nobody counts them.
TEST_F(TableSampleTest, WithoutCountersTheLargestIsThatOfThoseRead) {
  for (int i = 0; i < 300; ++i) put("C#1", "ORDER#" + std::to_string(i), "Order");
  struct Elsewhere : ForwardingDatabase {
    using ForwardingDatabase::ForwardingDatabase;
    Result<CollectionSize> collection_size(std::string_view, const Item&) override {
      return Error{Code::kInvalid, "not here"};
    }
  } elsewhere(*database_);
  const Result<lint::TableStatistics> some =
      table_figures(watch::source_of(elsewhere), "items", {.items_max = 80});
  ASSERT_TRUE(some.ok());
  EXPECT_FALSE(some->counted);
  EXPECT_EQ(some->largest.front().items, 80);
  EXPECT_FALSE(some->largest.front().is_counted);
  // Handed on, they are.
  EXPECT_EQ(table_figures(watch::source_of(elsewhere), "items", {.items_max = 80}, database_.get())
                ->largest.front()
                .items,
            300);
}

// G3, G4: a Sheaf server tells the sizes of those that are asked for, and does not count them all.
TEST_F(TableSampleTest, OfCollectionsThatWereMetTheSourceTellsTheRest) {
  const std::string filler(1000, 'x');
  for (int key = 0; key < 30; ++key) {
    for (int i = 0; i < 20; ++i)
      ASSERT_TRUE(
          database_
              ->put_item(
                  {.table = "items",
                   .item = {{"PK", "C#" + std::to_string(key)}, {"SK", std::to_string(i)}, {"f", filler}}})
              .ok());
  }
  // What is read of it is less than of any other.
  for (int i = 0; i < 400; ++i) put("Z", std::to_string(i), "Order");
  struct Elsewhere : ForwardingDatabase {
    using ForwardingDatabase::ForwardingDatabase;
  } elsewhere(*database_);
  watch::Source source = watch::source_of(elsewhere);
  std::vector<Item> asked;
  source.collection_sizes = [&asked, told = source.collection_sizes](const std::string& table,
                                                                     const std::vector<Item>& keys) {
    asked = keys;
    return told(table, keys);
  };
  const Result<lint::TableStatistics> some = table_figures(source, "items", {.items_max = 100});
  ASSERT_TRUE(some.ok());
  EXPECT_NE(std::find(asked.begin(), asked.end(), Item{{"PK", "Z"}}), asked.end()) << "it was met";
  EXPECT_LE(asked.size(), 32u);
  EXPECT_FALSE(some->counted);
  for (const lint::PartitionFigures& each : some->largest) {
    EXPECT_EQ(each.items, each.key == "Z" ? 400 : 20) << each.key;
    EXPECT_TRUE(each.is_counted);
  }
  lint::Options options;
  options.limits.collection_items = 399;
  const std::vector<lint::Finding> found = lint::lint_table(*some, options);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().rule, "large-collection");
  EXPECT_NE(found.back().message.find("Z has 400 items"), std::string::npos) << found.back().message;
}

TEST_F(TableSampleTest, AKeyWhoseSizeIsNotToldIsAsItWasRead) {
  for (int i = 0; i < 300; ++i) put("C#1", "ORDER#" + std::to_string(i), "Order");
  ForwardingDatabase elsewhere(*database_);
  watch::Source source = watch::source_of(elsewhere);
  source.collection_sizes = [](const std::string&, const std::vector<Item>&) {
    return Result<watch::SizesByKey>(watch::SizesByKey());
  };
  const Result<lint::TableStatistics> some = table_figures(source, "items", {.items_max = 80});
  ASSERT_TRUE(some.ok());
  ASSERT_EQ(some->largest.size(), 1u);
  EXPECT_EQ(some->largest.front().items, 80);
  EXPECT_FALSE(some->largest.front().is_counted);
}

// G7, G11
TEST(TableHeat, OfTheTableAndItsIndexesIsToldAsItWasBefore) {
  ManualClock clock(int64_t{1'800'000'000} * 1'000'000);
  const std::unique_ptr<Database> database = api::make_local_database(
      store::open_memory_store(clock), clock, {.background_thread = false, .heat = true});
  CreateTable table{.table = "logs", .key = {.partition = {{"PK"}}, .sort = {{"SK"}}}};
  table.global_indexes = {{.name = "by_day", .key = {.partition = {{"day"}}}}};
  ASSERT_TRUE(database->create_table(table).ok());
  const std::string text(300'000, 'x');
  for (int i = 0; i < 40; ++i) {
    const Item item{{"PK", std::to_string(i)}, {"SK", "0"}, {"day", "today"}, {"text", text}};
    ASSERT_TRUE(database->put_item({.table = "logs", .item = item}).ok());
  }
  clock.advance_us(10'000'000);
  // Reading has more than a hundred units a second, too.
  const Result<lint::TableStatistics> told = table_figures(watch::source_of(*database), "logs", {});
  ASSERT_TRUE(told.ok());
  EXPECT_TRUE(told->tells_heat);
  EXPECT_EQ(
      told->heat,
      (std::vector<std::string>{
          "index by_day: one partition key has 1172 units a second of writes; a partition can bear 1000; "
          "the hottest is today",
          "index by_day: all writes go to 1 partition key: choose one with more values; "
          "the hottest is today"}));
  EXPECT_EQ(lint::lint_table(*told, {}).back().rule, "uneven-throughput");
}

TEST_F(TableSampleTest, WhereHeatIsNotCountedNothingIsToldOfIt) {
  put("C#1", "CUSTOMER", "Customer");
  EXPECT_FALSE(sample(100).tells_heat);
}

// H1, G10
TEST_F(TableSampleTest, OnePartitionKeyIsFound) {
  for (int i = 0; i < 100; ++i) put("PRODUCT", "P#" + std::to_string(i), "Product");
  EXPECT_EQ(ids(), "constant-partition");
}

// H7
TEST_F(TableSampleTest, KindsWithoutPrefixAreFound) {
  for (int i = 0; i < 100; ++i) {
    put("C#" + std::to_string(i), "PROFILE", "Customer");
    put("C#" + std::to_string(i), std::to_string(i), "Order");
  }
  EXPECT_EQ(ids(), "unprefixed-sort-key");
}

TEST_F(TableSampleTest, KeysOfAllTypesAreTaken) {
  ASSERT_TRUE(
      database_->create_table({.table = "numbers", .key = {.partition = {{"id", Type::kNumber}}}}).ok());
  ASSERT_TRUE(database_->put_item({.table = "numbers", .item = {{"id", 7}}}).ok());
  const Result<lint::TableStatistics> statistics = table_figures(watch::source_of(*database_), "numbers", {});
  ASSERT_TRUE(statistics.ok());
  EXPECT_EQ(statistics->largest.front().key, "7");
  EXPECT_TRUE(lint::lint_table(*statistics, {}).empty());
}

TEST_F(TableSampleTest, OfATableThatIsNotThereIsAnError) {
  EXPECT_EQ(table_figures(watch::source_of(*database_), "nowhere", {}).error().code, Code::kNotFound);
}

TEST_F(TableSampleTest, AnEmptyTableIsFine) {
  EXPECT_EQ(sample(100).items, 0);
  EXPECT_TRUE(sample(100).is_whole);
  EXPECT_EQ(ids(), "");
}

}  // namespace
}  // namespace sheaf::cmd
