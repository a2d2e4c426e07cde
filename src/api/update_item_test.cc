// UpdateItem: what it makes of an item, every mode of ReturnValues, and what is refused in which order.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class UpdateItemTest : public DatabaseTest {
 protected:
  UpdateItemTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l")};
    table.global_indexes = {index_of("gsi", "g")};
    table.stream = StreamView::kNewAndOldImages;
    create(table);
  }

  static UpdateItem change(std::string update, Item values = {},
                           ReturnValues return_values = ReturnValues::kNone) {
    return {.table = "Things",
            .key = {{"pk", "a"}, {"sk", "1"}},
            .update = std::move(update),
            .values = std::move(values),
            .return_values = return_values};
  }
  std::optional<Item> updated(const UpdateItem& request) {
    return must(db_->update_item(request)).attributes;
  }
  Error refused(const UpdateItem& request) { return refusal(db_->update_item(request)); }
  std::optional<Item> stored() { return get("Things", {{"pk", "a"}, {"sk", "1"}}); }
  static Item item_with(std::initializer_list<std::pair<std::string_view, Value>> attributes) {
    Item item{{"pk", "a"}, {"sk", "1"}};
    for (const auto& [name, value] : attributes) item.set(name, value);
    return item;
  }
};

TEST_F(UpdateItemTest, MakesTheItemIfItIsNotThere) {
  updated(change("SET v = :v", {{":v", 1}}));
  EXPECT_EQ(stored(), item_with({{"v", 1}}));
}

TEST_F(UpdateItemTest, WithoutAnExpressionItMakesAnItemOfTheKeyAlone) {
  must(db_->update_item({.table = "Things", .key = {{"pk", "a"}, {"sk", "1"}}}));
  EXPECT_EQ(stored(), item_with({}));
}

TEST_F(UpdateItemTest, WhatOnlyTakesAwayMakesNoItem) {
  EXPECT_EQ(updated(change("REMOVE v", {}, ReturnValues::kAllNew)), std::nullopt);
  EXPECT_EQ(updated(change("DELETE v :s", {{":s", Value::string_set({"x"})}})), std::nullopt);
  EXPECT_EQ(stored(), std::nullopt);
  EXPECT_EQ(must(db_->describe_table("Things")).item_count, 0);
}

TEST_F(UpdateItemTest, SetsAddsDeletesAndRemovesAtOnce) {
  put("Things",
      item_with({{"n", 1}, {"s", Value::string_set({"x", "y"})}, {"old", 1}, {"m", Item{{"a", 1}}}}));
  UpdateItem request =
      change("SET m.b = n + :one, list2 = list_append(:front, :back) ADD n :one DELETE s :x REMOVE #old",
             {{":one", 1},
              {":x", Value::string_set({"x"})},
              {":front", Value::list({1})},
              {":back", Value::list({2})}});
  request.names = {{"#old", "old"}};
  updated(request);
  EXPECT_EQ(stored(), item_with({{"n", 2},
                                 {"s", Value::string_set({"y"})},
                                 {"m", Item{{"a", 1}, {"b", 2}}},
                                 {"list2", Value::list({1, 2})}}));
}

TEST_F(UpdateItemTest, ReturnsTheWholeItemBeforeOrAfter) {
  put("Things", item_with({{"v", 1}, {"w", 1}}));
  EXPECT_EQ(updated(change("SET v = :v", {{":v", 2}}, ReturnValues::kAllOld)),
            item_with({{"v", 1}, {"w", 1}}));
  EXPECT_EQ(updated(change("SET v = :v", {{":v", 3}}, ReturnValues::kAllNew)),
            item_with({{"v", 3}, {"w", 1}}));
  EXPECT_EQ(updated(change("SET v = :v", {{":v", 4}}, ReturnValues::kNone)), std::nullopt);
}

TEST_F(UpdateItemTest, ReturnsWhatWasTouchedBeforeOrAfter) {
  put("Things", item_with({{"v", 1}, {"m", Item{{"a", 1}, {"b", 2}}}, {"gone", 7}, {"rest", 0}}));
  UpdateItem request =
      change("SET v = :v, m.a = :v, fresh = :v REMOVE gone", {{":v", 5}}, ReturnValues::kUpdatedOld);
  EXPECT_EQ(updated(request), (Item{{"v", 1}, {"m", Item{{"a", 1}}}, {"gone", 7}}));
  request.return_values = ReturnValues::kUpdatedNew;
  EXPECT_EQ(updated(request), (Item{{"v", 5}, {"m", Item{{"a", 5}}}, {"fresh", 5}}));
  request.return_values = ReturnValues::kUpdatedOld;  // overwritten with the same value
  EXPECT_EQ(updated(request), (Item{{"v", 5}, {"m", Item{{"a", 5}}}, {"fresh", 5}}));
}

TEST_F(UpdateItemTest, ReturnsTouchedElementsOfListsCloseTogether) {
  put("Things", item_with({{"a", Value::list({1, 2, 3})}}));
  UpdateItem request =
      change("SET a[2] = :x, a[0] = :y", {{":x", 30}, {":y", 10}}, ReturnValues::kUpdatedOld);
  EXPECT_EQ(updated(request), (Item{{"a", Value::list({1, 3})}}));
  request.return_values = ReturnValues::kUpdatedNew;
  EXPECT_EQ(updated(request), (Item{{"a", Value::list({10, 30})}}));
  // Behind the end is the end; there is nothing at the place that was named.
  EXPECT_EQ(updated(change("SET a[100] = :x", {{":x", 40}}, ReturnValues::kUpdatedNew)), std::nullopt);
  EXPECT_EQ(stored(), item_with({{"a", Value::list({10, 2, 30, 40})}}));
  EXPECT_EQ(updated(change("REMOVE a[1]", {}, ReturnValues::kUpdatedNew)), (Item{{"a", Value::list({30})}}));
}

TEST_F(UpdateItemTest, ReturnsNothingIfNothingIsLeftToReturn) {
  EXPECT_EQ(updated(change("SET v = :v", {{":v", 1}}, ReturnValues::kAllOld)), std::nullopt);
  EXPECT_EQ(updated(change("SET w = :v", {{":v", 1}}, ReturnValues::kUpdatedOld)), std::nullopt);
  EXPECT_EQ(updated(change("REMOVE v", {}, ReturnValues::kUpdatedNew)), std::nullopt);
}

// A16: a parent with its children embedded changes in one atomic update.
TEST_F(UpdateItemTest, EmbeddedChildrenChangeWithTheirParent) {
  put("Things",
      item_with(
          {{"name", "Ada"}, {"addresses", Item{{"home", Item{{"city", "London"}}}}}, {"address_count", 1}}));
  UpdateItem add = change("SET addresses.#work = :work, address_count = address_count + :one",
                          {{":work", Item{{"city", "Paris"}}}, {":one", 1}, {":max", 20}});
  add.names = {{"#work", "work"}};
  add.condition = "attribute_not_exists(addresses.#work) AND address_count < :max";
  EXPECT_TRUE(must(db_->update_item(add)).condition_met);
  EXPECT_FALSE(must(db_->update_item(add)).condition_met);
  EXPECT_EQ(
      stored(),
      item_with({{"name", "Ada"},
                 {"addresses", Item{{"home", Item{{"city", "London"}}}, {"work", Item{{"city", "Paris"}}}}},
                 {"address_count", 2}}));
}

TEST_F(UpdateItemTest, ConditionsAreAskedBeforeTheUpdateIsTried) {
  put("Things", item_with({{"v", "text"}}));
  UpdateItem request = change("SET v = v + :one", {{":one", 1}, {":no", "no"}});
  request.condition = "v = :no";
  request.return_item_on_failure = true;
  const Written outcome = must(db_->update_item(request));
  EXPECT_FALSE(outcome.condition_met);
  EXPECT_EQ(outcome.attributes, item_with({{"v", "text"}}));
}

TEST_F(UpdateItemTest, WhatCannotBeDoneWithTheItemIsRefused) {
  put("Things", item_with({{"v", "text"}}));
  EXPECT_EQ(refused(change("SET v = v + :one", {{":one", 1}})),
            invalid("An operand in the update expression has an incorrect data type"));
  EXPECT_EQ(refused(change("SET m.a = :one", {{":one", 1}})),
            invalid("The document path provided in the update expression is invalid for update"));
  EXPECT_EQ(refused(change("SET w = absent + :one", {{":one", 1}})),
            invalid("The provided expression refers to an attribute that does not exist in the item"));
  EXPECT_EQ(stored(), item_with({{"v", "text"}}));
}

TEST_F(UpdateItemTest, TheKeyCannotBeUpdated) {
  put("Things", item_with({}));
  EXPECT_EQ(refused(change("SET pk = :v", {{":v", "a"}})),
            invalid_parameter("Cannot update attribute pk. This attribute is part of the key"));
  EXPECT_EQ(refused(change("REMOVE sk")),
            invalid_parameter("Cannot update attribute sk. This attribute is part of the key"));
}

TEST_F(UpdateItemTest, IndexKeysMustStayWhatTheirIndexCanTake) {
  put("Things", item_with({{"n", 1}}));
  EXPECT_EQ(refused(change("SET g = :v", {{":v", 1}})),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi"));
  EXPECT_EQ(refused(change("SET g = n")),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi"));
  EXPECT_EQ(refused(change("SET g = :v", {{":v", ""}})),
            invalid("One or more parameter values are not valid. The update expression attempted to update a "
                    "secondary index key to a value that is not supported. The AttributeValue for a key "
                    "attribute cannot contain an empty string value."));
  EXPECT_EQ(refused(change("SET g.x = :v", {{":v", 1}})),
            invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                    "allowed: IndexKey: g"));
}

TEST_F(UpdateItemTest, ChecksComeInDynamoDBsOrder) {
  UpdateItem request{
      .table = "Nothing", .key = {{"pk", 1}, {"sk", "1"}}, .values = {{":v", 1}, {":text", "t"}}};
  EXPECT_EQ(refused(request), invalid("ExpressionAttributeValues can only be specified when using "
                                      "expressions: UpdateExpression and ConditionExpression are null"));
  request.condition = "bad syntax";
  request.update = "SET";
  EXPECT_EQ(refused(request).message.substr(0, 26), "Invalid UpdateExpression: ");
  request.update = "SET pk = :text, v = :v";
  EXPECT_EQ(refused(request).message.substr(0, 29), "Invalid ConditionExpression: ");
  request.condition = "attribute_exists(v)";
  request.names = {{"#unused", "x"}};
  EXPECT_EQ(refused(request),
            invalid("Value provided in ExpressionAttributeNames unused in expressions: keys: {#unused}"));
  request.names = {};
  EXPECT_EQ(refused(request), no_table());
  request.table = "Things";
  EXPECT_EQ(refused(request), invalid("The provided key element does not match the schema"));
  request.key = {{"pk", "a"}, {"sk", "1"}};
  EXPECT_EQ(refused(request),
            invalid_parameter("Cannot update attribute pk. This attribute is part of the key"));
  request.update = "SET g = :v, v = if_not_exists(v, :text)";
  EXPECT_EQ(refused(request),
            invalid_parameter("Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi"));
  request.update = "SET g = :text, v = v + :v";
  EXPECT_FALSE(must(db_->update_item(request)).condition_met);
}

TEST_F(UpdateItemTest, EqualUpdatesWriteNothingNew) {
  updated(change("SET v = :v, s = :s", {{":v", 1}, {":s", Value::string_set({"a", "b"})}}));
  const uint32_t stream = must(db_->describe_table("Things")).streams.back().id;
  const auto events = [&] {
    size_t count = 0;
    for (uint32_t shard = 0; shard < 4; ++shard)
      count += must(db_->read_stream({.table = "Things", .stream = stream, .shard = shard})).events.size();
    return count;
  };
  EXPECT_EQ(events(), 1u);
  updated(change("SET v = :v, s = :s", {{":v", 1}, {":s", Value::string_set({"b", "a"})}}));
  updated(change("REMOVE absent"));
  EXPECT_EQ(events(), 1u);
}

}  // namespace
}  // namespace sheaf
