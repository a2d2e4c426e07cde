// TransactWriteItems: all or nothing, reasons for nothing, tokens, limits and the order of checks.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

using Reason = CancellationReason::Code;

class TransactionTest : public DatabaseTest {
 protected:
  TransactionTest() {
    create(table_of("Simple", "pk"));
    CreateTable table = table_of("Things", "pk", "sk");
    table.global_indexes = {index_of("gsi", "g")};
    create(table);
  }

  TransactWritten transact(std::vector<TransactAction> actions, std::string token = "") {
    return must(db_->transact_write_items({.actions = std::move(actions), .token = std::move(token)}));
  }
  Error refused(std::vector<TransactAction> actions, std::string token = "") {
    return refusal(db_->transact_write_items({.actions = std::move(actions), .token = std::move(token)}));
  }
  static std::vector<Reason> codes(const TransactWritten& cancelled) {
    EXPECT_FALSE(cancelled.applied);
    std::vector<Reason> result;
    for (const CancellationReason& reason : cancelled.reasons) result.push_back(reason.code);
    return result;
  }
  static PutItem simple(const std::string& name, int value = 0) {
    return {.table = "Simple", .item = {{"pk", name}, {"v", value}}};
  }
  static UpdateItem set_v(const std::string& name, const Value& value) {
    return {.table = "Simple", .key = {{"pk", name}}, .update = "SET v = :v", .values = {{":v", value}}};
  }
  static std::vector<TransactAction> puts(int count, size_t payload_bytes = 0) {
    std::vector<TransactAction> actions;
    for (int i = 0; i < count; ++i) {
      PutItem action = simple("k" + std::to_string(i));
      if (payload_bytes > 0) action.item.set("x", Value(std::string(payload_bytes, 'x')));
      actions.emplace_back(std::move(action));
    }
    return actions;
  }
  int64_t count(const char* table) { return must(db_->describe_table(table)).item_count; }
};

// A14: several updates of one item collection all succeed.
TEST_F(TransactionTest, SeveralChangesInACollectionHappenTogether) {
  put("Things", {{"pk", "ORDER#1"}, {"sk", "META"}, {"lines", 1}, {"state", "new"}});
  put("Things", {{"pk", "ORDER#1"}, {"sk", "LINE#1"}, {"qty", 1}});
  put("Things", {{"pk", "ORDER#1"}, {"sk", "LINE#2"}, {"qty", 5}});
  const TransactWritten written =
      transact({UpdateItem{.table = "Things",
                           .key = {{"pk", "ORDER#1"}, {"sk", "META"}},
                           .update = "SET #s = :paid ADD #l :one",
                           .condition = "#s = :new",
                           .names = {{"#s", "state"}, {"#l", "lines"}},
                           .values = {{":paid", "paid"}, {":new", "new"}, {":one", 1}}},
                PutItem{.table = "Things", .item = {{"pk", "ORDER#1"}, {"sk", "LINE#3"}, {"qty", 2}}},
                DeleteItem{.table = "Things", .key = {{"pk", "ORDER#1"}, {"sk", "LINE#2"}}},
                ConditionCheck{.table = "Things",
                               .key = {{"pk", "ORDER#1"}, {"sk", "LINE#1"}},
                               .condition = "attribute_exists(pk)"}});
  EXPECT_TRUE(written.applied);
  EXPECT_TRUE(written.reasons.empty());
  const Page order = must(db_->query(
      {.table = "Things", .key_condition = "pk = :p", .values = {{":p", "ORDER#1"}}, .consistent = true}));
  EXPECT_EQ(items_of(order.items),
            (std::vector<Item>{{{"pk", "ORDER#1"}, {"sk", "LINE#1"}, {"qty", 1}},
                               {{"pk", "ORDER#1"}, {"sk", "LINE#3"}, {"qty", 2}},
                               {{"pk", "ORDER#1"}, {"sk", "META"}, {"lines", 2}, {"state", "paid"}}}));
}

// A14: or all fail, and every reason is told.
TEST_F(TransactionTest, OneFailedConditionLeavesEverythingAsItWas) {
  put("Simple", {{"pk", "a"}, {"v", 1}});
  put("Simple", {{"pk", "b"}, {"v", 2}});
  PutItem fresh = simple("a", 9);
  fresh.condition = "attribute_not_exists(pk)";
  fresh.return_item_on_failure = true;
  DeleteItem wrong{.table = "Simple", .key = {{"pk", "b"}}, .condition = "v = :v", .values = {{":v", 7}}};
  const TransactWritten cancelled = transact({simple("new"), fresh, set_v("ghost", 1), wrong});
  EXPECT_EQ(codes(cancelled), (std::vector{Reason::kNone, Reason::kConditionalCheckFailed, Reason::kNone,
                                           Reason::kConditionalCheckFailed}));
  EXPECT_EQ(cancelled.reasons[1].message, "The conditional request failed");
  EXPECT_EQ(cancelled.reasons[1].item, (Item{{"pk", "a"}, {"v", 1}}));
  EXPECT_EQ(cancelled.reasons[3].item, std::nullopt);
  EXPECT_EQ(cancelled.reasons[0].message, "");
  EXPECT_EQ(count("Simple"), 2);
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"v", 1}}));
  EXPECT_EQ(get("Simple", {{"pk", "ghost"}}), std::nullopt);
}

TEST_F(TransactionTest, ConditionChecksWriteNothing) {
  put("Simple", {{"pk", "a"}, {"v", 1}});
  ConditionCheck check{.table = "Simple", .key = {{"pk", "a"}}, .condition = "v = :v", .values = {{":v", 1}}};
  EXPECT_TRUE(transact({check, simple("b")}).applied);
  check.values = {{":v", 2}};
  check.return_item_on_failure = true;
  const TransactWritten cancelled = transact({check, simple("c")});
  EXPECT_EQ(codes(cancelled), (std::vector{Reason::kConditionalCheckFailed, Reason::kNone}));
  EXPECT_EQ(cancelled.reasons[0].item, (Item{{"pk", "a"}, {"v", 1}}));
  EXPECT_EQ(count("Simple"), 2);
}

TEST_F(TransactionTest, SpansTables) {
  EXPECT_TRUE(
      transact({simple("a"), PutItem{.table = "Things", .item = {{"pk", "a"}, {"sk", "1"}}}}).applied);
  EXPECT_EQ(count("Simple"), 1);
  EXPECT_EQ(count("Things"), 1);
}

TEST_F(TransactionTest, TakesUpToAHundredActions) {
  EXPECT_TRUE(transact(puts(100)).applied);
  EXPECT_EQ(count("Simple"), 100);
  const std::string text = refused(puts(101)).message;
  EXPECT_TRUE(text.starts_with("1 validation error detected: Value '[")) << text;
  EXPECT_TRUE(
      text.ends_with("]' at 'transactItems' failed to satisfy constraint: Member must have length less "
                     "than or equal to 100"))
      << text;
  EXPECT_EQ(
      refused({}),
      invalid("1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
              "Member must have length greater than or equal to 1"));
}

TEST_F(TransactionTest, CarriesAtMost4MB) {
  // Eleven items of n bytes each: pk and "k0" to "k10", v and 0, x and the payload.
  std::vector<TransactAction> actions = puts(11, 380'000);
  uint64_t bytes = 0;
  for (const TransactAction& action : actions) bytes += std::get<PutItem>(action).item.view().size_bytes();
  Item& last = std::get<PutItem>(actions.back()).item;
  last.set("x", Value(std::string(380'000 + (4'194'304 - bytes), 'x')));
  EXPECT_TRUE(transact(actions).applied);
  last.set("y", Value(""));
  EXPECT_EQ(refused(actions), invalid("Transaction payload size cannot exceed 4194304 bytes"));
  // What is only touched does not count.
  std::vector<TransactAction> deletes;
  for (int i = 0; i < 11; ++i)
    deletes.emplace_back(DeleteItem{.table = "Simple", .key = {{"pk", "k" + std::to_string(i)}}});
  EXPECT_TRUE(transact(deletes).applied);
}

TEST_F(TransactionTest, NamesAnItemOnce) {
  const Error twice = invalid("Transaction request cannot include multiple operations on one item");
  EXPECT_EQ(refused({simple("a"), simple("a")}), twice);
  EXPECT_EQ(
      refused({simple("a"),
               ConditionCheck{.table = "Simple", .key = {{"pk", "a"}}, .condition = "attribute_exists(pk)"}}),
      twice);
  CreateTable table = table_of("Numbers", "n");
  table.key.partition[0].type = Type::kNumber;
  create(table);
  EXPECT_EQ(refused({PutItem{.table = "Numbers", .item = {{"n", must(Number::parse("1.0"))}}},
                     PutItem{.table = "Numbers", .item = {{"n", must(Number::parse("1"))}}}}),
            twice);
}

TEST_F(TransactionTest, ATokenMakesARepetitionHarmless) {
  put("Simple", {{"pk", "a"}, {"v", 1}});
  const std::vector<TransactAction> actions{
      UpdateItem{.table = "Simple", .key = {{"pk", "a"}}, .update = "ADD v :one", .values = {{":one", 1}}}};
  EXPECT_TRUE(transact(actions, "once").applied);
  put("Simple", {{"pk", "b"}});
  const TransactWritten again = transact(actions, "once");
  EXPECT_TRUE(again.applied);
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"v", 2}}));
  EXPECT_EQ(units(again.capacity.at("Simple")), "table 2");  // read units
  EXPECT_TRUE(transact(actions, "twice").applied);
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"v", 3}}));
  EXPECT_EQ(refused({simple("c")}, "once").code, Code::kMismatch);
}

TEST_F(TransactionTest, ACancelledTransactionLeavesItsTokenFree) {
  PutItem fresh = simple("a", 1);
  fresh.condition = "attribute_not_exists(pk)";
  put("Simple", {{"pk", "a"}});
  EXPECT_FALSE(transact({fresh}, "token").applied);
  must(db_->delete_item({.table = "Simple", .key = {{"pk", "a"}}}));
  EXPECT_TRUE(transact({fresh}, "token").applied);
  EXPECT_EQ(get("Simple", {{"pk", "a"}}), (Item{{"pk", "a"}, {"v", 1}}));
}

TEST_F(TransactionTest, TokensHaveAtMost36Characters) {
  EXPECT_TRUE(transact({simple("a")}, std::string(36, 't')).applied);
  const std::string too_long(37, 't');
  EXPECT_EQ(
      refused({simple("a")}, too_long),
      invalid("1 validation error detected: Value '" + too_long +
              "' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than "
              "or equal to 36"));
  EXPECT_EQ(refused({}, too_long).message.find("clientRequestToken") != std::string::npos, true);
}

TEST_F(TransactionTest, WhatTheSchemaRefusesIsAReasonAndComesBeforeConditions) {
  put("Simple", {{"pk", "a"}});
  PutItem fails = simple("a");
  fails.condition = "attribute_not_exists(pk)";
  const auto reason_for = [&](TransactAction action) {
    const TransactWritten cancelled = transact({fails, std::move(action), simple("b")});
    EXPECT_EQ(codes(cancelled), (std::vector{Reason::kNone, Reason::kValidationError, Reason::kNone}));
    return cancelled.reasons[1].message;
  };
  const std::string prefix = "One or more parameter values were invalid: ";
  EXPECT_EQ(reason_for(DeleteItem{.table = "Things", .key = {{"pk", "a"}}}),
            "The provided key element does not match the schema");
  EXPECT_EQ(reason_for(PutItem{.table = "Things", .item = {{"pk", "a"}}}),
            prefix + "Missing the key sk in the item");
  EXPECT_EQ(reason_for(PutItem{.table = "Things", .item = {{"pk", "a"}, {"sk", 1}}}),
            prefix + "Type mismatch for key sk expected: S actual: N");
  EXPECT_EQ(reason_for(PutItem{.table = "Things", .item = {{"pk", "a"}, {"sk", std::string(1025, 's')}}}),
            prefix + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  PutItem bad_index{.table = "Things", .item = {{"pk", "a"}, {"sk", "1"}, {"g", 1}}};
  bad_index.condition = "attribute_exists(pk)";  // not met either, but nobody asks
  EXPECT_EQ(reason_for(bad_index),
            prefix + "Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi");
  EXPECT_EQ(reason_for(UpdateItem{
                .table = "Simple", .key = {{"pk", "c"}}, .update = "SET pk = :v", .values = {{":v", "x"}}}),
            prefix + "Cannot update attribute pk. This attribute is part of the key");
}

TEST_F(TransactionTest, WhatCannotBeDoneWithAnItemIsAReason) {
  put("Simple", {{"pk", "text"}, {"v", "text"}});
  const UpdateItem add{
      .table = "Simple", .key = {{"pk", "text"}}, .update = "SET v = v + :one", .values = {{":one", 1}}};
  const TransactWritten cancelled = transact({simple("new"), add});
  EXPECT_EQ(codes(cancelled), (std::vector{Reason::kNone, Reason::kValidationError}));
  EXPECT_EQ(cancelled.reasons[1].message, "An operand in the update expression has an incorrect data type");
  EXPECT_EQ(count("Simple"), 1);

  put("Simple", {{"pk", "big"}, {"v", std::string(kItemBytesMax - 100, 'x')}});
  const UpdateItem grow{.table = "Simple",
                        .key = {{"pk", "big"}},
                        .update = "SET w = :w",
                        .values = {{":w", std::string(200, 'x')}}};
  EXPECT_EQ(transact({grow}).reasons[0].message, "Item size to update has exceeded the maximum allowed size");
  // Of several such errors the first is named.
  EXPECT_EQ(codes(transact({grow, add})), (std::vector{Reason::kValidationError, Reason::kNone}));
}

TEST_F(TransactionTest, WhatIsWrongWithTheRequestIsNoCancellation) {
  PutItem unparsable = simple("a");
  unparsable.condition = "v =";
  EXPECT_EQ(refused({simple("b"), unparsable}).message.substr(0, 29), "Invalid ConditionExpression: ");
  PutItem elsewhere = simple("c");
  elsewhere.table = "Nothing";
  EXPECT_EQ(refused({elsewhere, unparsable}).message.substr(0, 29), "Invalid ConditionExpression: ");
  EXPECT_EQ(refused({simple("b"), elsewhere}), no_table());
  EXPECT_EQ(
      refused({ConditionCheck{.table = "Simple", .key = {{"pk", "a"}}}}),
      invalid("1 validation error detected: Value null at "
              "'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: "
              "Member must not be null"));
  EXPECT_EQ(refused({simple("b"), UpdateItem{.table = "Simple", .key = {{"pk", "a"}}}}),
            invalid("1 validation error detected: Value null at "
                    "'transactItems.2.member.update.updateExpression' failed to satisfy constraint: Member "
                    "must not be null"));
  EXPECT_EQ(
      refused({simple("b"), simple("")}),
      invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
              "contain an empty string value. Key: pk"));
  EXPECT_EQ(
      refused({PutItem{.table = "Things", .item = {{"pk", "a"}, {"sk", "1"}, {"g", ""}}}}),
      invalid("One or more parameter values are not valid. A value specified for a secondary index key is "
              "not supported. The AttributeValue for a key attribute cannot contain an empty string "
              "value. IndexName: gsi, IndexKey: g"));
  EXPECT_EQ(count("Simple"), 0);
}

TEST_F(TransactionTest, ADuplicateIsFoundAfterKeysThatDoNotFit) {
  EXPECT_EQ(codes(transact({simple("a"), simple("a"), DeleteItem{.table = "Things", .key = {{"pk", "a"}}}})),
            (std::vector{Reason::kNone, Reason::kNone, Reason::kValidationError}));
}

}  // namespace
}  // namespace sheaf
