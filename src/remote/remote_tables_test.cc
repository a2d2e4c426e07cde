// Tables, streams and capabilities over the protocol.
#include <gtest/gtest.h>

#include <set>

#include "api/database_fixture.h"
#include "remote/round_trip_fixture.h"

namespace sheaf::remote {
namespace {

class RemoteTablesTest : public ::testing::Test {
 protected:
  static CreateTable everything() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.key.sort[0].type = Type::kNumber;
    table.local_indexes = {index_of("local", "pk", "l", ProjectionKind::kInclude, {"b", "a"})};
    table.local_indexes[0].key.sort[0].type = Type::kBinary;
    table.global_indexes = {index_of("keys", "g", "", ProjectionKind::kKeysOnly), index_of("many", "a")};
    table.global_indexes[1].key = {.partition = strings({"a", "b"}), .sort = strings({"c", "d", "e"})};
    table.global_indexes[1].throughput = {.read_units_max = 7};
    table.throughput = {.read_units_max = 100, .write_units_max = 50, .read_units_warm = 20'000};
    table.stream = StreamView::kOldImage;
    table.deletion_protected = true;
    table.table_class = "STANDARD_INFREQUENT_ACCESS";
    table.tags = {{"team", "blue"}, {"cost", "low"}};
    return table;
  }

  // Without what an endpoint does not tell exactly.
  static void expect_same(const TableDescription& there, const TableDescription& here) {
    EXPECT_EQ(there.name, here.name);
    EXPECT_EQ(there.key, here.key);
    ASSERT_EQ(there.indexes.size(), here.indexes.size());
    for (size_t i = 0; i < here.indexes.size(); ++i) {
      const IndexDescription &a = there.indexes[i], &b = here.indexes[i];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.local, b.local);
      EXPECT_EQ(a.key, b.key);
      EXPECT_EQ(a.projection, b.projection);
      EXPECT_EQ(std::set(a.included.begin(), a.included.end()),
                std::set(b.included.begin(), b.included.end()));
      EXPECT_EQ(a.status, b.status);
      EXPECT_EQ(a.throughput, b.throughput) << b.name;
      EXPECT_EQ(a.item_count, b.item_count);
      EXPECT_EQ(a.size_bytes, b.size_bytes);
      EXPECT_EQ(a.items_filled > 0, b.items_filled > 0);
    }
    ASSERT_EQ(there.streams.size(), here.streams.size());
    for (size_t i = 0; i < here.streams.size(); ++i) {
      const StreamDescription &a = there.streams[i], &b = here.streams[i];
      EXPECT_EQ(a.id, b.id);
      EXPECT_EQ(a.view, b.view);
      EXPECT_EQ(a.open, b.open);
      EXPECT_EQ(a.shard_count, b.shard_count);
      EXPECT_EQ(a.created_us / 1000, b.created_us / 1000);
    }
    EXPECT_EQ(there.ttl_attribute, here.ttl_attribute);
    EXPECT_EQ(there.ttl_enabled, here.ttl_enabled);
    EXPECT_EQ(there.billing, here.billing);
    EXPECT_EQ(there.on_demand_since_us / 1000, here.on_demand_since_us / 1000);
    EXPECT_EQ(there.throughput, here.throughput);
    EXPECT_EQ(there.throughput_changes.raised_us / 1000, here.throughput_changes.raised_us / 1000);
    EXPECT_EQ(there.throughput_changes.lowered_us / 1000, here.throughput_changes.lowered_us / 1000);
    EXPECT_EQ(there.throughput_changes.lowered_that_day, here.throughput_changes.lowered_that_day);
    EXPECT_EQ(there.table_class, here.table_class);
    EXPECT_EQ(there.deletion_protected, here.deletion_protected);
    EXPECT_EQ(there.tags, here.tags);
    EXPECT_EQ(there.created_us / 1000, here.created_us / 1000);
    EXPECT_EQ(there.status, here.status);
    EXPECT_EQ(there.item_count, here.item_count);
    EXPECT_EQ(there.size_bytes, here.size_bytes);
  }
  void expect_same_now(const std::string& table = "Things") {
    expect_same(must(remote_->describe_table(table)), must(trip_.local.describe_table(table)));
  }

  RoundTrip trip_;
  std::unique_ptr<RemoteDatabase> remote_ = trip_.remote();
};

TEST_F(RemoteTablesTest, ATableIsMadeAsItIsDeclared) {
  RoundTrip other;
  const TableDescription here = must(other.local.create_table(everything()));
  const TableDescription there = must(remote_->create_table(everything()));
  expect_same(there, here);
  EXPECT_EQ(there.status, TableStatus::kActive);
  expect_same_now();
  EXPECT_EQ(must(remote_->list_tables()), (Texts{"Things"}));
}

TEST_F(RemoteTablesTest, ProvisionedUnitsAreKept) {
  CreateTable table = table_of("Things", "pk");
  table.billing = BillingMode::kProvisioned;
  table.throughput = {.read_units = 5, .write_units = 6};
  table.global_indexes = {index_of("index", "g")};
  table.global_indexes[0].throughput = {.read_units = 7, .write_units = 8};
  must(remote_->create_table(table));
  expect_same_now();
  // One of two: the other stays as it is.
  trip_.clock.advance_us(1'000'000);
  const TableDescription changed =
      must(remote_->update_table({.table = "Things",
                                  .throughput = Throughput{.read_units = 4},
                                  .index_throughput = {{"index", {.write_units = 9}}}}));
  EXPECT_EQ(changed.throughput.read_units, 4);
  EXPECT_EQ(changed.throughput.write_units, 6);
  EXPECT_EQ(changed.indexes[0].throughput.read_units, 7);
  EXPECT_EQ(changed.indexes[0].throughput.write_units, 9);
  expect_same_now();
  EXPECT_EQ(must(remote_->update_table({.table = "Things", .billing = BillingMode::kOnDemand})).billing,
            BillingMode::kOnDemand);
  expect_same_now();
}

TEST_F(RemoteTablesTest, SettingsAreChanged) {
  must(remote_->create_table(everything()));
  trip_.clock.advance_us(1'000'000);
  EXPECT_FALSE(
      must(remote_->update_table({.table = "Things", .deletion_protected = false})).deletion_protected);
  EXPECT_EQ(must(remote_->update_table({.table = "Things", .table_class = "STANDARD"})).table_class,
            "STANDARD");
  must(remote_->update_table({.table = "Things", .throughput = Throughput{.read_units_max = -1}}));
  must(remote_->update_table({.table = "Things", .close_stream = true}));
  expect_same_now();
  trip_.clock.advance_us(1'000'000);
  const TableDescription opened =
      must(remote_->update_table({.table = "Things", .open_stream = StreamView::kKeysOnly}));
  ASSERT_EQ(opened.streams.size(), 2u);
  EXPECT_FALSE(opened.streams[0].open);
  EXPECT_TRUE(opened.streams[1].open);
  must(remote_->update_time_to_live("Things", "expires", true));
  must(remote_->tag_table("Things", {{"team", "red"}, {"new", ""}}));
  must(remote_->untag_table("Things", {"cost"}));
  expect_same_now();
  const TableDescription now = must(remote_->describe_table("Things"));
  EXPECT_EQ(now.ttl_attribute, "expires");
  EXPECT_EQ(now.tags, (std::map<std::string, std::string>{{"team", "red"}, {"new", ""}}));
  must(remote_->update_time_to_live("Things", "expires", false));
  expect_same_now();
}

TEST_F(RemoteTablesTest, IndexesAreAddedAndRemoved) {
  must(remote_->create_table(table_of("Things", "pk")));
  must(remote_->put_item({.table = "Things", .item = {{"pk", "a"}, {"g", "x"}}}));
  const TableDescription begun =
      must(remote_->update_table({.table = "Things", .add_index = index_of("index", "g", "pk")}));
  ASSERT_EQ(begun.indexes.size(), 1u);
  EXPECT_EQ(begun.indexes[0].status, IndexStatus::kCreating);
  EXPECT_EQ(begun.status, TableStatus::kUpdating);
  EXPECT_TRUE(trip_.slept_us.empty()) << "that is waited for by whoever wants to";
  while (must(trip_.local.run_background_work())) {
  }
  expect_same_now();
  EXPECT_EQ(
      must(remote_->query(
               {.table = "Things", .index = "index", .key_condition = "g = :g", .values = {{":g", "x"}}}))
          .count,
      1u);
  EXPECT_EQ(must(remote_->update_table({.table = "Things", .remove_index = "index"})).indexes[0].status,
            IndexStatus::kDeleting);
  while (must(trip_.local.run_background_work())) {
  }
  EXPECT_TRUE(must(remote_->describe_table("Things")).indexes.empty());
}

TEST_F(RemoteTablesTest, ATableIsDeleted) {
  must(remote_->create_table(table_of("Things", "pk")));
  EXPECT_EQ(must(remote_->delete_table("Things")).status, TableStatus::kDeleting);
  while (must(trip_.local.run_background_work())) {
  }
  EXPECT_EQ(refusal(remote_->describe_table("Things")), refusal(trip_.local.describe_table("Things")));
  EXPECT_EQ(refusal(remote_->delete_table("Things")), refusal(trip_.local.delete_table("Things")));
  EXPECT_EQ(refusal(remote_->create_table({.table = "x"})).code, Code::kInvalid);
}

TEST_F(RemoteTablesTest, AllTablesAreListed) {
  std::vector<std::string> names;
  for (int i = 100; i < 330; ++i) {
    names.push_back("Table" + std::to_string(i));
    must(trip_.local.create_table(table_of(names.back(), "pk")));
  }
  EXPECT_EQ(must(remote_->list_tables()), names);
}

TEST_F(RemoteTablesTest, WaitsUntilATableIsReady) {
  int looks = 0;
  const auto slow = [&](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    Reply reply = ask(question);
    if (!question.target.ends_with(".DescribeTable")) return reply;
    if (looks++ == 0)
      return Reply{.status = 400, .body = R"({"__type":"x#ResourceNotFoundException","message":"not yet"})"};
    for (size_t at = 0; looks < 4 && (at = reply.body.find("\"ACTIVE\"", at)) != std::string::npos;)
      reply.body.replace(at, 8, "\"CREATING\"");
    return reply;
  };
  const auto remote = trip_.remote(slow);
  CreateTable table = table_of("Things", "pk");
  table.global_indexes = {index_of("gsi", "g")};  // and with it also its indexes
  EXPECT_EQ(must(remote->create_table(table)).status, TableStatus::kActive);
  EXPECT_EQ(looks, 4);
  EXPECT_EQ(trip_.slept_us, (std::vector<int64_t>{50'000, 100'000, 200'000}));

  const auto forever = trip_.remote(
      [&](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
        Reply reply = ask(question);
        if (const size_t at = reply.body.find("\"ACTIVE\""); at != std::string::npos)
          reply.body.replace(at, 8, "\"UPDATING\"");
        return reply;
      },
      {.table_wait_us = 10'000'000});
  EXPECT_EQ(refusal(forever->update_table({.table = "Things", .table_class = "STANDARD"})).code,
            Code::kInUse);
}

TEST_F(RemoteTablesTest, DoesNotWaitForATableThatIsGone) {
  must(trip_.local.create_table(table_of("Things", "pk")));
  const auto vanishing = trip_.remote([](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    if (!question.target.ends_with(".DescribeTable")) return ask(question);
    return Reply{.status = 400, .body = R"({"__type":"x#ResourceNotFoundException","message":"gone"})"};
  });
  EXPECT_EQ(refusal(vanishing->update_table({.table = "Things", .table_class = "STANDARD"})),
            (Error{Code::kNotFound, "gone"}));
  EXPECT_TRUE(trip_.slept_us.empty());
}

// An endpoint without streams, tags and time to live still describes its tables.
TEST_F(RemoteTablesTest, WhatAnEndpointLacksIsLeftOut) {
  must(trip_.local.create_table(everything()));
  const auto poor = trip_.remote([](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    if (question.target.ends_with(".DescribeTable")) return ask(question);
    const wire::Answer unknown = wire::unknown_operation();
    return Reply{.status = unknown.status, .body = unknown.body};
  });
  const TableDescription table = must(poor->describe_table("Things"));
  EXPECT_TRUE(table.tags.empty());
  EXPECT_FALSE(table.ttl_enabled);
  ASSERT_EQ(table.streams.size(), 1u) << "the latest is told with the table";
  EXPECT_EQ(table.streams[0].view, StreamView::kOldImage);
  EXPECT_TRUE(table.streams[0].open);
  EXPECT_EQ(table.streams[0].shard_count, 0u);
  EXPECT_EQ(refusal(poor->update_time_to_live("Things", "a", true)),
            invalid("UnknownOperationException: the endpoint does not have UpdateTimeToLive"));
}

TEST_F(RemoteTablesTest, SomeThingsAreNotPossibleRemotely) {
  EXPECT_EQ(refusal(remote_->collection_size("Things", {{"pk", "a"}})),
            invalid("collection_size is not possible over a remote endpoint"));
  EXPECT_EQ(refusal(remote_->run_background_work()),
            invalid("run_background_work is not possible over a remote endpoint"));
  EXPECT_EQ(refusal(remote_->checkpoint("/nowhere")),
            invalid("checkpoint is not possible over a remote endpoint"));
}

TEST_F(RemoteTablesTest, IdsDifferFromTableToTable) {
  const uint32_t first = must(remote_->create_table(table_of("First", "pk"))).id;
  const uint32_t second = must(remote_->create_table(table_of("Second", "pk"))).id;
  EXPECT_NE(first, second);
  EXPECT_EQ(must(remote_->describe_table("First")).id, first);
  must(remote_->delete_table("First"));
  while (must(trip_.local.run_background_work())) {
  }
  trip_.clock.advance_us(1'000'000);
  EXPECT_NE(must(remote_->create_table(table_of("First", "pk"))).id, first);
}

class RemoteStreamsTest : public RemoteTablesTest {
 protected:
  RemoteStreamsTest() {
    CreateTable table = table_of("Things", "pk");
    table.stream = StreamView::kNewAndOldImages;
    stream_ = must(remote_->create_table(table)).streams.at(0).id;
  }
  void put(const std::string& key, int v) {
    trip_.clock.advance_us(1000);
    must(remote_->put_item({.table = "Things", .item = {{"pk", key}, {"v", v}}}));
  }

  uint32_t stream_ = 0;
};

TEST_F(RemoteStreamsTest, AreReadAsTheyAre) {
  for (int i = 0; i < 20; ++i) put("p" + std::to_string(i % 7), i);
  must(remote_->delete_item({.table = "Things", .key = {{"pk", "p1"}}}));
  size_t events = 0;
  for (uint32_t shard = 0; shard < 4; ++shard) {
    ReadStream request{.table = "Things", .stream = stream_, .shard = shard, .limit = 3};
    for (;;) {
      const StreamRead there = must(remote_->read_stream(request));
      const StreamRead here = must(trip_.local.read_stream(request));
      ASSERT_EQ(there.events.size(), here.events.size());
      for (size_t i = 0; i < here.events.size(); ++i) {
        EXPECT_EQ(there.events[i].kind, here.events[i].kind);
        EXPECT_EQ(there.events[i].sequence, here.events[i].sequence);
        EXPECT_EQ(there.events[i].key, here.events[i].key);
        EXPECT_EQ(there.events[i].old_image, here.events[i].old_image);
        EXPECT_EQ(there.events[i].new_image, here.events[i].new_image);
      }
      EXPECT_EQ(there.next, here.next);
      EXPECT_EQ(there.at_end, here.at_end);
      events += there.events.size();
      request.from = there.next;
      if (there.events.empty()) break;
    }
  }
  EXPECT_EQ(events, 21u);
}

TEST_F(RemoteStreamsTest, FromNowOnIsWhatComes) {
  put("a", 1);
  trip_.clock.advance_us(1000);
  const StreamPosition now = remote_->newest_position();
  const auto events_from_now = [&] {
    std::vector<ChangeEvent> events;
    for (uint32_t shard = 0; shard < 4; ++shard) {
      for (ChangeEvent& event :
           must(remote_->read_stream({.table = "Things", .stream = stream_, .shard = shard, .from = now}))
               .events)
        events.push_back(std::move(event));
    }
    return events;
  };
  EXPECT_TRUE(events_from_now().empty());
  put("b", 2);
  const std::vector<ChangeEvent> events = events_from_now();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].key, (Item{{"pk", "b"}}));
}

TEST_F(RemoteStreamsTest, HaveAnEndWhenTheyAreClosed) {
  put("a", 1);
  must(remote_->update_table({.table = "Things", .close_stream = true}));
  for (uint32_t shard = 0; shard < 4; ++shard) {
    ReadStream request{.table = "Things", .stream = stream_, .shard = shard};
    StreamRead read = must(remote_->read_stream(request));
    while (!read.events.empty()) {
      request.from = read.next;
      read = must(remote_->read_stream(request));
    }
    EXPECT_TRUE(read.at_end);
  }
}

TEST_F(RemoteStreamsTest, ErrorsAreThoseOfTheDatabase) {
  const ReadStream no_shard{.table = "Things", .stream = stream_, .shard = 4};
  EXPECT_EQ(refusal(remote_->read_stream(no_shard)), refusal(trip_.local.read_stream(no_shard)));
  const ReadStream no_stream{.table = "Things", .stream = stream_ + 1};
  EXPECT_EQ(refusal(remote_->read_stream(no_stream)), refusal(trip_.local.read_stream(no_stream)));
  const ReadStream no_limit{.table = "Things", .stream = stream_, .limit = 0};
  EXPECT_EQ(refusal(remote_->read_stream(no_limit)), refusal(trip_.local.read_stream(no_limit)));
  put("a", 1);
  const StreamPosition old = {.stamp = static_cast<uint64_t>(trip_.clock.now_us() - 500)};
  trip_.clock.advance_us(int64_t{30} * 3600 * 1'000'000);
  put("a", 2);
  EXPECT_EQ(refusal(remote_->read_stream({.table = "Things", .stream = stream_, .from = old})).code,
            Code::kTrimmed);
}

// Shards as AWS has them: more than positions can tell.
TEST_F(RemoteStreamsTest, OfOthersAreRefused) {
  const auto aws = trip_.remote([](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    if (!question.target.ends_with(".DescribeStream")) return ask(question);
    return Reply{
        .body = R"({"StreamDescription":{"StreamArn":"arn:aws:dynamodb:x","StreamStatus":"ENABLED","Shards":[
        {"ShardId":"shardId-00000001414576573621-f55eea83","SequenceNumberRange":{"StartingSequenceNumber":
        "20500000000000000910398"},"ParentShardId":"shardId-00000001414562045508-2bac9cd2"}]}})"};
  });
  const TableDescription table = must(aws->describe_table("Things"));
  ASSERT_EQ(table.streams.size(), 1u);
  EXPECT_EQ(table.streams[0].shard_count, 1u);
  const Error error = refusal(aws->read_stream({.table = "Things", .stream = table.streams[0].id}));
  EXPECT_EQ(error.code, Code::kInvalid);
  EXPECT_NE(error.message.find("cannot be read over this endpoint"), std::string::npos);
}

TEST_F(RemoteTablesTest, TheEndpointTellsWhatItCan) {
  must(trip_.local.create_table(table_of("Things", "pk", "sk")));
  const Capabilities all{.transactions = true,
                         .multi_attribute_keys = true,
                         .capacity_figures = true,
                         .indexes_added_later = true,
                         .streams = true,
                         .time_to_live = true};
  EXPECT_EQ(must(remote_->capabilities()), all);
  EXPECT_EQ(must(trip_.local.list_tables()), (Texts{"Things"})) << "and nothing was changed";
}

TEST_F(RemoteTablesTest, CapacityIsNotKnownWithoutATable) {
  EXPECT_EQ(must(remote_->capabilities()).capacity_figures, std::nullopt);
  must(remote_->create_table(table_of("Things", "pk")));
  EXPECT_EQ(must(remote_->capabilities()).capacity_figures, true);
  const auto silent = trip_.remote([](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    return question.target.ends_with(".PutItem") ? Reply{.body = "{}"} : ask(question);
  });
  must(silent->put_item({.table = "Things", .item = {{"pk", "a"}}}));
  EXPECT_EQ(must(silent->capabilities()).capacity_figures, false) << "an answer did not tell it";
}

TEST_F(RemoteTablesTest, AnEndpointThatCanDoLessIsFoundOut) {
  const auto poor = trip_.remote([](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    for (const char* unknown : {".TransactWriteItems", ".UpdateTimeToLive", ".ListStreams"}) {
      if (question.target.ends_with(unknown))
        return Reply{.status = 400,
                     .body = R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"};
    }
    const auto invalid = [](const char* why) {
      return Reply{.status = 400,
                   .body = R"({"__type":"x#ValidationException","message":")" + std::string(why) + "\"}"};
    };
    if (question.target.ends_with(".UpdateTable"))
      return invalid("GlobalSecondaryIndexUpdates is not supported");
    if (question.target.ends_with(".CreateTable"))
      return invalid("KeySchema must list one or two key columns");
    return ask(question);
  });
  EXPECT_EQ(must(poor->capabilities()), (Capabilities{.transactions = false,
                                                      .multi_attribute_keys = false,
                                                      .capacity_figures = std::nullopt,
                                                      .indexes_added_later = false,
                                                      .streams = false,
                                                      .time_to_live = false}));
  const auto locked = trip_.remote([](const Question&, const RoundTrip::Ask&) -> Exchanged {
    return Reply{.status = 400, .body = R"({"__type":"x#AccessDeniedException","Message":"not for you"})"};
  });
  const Capabilities unclear = must(locked->capabilities());
  EXPECT_EQ(unclear.transactions, true) << "there is something that is not for us";
  EXPECT_EQ(unclear.multi_attribute_keys, std::nullopt);
  EXPECT_EQ(unclear.indexes_added_later, std::nullopt);
}

// Keys that can be declared, but not asked for, are of no use.
TEST_F(RemoteTablesTest, KeysOfSeveralAttributesMustAlsoBeFound) {
  const auto half = trip_.remote([](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    if (!question.target.ends_with(".Query")) return ask(question);
    return Reply{.status = 400,
                 .body = R"({"__type":"x#ValidationException","message":"Unexpected token: AND"})"};
  });
  EXPECT_EQ(must(half->capabilities()).multi_attribute_keys, false);
}

TEST_F(RemoteTablesTest, AStrangerIsToldNothing) {
  const auto remote = trip_.remote([](const Question&, const RoundTrip::Ask&) -> Exchanged {
    return Reply{.status = 400, .body = R"({"__type":"x#UnrecognizedClientException","message":"who?"})"};
  });
  EXPECT_EQ(refusal(remote->capabilities()), (Error{Code::kDenied, "UnrecognizedClientException: who?"}));
}

TEST_F(RemoteTablesTest, ACarelessEndpointIsCleanedUp) {
  const auto careless = trip_.remote([](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
    if (!question.target.ends_with(".CreateTable")) return ask(question);
    std::string body(question.body);
    const std::string unused = R"({"AttributeName":"unused","AttributeType":"S"},)";
    body.erase(body.find(unused), unused.size());
    return ask({.target = question.target, .body = body});
  });
  EXPECT_EQ(must(careless->capabilities()).multi_attribute_keys, true);
  while (must(trip_.local.run_background_work())) {
  }
  EXPECT_TRUE(must(trip_.local.list_tables()).empty());
}

}  // namespace
}  // namespace sheaf::remote
