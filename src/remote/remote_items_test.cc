// Items over the protocol: every request and every answer as DynamoDB's JSON, and the same outcome as in
// process.
#include <gtest/gtest.h>

#include "api/database_fixture.h"
#include "remote/item_requests.h"
#include "remote/round_trip_fixture.h"

namespace sheaf::remote {
namespace {

class RemoteItemsTest : public ::testing::Test {
 protected:
  RemoteItemsTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("by-rank", "pk", "rank")};
    table.local_indexes[0].key.sort[0].type = Type::kNumber;
    table.global_indexes = {index_of("by-kind", "kind", "sk")};
    must(trip_.local.create_table(table));
    for (int i = 0; i < 10; ++i) must(trip_.local.put_item({.table = "Things", .item = thing(i)}));
  }

  static Item key(int i) { return {{"pk", "p"}, {"sk", "s" + std::to_string(i)}}; }
  static Item thing(int i) {
    Item item = key(i);
    item.set("rank", Value(10 - i));
    item.set("kind", Value(i % 2 == 0 ? "even" : "odd"));
    return item;
  }
  // One of every kind of value, with what JSON must escape.
  static Item everything() {
    return {{"pk", "p"},
            {"sk", "all"},
            {"null", Value()},
            {"yes", true},
            {"no", false},
            {"number", *Number::parse("-123456789012345678901234567890.12345678")},
            {"small", *Number::parse("1E-130")},
            {"text", "\"quoted\" \\ \n\t\x01 \xc3\xa4\xf0\x9f\x8c\xbe"},
            {"empty", ""},
            {"bytes", Value::binary(std::string_view("\0\xff\x80", 3))},
            {"strings", Value::string_set({"b", "a"})},
            {"numbers", Value::number_set({*Number::parse("2"), *Number::parse("1.5")})},
            {"binaries", Value::binary_set({"x", "yy"})},
            {"list", Value::list({Value(1), Value("two"), Value(Item{{"three", 3}})})},
            {"map", Item{{"a \"b\"", Item{{"c", Value::list({})}}}}},
            {"na\"me", 1}};
  }

  RoundTrip trip_;
  std::unique_ptr<RemoteDatabase> remote_ = trip_.remote();
  Database& local_ = trip_.local;
};

TEST_F(RemoteItemsTest, AnItemComesBackAsItWasPut) {
  const Written written = must(remote_->put_item({.table = "Things", .item = everything()}));
  EXPECT_TRUE(written.condition_met);
  EXPECT_EQ(written.attributes, std::nullopt);
  const Item at{{"pk", "p"}, {"sk", "all"}};
  EXPECT_EQ(must(local_.get_item({.table = "Things", .key = at})).item, everything());
  const Got got = must(remote_->get_item({.table = "Things", .key = at, .consistent = true}));
  EXPECT_EQ(got.item, everything());
  EXPECT_EQ(units(got.capacity), "table 1");
  EXPECT_EQ(must(remote_->get_item({.table = "Things", .key = key(99)})).item, std::nullopt);
}

TEST_F(RemoteItemsTest, WhatIsConsumedIsToldIndexByIndex) {
  const Written written = must(remote_->put_item({.table = "Things", .item = thing(50)}));
  EXPECT_EQ(units(written.capacity), "table 1, by-kind 1, by-rank 1");
  ASSERT_TRUE(written.collection);
  EXPECT_EQ(written.collection->partition_key, (Item{{"pk", "p"}}));
  EXPECT_EQ(written.collection->size_bytes, 0) << "less than a gigabyte";
}

TEST_F(RemoteItemsTest, WritesReturnWhatTheyAreAskedFor) {
  const Item old = thing(1);
  Item with_v = old;
  with_v.set("v", Value(1));
  const UpdateItem update{.table = "Things",
                          .key = key(1),
                          .update = "SET #v = if_not_exists(#v, :zero) + :one",
                          .names = {{"#v", "v"}},
                          .values = {{":zero", 0}, {":one", 1}}};
  const auto returned = [&](ReturnValues values) {
    UpdateItem request = update;
    request.return_values = values;
    return must(remote_->update_item(request)).attributes;
  };
  EXPECT_EQ(returned(ReturnValues::kAllOld), old);
  EXPECT_EQ(returned(ReturnValues::kUpdatedOld), (Item{{"v", 1}}));
  EXPECT_EQ(returned(ReturnValues::kUpdatedNew), (Item{{"v", 3}}));
  with_v.set("v", Value(4));
  EXPECT_EQ(returned(ReturnValues::kAllNew), with_v);
  EXPECT_EQ(returned(ReturnValues::kNone), std::nullopt);
  with_v.set("v", Value(5));
  EXPECT_EQ(must(remote_->put_item({.table = "Things", .item = old, .return_values = ReturnValues::kAllOld}))
                .attributes,
            with_v);
  EXPECT_EQ(
      must(remote_->delete_item({.table = "Things", .key = key(1), .return_values = ReturnValues::kAllOld}))
          .attributes,
      old);
  EXPECT_EQ(must(local_.get_item({.table = "Things", .key = key(1)})).item, std::nullopt);
}

TEST_F(RemoteItemsTest, AConditionThatIsNotMetIsAnOutcome) {
  for (const bool return_item : {false, true}) {
    const Written put = must(remote_->put_item({.table = "Things",
                                                .item = thing(1),
                                                .condition = "attribute_not_exists(pk)",
                                                .return_item_on_failure = return_item}));
    EXPECT_FALSE(put.condition_met);
    EXPECT_EQ(put.attributes, return_item ? std::optional(thing(1)) : std::nullopt);
    const Written erased = must(remote_->delete_item({.table = "Things",
                                                      .key = key(1),
                                                      .condition = "#r > :r",
                                                      .names = {{"#r", "rank"}},
                                                      .values = {{":r", 100}},
                                                      .return_item_on_failure = return_item}));
    EXPECT_FALSE(erased.condition_met);
    EXPECT_EQ(erased.attributes, put.attributes);
  }
  EXPECT_TRUE(must(remote_->update_item({.table = "Things",
                                         .key = key(1),
                                         .update = "REMOVE kind",
                                         .condition = "kind = :k",
                                         .values = {{":k", "odd"}}}))
                  .condition_met);
}

TEST_F(RemoteItemsTest, AProjectionLeavesOut) {
  const GetItem get{.table = "Things", .key = key(2), .projection = "#k, sk", .names = {{"#k", "kind"}}};
  EXPECT_EQ(must(remote_->get_item(get)).item, (Item{{"kind", "even"}, {"sk", "s2"}}));
}

TEST_F(RemoteItemsTest, ErrorsAreThoseOfTheDatabase) {
  const auto expect_same = [](const auto& there, const auto& here) {
    ASSERT_FALSE(there.ok());
    ASSERT_FALSE(here.ok());
    EXPECT_EQ(there.error(), here.error());
  };
  expect_same(remote_->get_item({.table = "Nothing", .key = key(1)}),
              local_.get_item({.table = "Nothing", .key = key(1)}));
  const PutItem no_key{.table = "Things", .item = {{"pk", "p"}}};
  expect_same(remote_->put_item(no_key), local_.put_item(no_key));
  const UpdateItem broken{.table = "Things", .key = key(1), .update = "SET a ="};
  expect_same(remote_->update_item(broken), local_.update_item(broken));
  const UpdateItem unused{.table = "Things", .key = key(1), .update = "REMOVE a", .values = {{":v", 1}}};
  expect_same(remote_->update_item(unused), local_.update_item(unused));
  const Query of_no_key{.table = "Things", .key_condition = "kind = :k", .values = {{":k", "odd"}}};
  expect_same(remote_->query(of_no_key), local_.query(of_no_key));
  const Scan no_index{.table = "Things", .index = "none"};
  expect_same(remote_->scan(no_index), local_.scan(no_index));
  const PutItem too_large{.table = "Things",
                          .item = {{"pk", "p"}, {"sk", "s"}, {"v", std::string(410'000, 'x')}}};
  expect_same(remote_->put_item(too_large), local_.put_item(too_large));
}

// Every member of a query and a scan has its effect: the pages are those of the database itself.
TEST_F(RemoteItemsTest, PagesAreThoseOfTheDatabase) {
  const auto expect_same = [](const Page& there, const Page& here) {
    EXPECT_EQ(items_of(there.items), items_of(here.items));
    EXPECT_EQ(there.count, here.count);
    EXPECT_EQ(there.scanned_count, here.scanned_count);
    EXPECT_EQ(there.last_key, here.last_key);
    EXPECT_EQ(units(there.capacity), units(here.capacity));
  };
  const Query plain{.table = "Things", .key_condition = "pk = :p", .values = {{":p", "p"}}};
  std::vector<Query> queries(7, plain);
  queries[1].limit = 3;
  queries[2].descending = true;
  queries[2].consistent = true;
  queries[3].index = "by-rank";
  queries[3].start_key = thing(4);
  queries[3].start_key->remove("kind");
  queries[4].filter = "#k = :k";
  queries[4].projection = "sk, #k";
  queries[4].names = {{"#k", "kind"}};
  queries[4].values.set(":k", Value("odd"));
  queries[5].select = Select::kCount;
  queries[6] = {.table = "Things",
                .index = "by-kind",
                .key_condition = "kind = :k AND sk BETWEEN :a AND :b",
                .values = {{":k", "even"}, {":a", "s1"}, {":b", "s7"}},
                .select = Select::kAllProjected};
  for (const Query& query : queries) {
    const Page here = must(local_.query(query));
    EXPECT_GT(here.count, 0u);
    expect_same(must(remote_->query(query)), here);
  }
  std::vector<Scan> scans(5, Scan{.table = "Things"});
  scans[1].limit = 4;
  scans[1].start_key = key(3);
  scans[2].filter = "#r > :r";
  scans[2].names = {{"#r", "rank"}};
  scans[2].values = {{":r", 5}};
  scans[2].consistent = true;
  scans[3].index = "by-kind";
  scans[3].projection = "sk";
  scans[4].segment = 1;
  scans[4].segment_count = 3;
  for (const Scan& scan : scans) expect_same(must(remote_->scan(scan)), must(local_.scan(scan)));
}

TEST_F(RemoteItemsTest, ManyItemsAreReadPageByPage) {
  for (int i = 0; i < 30; ++i)
    must(local_.put_item(
        {.table = "Things",
         .item = {{"pk", "large"}, {"sk", std::to_string(i)}, {"v", std::string(100'000, 'v')}}}));
  Query query{.table = "Things", .key_condition = "pk = :p", .values = {{":p", "large"}}};
  size_t items = 0, pages = 0;
  do {
    const Page page = must(remote_->query(query));
    items += page.items.size();
    ++pages;
    query.start_key = page.last_key;
  } while (query.start_key);
  EXPECT_EQ(items, 30u);
  EXPECT_EQ(pages, 3u);
}

TEST_F(RemoteItemsTest, BatchesGetAndWrite) {
  must(trip_.local.create_table(table_of("Others", "pk")));
  const BatchWritten written = must(remote_->batch_write_items(
      {.tables = {{"Things", {{.put = true, .item = thing(20)}, {.put = false, .item = key(0)}}},
                  {"Others", {{.put = true, .item = {{"pk", "x"}, {"v", 1}}}}}}}));
  EXPECT_TRUE(written.unprocessed.empty());
  EXPECT_EQ(units(written.capacity.at("Others")), "table 1");
  EXPECT_EQ(units(written.capacity.at("Things")), "table 2, by-kind 2, by-rank 2");
  ASSERT_EQ(written.collections.at("Things").size(), 1u);

  BatchGetItems get{
      .tables = {{"Things", {.keys = {key(0), key(20), key(1)}, .consistent = true}},
                 {"Others", {.keys = {{{"pk", "x"}}}, .projection = "#v", .names = {{"#v", "v"}}}}}};
  const BatchGot got = must(remote_->batch_get_items(get));
  EXPECT_EQ(items_of(got.items.at("Others")), (std::vector<Item>{{{"v", 1}}}));
  EXPECT_EQ(got.items.at("Things").size(), 2u);
  EXPECT_EQ(units(got.capacity.at("Things")), "table 3");
  EXPECT_TRUE(got.unprocessed.empty());
}

TEST_F(RemoteItemsTest, WhatABatchDidNotDoIsToldAsItWasAsked) {
  const BatchWriteItems write{
      .tables = {{"Things", {{.put = true, .item = thing(1)}, {.put = false, .item = key(2)}}}}};
  const BatchGetItems get{.tables = {{"Things", {.keys = {key(1), key(2)}}}}};
  // An endpoint that gives everything back.
  const auto remote = trip_.remote([](const Question& question, const RoundTrip::Ask&) -> Exchanged {
    simdjson::dom::parser parser;
    const std::string items = simdjson::minify(parser.parse(question.body)["RequestItems"].value());
    return Reply{.body = R"({"UnprocessedItems":)" + items + R"(,"UnprocessedKeys":)" + items + "}"};
  });
  const auto written = must(remote->batch_write_items(write)).unprocessed.at("Things");
  ASSERT_EQ(written.size(), 2u);
  EXPECT_TRUE(written[0].put);
  EXPECT_EQ(written[0].item, thing(1));
  EXPECT_FALSE(written[1].put);
  EXPECT_EQ(written[1].item, key(2));
  EXPECT_EQ(must(remote->batch_get_items(get)).unprocessed.at("Things"), (std::vector<Item>{key(1), key(2)}));
}

TEST_F(RemoteItemsTest, ATransactionIsDoneWhole) {
  const TransactWritten written = must(remote_->transact_write_items(
      {.actions = {ConditionCheck{.table = "Things", .key = key(0), .condition = "attribute_exists(pk)"},
                   PutItem{.table = "Things", .item = thing(30)},
                   UpdateItem{.table = "Things",
                              .key = key(1),
                              .update = "SET v = :v",
                              .condition = "#r = :r",
                              .names = {{"#r", "rank"}},
                              .values = {{":v", 1}, {":r", 9}}},
                   DeleteItem{.table = "Things", .key = key(2)}}}));
  EXPECT_TRUE(written.applied);
  EXPECT_FALSE(written.replayed);
  EXPECT_GT(written.capacity.at("Things").table, 0);
  EXPECT_EQ(must(local_.get_item({.table = "Things", .key = key(30)})).item, thing(30));
  EXPECT_EQ(must(local_.get_item({.table = "Things", .key = key(2)})).item, std::nullopt);
  const TransactGot got = must(remote_->transact_get_items(
      {.gets = {{.table = "Things", .key = key(1), .projection = "#v", .names = {{"#v", "v"}}},
                {.table = "Things", .key = key(2)}}}));
  ASSERT_EQ(got.items.size(), 2u);
  EXPECT_EQ(got.items[0], (Item{{"v", 1}}));
  EXPECT_EQ(got.items[1], std::nullopt);
  EXPECT_GT(got.capacity.at("Things").table, 0);
}

TEST_F(RemoteItemsTest, ACancelledTransactionTellsWhy) {
  const UpdateItem not_met{.table = "Things",
                           .key = key(1),
                           .update = "SET v = :v",
                           .condition = "attribute_not_exists(pk)",
                           .values = {{":v", 1}},
                           .return_item_on_failure = true};
  const UpdateItem no_sum{.table = "Things", .key = key(3), .update = "SET kind = kind + sk"};
  const PutItem fine{.table = "Things", .item = thing(40)};
  for (const TransactAction& wrong : {TransactAction(not_met), TransactAction(no_sum)}) {
    const TransactWriteItems request{.actions = {fine, wrong}};
    const TransactWritten there = must(remote_->transact_write_items(request));
    const TransactWritten here = must(local_.transact_write_items(request));
    EXPECT_FALSE(there.applied);
    ASSERT_EQ(there.reasons.size(), 2u);
    EXPECT_NE(there.reasons[1].code, CancellationReason::Code::kNone);
    EXPECT_FALSE(there.reasons[1].message.empty());
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(there.reasons[i].code, here.reasons[i].code);
      EXPECT_EQ(there.reasons[i].message, here.reasons[i].message);
      EXPECT_EQ(there.reasons[i].item, here.reasons[i].item);
    }
  }
  EXPECT_EQ(must(remote_->transact_write_items({.actions = {not_met}})).reasons.at(0).item, thing(1));
  EXPECT_EQ(must(local_.get_item({.table = "Things", .key = key(40)})).item, std::nullopt);
}

TEST_F(RemoteItemsTest, ATokenIsKnownAgain) {
  const TransactWriteItems request{
      .actions = {UpdateItem{
          .table = "Things", .key = key(1), .update = "ADD v :one", .values = {{":one", 1}}}},
      .token = "token"};
  EXPECT_FALSE(must(remote_->transact_write_items(request)).replayed);
  EXPECT_TRUE(must(remote_->transact_write_items(request)).replayed);
  EXPECT_EQ(must(local_.get_item({.table = "Things", .key = key(1)})).item->find("v")->number().to_string(),
            "1");
  TransactWriteItems other = request;
  other.actions = {DeleteItem{.table = "Things", .key = key(1)}};
  EXPECT_EQ(refusal(remote_->transact_write_items(other)).code, Code::kMismatch);
}

TEST_F(RemoteItemsTest, ATransactionThatStaysThrottledTellsWhichOfItWas) {
  const auto database = trip_.remote(
      [](const Question&, const RoundTrip::Ask&) -> Exchanged {
        return Reply{.status = 400,
                     .body = R"({"__type":"x#TransactionCanceledException","Message":"m",)"
                             R"("CancellationReasons":[{"Code":"None"},)"
                             R"({"Code":"ProvisionedThroughputExceeded","Message":"slow"}]})"};
      },
      {.sleep = [](int64_t) {}});
  const PutItem put{.table = "Things", .item = thing(1)}, other{.table = "Things", .item = thing(2)};
  const TransactWritten written = must(database->transact_write_items({.actions = {put, other}}));
  EXPECT_FALSE(written.applied);
  ASSERT_EQ(written.reasons.size(), 2u);
  EXPECT_EQ(written.reasons[1].code, CancellationReason::Code::kThroughputExceeded);
  EXPECT_EQ(written.reasons[1].message, "slow");
}

TEST_F(RemoteItemsTest, ATransactionThatLostAgainstOthersIsAConflict) {
  const auto answering = [&](const std::string& members) {
    return trip_.remote([members](const Question&, const RoundTrip::Ask&) -> Exchanged {
      return Reply{.status = 400, .body = R"({"__type":"x#TransactionCanceledException")" + members + "}"};
    });
  };
  const TransactWriteItems request{.actions = {PutItem{.table = "Things", .item = thing(1)}}};
  EXPECT_EQ(
      refusal(answering(
                  R"(,"Message":"m","CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict"}])")
                  ->transact_write_items(request)),
      (Error{Code::kConflict, "m"}));
  // Some endpoints have the reasons in the message alone.
  const std::string message =
      "Transaction cancelled, please refer cancellation reasons for specific reasons ";
  const TransactWritten written =
      must(answering(",\"message\":\"" + message + "[None, ConditionalCheckFailed]\"")
               ->transact_write_items(request));
  ASSERT_EQ(written.reasons.size(), 2u);
  EXPECT_EQ(written.reasons[1].code, CancellationReason::Code::kConditionalCheckFailed);
  EXPECT_EQ(
      refusal(
          answering(",\"message\":\"" + message + "[TransactionConflict]\"")->transact_write_items(request))
          .code,
      Code::kConflict);
}

TEST_F(RemoteItemsTest, NoCapacityIsZeroAndNotAnError) {
  const auto remote = trip_.remote([](const Question& question, const RoundTrip::Ask&) -> Exchanged {
    const bool is_query = question.target.ends_with("Query");
    return Reply{.body = is_query ? R"({"Items":[{"a":{"N":"1"}}],"Count":1.0,"ScannedCount":2,"More":[]})"
                                  : "{}"};
  });
  const Page page = must(remote->query({.table = "Things", .key_condition = "x"}));
  EXPECT_EQ(items_of(page.items), (std::vector<Item>{{{"a", 1}}}));
  EXPECT_EQ(page.count, 1u);
  EXPECT_EQ(page.scanned_count, 2u);
  EXPECT_EQ(units(page.capacity), "table 0");
  EXPECT_TRUE(must(remote->put_item({.table = "Things"})).condition_met);
  EXPECT_EQ(must(remote->get_item({.table = "Things"})).item, std::nullopt);
  EXPECT_TRUE(must(remote->batch_get_items({})).items.empty());
}

TEST_F(RemoteItemsTest, AnAnswerThatCannotBeReadIsNotGuessedAt) {
  const char* const kBroken[] = {R"({"Items":{}})",
                                 R"({"Items":[5]})",
                                 R"({"Items":[{"a":{"N":"x"}}]})",
                                 R"({"Items":[],"Count":"1"})",
                                 R"({"LastEvaluatedKey":[]})",
                                 R"({"ConsumedCapacity":5})",
                                 R"({"ConsumedCapacity":{"Table":{"CapacityUnits":"x"}}})"};
  for (const char* body : kBroken) {
    const auto remote = trip_.remote(
        [body](const Question&, const RoundTrip::Ask&) -> Exchanged { return Reply{.body = body}; });
    const Error error = refusal(remote->query({.table = "Things", .key_condition = "x"}));
    EXPECT_EQ(error.code, Code::kCorrupt) << body;
    EXPECT_TRUE(error.message.starts_with("the answer of a query cannot be read: ")) << error.message;
  }
}

}  // namespace
}  // namespace sheaf::remote
