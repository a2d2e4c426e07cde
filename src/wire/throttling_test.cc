// Tables that are held to their throughput: what is let in, what is told, and when it is let in again.
#include "traffic/key_ranges.h"
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

const std::string kThrottledArn = "arn:aws:dynamodb:us-east-1:000000000000:table/";

class Throttling : public WireTest {
 protected:
  Throttling() : WireTest(store::open_memory_store, {.background_thread = false, .throttle = true}) {}

  void provision(const std::string& name, int reads, int writes, const std::string& more = "") {
    must("CreateTable", "{'TableName':'" + name +
                            "','AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'},"
                            "{'AttributeName':'g','AttributeType':'S'}],"
                            "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"
                            "'ProvisionedThroughput':{'ReadCapacityUnits':" +
                            std::to_string(reads) + ",'WriteCapacityUnits':" + std::to_string(writes) + "}" +
                            (more.empty() ? ",'GlobalSecondaryIndexes':[" + index(100, 100) + "]" : more) +
                            "}");
  }
  static std::string index(int reads, int writes) {
    return "{'IndexName':'gsi','KeySchema':[{'AttributeName':'g','KeyType':'HASH'}],"
           "'Projection':{'ProjectionType':'ALL'},'ProvisionedThroughput':{'ReadCapacityUnits':" +
           std::to_string(reads) + ",'WriteCapacityUnits':" + std::to_string(writes) + "}}";
  }
  // So many write units.
  static std::string item(const std::string& pk, int kilobytes, const std::string& more = "") {
    return "{'pk':{'S':'" + pk + "'},'x':{'S':'" +
           std::string(static_cast<size_t>(kilobytes) * 1024 - 40, 'x') + "'}" + more + "}";
  }
  Reply write(const std::string& table, const std::string& put) {
    return call("PutItem", "{'TableName':'" + table + "','Item':" + put + "}");
  }
  static size_t length(const Reply& reply, const std::string& list) {
    size_t length = 0;
    while (reply.has(list + "/" + std::to_string(length))) ++length;
    return length;
  }
  Reply read(const std::string& table, const std::string& pk) {
    return call("GetItem",
                "{'TableName':'" + table + "','Key':{'pk':{'S':'" + pk + "'}},'ConsistentRead':true}");
  }
};

TEST_F(Throttling, WritesAreLetInWhileThereIsSomethingLeft) {
  provision("abc", 5, 1);
  EXPECT_TRUE(write("abc", item("a", 299)).ok());
  EXPECT_TRUE(write("abc", item("b", 350)).ok()) << "may overdraw";
  const Reply refused = write("abc", item("c", 1));
  EXPECT_EQ(refused.refusal(),
            "ProvisionedThroughputExceededException: The level of configured provisioned throughput for the "
            "table was "
            "exceeded. Consider increasing your provisioning level with the UpdateTable API.");
  EXPECT_EQ(
      refused.at("/ThrottlingReasons"),
      json("[{'reason':'TableWriteProvisionedThroughputExceeded','resource':'" + kThrottledArn + "abc'}]"));
  EXPECT_EQ(refused.at("/__type"), "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException");
  EXPECT_EQ(read("abc", "c").body(), "{}") << "and nothing was written";
  // 349 units of debt at one a second.
  clock_.advance_us(349 * kSecondUs);
  EXPECT_FALSE(write("abc", item("c", 1)).ok());
  clock_.advance_us(kSecondUs);
  EXPECT_TRUE(write("abc", item("c", 1)).ok());
}

TEST_F(Throttling, ReadsAreChargedForWhatTheyRead) {
  provision("abc", 1, 1'000);
  EXPECT_TRUE(write("abc", item("a", 390)).ok());
  int reads = 0;
  while (read("abc", "a").ok()) ASSERT_LT(++reads, 10);
  EXPECT_EQ(reads, 4) << "98 units each, of 300";
  EXPECT_EQ(read("abc", "a").at("/ThrottlingReasons/0/reason"), "TableReadProvisionedThroughputExceeded");
  EXPECT_EQ(call("Scan", "{'TableName':'abc'}").at("/ThrottlingReasons/0/reason"),
            "TableReadProvisionedThroughputExceeded");
  EXPECT_TRUE(call("Query",
                   "{'TableName':'abc','IndexName':'gsi','KeyConditionExpression':'g = :g',"
                   "'ExpressionAttributeValues':{':g':{'S':'x'}}}")
                  .ok())
      << "an index has units of its own";
}

TEST_F(Throttling, AConditionThatFailsIsPaidForToo) {
  provision("abc", 5, 1);
  EXPECT_TRUE(write("abc", item("a", 290)).ok());
  const auto conditional = [&] {
    return refusal("PutItem", "{'TableName':'abc','Item':" + item("a", 1) +
                                  ",'ConditionExpression':'attribute_not_exists(pk)'}");
  };
  EXPECT_TRUE(conditional().starts_with("ConditionalCheckFailedException"));
  EXPECT_TRUE(conditional().starts_with("ProvisionedThroughputExceededException"));
}

TEST_F(Throttling, AnIndexThatCannotFollowHoldsItsTableBack) {
  provision("abc", 5, 1'000, ",'GlobalSecondaryIndexes':[" + index(5, 1) + "]");
  EXPECT_TRUE(write("abc", item("a", 350, ",'g':{'S':'x'}")).ok());
  const Reply refused = write("abc", item("b", 1, ",'g':{'S':'x'}"));
  EXPECT_EQ(refused.at("/ThrottlingReasons"),
            json("[{'reason':'IndexWriteProvisionedThroughputExceeded','resource':'" + kThrottledArn +
                 "abc/index/gsi'}]"));
  EXPECT_TRUE(refused.refusal().find("one or more global secondary indexes of the table was exceeded") !=
              std::string::npos);
  EXPECT_TRUE(write("abc", item("b", 1)).ok()) << "what is not in the index may be written";
}

TEST_F(Throttling, OnDemandThereAreMaxima) {
  must("CreateTable",
       table_request("abc", ",'OnDemandThroughput':{'MaxReadRequestUnits':1,'MaxWriteRequestUnits':1}"));
  create("free");
  EXPECT_TRUE(write("abc", item("a", 350)).ok());
  const Reply refused = write("abc", item("b", 1));
  EXPECT_EQ(
      refused.refusal(),
      "ThrottlingException: Throughput exceeds the maximum OnDemandThroughput configured on table or index");
  EXPECT_EQ(
      refused.at("/throttlingReasons"),
      json("[{'reason':'TableWriteMaxOnDemandThroughputExceeded','resource':'" + kThrottledArn + "abc'}]"));
  EXPECT_EQ(refused.at("/__type"), "com.amazon.coral.availability#ThrottlingException");
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(write("free", item("a", 390)).ok());
}

TEST_F(Throttling, OfABatchWhatCannotBeDoneNowIsGivenBack) {
  provision("abc", 1, 1);
  provision("def", 100, 100);
  EXPECT_TRUE(write("abc", item("a", 350)).ok());
  const auto batch = [&](const std::string& tables) {
    return call("BatchWriteItem", "{'RequestItems':{" + tables + "}}");
  };
  const std::string put = "[{'PutRequest':{'Item':{'pk':{'S':'z'}}}}]";
  const Reply partly = batch("'abc':" + put + ",'def':" + put);
  EXPECT_EQ(partly.at("/UnprocessedItems"), json("{'abc':[{'PutRequest':{'Item':{'pk':{'S':'z'}}}}]}"));
  EXPECT_TRUE(batch("'abc':" + put).refusal().starts_with("ProvisionedThroughputExceededException"));
  while (read("abc", "a").ok()) {
  }
  const Reply read_partly = call("BatchGetItem",
                                 "{'RequestItems':{'abc':{'Keys':[{'pk':{'S':'a'}}]},"
                                 "'def':{'Keys':[{'pk':{'S':'z'}}]}}}");
  EXPECT_EQ(read_partly.at("/UnprocessedKeys/abc/Keys"), json("[{'pk':{'S':'a'}}]"));
  EXPECT_EQ(read_partly.at("/Responses/def"), json("[{'pk':{'S':'z'}}]"));
  EXPECT_TRUE(refusal("BatchGetItem", "{'RequestItems':{'abc':{'Keys':[{'pk':{'S':'a'}}]}}}")
                  .starts_with("ProvisionedThroughputExceededException"));
}

TEST_F(Throttling, WhatComesInOneBatchPaysOneAfterTheOther) {
  provision("abc", 1, 1);
  std::string puts, inserts, keys, selects;
  for (int i = 0; i < 5; ++i) {
    const std::string pk = "k" + std::to_string(i), comma = i == 0 ? "" : ",";
    puts += comma + "{'PutRequest':{'Item':" + item(pk, 200) + "}}";
    keys += comma + "{'pk':{'S':'" + pk + "'}}";
    selects += comma +
               "{'Statement':'SELECT * FROM abc WHERE pk = ?','ConsistentRead':true,'Parameters':[{'S':'" +
               pk + "'}]}";
    inserts += std::string(i == 0 ? "" : ",") +
               R"({"Statement":"INSERT INTO abc VALUE {'pk': ?, 'x': ?}","Parameters":[{"S":"i)" + pk +
               R"("},{"S":")" + std::string(200 * 1024 - 40, 'x') + R"("}]})";
  }
  const auto batch_write = [&] { return call("BatchWriteItem", "{'RequestItems':{'abc':[" + puts + "]}}"); };
  // 300 units are there: two of 200 are let in, the second on credit.
  const Reply written = batch_write();
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(length(written, "/UnprocessedItems/abc"), 3u);
  clock_.advance_us(500 * kSecondUs);
  const Reply inserted = call_exactly("BatchExecuteStatement", R"({"Statements":[)" + inserts + "]}");
  EXPECT_FALSE(inserted.has("/Responses/0/Error"));
  EXPECT_EQ(inserted.at("/Responses/4/Error/Code"), "ProvisionedThroughputExceeded");
  EXPECT_EQ(read("abc", "ik0").body().substr(0, 8), R"({"Item":)");
  EXPECT_EQ(read("abc", "ik4").body(), "{}");

  provision("def", 1, 100);
  must("BatchWriteItem", "{'RequestItems':{'def':[" + puts + "]}}");
  // 50 units each, of 300.
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(read("def", "k0").ok());
  const Reply got =
      call("BatchGetItem", "{'RequestItems':{'def':{'Keys':[" + keys + "],'ConsistentRead':true}}}");
  EXPECT_EQ(length(got, "/Responses/def"), 2u);
  EXPECT_EQ(length(got, "/UnprocessedKeys/def/Keys"), 3u);
  clock_.advance_us(101 * kSecondUs);
  std::string of_def = selects;
  for (size_t at = 0; (at = of_def.find("FROM abc", at)) != std::string::npos;)
    of_def.replace(at, 8, "FROM def");
  const Reply selected = must("BatchExecuteStatement", "{'Statements':[" + of_def + "]}");
  EXPECT_EQ(selected.at("/Responses/1/TableName"), "def");
  EXPECT_EQ(selected.at("/Responses/4/Error/Code"), "ProvisionedThroughputExceeded");
}

TEST_F(Throttling, TransactionsAndStatementsAreHeldToItToo) {
  provision("abc", 1, 1);
  EXPECT_TRUE(write("abc", item("a", 350)).ok());
  const std::string put = "{'Put':{'TableName':'abc','Item':{'pk':{'S':'t'}}}}";
  provision("free", 100, 100);
  const std::string other = "{'Put':{'TableName':'free','Item':{'pk':{'S':'t'}}}}";
  const Reply cancelled = call("TransactWriteItems", "{'TransactItems':[" + other + "," + put + "]}");
  EXPECT_EQ(cancelled.at("/__type"), "com.amazonaws.dynamodb.v20120810#TransactionCanceledException");
  EXPECT_EQ(cancelled.at("/Message"),
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ProvisionedThroughputExceeded]");
  EXPECT_EQ(cancelled.at("/CancellationReasons/1/Message"),
            "The level of configured provisioned throughput for the table was exceeded. Consider increasing "
            "your provisioning level with the UpdateTable API.");
  EXPECT_EQ(read("free", "t").body(), "{}");
  const std::string update = "{'Statement':'UPDATE abc SET n = 1 WHERE pk = ?','Parameters':[{'S':'a'}]}";
  EXPECT_TRUE(refusal("ExecuteStatement", update).starts_with("ProvisionedThroughputExceededException"));
  EXPECT_EQ(
      call("ExecuteTransaction", "{'TransactStatements':[" + update + "]}").at("/CancellationReasons/0/Code"),
      "ProvisionedThroughputExceeded");
  const Reply batch = must("BatchExecuteStatement", "{'Statements':[" + update + "]}");
  EXPECT_EQ(batch.at("/Responses/0/Error/Code"), "ProvisionedThroughputExceeded");
  while (read("abc", "a").ok()) {
  }
  EXPECT_EQ(call("TransactGetItems", "{'TransactItems':[{'Get':{'TableName':'abc','Key':{'pk':{'S':'a'}}}}]}")
                .at("/CancellationReasons/0/Code"),
            "ProvisionedThroughputExceeded");
  const std::string select = "{'Statement':'SELECT * FROM abc WHERE pk = ?','Parameters':[{'S':'a'}]}";
  EXPECT_EQ(
      call("ExecuteTransaction", "{'TransactStatements':[" + select + "]}").at("/CancellationReasons/0/Code"),
      "ProvisionedThroughputExceeded");
  EXPECT_TRUE(refusal("ExecuteStatement", "{'Statement':'SELECT * FROM abc'}")
                  .starts_with("ProvisionedThroughputExceededException"));
}

TEST_F(Throttling, MoreUnitsLetMoreIn) {
  provision("abc", 5, 1);
  EXPECT_TRUE(write("abc", item("a", 350)).ok());
  EXPECT_FALSE(write("abc", item("b", 1)).ok());
  must("UpdateTable",
       "{'TableName':'abc','ProvisionedThroughput':{'ReadCapacityUnits':5,'WriteCapacityUnits':100}}");
  EXPECT_FALSE(write("abc", item("b", 1)).ok());
  clock_.advance_us(kSecondUs);
  EXPECT_TRUE(write("abc", item("b", 1)).ok());
}

class NoThrottling : public WireTest {};

TEST_F(NoThrottling, IsWhatThereIsUnlessAsked) {
  must("CreateTable",
       "{'TableName':'abc','AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'}],"
       "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"
       "'ProvisionedThroughput':{'ReadCapacityUnits':1,'WriteCapacityUnits':1}}");
  for (int i = 0; i < 50; ++i)
    must("PutItem",
         "{'TableName':'abc','Item':{'pk':{'S':'a'},'x':{'S':'" + std::string(300'000, 'x') + "'}}}");
}

class PartitionThrottling : public WireTest {
 protected:
  PartitionThrottling()
      : WireTest(store::open_memory_store,
                 {.background_thread = false, .throttle_partitions = true, .heat = true}) {}

  void create(const std::string& name, const std::string& billing) {
    must("CreateTable", "{'TableName':'" + name +
                            "','AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'},"
                            "{'AttributeName':'g','AttributeType':'S'}],"
                            "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}]," +
                            billing + "}");
  }
  // A write of 300 units, whose entry in the index, if it has one, has as many.
  Reply write(const std::string& table, const std::string& pk, const std::string& g = "") {
    return call("PutItem", "{'TableName':'" + table + "','Item':{'pk':{'S':'" + pk + "'}," +
                               (g.empty() ? "" : "'g':{'S':'" + g + "'},") + "'x':{'S':'" +
                               std::string(300 * 1024 - 40, 'x') + "'}}}");
  }
  static std::string on_demand_with_index() {
    return "'BillingMode':'PAY_PER_REQUEST','GlobalSecondaryIndexes':[{'IndexName':'gsi',"
           "'KeySchema':[{'AttributeName':'g','KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}}]";
  }
  // So little that one partition is enough.
  static std::string provisioned_with_index() {
    const std::string five = "'ProvisionedThroughput':{'ReadCapacityUnits':5,'WriteCapacityUnits':5}";
    return five +
           ",'GlobalSecondaryIndexes':[{'IndexName':'gsi',"
           "'KeySchema':[{'AttributeName':'g','KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}," +
           five + "}]";
  }
};

TEST_F(PartitionThrottling, AHotKeyIsRefusedByItsPartition) {
  create("abc", on_demand_with_index());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(write("abc", "hot").ok()) << i;
  const Reply refused = write("abc", "hot");
  EXPECT_EQ(
      refused.refusal(),
      "ThrottlingException: Throughput exceeds the current capacity of your table or index. DynamoDB is "
      "automatically scaling your table or index so please try again shortly. If exceptions persist, check "
      "if you have a hot key: "
      "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html.");
  EXPECT_EQ(
      refused.at("/throttlingReasons"),
      json("[{'reason':'TableWriteKeyRangeThroughputExceeded','resource':'" + kThrottledArn + "abc'}]"));
  // 200 units of debt at 1,000 a second.
  clock_.advance_us(kSecondUs / 5);
  EXPECT_FALSE(write("abc", "hot").ok());
  clock_.advance_us(1);
  EXPECT_TRUE(write("abc", "hot").ok());
}

TEST_F(PartitionThrottling, AnIndexHasPartitionsOfItsOwn) {
  create("abc", on_demand_with_index());
  for (int i = 0; i < 4; ++i) {
    clock_.advance_us(1);
    EXPECT_TRUE(write("abc", "pk" + std::to_string(i * 7), "hot").ok()) << i;
  }
  const Reply refused = write("abc", "another", "hot");
  EXPECT_EQ(refused.at("/ThrottlingReasons/0/reason"), "IndexWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(refused.at("/ThrottlingReasons/0/resource"), kThrottledArn + "abc/index/gsi");
}

TEST_F(PartitionThrottling, ReadsHaveTheirOwnCeiling) {
  create("abc", provisioned_with_index());
  EXPECT_TRUE(write("abc", "a", "g").ok());
  // 76 units each, whatever is provisioned.
  int reads = 0;
  Reply read = call("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'a'}},'ConsistentRead':true}");
  while (read.ok() && ++reads < 100)
    read = call("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'a'}},'ConsistentRead':true}");
  EXPECT_EQ(reads, 40);
  EXPECT_EQ(read.refusal().substr(0, 38), "ProvisionedThroughputExceededException");
  EXPECT_EQ(read.at("/ThrottlingReasons/0/reason"), "TableReadKeyRangeThroughputExceeded");
  EXPECT_EQ(call("Scan", "{'TableName':'abc'}").at("/ThrottlingReasons/0/reason"),
            "TableReadKeyRangeThroughputExceeded");
}

TEST_F(PartitionThrottling, AHotPartitionIsSplitAndThenMoreGetsThrough) {
  create("abc", provisioned_with_index());
  // Asks for 3,000 units a second, of keys all over the table: what was written a second.
  uint64_t asked = 0;
  const auto units_written = [&](int seconds) {
    int64_t units = 0;
    for (int i = 0; i < 10 * seconds; ++i) {
      clock_.advance_us(kSecondUs / 10);
      if (write("abc", "k" + std::to_string(++asked * 7 % 100)).ok()) units += 300;
    }
    return units / seconds;
  };
  const auto partitions = [&] {
    const Result<HeatReport> heat = database_.heat({.table = "abc"});
    EXPECT_TRUE(heat.ok());
    return heat.ok() ? heat->partitions : 0;
  };
  EXPECT_NEAR(static_cast<double>(units_written(traffic::kSplitAfterSeconds - 1)), 1'000, 50);
  EXPECT_EQ(partitions(), 1);
  units_written(3);
  EXPECT_EQ(partitions(), 2);
  EXPECT_GT(units_written(20), 1'700) << "both are asked for more than their 1,000";
  units_written(traffic::kSplitAfterSeconds);
  EXPECT_GT(partitions(), 2) << "and are split again, until all gets through";
  EXPECT_GT(units_written(20), 2'500);
}

TEST_F(PartitionThrottling, ABatchLeavesOutWhatItCannotGet) {
  create("abc", on_demand_with_index());
  for (int i = 0; i < 8; ++i) {
    clock_.advance_us(kSecondUs);
    EXPECT_TRUE(write("abc", "k" + std::to_string(i)).ok());
  }
  std::string keys;
  for (int i = 0; i < 8; ++i) keys += (i == 0 ? "" : ",") + ("{'pk':{'S':'k" + std::to_string(i) + "'}}");
  const std::string hot = "{'RequestItems':{'abc':{'Keys':[{'pk':{'S':'k0'}}],'ConsistentRead':true}}}";
  while (call("BatchGetItem", hot).ok()) {
  }
  const Reply answered =
      call("BatchGetItem", "{'RequestItems':{'abc':{'Keys':[" + keys + "],'ConsistentRead':true}}}");
  ASSERT_TRUE(answered.ok());
  EXPECT_NE(answered.body().find(R"("UnprocessedKeys":{"abc":{"Keys":[)"), std::string::npos);
  EXPECT_NE(answered.body().find(R"({"pk":{"S":"k0"}})"), std::string::npos);
  EXPECT_NE(answered.body().find(R"("Responses":{"abc":[{)"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::wire
