// Batches and transactions: JSON in, JSON out.
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class ManyItems : public WireTest {
 protected:
  ManyItems() {
    create("abc");
    create("def");
  }
};

TEST_F(ManyItems, ABatchWritesAndGets) {
  EXPECT_EQ(
      must("BatchWriteItem",
           "{'RequestItems':{'abc':[{'PutRequest':{'Item':{'pk':{'S':'1'}}}},{'PutRequest':{"
           "'Item':{'pk':{'S':'2'}}}}],'def':[{'DeleteRequest':{'Key':{'pk':{'S':'x'}}}}]},"
           "'ReturnConsumedCapacity':'TOTAL'}")
          .body(),
      json("{'UnprocessedItems':{},'ConsumedCapacity':[{'TableName':'abc','CapacityUnits':2.0},{'TableName':"
           "'def','CapacityUnits':1.0}]}"));
  EXPECT_EQ(must("BatchGetItem",
                 "{'RequestItems':{'abc':{'Keys':[{'pk':{'S':'1'}},{'pk':{'S':'no'}}]},'def':{'Keys':[{"
                 "'pk':{'S':'x'}}]}}}")
                .body(),
            json("{'Responses':{'abc':[{'pk':{'S':'1'}}],'def':[]},'UnprocessedKeys':{}}"));
}

TEST_F(ManyItems, KeysThatAreLeftComeBackWithTheirParameters) {
  const std::string text(399'000, 'x');
  std::string keys;
  for (int i = 0; i < 45; ++i) {
    const std::string key = "{'pk':{'S':'" + std::to_string(i) + "'}}";
    put("abc", "{'pk':{'S':'" + std::to_string(i) + "'},'t':{'S':'" + text + "'}}");
    keys += (i > 0 ? "," : "") + key;
  }
  const Reply reply = must("BatchGetItem", "{'RequestItems':{'abc':{'Keys':[" + keys +
                                               "],'ConsistentRead':true,'ProjectionExpression':'#p',"
                                               "'ExpressionAttributeNames':{'#p':'pk'}}}}");
  EXPECT_EQ(reply.at("/UnprocessedKeys/abc/Keys/0/pk/S"), "42");
  EXPECT_EQ(reply.at("/UnprocessedKeys/abc/ConsistentRead"), "true");
  EXPECT_EQ(reply.at("/UnprocessedKeys/abc/ProjectionExpression"), "#p");
  EXPECT_EQ(reply.at("/UnprocessedKeys/abc/ExpressionAttributeNames/#p"), "pk");
}

TEST_F(ManyItems, ABatchIsRefusedAsAWhole) {
  EXPECT_EQ(refusal("BatchWriteItem", "{}"),
            invalid("The requestItems parameter is required for BatchWriteItem"));
  EXPECT_EQ(refusal("BatchGetItem", "{'RequestItems':{}}"),
            invalid("The requestItems parameter is required for BatchGetItem"));
  EXPECT_EQ(refusal("BatchWriteItem", "{'RequestItems':{'abc':[{}]}}"),
            invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"));
  EXPECT_EQ(refusal("BatchWriteItem", "{'RequestItems':{'abc':[{'PutRequest':{}}]}}"),
            violated("null", "requestItems.abc.member.1.member.putRequest.item", "not be null"));
  EXPECT_EQ(refusal("BatchWriteItem",
                    "{'RequestItems':{'abc':[{'PutRequest':{'Item':{'pk':{'S':'1'}}}},{"
                    "'DeleteRequest':{'Key':{'pk':{'S':'1'}}}}]}}"),
            invalid("Provided list of item keys contains duplicates"));
  EXPECT_EQ(must("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'1'}}}").body(), "{}");
}

TEST_F(ManyItems, TablesOfABatchMustHaveNamesThatTablesCanHave) {
  EXPECT_EQ(refusal("BatchWriteItem", "{'RequestItems':{'bad name':[{'DeleteRequest':{}}]}}").substr(0, 62),
            "ValidationException: 2 validation errors detected: Value '{bad");
  EXPECT_NE(refusal("BatchGetItem",
                    "{'RequestItems':{'" + std::string(256, 'x') + "':{'Keys':[{'pk':{'S':'a'}}]}}}")
                .find("at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: "
                      "[Member must "
                      "have length less than or equal to 255, "),
            std::string::npos);
}

TEST_F(ManyItems, NothingIsMadeOfNull) {
  EXPECT_FALSE(call("BatchGetItem", "{'RequestItems':{'abc':null}}").ok());
  EXPECT_FALSE(call("BatchGetItem", "{'RequestItems':{'abc':{'Keys':[null]}}}").ok());
  EXPECT_FALSE(call("BatchWriteItem", "{'RequestItems':{'abc':null}}").ok());
  EXPECT_FALSE(call("BatchWriteItem", "{'RequestItems':{'abc':[null]}}").ok());
  EXPECT_FALSE(call("TransactWriteItems", "{'TransactItems':[null]}").ok());
  EXPECT_FALSE(call("TransactGetItems", "{'TransactItems':[null]}").ok());
}

TEST_F(ManyItems, ATransactionWritesAllAndTellsWhatItCost) {
  EXPECT_EQ(
      must("TransactWriteItems",
           "{'TransactItems':[{'Put':{'TableName':'abc','Item':{'pk':{'S':'1'},'n':{'N':'1'}}}},{'Update':{"
           "'TableName':'def','Key':{'pk':{'S':'2'}},'UpdateExpression':'SET n = "
           ":n','ExpressionAttributeValues'"
           ":{':n':{'N':'2'}}}},{'Delete':{'TableName':'abc','Key':{'pk':{'S':'3'}}}},{'ConditionCheck':{"
           "'TableName':'def','Key':{'pk':{'S':'4'}},'ConditionExpression':'attribute_not_exists(pk)'}}],"
           "'ReturnConsumedCapacity':'TOTAL'}")
          .body(),
      json("{'ConsumedCapacity':[{'TableName':'abc','CapacityUnits':4.0,'WriteCapacityUnits':4.0},{'"
           "TableName':"
           "'def','CapacityUnits':4.0,'WriteCapacityUnits':4.0}]}"));
  EXPECT_EQ(
      must("TransactGetItems",
           "{'TransactItems':[{'Get':{'TableName':'def','Key':{'pk':{'S':'2'}},'ProjectionExpression':'n'}},{"
           "'Get':{'TableName':'abc','Key':{'pk':{'S':'no'}}}}],'ReturnConsumedCapacity':'TOTAL'}")
          .body(),
      json(
          "{'Responses':[{'Item':{'n':{'N':'2'}}},{}],'ConsumedCapacity':[{'TableName':'abc','CapacityUnits':"
          "2.0,'ReadCapacityUnits':2.0},{'TableName':'def','CapacityUnits':2.0,'ReadCapacityUnits':2.0}]}"));
}

TEST_F(ManyItems, ACancelledTransactionTellsEachReason) {
  put("abc", "{'pk':{'S':'1'},'n':{'N':'7'}}");
  const Reply reply = call("TransactWriteItems",
                           "{'TransactItems':[{'Put':{'TableName':'abc','Item':{'pk':{'S':'2'}}}},{'Put':{'"
                           "TableName':'abc','Item':{'pk':{"
                           "'S':'1'}},'ConditionExpression':'attribute_not_exists(pk)','"
                           "ReturnValuesOnConditionCheckFailure':'ALL_OLD'}}]}");
  EXPECT_EQ(reply.status(), 400);
  EXPECT_EQ(
      reply.body(),
      json(
          "{'__type':'com.amazonaws.dynamodb.v20120810#TransactionCanceledException','Message':'Transaction "
          "cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',"
          "'CancellationReasons':[{'Code':'None'},{'Code':'ConditionalCheckFailed','Message':'The "
          "conditional "
          "request failed','Item':{'n':{'N':'7'},'pk':{'S':'1'}}}]}"));
  EXPECT_EQ(must("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'2'}}}").body(), "{}");
}

TEST_F(ManyItems, ATokenIsGoodForOneTransaction) {
  const std::string once =
      "{'ClientRequestToken':'t','ReturnConsumedCapacity':'TOTAL','TransactItems':[{'Update':{'TableName':'"
      "abc','Key':{"
      "'pk':{'S':'1'}},'UpdateExpression':'ADD n :one','ExpressionAttributeValues':{':one':{'N':'1'}}}}]}";
  EXPECT_TRUE(must("TransactWriteItems", once).has("/ConsumedCapacity/0/WriteCapacityUnits"));
  EXPECT_TRUE(must("TransactWriteItems", once).has("/ConsumedCapacity/0/ReadCapacityUnits"));
  EXPECT_EQ(must("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'1'}}}").at("/Item/n/N"), "1");
  EXPECT_EQ(call("TransactWriteItems",
                 "{'ClientRequestToken':'t','TransactItems':[{'Delete':{'TableName':'abc','Key':{"
                 "'pk':{'S':'1'}}}}]}")
                .refusal()
                .substr(0, 36),
            "IdempotentParameterMismatchException");
}

TEST_F(ManyItems, ATransactionIsRefusedBeforeAnythingIsRead) {
  EXPECT_EQ(refusal("TransactWriteItems", "{'TransactItems':[]}"),
            violated("'[]'", "transactItems", "have length greater than or equal to 1"));
  EXPECT_EQ(refusal("TransactWriteItems", "{'TransactItems':[{}]}"),
            invalid("TransactItems can only contain one of Check, Put, Update or Delete"));
  EXPECT_EQ(refusal("TransactWriteItems",
                    "{'TransactItems':[{'Update':{'TableName':'abc','Key':{'pk':{'S':'1'}}}}]}"),
            violated("null", "transactItems.1.member.update.updateExpression", "not be null"));
}

}  // namespace
}  // namespace sheaf::wire
