// PutItem, UpdateItem, DeleteItem, GetItem: JSON in, JSON out.
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class ItemOperations : public WireTest {
 protected:
  ItemOperations() { create("abc"); }
};

TEST_F(ItemOperations, WhatIsPutIsGot) {
  EXPECT_EQ(must("PutItem", "{'TableName':'abc','Item':{'pk':{'S':'a'},'n':{'N':'1.50'}}}").body(), "{}");
  EXPECT_EQ(must("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'a'}}}").body(),
            json("{'Item':{'n':{'N':'1.5'},'pk':{'S':'a'}}}"));
  EXPECT_EQ(must("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'b'}}}").body(), "{}");
  EXPECT_EQ(must("GetItem",
                 "{'TableName':'arn:aws:dynamodb:us-east-1:000000000000:table/abc',"
                 "'Key':{'pk':{'S':'a'}},'ProjectionExpression':'#n','ExpressionAttributeNames':{'#n':'n'}}")
                .body(),
            json("{'Item':{'n':{'N':'1.5'}}}"));
}

TEST_F(ItemOperations, TellsWhatWasConsumed) {
  EXPECT_EQ(
      must("PutItem", "{'TableName':'abc','Item':{'pk':{'S':'a'}},'ReturnConsumedCapacity':'TOTAL'}").body(),
      json("{'ConsumedCapacity':{'TableName':'abc','CapacityUnits':1.0}}"));
  EXPECT_EQ(
      must("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'a'}},'ReturnConsumedCapacity':'INDEXES'}").body(),
      json("{'Item':{'pk':{'S':'a'}},'ConsumedCapacity':{'TableName':'abc','CapacityUnits':0.5,"
           "'Table':{'CapacityUnits':0.5}}}"));
}

TEST_F(ItemOperations, ReturnsOldAndNewAttributes) {
  put("abc", "{'pk':{'S':'a'},'n':{'N':'1'}}");
  EXPECT_EQ(must("UpdateItem",
                 "{'TableName':'abc','Key':{'pk':{'S':'a'}},'UpdateExpression':'SET n = n + :one',"
                 "'ExpressionAttributeValues':{':one':{'N':'1'}},'ReturnValues':'UPDATED_NEW'}")
                .body(),
            json("{'Attributes':{'n':{'N':'2'}}}"));
  EXPECT_EQ(must("DeleteItem", "{'TableName':'abc','Key':{'pk':{'S':'a'}},'ReturnValues':'ALL_OLD'}").body(),
            json("{'Attributes':{'n':{'N':'2'},'pk':{'S':'a'}}}"));
  EXPECT_EQ(must("DeleteItem", "{'TableName':'abc','Key':{'pk':{'S':'a'}},'ReturnValues':'ALL_OLD'}").body(),
            "{}");
}

TEST_F(ItemOperations, AConditionThatIsNotMetIsAnException) {
  put("abc", "{'pk':{'S':'a'},'n':{'N':'1'}}");
  const std::string request =
      "{'TableName':'abc','Item':{'pk':{'S':'a'}},'ConditionExpression':'attribute_not_exists(pk)'";
  const Reply plain = call("PutItem", request + "}");
  EXPECT_EQ(plain.status(), 400);
  EXPECT_EQ(
      plain.body(),
      json("{'__type':'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException','message':'The "
           "conditional request failed'}"));
  EXPECT_EQ(call("PutItem", request + ",'ReturnValuesOnConditionCheckFailure':'ALL_OLD'}").at("/Item/n/N"),
            "1");
}

TEST_F(ItemOperations, LegacyParametersMeanTheSame) {
  must("PutItem", "{'TableName':'abc','Item':{'pk':{'S':'a'}},'Expected':{'pk':{'Exists':false}}}");
  EXPECT_EQ(call("PutItem", "{'TableName':'abc','Item':{'pk':{'S':'a'}},'Expected':{'pk':{'Exists':false}}}")
                .refusal(),
            "ConditionalCheckFailedException: The conditional request failed");
  must("UpdateItem",
       "{'TableName':'abc','Key':{'pk':{'S':'a'}},'AttributeUpdates':{'n':{'Action':'ADD','Value':"
       "{'N':'5'}},'t':{'Value':{'S':'x'}}}}");
  EXPECT_EQ(must("GetItem", "{'TableName':'abc','Key':{'pk':{'S':'a'}},'AttributesToGet':['n','t']}").body(),
            json("{'Item':{'n':{'N':'5'},'t':{'S':'x'}}}"));
  EXPECT_EQ(
      refusal("GetItem",
              "{'TableName':'abc','Key':{'pk':{'S':'a'}},'AttributesToGet':['n'],"
              "'ProjectionExpression':'n'}"),
      invalid("Can not use both expression and non-expression parameters in the same request: Non-expression "
              "parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"));
}

TEST_F(ItemOperations, RefusesInAwsOrder) {
  // What cannot be read, then constraints, then values, then the table, then its schema.
  EXPECT_EQ(refusal("PutItem", "{'TableName':5,'Item':{'pk':{}},'ReturnValues':'X'}"),
            "SerializationException: NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(refusal("PutItem", "{'TableName':'no','Item':{'pk':{'S':5}},'ReturnValues':'NONE'}"),
            "SerializationException: NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(refusal("PutItem", "{'TableName':'no','Item':{'pk':{}},'ReturnValues':'X'}"),
            violated("'X'", "returnValues",
                     "satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"));
  EXPECT_EQ(refusal("PutItem", "{'TableName':'no','Item':{'pk':{}},'ReturnValues':'ALL_NEW'}"),
            invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"));
  EXPECT_EQ(refusal("PutItem", "{'TableName':'no','Item':{'pk':{'N':'1'}},'ReturnValues':'ALL_NEW'}"),
            invalid("ReturnValues can only be ALL_OLD or NONE"));
  EXPECT_EQ(refusal("PutItem", "{'TableName':'no','Item':{'pk':{'N':'1'}}}"),
            "ResourceNotFoundException: Requested resource not found");
  EXPECT_EQ(refusal("PutItem", "{'TableName':'abc','Item':{'pk':{'N':'1'}}}"),
            invalid_value("Type mismatch for key pk expected: S actual: N"));
}

TEST_F(ItemOperations, WhatAWriteReturnsAndItsSizeComeBeforeItsConditions) {
  const std::string expected = ",'Expected':{'n':{'ComparisonOperator':'EQ'}}";
  const std::string values = ",'ConditionExpression':'n = :v','ExpressionAttributeValues':{':v':{}}";
  const std::string wrong_values = invalid("ReturnValues can only be ALL_OLD or NONE");
  for (const std::string& conditions : {expected, values}) {
    const std::string put = "{'TableName':'no','Item':{'pk':{'S':'a'}}" + conditions;
    const std::string key = "{'TableName':'no','Key':{'pk':{'S':'a'}}" + conditions;
    EXPECT_EQ(refusal("PutItem", put + ",'ReturnValues':'ALL_NEW'}"), wrong_values);
    EXPECT_EQ(refusal("DeleteItem", key + ",'ReturnValues':'ALL_NEW'}"), wrong_values);
    EXPECT_NE(refusal("PutItem", put + "}"), wrong_values);
    EXPECT_EQ(refusal("UpdateItem", key + ",'ReturnValues':'ALL_NEW'}"), refusal("UpdateItem", key + "}"));
    EXPECT_EQ(refusal("PutItem", "{'TableName':'no','Item':{'pk':{'S':'" + std::string(400 << 10, 'x') +
                                     "'}}" + conditions + "}"),
              invalid("Item size has exceeded the maximum allowed size"));
  }
}

TEST_F(ItemOperations, PlaceholdersNeedAnExpression) {
  const std::string get = "{'TableName':'abc','Key':{'pk':{'S':'a'}}";
  EXPECT_EQ(refusal("GetItem", get + ",'ExpressionAttributeNames':{}}"),
            invalid("ExpressionAttributeNames can only be specified when using expressions"));
  EXPECT_EQ(refusal("GetItem", get + ",'ProjectionExpression':'n','ExpressionAttributeNames':{}}"),
            invalid("ExpressionAttributeNames must not be empty"));
  EXPECT_EQ(refusal("DeleteItem", get + ",'ConditionExpression':'n = :v','ExpressionAttributeValues':{}}"),
            invalid("ExpressionAttributeValues must not be empty"));
  EXPECT_EQ(
      refusal("DeleteItem", get + ",'ConditionExpression':'n = :v','ExpressionAttributeValues':{':v':{}}}"),
      invalid(
          "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain "
          "exactly one of the supported datatypes for key :v"));
}

TEST_F(ItemOperations, ABodyThatIsNoJsonIsRefused) {
  for (const char* body : {"", "{", "{'TableName':", "nonsense", "{}{}", "[", "'x"}) {
    const Reply reply = call("GetItem", body);
    EXPECT_EQ(reply.status(), 400) << body;
    EXPECT_NE(reply.body().find("SerializationException"), std::string::npos) << reply.body();
  }
  std::string deep = "{'TableName':'abc','Key':";
  for (int i = 0; i < 100'000; ++i) deep += "{'L':[";
  EXPECT_NE(call("GetItem", deep).body().find("SerializationException"), std::string::npos);
  const std::string bad_text = "{\"TableName\":\"abc\",\"Key\":{\"pk\":{\"S\":\"\xff\"}}}";
  EXPECT_NE(call_exactly("GetItem", bad_text).body().find("SerializationException"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::wire
