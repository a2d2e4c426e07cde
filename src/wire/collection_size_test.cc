// What clients are told of the size of item collections.
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class CollectionSizeWire : public WireTest {
 protected:
  CollectionSizeWire()
      : WireTest(store::open_memory_store, {.background_thread = false, .collection_bytes_max = 1000}) {
    must("CreateTable",
         "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':[{'AttributeName':'pk',"
         "'AttributeType':'S'},{'AttributeName':'sk','AttributeType':'N'},{'AttributeName':'l',"
         "'AttributeType':'N'}],'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'},"
         "{'AttributeName':'sk','KeyType':'RANGE'}],'LocalSecondaryIndexes':[{'IndexName':'lsi','KeySchema':"
         "[{'AttributeName':'pk','KeyType':'HASH'},{'AttributeName':'l','KeyType':'RANGE'}],"
         "'Projection':{'ProjectionType':'KEYS_ONLY'}}]}");
  }

  static std::string item(const std::string& sort, size_t bytes) {
    return "{'pk':{'S':'a'},'sk':{'N':'" + sort + "'},'x':{'S':'" + std::string(bytes, 'x') + "'}}";
  }
};

// A20: the size of a collection that has a limit is told, in AWS's range of gigabytes.
TEST_F(CollectionSizeWire, IsToldWithAWriteIfAsked) {
  const Reply put = must(
      "PutItem", "{'TableName':'abc','ReturnItemCollectionMetrics':'SIZE','Item':" + item("1", 10) + "}");
  EXPECT_EQ(put.at("/ItemCollectionMetrics/ItemCollectionKey/pk/S"), "a");
  EXPECT_EQ(put.at("/ItemCollectionMetrics/SizeEstimateRangeGB"), "[0.0,1.0]");
}

// A20: beyond the limit writes are refused, each in the way of its operation.
TEST_F(CollectionSizeWire, BeyondTheLimitHasAnExceptionOfItsOwn) {
  put("abc", item("1", 900));
  const std::string expected = "ItemCollectionSizeLimitExceededException: Collection size exceeded.";
  EXPECT_EQ(refusal("PutItem", "{'TableName':'abc','Item':" + item("2", 100) + "}"), expected);
  EXPECT_EQ(refusal("UpdateItem",
                    "{'TableName':'abc','Key':{'pk':{'S':'a'},'sk':{'N':'1'}},'UpdateExpression':'SET y = "
                    ":y','ExpressionAttributeValues':{':y':{'S':'" +
                        std::string(100, 'y') + "'}}}"),
            expected);
  const Reply cancelled = call(
      "TransactWriteItems", "{'TransactItems':[{'Put':{'TableName':'abc','Item':" + item("2", 100) + "}}]}");
  EXPECT_EQ(cancelled.at("/CancellationReasons/0/Code"), "ItemCollectionSizeLimitExceeded");
  EXPECT_EQ(cancelled.at("/CancellationReasons/0/Message"), "Collection size exceeded.");
}

}  // namespace
}  // namespace sheaf::wire
