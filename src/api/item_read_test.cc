// GetItem, BatchGetItem and TransactGetItems.
#include <set>

#include "api/database_fixture.h"

namespace sheaf {
namespace {

class ItemReadTest : public DatabaseTest {
 protected:
  ItemReadTest() {
    create(table_of("Simple", "pk"));
    create(table_of("Things", "pk", "sk"));
  }

  static Item key(int number) { return {{"pk", "k" + std::to_string(number)}}; }
  static std::vector<Item> keys(int count) {
    std::vector<Item> result;
    for (int i = 0; i < count; ++i) result.push_back(key(i));
    return result;
  }
  void put_simple(int count, uint32_t payload_bytes = 0) {
    for (int i = 0; i < count; ++i) {
      Item item = key(i);
      if (payload_bytes > 0) item.set("x", Value(std::string(payload_bytes, 'x')));
      put("Simple", item);
    }
  }
};

using GetItemTest = ItemReadTest;
using BatchGetTest = ItemReadTest;
using TransactGetTest = ItemReadTest;

TEST_F(GetItemTest, FindsAnItemOrNothing) {
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"v", 1}});
  EXPECT_EQ(get("Things", {{"pk", "a"}, {"sk", "1"}}), (Item{{"pk", "a"}, {"sk", "1"}, {"v", 1}}));
  EXPECT_EQ(get("Things", {{"pk", "a"}, {"sk", "2"}}), std::nullopt);
}

TEST_F(GetItemTest, ReturnsTheProjectedParts) {
  put("Simple", {{"pk", "a"}, {"m", Item{{"x", 1}, {"y", 2}}}, {"l", Value::list({1, 2, 3})}, {"v", 1}});
  GetItem request{
      .table = "Simple", .key = {{"pk", "a"}}, .projection = "m.x, l[1], #v", .names = {{"#v", "v"}}};
  EXPECT_EQ(must(db_->get_item(request)).item,
            (Item{{"m", Item{{"x", 1}}}, {"l", Value::list({2})}, {"v", 1}}));
  request.projection = "nothing_of_this";
  request.names = {};
  EXPECT_EQ(must(db_->get_item(request)).item, Item{});
}

// A15: a strongly consistent read sees every write that was acknowledged before it.
TEST_F(GetItemTest, AStrongReadSeesTheLastWrite) {
  for (int i = 0; i < 100; ++i) {
    put("Simple", {{"pk", "a"}, {"v", i}});
    const Got got = must(db_->get_item({.table = "Simple", .key = {{"pk", "a"}}, .consistent = true}));
    EXPECT_EQ(got.item, (Item{{"pk", "a"}, {"v", i}}));
    EXPECT_EQ(got.capacity.table, 1);
  }
}

TEST_F(GetItemTest, ChecksComeInDynamoDBsOrder) {
  GetItem request{.table = "Nothing", .key = {{"sk", 1}}, .names = {{"#v", "v"}}};
  EXPECT_EQ(refusal(db_->get_item(request)),
            invalid("ExpressionAttributeNames can only be specified when using expressions"));
  request.projection = "v,";
  EXPECT_EQ(refusal(db_->get_item(request)).message.substr(0, 30), "Invalid ProjectionExpression: ");
  request.projection = "pk.x";
  EXPECT_EQ(refusal(db_->get_item(request)),
            invalid("Value provided in ExpressionAttributeNames unused in expressions: keys: {#v}"));
  request.names = {};
  EXPECT_EQ(refusal(db_->get_item(request)), no_table());
  request.table = "Things";
  EXPECT_EQ(refusal(db_->get_item(request)), invalid("The provided key element does not match the schema"));
  request.key = {{"pk", "a"}, {"sk", "1"}};
  EXPECT_EQ(refusal(db_->get_item(request)),
            invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                    "allowed: Key: pk"));
}

// A18: the details of found ids in one request, over several tables.
TEST_F(BatchGetTest, FetchesManyItemsOfSeveralTables) {
  put_simple(3);
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"v", 1}, {"w", 1}});
  const BatchGot got = must(db_->batch_get_items(
      {.tables = {
           {"Simple", {.keys = {key(0), key(2), key(9)}}},
           {"Things", {.keys = {{{"pk", "a"}, {"sk", "1"}}}, .projection = "v", .consistent = true}}}}));
  const Texts simple = column(got.items.at("Simple"), "pk");
  EXPECT_EQ(std::set<std::string>(simple.begin(), simple.end()), (std::set<std::string>{"k0", "k2"}));
  EXPECT_EQ(items_of(got.items.at("Things")), (std::vector<Item>{{{"v", 1}}}));
  EXPECT_TRUE(got.unprocessed.empty());
  EXPECT_EQ(units(got.capacity.at("Simple")), "table 1.5");
  EXPECT_EQ(units(got.capacity.at("Things")), "table 1");
}

TEST_F(BatchGetTest, ATableOfWhichNothingWasFoundIsStillInTheAnswer) {
  const BatchGot got = must(db_->batch_get_items({.tables = {{"Simple", {.keys = {key(1)}}}}}));
  EXPECT_TRUE(got.items.at("Simple").empty());
}

// A18: up to a hundred keys.
TEST_F(BatchGetTest, TakesUpToAHundredKeys) {
  put_simple(100);
  EXPECT_EQ(
      must(db_->batch_get_items({.tables = {{"Simple", {.keys = keys(100)}}}})).items.at("Simple").size(),
      100u);
  EXPECT_EQ(
      refusal(db_->batch_get_items({.tables = {{"Simple", {.keys = keys(101)}}}})),
      invalid("1 validation error detected: Value at 'RequestItems.Simple.member.Keys' failed to satisfy "
              "constraint: Member must have length less than or equal to 100"));
  EXPECT_EQ(
      refusal(db_->batch_get_items({.tables = {{"Simple", {.keys = {}}}}})),
      invalid("1 validation error detected: Value at 'RequestItems.Simple.member.Keys' failed to satisfy "
              "constraint: Member must have length greater than or equal to 1"));
  EXPECT_EQ(refusal(db_->batch_get_items(
                {.tables = {{"Simple", {.keys = keys(60)}}, {"Things", {.keys = keys(41)}}}})),
            invalid("Too many items requested for the BatchGetItem call"));
  EXPECT_EQ(refusal(db_->batch_get_items({})),
            invalid("The requestItems parameter is required for BatchGetItem"));
}

TEST_F(BatchGetTest, Beyond16MBKeysAreLeftForTheNextRequest) {
  constexpr uint32_t kPayload = 400'000;
  put_simple(50, kPayload);
  std::set<std::string> seen;
  std::vector<Item> wanted = keys(50);
  int requests = 0;
  for (; !wanted.empty(); ++requests) {
    ASSERT_LT(requests, 5);
    BatchGot got = must(db_->batch_get_items({.tables = {{"Simple", {.keys = wanted}}}}));
    for (const std::string& name : column(got.items["Simple"], "pk")) EXPECT_TRUE(seen.insert(name).second);
    // 41 of them are 16.4 million bytes, and 42 would be more than 16 MB.
    EXPECT_EQ(got.items["Simple"].size(), requests == 0 ? 41u : 9u);
    wanted = got.unprocessed["Simple"];
  }
  EXPECT_EQ(requests, 2);
  EXPECT_EQ(seen.size(), 50u);
}

TEST_F(BatchGetTest, ATableThatIsWhollyLeftForTheNextRequestIsNotInTheAnswer) {
  constexpr uint32_t kPayload = 400'000;
  put_simple(41, kPayload);
  const Item large = {{"pk", "a"}, {"sk", "1"}};
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"v", std::string(kPayload, 'v')}});
  const BatchGot got =
      must(db_->batch_get_items({.tables = {{"Simple", {.keys = keys(41)}}, {"Things", {.keys = {large}}}}}));
  EXPECT_EQ(got.items.at("Simple").size(), 41u);
  EXPECT_EQ(got.unprocessed.at("Things"), std::vector<Item>{large});
  EXPECT_FALSE(got.items.contains("Things"));
  EXPECT_FALSE(got.capacity.contains("Things"));
}

TEST_F(BatchGetTest, RefusesTheWholeRequestForOnePart) {
  put_simple(1);
  EXPECT_EQ(refusal(db_->batch_get_items({.tables = {{"Simple", {.keys = {key(0), key(0)}}}}})),
            invalid("Provided list of item keys contains duplicates"));
  EXPECT_EQ(refusal(db_->batch_get_items({.tables = {{"Simple", {.keys = {key(0), {{"pk", 1}}}}}}})),
            invalid("The provided key element does not match the schema"));
  EXPECT_EQ(refusal(db_->batch_get_items(
                {.tables = {{"Nothing", {.keys = {key(0)}}}, {"Simple", {.keys = {key(0)}}}}})),
            no_table());
  EXPECT_EQ(refusal(db_->batch_get_items(
                {.tables = {{"Simple", {.keys = {{{"pk", 1}}}}}, {"Unheard", {.keys = {key(0)}}}}})),
            no_table())
      << "all tables are looked for before any key is held against its schema";
  EXPECT_EQ(refusal(db_->batch_get_items({.tables = {{"Nothing", {.keys = {key(0), key(0)}}}}})),
            invalid("Provided list of item keys contains duplicates"))
      << "keys are compared before tables are looked for";
}

TEST_F(TransactGetTest, ReturnsItemsInTheOrderOfTheRequest) {
  put_simple(2);
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"v", 1}});
  const TransactGot got = must(db_->transact_get_items(
      {.gets = {{.table = "Things", .key = {{"pk", "a"}, {"sk", "1"}}, .projection = "v"},
                {.table = "Simple", .key = key(1)},
                {.table = "Simple", .key = key(7)}}}));
  EXPECT_TRUE(got.applied);
  EXPECT_EQ(got.items, (std::vector<std::optional<Item>>{Item{{"v", 1}}, key(1), std::nullopt}));
  EXPECT_EQ(units(got.capacity.at("Things")), "table 2");
  EXPECT_EQ(units(got.capacity.at("Simple")), "table 4");
}

TEST_F(TransactGetTest, TakesUpToAHundredItems) {
  put_simple(1);
  TransactGetItems request;
  for (int i = 0; i < 100; ++i) request.gets.push_back({.table = "Simple", .key = key(i)});
  EXPECT_EQ(must(db_->transact_get_items(request)).items.size(), 100u);
  request.gets.push_back({.table = "Simple", .key = key(100)});
  const std::string text = refusal(db_->transact_get_items(request)).message;
  EXPECT_TRUE(text.ends_with("Member must have length less than or equal to 100")) << text;
  EXPECT_EQ(
      refusal(db_->transact_get_items({})),
      invalid("1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
              "Member must have length greater than or equal to 1"));
}

TEST_F(TransactGetTest, ItemsTogetherHaveAtMost4MB) {
  put_simple(11, 400'000);
  TransactGetItems request;
  for (int i = 0; i < 10; ++i) request.gets.push_back({.table = "Simple", .key = key(i)});
  EXPECT_TRUE(must(db_->transact_get_items(request)).applied);
  request.gets.push_back({.table = "Simple", .key = key(10)});
  const TransactGot cancelled = must(db_->transact_get_items(request));
  EXPECT_FALSE(cancelled.applied);
  EXPECT_EQ(cancelled.reasons.back().code, CancellationReason::Code::kValidationError);
  EXPECT_TRUE(cancelled.items.empty());
}

TEST_F(TransactGetTest, AWrongKeyCancelsAndADuplicateIsRefused) {
  put_simple(1);
  const TransactGot cancelled = must(db_->transact_get_items(
      {.gets = {{.table = "Simple", .key = key(0)}, {.table = "Simple", .key = {{"other", "x"}}}}}));
  EXPECT_FALSE(cancelled.applied);
  ASSERT_EQ(cancelled.reasons.size(), 2u);
  EXPECT_EQ(cancelled.reasons[0].code, CancellationReason::Code::kNone);
  EXPECT_EQ(cancelled.reasons[1].code, CancellationReason::Code::kValidationError);
  EXPECT_EQ(cancelled.reasons[1].message, "The provided key element does not match the schema");
  EXPECT_EQ(refusal(db_->transact_get_items(
                {.gets = {{.table = "Simple", .key = key(0)}, {.table = "Simple", .key = key(0)}}})),
            invalid("Transaction request cannot include multiple operations on one item"));
  EXPECT_EQ(refusal(db_->transact_get_items({.gets = {{.table = "Nothing", .key = key(0)}}})), no_table());
}

}  // namespace
}  // namespace sheaf
