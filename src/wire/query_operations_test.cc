// Query and Scan: JSON in, JSON out.
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class QueryOperations : public WireTest {
 protected:
  QueryOperations() {
    must("CreateTable",
         "{'TableName':'abc','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':[{'AttributeName':'pk',"
         "'AttributeType':'S'},{'AttributeName':'sk','AttributeType':'N'},{'AttributeName':'g','"
         "AttributeType':'S'}],"
         "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'},{'AttributeName':'sk','KeyType':'RANGE'}],"
         "'GlobalSecondaryIndexes':[{'IndexName':'by-g','KeySchema':[{'AttributeName':'g','KeyType':'HASH'}],"
         "'Projection':{'ProjectionType':'KEYS_ONLY'}}]}");
    for (int i = 1; i <= 5; ++i) {
      const std::string n = std::to_string(i);
      put("abc", "{'pk':{'S':'a'},'sk':{'N':'" + n + "'},'v':{'N':'" + n + "'}" +
                     (i > 3 ? ",'g':{'S':'x'}" : "") + "}");
    }
  }

  static std::string query(const std::string& more) {
    return "{'TableName':'abc','KeyConditionExpression':'pk = "
           ":p','ExpressionAttributeValues':{':p':{'S':'a'}" +
           more;
  }
};

TEST_F(QueryOperations, AnswersAPageWithItsCounts) {
  EXPECT_EQ(
      must("Query", query("},'Limit':2,'ProjectionExpression':'v'}")).body(),
      json("{'Items':[{'v':{'N':'1'}},{'v':{'N':'2'}}],'Count':2,'ScannedCount':2,'LastEvaluatedKey':{'pk':{"
           "'S':'a'},'sk':{'N':'2'}}}"));
  EXPECT_EQ(must("Query", query("},'Limit':2,'ScanIndexForward':false,'Select':'COUNT'}")).body(),
            json("{'Count':2,'ScannedCount':2,'LastEvaluatedKey':{'pk':{'S':'a'},'sk':{'N':'4'}}}"));
  EXPECT_EQ(must("Query",
                 query("},'ExclusiveStartKey':{'pk':{'S':'a'},'sk':{'N':'4'}},'ProjectionExpression':'v'}"))
                .body(),
            json("{'Items':[{'v':{'N':'5'}}],'Count':1,'ScannedCount':1}"));
}

TEST_F(QueryOperations, FiltersAndTellsWhatWasConsumed) {
  const Reply reply = must("Query", query(",':three':{'N':'3'}},'FilterExpression':'v > :three',"
                                          "'ReturnConsumedCapacity':'TOTAL'}"));
  EXPECT_EQ(reply.at("/Count"), "2");
  EXPECT_EQ(reply.at("/ScannedCount"), "5");
  EXPECT_EQ(reply.at("/ConsumedCapacity"), json("{'TableName':'abc','CapacityUnits':0.5}"));
}

TEST_F(QueryOperations, ReadsAnIndexAndNamesItsUnits) {
  const Reply reply =
      must("Query",
           "{'TableName':'abc','IndexName':'by-g','KeyConditionExpression':'g = :g',"
           "'ExpressionAttributeValues':{':g':{'S':'x'}},'ReturnConsumedCapacity':'INDEXES'}");
  EXPECT_EQ(reply.at("/Count"), "2");
  EXPECT_EQ(reply.at("/Items/0"), json("{'g':{'S':'x'},'pk':{'S':'a'},'sk':{'N':'4'}}"));
  EXPECT_EQ(
      reply.at("/ConsumedCapacity"),
      json("{'TableName':'abc','CapacityUnits':0.5,'Table':{'CapacityUnits':0.0},'GlobalSecondaryIndexes':{"
           "'by-g':{'CapacityUnits':0.5}}}"));
}

TEST_F(QueryOperations, LegacyParametersMeanTheSame) {
  EXPECT_EQ(must("Query",
                 "{'TableName':'abc','KeyConditions':{'pk':{'ComparisonOperator':'EQ','AttributeValueList':[{"
                 "'S':'a'}]},'sk':{'ComparisonOperator':'GE','AttributeValueList':[{'N':'4'}]}},"
                 "'QueryFilter':{'v':{'ComparisonOperator':'NE','AttributeValueList':[{'N':'4'}]}},"
                 "'AttributesToGet':['v']}")
                .body(),
            json("{'Items':[{'v':{'N':'5'}}],'Count':1,'ScannedCount':2}"));
  EXPECT_EQ(must("Scan",
                 "{'TableName':'abc','ScanFilter':{'v':{'ComparisonOperator':'LT','AttributeValueList':[{'N':"
                 "'3'}]}}}")
                .at("/Count"),
            "2");
  EXPECT_EQ(refusal("Query",
                    "{'TableName':'abc','KeyConditions':{'pk':{'ComparisonOperator':'EQ','AttributeValueList'"
                    ":[{'S':'a'}]}},'QueryFilter':{'sk':{'ComparisonOperator':'NOT_NULL'}}}"),
            invalid("QueryFilter can only contain non-primary key attributes: Primary key attribute: sk"));
}

TEST_F(QueryOperations, ScansInSegments) {
  size_t found = 0;
  for (int segment = 0; segment < 4; ++segment) {
    found += std::stoul(
        must("Scan", "{'TableName':'abc','TotalSegments':4,'Segment':" + std::to_string(segment) + "}")
            .at("/Count"));
  }
  EXPECT_EQ(found, 5u);
  EXPECT_EQ(
      refusal("Scan", "{'TableName':'abc','TotalSegments':4}"),
      invalid(
          "The Segment parameter is required but was not present in the request when parameter TotalSegments "
          "is present"));
  EXPECT_EQ(refusal("Scan", "{'TableName':'abc','TotalSegments':0,'Segment':0}"),
            violated("'0'", "totalSegments", "have value greater than or equal to 1"));
}

TEST_F(QueryOperations, AQuerysSelectIsLookedAtFirst) {
  const std::string opening = "1 validation error detected: Cannot specify the ";
  EXPECT_EQ(refusal("Query", "{'TableName':'abc','Select':'COUNT','ProjectionExpression':'v'}"),
            invalid(opening + "ProjectionExpression when choosing to get only the Count"))
      << "before the missing key condition";
  EXPECT_EQ(refusal("Query",
                    "{'TableName':'abc','Select':'ALL_ATTRIBUTES','AttributesToGet':['v'],"
                    "'KeyConditionExpression':'pk = :p'}"),
            invalid(opening + "AttributesToGet when choosing to get ALL_ATTRIBUTES"))
      << "before the mixture of parameters";
  EXPECT_EQ(refusal("Query", "{'TableName':'abc','Select':'ALL_PROJECTED_ATTRIBUTES'}"),
            invalid("1 validation error detected: ALL_PROJECTED_ATTRIBUTES can be used only when Querying "
                    "using an IndexName"));
  EXPECT_EQ(refusal("Query", "{'TableName':'abc','Select':'SPECIFIC_ATTRIBUTES'}"),
            invalid("1 validation error detected: Must specify the AttributesToGet or ProjectionExpression "
                    "when choosing to get SPECIFIC_ATTRIBUTES"));
  EXPECT_EQ(refusal("Query", "{'TableName':'abc','Limit':0}"), refusal("Query", query("},'Limit':0}")));
  EXPECT_EQ(refusal("Scan", "{'TableName':'abc','Select':'COUNT','AttributesToGet':['v']}"),
            invalid("Cannot specify the AttributesToGet when choosing to get only the Count"));
}

TEST_F(QueryOperations, AProjectionHasNoPlaceForValues) {
  const std::string members = "'TableName':'abc','ProjectionExpression':'v','ExpressionAttributeValues':{";
  const std::string unwanted = "ExpressionAttributeValues can only be specified when using expressions: ";
  EXPECT_EQ(refusal("Scan", "{" + members + "':x':{'S':'a'}}}"),
            invalid(unwanted + "FilterExpression is null"));
  EXPECT_EQ(refusal("Query", "{" + members + "}}"),
            invalid(unwanted + "FilterExpression and KeyConditionExpression are null"));
  EXPECT_EQ(
      must("Scan", "{'TableName':'abc','ProjectionExpression':'#v','ExpressionAttributeNames':{'#v':'v'}}")
          .at("/Count"),
      "5");
}

TEST_F(QueryOperations, Refuse) {
  EXPECT_EQ(
      refusal("Query", "{'TableName':'abc'}"),
      invalid(
          "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."));
  EXPECT_EQ(
      refusal("Query", query("},'Limit':0}")),
      invalid("1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have "
              "value greater than or equal to 1"));
  EXPECT_EQ(refusal("Scan", "{'TableName':'abc','Limit':0}"),
            violated("'0'", "limit", "have value greater than or equal to 1"));
  EXPECT_EQ(
      refusal("Query", query("},'Select':'SOME'}")),
      violated(
          "'SOME'", "select",
          "satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"));
  EXPECT_EQ(
      refusal("Query", query("},'ExclusiveStartKey':{'pk':{}}}")),
      invalid(
          "The provided starting key is invalid: Supplied AttributeValue is empty, must contain exactly one "
          "of the supported datatypes"));
  EXPECT_EQ(refusal("Query", query("},'IndexName':'none'}")),
            invalid("The table does not have the specified index: none"));
}

}  // namespace
}  // namespace sheaf::wire
