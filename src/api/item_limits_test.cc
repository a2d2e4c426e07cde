// How large an item, a key and a value may be: the last that is taken and the first that is not.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class ItemLimitsTest : public DatabaseTest {
 protected:
  ItemLimitsTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.global_indexes = {index_of("gsi", "gpk", "gsk")};
    create(table);
  }
  // An item of exactly `bytes`, by DynamoDB's count.
  static Item item_of(uint32_t bytes) {
    const Item key{{"pk", "a"}, {"sk", "1"}};
    Item item = key;
    item.set("x", Value(std::string(bytes - key.view().size_bytes() - 1, 'x')));
    return item;
  }
  Error put_refused(Item item) {
    return refusal(db_->put_item({.table = "Things", .item = std::move(item)}));
  }
};

// A1, G1: 400 KB, names and values together.
TEST_F(ItemLimitsTest, AnItemOf400KBIsTakenAndOneByteMoreIsNot) {
  EXPECT_EQ(item_of(kItemBytesMax).view().size_bytes(), 409'600u);
  put("Things", item_of(kItemBytesMax));
  EXPECT_EQ(put_refused(item_of(kItemBytesMax + 1)),
            invalid("Item size has exceeded the maximum allowed size"));
}

// A1, G1: an update that would make it larger is refused, and leaves it as it was.
TEST_F(ItemLimitsTest, AnUpdateCannotGrowAnItemBeyondIt) {
  put("Things", item_of(kItemBytesMax - 2));
  UpdateItem request{
      .table = "Things", .key = {{"pk", "a"}, {"sk", "1"}}, .update = "SET y = :y", .values = {{":y", "12"}}};
  EXPECT_EQ(refusal(db_->update_item(request)),
            invalid("Item size to update has exceeded the maximum allowed size"));
  EXPECT_EQ(get("Things", request.key), item_of(kItemBytesMax - 2));
  request.values = {{":y", "1"}};
  must(db_->update_item(request));
}

// A1, G1: the same by batch and by transaction.
TEST_F(ItemLimitsTest, TheLimitHoldsInBatchesAndTransactions) {
  const Error expected = invalid("Item size has exceeded the maximum allowed size");
  EXPECT_EQ(refusal(db_->batch_write_items({.tables = {{"Things", {{.item = item_of(kItemBytesMax + 1)}}}}})),
            expected);
  EXPECT_EQ(refusal(db_->transact_write_items(
                {.actions = {PutItem{.table = "Things", .item = item_of(kItemBytesMax + 1)}}})),
            expected);
  EXPECT_TRUE(must(db_->transact_write_items(
                       {.actions = {PutItem{.table = "Things", .item = item_of(kItemBytesMax)}}}))
                  .applied);
}

TEST_F(ItemLimitsTest, PartitionKeysHaveAtMost2048Bytes) {
  put("Things", {{"pk", std::string(2048, 'p')}, {"sk", "1"}});
  const Error expected =
      invalid_parameter("Size of hashkey has exceeded the maximum size limit of2048 bytes");
  const std::string too_long(2049, 'p');
  EXPECT_EQ(put_refused({{"pk", too_long}, {"sk", "1"}}), expected);
  EXPECT_EQ(refusal(db_->get_item({.table = "Things", .key = {{"pk", too_long}, {"sk", "1"}}})), expected);
  EXPECT_EQ(refusal(db_->query(
                {.table = "Things", .key_condition = "pk = :p", .values = {{":p", Value(too_long)}}})),
            expected);
}

// A19: 1024 bytes for a sort key.
TEST_F(ItemLimitsTest, SortKeysHaveAtMost1024Bytes) {
  const std::string longest(1024, 's');
  put("Things", {{"pk", "a"}, {"sk", longest}});
  EXPECT_TRUE(get("Things", {{"pk", "a"}, {"sk", longest}}));
  const Error expected =
      invalid_parameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  EXPECT_EQ(put_refused({{"pk", "a"}, {"sk", longest + "s"}}), expected);
  EXPECT_EQ(refusal(db_->delete_item({.table = "Things", .key = {{"pk", "a"}, {"sk", longest + "s"}}})),
            expected);
  EXPECT_EQ(refusal(db_->query({.table = "Things",
                                .key_condition = "pk = :p AND sk > :s",
                                .values = {{":p", "a"}, {":s", longest + "s"}}})),
            expected);
}

TEST_F(ItemLimitsTest, BytesAreCountedNotCharacters) {
  std::string euros;
  while (euros.size() < 1023) euros += "\xe2\x82\xac";
  put("Things", {{"pk", "a"}, {"sk", euros}});
  EXPECT_EQ(put_refused({{"pk", "a"}, {"sk", euros + "\xe2\x82\xac"}}).code, Code::kInvalid);
}

// A19: index keys have the same limits.
TEST_F(ItemLimitsTest, IndexKeysHaveTheSameLimits) {
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"gpk", std::string(2048, 'g')}, {"gsk", std::string(1024, 's')}});
  EXPECT_EQ(must(db_->scan({.table = "Things", .index = "gsi"})).count, 1u);
  EXPECT_EQ(put_refused({{"pk", "a"}, {"sk", "1"}, {"gpk", std::string(2049, 'g')}, {"gsk", "1"}}),
            invalid_parameter("Size limit exceeded for Index Key gpk Actual Size: 2049 bytes Max Size: 2048 "
                              "bytes IndexName: gsi"));
  EXPECT_EQ(put_refused({{"pk", "a"}, {"sk", "1"}, {"gpk", "g"}, {"gsk", std::string(1025, 's')}}),
            invalid_parameter("Size limit exceeded for Index Key gsk Actual Size: 1025 bytes Max Size: 1024 "
                              "bytes IndexName: gsi"));
}

TEST_F(ItemLimitsTest, UpdatesRespectTheNestingLimit) {
  Value deep(1);
  for (int i = 0; i < kNestingMax - 1; ++i) deep = Value::list({deep});
  EXPECT_EQ(deep.view().depth(), kNestingMax);
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"deep", deep}});
  UpdateItem request{.table = "Things",
                     .key = {{"pk", "a"}, {"sk", "1"}},
                     .update = "SET m = :m",
                     .values = {{":m", Item{}}}};
  must(db_->update_item(request));
  request.update = "SET m.x = deep";
  EXPECT_EQ(refusal(db_->update_item(request)).message.substr(0, 9), "Value pro");
  request.values = {};
  EXPECT_EQ(
      refusal(db_->update_item(request)),
      invalid("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
              "beyond supported limit"));
}

}  // namespace
}  // namespace sheaf
