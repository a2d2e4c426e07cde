// Sizes of item collections: counted, limited, and reported when they grow large.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class CollectionSizeTest : public DatabaseTest {
 protected:
  CollectionSizeTest()
      : DatabaseTest({.collection_bytes_max = 10'000,
                      .collection_bytes_warning = 5'000,
                      .collection_items_warning = 100,
                      .on_collection_warning = [this](const CollectionWarning& warning) {
                        warnings_.push_back(warning);
                      }}) {
    create(table_of("Plain", "pk", "sk"));
    CreateTable table = table_of("Local", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l", ProjectionKind::kKeysOnly)};
    create(table);
  }
  // 1000 bytes, without local index entry.
  static Item thousand(const std::string& partition, int number) {
    const std::string sort = std::to_string(100 + number);
    return {{"pk", partition},
            {"sk", sort},
            {"x", std::string(1000 - 3 - 2 - partition.size() - sort.size(), 'x')}};
  }
  CollectionSize size(const std::string& table, const std::string& partition) {
    return must(db_->collection_size(table, {{"pk", partition}}));
  }

  std::vector<CollectionWarning> warnings_;
};

// A20: items and bytes of every partition key are known.
TEST_F(CollectionSizeTest, ItemsAndBytesAreKnown) {
  EXPECT_EQ(size("Plain", "a").item_count, 0);
  put("Plain", {{"pk", "a"}, {"sk", "1"}});                // 6 bytes
  put("Plain", {{"pk", "a"}, {"sk", "2"}, {"v", "xyz"}});  // 10 bytes
  put("Plain", {{"pk", "b"}, {"sk", "1"}});
  EXPECT_EQ(size("Plain", "a").item_count, 2);
  EXPECT_EQ(size("Plain", "a").size_bytes, 16);
  put("Plain", {{"pk", "a"}, {"sk", "2"}});
  EXPECT_EQ(size("Plain", "a").size_bytes, 12);
  must(db_->delete_item({.table = "Plain", .key = {{"pk", "a"}, {"sk", "1"}}}));
  EXPECT_EQ(size("Plain", "a").item_count, 1);
  EXPECT_EQ(size("Plain", "a").size_bytes, 6);
  EXPECT_EQ(size("Plain", "b").item_count, 1);
}

// A20: entries of local indexes belong to the collection.
TEST_F(CollectionSizeTest, LocalIndexEntriesCount) {
  put("Local", {{"pk", "a"}, {"sk", "1"}, {"l", "2"}, {"v", "xyz"}});  // 12 bytes, and 8 in the index
  EXPECT_EQ(size("Local", "a").item_count, 1);
  EXPECT_EQ(size("Local", "a").size_bytes, 20);
  must(db_->update_item({.table = "Local", .key = {{"pk", "a"}, {"sk", "1"}}, .update = "REMOVE l"}));
  EXPECT_EQ(size("Local", "a").size_bytes, 10);
}

// A20, G3: a collection of a table with a local index cannot outgrow its limit (10 GB unless set otherwise).
TEST_F(CollectionSizeTest, CannotOutgrowTheLimit) {
  for (int i = 0; i < 10; ++i) put("Local", thousand("a", i));
  EXPECT_EQ(size("Local", "a").size_bytes, 10'000);
  const Error expected{Code::kTooLarge, "Collection size exceeded."};
  EXPECT_EQ(refusal(db_->put_item({.table = "Local", .item = {{"pk", "a"}, {"sk", "x"}}})), expected);
  EXPECT_EQ(refusal(db_->update_item({.table = "Local",
                                      .key = {{"pk", "a"}, {"sk", "100"}},
                                      .update = "SET y = :y",
                                      .values = {{":y", 1}}})),
            expected);
  put("Local", thousand("b", 0));  // others may grow
  // What does not grow goes on working, and makes room.
  put("Local", thousand("a", 0));
  must(db_->delete_item({.table = "Local", .key = {{"pk", "a"}, {"sk", "100"}}}));
  put("Local", {{"pk", "a"}, {"sk", "x"}});
}

// A20: a transaction counts what all of its writes add.
TEST_F(CollectionSizeTest, ATransactionCannotOutgrowItEither) {
  for (int i = 0; i < 8; ++i) put("Local", thousand("a", i));
  const auto add = [&](int number) { return PutItem{.table = "Local", .item = thousand("a", number)}; };
  const TransactWritten cancelled = must(db_->transact_write_items({.actions = {add(10), add(11), add(12)}}));
  EXPECT_FALSE(cancelled.applied);
  EXPECT_EQ(cancelled.reasons[2].code, CancellationReason::Code::kCollectionTooLarge);
  EXPECT_EQ(cancelled.reasons[2].message, "Collection size exceeded.");
  EXPECT_EQ(size("Local", "a").item_count, 8);
  const TransactWritten written = must(db_->transact_write_items({.actions = {add(10), add(11)}}));
  EXPECT_TRUE(written.applied);
  ASSERT_EQ(written.collections.at("Local").size(), 1u);
  EXPECT_EQ(written.collections.at("Local")[0].size_bytes, 10'000);
}

// A20: without a local index there is no such limit (J10).
TEST_F(CollectionSizeTest, ATableWithoutLocalIndexHasNoLimit) {
  for (int i = 0; i < 20; ++i) put("Plain", thousand("a", i));
  EXPECT_EQ(size("Plain", "a").size_bytes, 20'000);
}

TEST_F(CollectionSizeTest, WritesTellTheSizeOfCollectionsThatHaveALimit) {
  const Written local = put("Local", thousand("a", 0));
  ASSERT_TRUE(local.collection);
  EXPECT_EQ(local.collection->partition_key, (Item{{"pk", "a"}}));
  EXPECT_EQ(local.collection->size_bytes, 1000);
  EXPECT_FALSE(put("Plain", thousand("a", 0)).collection);
}

// A20, G3, G4: a collection that grows past a warning line is reported, once for each line.
TEST_F(CollectionSizeTest, GrowthPastALineIsReportedOnce) {
  for (int i = 0; i < 5; ++i) put("Plain", thousand("big", i));
  EXPECT_TRUE(warnings_.empty() || warnings_[0].size.size_bytes >= 5'000);
  for (int i = 5; i < 500; ++i) put("Plain", thousand("big", i));
  for (int i = 0; i < 50; ++i) put("Plain", thousand("small" + std::to_string(i), 0));
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_EQ(warnings_[0].line, CollectionLine::kBytes);
  EXPECT_EQ(warnings_[0].table, "Plain");
  EXPECT_EQ(warnings_[0].partition_key, (Item{{"pk", "big"}}));
  EXPECT_GE(warnings_[0].size.size_bytes, 5'000);
  EXPECT_EQ(warnings_[1].line, CollectionLine::kItems);
  EXPECT_GE(warnings_[1].size.item_count, 100);
}

// G4: likewise by the number of items alone.
TEST_F(CollectionSizeTest, GrowthPastTheLineInItemsIsReportedOnce) {
  for (int i = 0; i < 600; ++i) put("Plain", {{"pk", "a"}, {"sk", std::to_string(i)}});
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0].line, CollectionLine::kItems);
  EXPECT_GE(warnings_[0].size.item_count, 100);
}

// G3: where there is a limit, four fifths of it are told of before it is reached.
TEST_F(CollectionSizeTest, NearingTheLimitIsReported) {
  for (int i = 0; i < 8; ++i) put("Local", thousand("a", i));
  // Looked at once in a while: until it was.
  for (int i = 0; i < 500; ++i) put("Local", thousand("a", i % 8));
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_EQ(warnings_[0].line, CollectionLine::kBytes);
  EXPECT_EQ(warnings_[1].line, CollectionLine::kLimit);
  EXPECT_EQ(warnings_[1].size.size_bytes, 8'000);
}

// G3: the defaults are DynamoDB's limit, a warning at a gigabyte, and one at ten thousand items.
TEST(CollectionLimits, HaveTheDocumentedDefaults) {
  const OpenOptions options;
  EXPECT_EQ(options.collection_bytes_max, int64_t{10} * 1024 * 1024 * 1024);
  EXPECT_EQ(options.collection_bytes_warning, int64_t{1024} * 1024 * 1024);
  EXPECT_EQ(options.collection_items_warning, 10'000);
}

TEST_F(CollectionSizeTest, BelongToTablesWithASortKey) {
  create(table_of("Simple", "pk"));
  EXPECT_EQ(refusal(db_->collection_size("Simple", {{"pk", "a"}})).code, Code::kInvalid);
  EXPECT_EQ(refusal(db_->collection_size("Plain", {{"pk", "a"}, {"sk", "1"}})),
            invalid("The provided key element does not match the schema"));
  EXPECT_EQ(refusal(db_->collection_size("Nothing", {{"pk", "a"}})), no_table());
}

}  // namespace
}  // namespace sheaf
