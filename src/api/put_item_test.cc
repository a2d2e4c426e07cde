// PutItem and DeleteItem: results, conditions, what is returned, and what is refused in which order.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class PutItemTest : public DatabaseTest {
 protected:
  PutItemTest() {
    create(table_of("Simple", "pk"));
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l")};
    table.global_indexes = {index_of("gsi", "g")};
    create(table);
  }

  Error refused(const PutItem& request) { return refusal(db_->put_item(request)); }
  Error refused(const DeleteItem& request) { return refusal(db_->delete_item(request)); }
};

using DeleteItemTest = PutItemTest;

TEST_F(PutItemTest, KeepsEveryTypeOfValue) {
  const Item item{{"pk", "a"},
                  {"null", Value()},
                  {"bool", true},
                  {"number", must(Number::parse("-12345678901234567890.123456789012345678"))},
                  {"string", "text"},
                  {"empty", ""},
                  {"binary", Value::binary(std::string_view("\0\xff", 2))},
                  {"list", Value::list({1, "two", Value::list({})})},
                  {"map", Item{{"inner", Item{{"deep", 1}}}, {"", "unnamed"}}},
                  {"strings", Value::string_set({"b", "a"})},
                  {"numbers", Value::number_set({3, -1})},
                  {"binaries", Value::binary_set({"x", "y"})}};
  put("Simple", item);
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), item);
}

TEST_F(PutItemTest, ReplacesTheWholeItem) {
  put("Simple", {{"pk", "a"}, {"old", 1}});
  put("Simple", {{"pk", "a"}, {"new", 2}});
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"new", 2}}));
}

TEST_F(PutItemTest, NumbersAreOneKeyHoweverTheyAreWritten) {
  CreateTable table = table_of("Numbers", "n");
  table.key.partition[0].type = Type::kNumber;
  create(table);
  put("Numbers", {{"n", must(Number::parse("1.0"))}, {"v", 1}});
  put("Numbers", {{"n", must(Number::parse("10e-1"))}, {"v", 2}});
  EXPECT_EQ(get("Numbers", {{"n", 1}}), (Item{{"n", 1}, {"v", 2}}));
  EXPECT_EQ(must(db_->describe_table("Numbers")).item_count, 1);
}

TEST_F(PutItemTest, ReturnsTheOldItemOnlyIfAskedAndThere) {
  EXPECT_EQ(
      must(db_->put_item(
               {.table = "Simple", .item = {{"pk", "a"}, {"v", 1}}, .return_values = ReturnValues::kAllOld}))
          .attributes,
      std::nullopt);
  EXPECT_EQ(put("Simple", {{"pk", "a"}, {"v", 2}}).attributes, std::nullopt);
  EXPECT_EQ(
      must(db_->put_item(
               {.table = "Simple", .item = {{"pk", "a"}, {"v", 3}}, .return_values = ReturnValues::kAllOld}))
          .attributes,
      (Item{{"pk", "a"}, {"v", 2}}));
  for (const ReturnValues other :
       {ReturnValues::kAllNew, ReturnValues::kUpdatedNew, ReturnValues::kUpdatedOld}) {
    EXPECT_EQ(refused(PutItem{.table = "Simple", .item = {{"pk", "a"}}, .return_values = other}),
              invalid("ReturnValues can only be ALL_OLD or NONE"));
  }
}

TEST_F(PutItemTest, AFailedConditionIsAnOutcomeAndChangesNothing) {
  put("Simple", {{"pk", "a"}, {"v", 1}});
  PutItem request{
      .table = "Simple", .item = {{"pk", "a"}, {"v", 2}}, .condition = "attribute_not_exists(pk)"};
  Written outcome = must(db_->put_item(request));
  EXPECT_FALSE(outcome.condition_met);
  EXPECT_EQ(outcome.attributes, std::nullopt);
  request.return_values = ReturnValues::kAllOld;
  EXPECT_EQ(must(db_->put_item(request)).attributes, std::nullopt);
  request.return_item_on_failure = true;
  outcome = must(db_->put_item(request));
  EXPECT_FALSE(outcome.condition_met);
  EXPECT_EQ(outcome.attributes, (Item{{"pk", "a"}, {"v", 1}}));
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"v", 1}}));

  request.item = {{"pk", "b"}};
  request.condition = "attribute_exists(pk)";
  outcome = must(db_->put_item(request));
  EXPECT_FALSE(outcome.condition_met);
  EXPECT_EQ(outcome.attributes, std::nullopt);  // there was none
  EXPECT_EQ(get("Simple", {{"pk", "b"}}), std::nullopt);
}

TEST_F(PutItemTest, ConditionsUseNamesAndValues) {
  put("Simple", {{"pk", "a"}, {"status", "open"}, {"count", 3}});
  const Written written = must(db_->put_item({.table = "Simple",
                                              .item = {{"pk", "a"}, {"status", "closed"}},
                                              .condition = "#s = :open AND #c BETWEEN :low AND :high",
                                              .names = {{"#s", "status"}, {"#c", "count"}},
                                              .values = {{":open", "open"}, {":low", 1}, {":high", 3}}}));
  EXPECT_TRUE(written.condition_met);
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"status", "closed"}}));
}

// A2: the value of a key attribute is never a list or a map.
TEST_F(PutItemTest, TheKeyMustBeThereAndOfItsType) {
  const auto put_into = [](Item item) { return PutItem{.table = "Things", .item = std::move(item)}; };
  EXPECT_EQ(refused(put_into({{"sk", "1"}})), invalid_parameter("Missing the key pk in the item"));
  EXPECT_EQ(refused(put_into({{"pk", "1"}})), invalid_parameter("Missing the key sk in the item"));
  EXPECT_EQ(refused(put_into({{"pk", 1}, {"sk", "1"}})),
            invalid_parameter("Type mismatch for key pk expected: S actual: N"));
  EXPECT_EQ(refused(put_into({{"pk", Value::list({"a"})}, {"sk", "1"}})),
            invalid_parameter("Type mismatch for key pk expected: S actual: L"));
  EXPECT_EQ(refused(put_into({{"pk", "a"}, {"sk", Item{{"x", 1}}}})),
            invalid_parameter("Type mismatch for key sk expected: S actual: M"));
  EXPECT_EQ(
      refused(put_into({{"pk", ""}, {"sk", "1"}})),
      invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
              "contain an empty string value. Key: pk"));
  EXPECT_EQ(
      refused(put_into({{"pk", "a"}, {"sk", ""}})),
      invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
              "contain an empty string value. Key: sk"));
  CreateTable table = table_of("Binary", "pk");
  table.key.partition[0].type = Type::kBinary;
  create(table);
  EXPECT_EQ(
      refused(PutItem{.table = "Binary", .item = {{"pk", Value::binary("")}}}),
      invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
              "contain an empty binary value. Key: pk"));
}

// A2: nor is that of an index key.
TEST_F(PutItemTest, IndexKeysMustFitTheirIndexes) {
  const auto put_into = [](Item item) { return PutItem{.table = "Things", .item = std::move(item)}; };
  EXPECT_EQ(refused(put_into({{"pk", "a"}, {"sk", "1"}, {"g", Value::list({"x"})}})),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: L IndexName: gsi"));
  EXPECT_EQ(refused(put_into({{"pk", "a"}, {"sk", "1"}, {"g", Item{}}})),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: M IndexName: gsi"));
  EXPECT_EQ(refused(put_into({{"pk", "a"}, {"sk", "1"}, {"l", Value()}})),
            invalid_parameter("Type mismatch for Index Key l Expected: S Actual: NULL IndexName: lsi"));
  EXPECT_EQ(
      refused(put_into({{"pk", "a"}, {"sk", "1"}, {"g", ""}})),
      invalid("One or more parameter values are not valid. A value specified for a secondary index key is "
              "not supported. The AttributeValue for a key attribute cannot contain an empty string "
              "value. IndexName: gsi, IndexKey: g"));
  // Of several, the index whose name comes first.
  EXPECT_EQ(refused(put_into({{"pk", "a"}, {"sk", "1"}, {"l", 1}, {"g", 1}})),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi"));
  EXPECT_EQ(get("Things", {{"pk", "a"}, {"sk", "1"}}), std::nullopt);
}

TEST_F(PutItemTest, ChecksComeInDynamoDBsOrder) {
  // Each step repairs what was refused in the one before.
  PutItem request{.table = "Nothing",
                  .item = {{"pk", 1}, {"sk", "1"}, {"g", 1}, {"big", std::string(kItemBytesMax, 'x')}},
                  .values = {{":v", 1}},
                  .return_values = ReturnValues::kAllNew};
  EXPECT_EQ(refused(request), invalid("ExpressionAttributeValues can only be specified when using "
                                      "expressions: ConditionExpression is null"));
  request.condition = "size(pk, pk) = :w";
  EXPECT_EQ(refused(request), invalid("ReturnValues can only be ALL_OLD or NONE"));
  request.return_values = ReturnValues::kNone;
  EXPECT_EQ(refused(request), invalid("Item size has exceeded the maximum allowed size"));
  request.item.remove("big");
  EXPECT_EQ(refused(request).message.substr(0, 29), "Invalid ConditionExpression: ");
  request.condition = "attribute_exists(pk)";
  EXPECT_EQ(refused(request), invalid("Value provided in ExpressionAttributeValues unused in expressions: "
                                      "keys: {:v}"));
  request.values = {};
  EXPECT_EQ(refused(request), no_table());
  request.table = "Things";
  EXPECT_EQ(refused(request), invalid_parameter("Type mismatch for key pk expected: S actual: N"));
  request.item.set("pk", Value("a"));
  // Index keys before the condition, which is not met here.
  EXPECT_EQ(refused(request),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi"));
  request.item.remove("g");
  EXPECT_FALSE(must(db_->put_item(request)).condition_met);
}

TEST_F(PutItemTest, KeyAttributesHaveNoParts) {
  EXPECT_EQ(
      refused(PutItem{
          .table = "Things", .item = {{"pk", "a"}, {"sk", "1"}}, .condition = "attribute_exists(pk.deep)"}),
      invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
              "allowed: Key: pk"));
  EXPECT_EQ(
      refused(PutItem{
          .table = "Things", .item = {{"pk", "a"}, {"sk", "1"}}, .condition = "attribute_exists(g[0])"}),
      invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
              "allowed: IndexKey: g"));
}

TEST_F(DeleteItemTest, RemovesTheItemAndReturnsItIfAsked) {
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"v", 1}});
  const DeleteItem request{
      .table = "Things", .key = {{"pk", "a"}, {"sk", "1"}}, .return_values = ReturnValues::kAllOld};
  EXPECT_EQ(must(db_->delete_item(request)).attributes, (Item{{"pk", "a"}, {"sk", "1"}, {"v", 1}}));
  EXPECT_EQ(get("Things", {{"pk", "a"}, {"sk", "1"}}), std::nullopt);
  // What is not there is deleted without complaint.
  const Written again = must(db_->delete_item(request));
  EXPECT_TRUE(again.condition_met);
  EXPECT_EQ(again.attributes, std::nullopt);
}

TEST_F(DeleteItemTest, ConditionsAreAskedOfTheItemOrOfNothing) {
  put("Simple", {{"pk", "a"}, {"v", 1}});
  DeleteItem request{.table = "Simple",
                     .key = {{"pk", "a"}},
                     .condition = "v = :v",
                     .values = {{":v", 2}},
                     .return_item_on_failure = true};
  const Written outcome = must(db_->delete_item(request));
  EXPECT_FALSE(outcome.condition_met);
  EXPECT_EQ(outcome.attributes, (Item{{"pk", "a"}, {"v", 1}}));
  request.values = {{":v", 1}};
  EXPECT_TRUE(must(db_->delete_item(request)).condition_met);
  EXPECT_FALSE(must(db_->delete_item(request)).condition_met);  // now there is no v
}

TEST_F(DeleteItemTest, TheKeyMustBeExactlyTheTables) {
  const Error mismatch = invalid("The provided key element does not match the schema");
  for (const Item& key : {Item{{"pk", "a"}}, Item{{"pk", "a"}, {"sk", 1}}, Item{{"pk", "a"}, {"xk", "1"}},
                          Item{{"pk", "a"}, {"sk", "1"}, {"v", 1}}, Item{}}) {
    EXPECT_EQ(refused(DeleteItem{.table = "Things", .key = key}), mismatch) << key.to_json();
  }
  EXPECT_EQ(
      refused(DeleteItem{.table = "Things", .key = {{"pk", "a"}, {"sk", ""}}}),
      invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
              "contain an empty string value. Key: sk"));
  EXPECT_EQ(refused(DeleteItem{.table = "Nothing", .key = {}}), no_table());
  EXPECT_EQ(refused(DeleteItem{.table = "Things", .key = {}, .return_values = ReturnValues::kAllNew}),
            invalid("ReturnValues can only be ALL_OLD or NONE"));
}

}  // namespace
}  // namespace sheaf
