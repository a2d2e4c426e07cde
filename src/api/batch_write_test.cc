// BatchWriteItem: many writes, each for itself.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

using Write = BatchWriteItems::Write;

class BatchWriteTest : public DatabaseTest {
 protected:
  BatchWriteTest() {
    create(table_of("Simple", "pk"));
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l", ProjectionKind::kKeysOnly)};
    table.global_indexes = {index_of("gsi", "g", "", ProjectionKind::kKeysOnly)};
    create(table);
  }
  static std::vector<Write> puts(int count) {
    std::vector<Write> writes;
    for (int i = 0; i < count; ++i) writes.push_back({.item = {{"pk", "k" + std::to_string(i)}}});
    return writes;
  }
  Error refused(std::map<std::string, std::vector<Write>> tables) {
    return refusal(db_->batch_write_items({.tables = std::move(tables)}));
  }
  int64_t count(const char* table) { return must(db_->describe_table(table)).item_count; }
};

TEST_F(BatchWriteTest, PutsAndDeletesInSeveralTables) {
  put("Simple", {{"pk", "gone"}});
  const BatchWritten written = must(db_->batch_write_items(
      {.tables = {{"Simple", {{.item = {{"pk", "a"}, {"v", 1}}}, {.put = false, .item = {{"pk", "gone"}}}}},
                  {"Things", {{.item = {{"pk", "a"}, {"sk", "1"}, {"g", "x"}, {"l", "y"}}}}}}}));
  EXPECT_TRUE(written.unprocessed.empty());
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"v", 1}}));
  EXPECT_EQ(get("Simple", {{"pk", "gone"}}), std::nullopt);
  EXPECT_EQ(units(written.capacity.at("Simple")), "table 2");
  EXPECT_EQ(units(written.capacity.at("Things")), "table 1, gsi 1, lsi 1");
  ASSERT_EQ(written.collections.at("Things").size(), 1u);
  EXPECT_EQ(written.collections.at("Things")[0].partition_key, (Item{{"pk", "a"}}));
  EXPECT_FALSE(written.collections.contains("Simple"));  // it has no local index
}

TEST_F(BatchWriteTest, TakesUpTo25Writes) {
  must(db_->batch_write_items({.tables = {{"Simple", puts(25)}}}));
  EXPECT_EQ(count("Simple"), 25);
  for (const int wrong : {0, 26}) {
    const std::string text = refused({{"Simple", puts(wrong)}}).message;
    EXPECT_TRUE(text.starts_with("1 validation error detected: Value '{Simple=[")) << text;
    EXPECT_TRUE(
        text.ends_with("' at 'requestItems' failed to satisfy constraint: Map value must satisfy "
                       "constraint: [Member must have length less than or equal to 25, Member must "
                       "have length greater than or equal to 1]"))
        << text;
  }
  EXPECT_EQ(refused({{"Simple", puts(13)}, {"Things", puts(13)}}),
            invalid("Too many items requested for the BatchWriteItem call"));
  EXPECT_EQ(refused({}), invalid("The requestItems parameter is required for BatchWriteItem"));
}

TEST_F(BatchWriteTest, ATableMayNotNameAnItemTwice) {
  EXPECT_EQ(refused({{"Simple", {{.item = {{"pk", "a"}, {"v", 1}}}, {.put = false, .item = {{"pk", "a"}}}}}}),
            invalid("Provided list of item keys contains duplicates"));
  EXPECT_EQ(count("Simple"), 0);
}

TEST_F(BatchWriteTest, OneWrongWriteRefusesAllOfThem) {
  const Write good{.item = {{"pk", "good"}, {"sk", "1"}}};
  const Error mismatch = invalid("The provided key element does not match the schema");
  EXPECT_EQ(refused({{"Things", {good, {.item = {{"pk", "a"}}}}}}), mismatch);
  EXPECT_EQ(refused({{"Things", {good, {.item = {{"pk", "a"}, {"sk", 1}}}}}}), mismatch);
  EXPECT_EQ(refused({{"Things", {good, {.put = false, .item = {{"pk", "a"}}}}}}), mismatch);
  EXPECT_EQ(
      refused({{"Things", {good, {.item = {{"pk", ""}, {"sk", "1"}}}}}}),
      invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
              "contain an empty string value. Key: pk"));
  EXPECT_EQ(refused({{"Things", {good, {.item = {{"pk", "a"}, {"sk", "1"}, {"g", 1}}}}}}),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi"));
  EXPECT_EQ(refused({{"Nothing", {good}}, {"Things", {good}}}), no_table());
  EXPECT_EQ(refused({{"Things", {{.item = {{"pk", "a"}}}}}, {"Unheard", {good}}}), no_table())
      << "all tables are looked for before any item is looked at";
  EXPECT_EQ(refused({{"Nothing", {{.item = {{"pk", std::string(kItemBytesMax, 'x')}}}}}}),
            invalid("Item size has exceeded the maximum allowed size"));  // before tables are looked for
  EXPECT_EQ(count("Things"), 0);
}

}  // namespace
}  // namespace sheaf
