// DescribeTable, ListTables, DeleteTable, and what describes the account.
#include "wire/table_operations.h"

#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

using TableOperations = WireTest;

const std::string kMissing =
    "ResourceNotFoundException: Requested resource not found: Table: Nothing not found";

TEST_F(TableOperations, WhatIsNotThereCannotBeDescribedOrDeleted) {
  for (const char* operation : {"DescribeTable", "DeleteTable"}) {
    EXPECT_EQ(refusal(operation, "{'TableName':'Nothing'}"), kMissing);
    EXPECT_EQ(refusal(operation, "{}"),
              invalid("The parameter 'TableName' is required but was not present in the request"));
    EXPECT_EQ(refusal(operation, "{'TableName':'ab'}"),
              violated("'ab'", "tableName", "have length greater than or equal to 3"));
  }
  const Reply reply = call("DescribeTable", "{'TableName':'Nothing'}");
  EXPECT_EQ(reply.status(), 400);
  EXPECT_EQ(reply.at("/__type"), "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException");
}

TEST_F(TableOperations, ATableIsFoundByItsArn) {
  create("Things");
  EXPECT_EQ(describe("arn:aws:dynamodb:us-east-1:000000000000:table/Things").at("/Table/TableName"),
            "Things");
}

TEST_F(TableOperations, ADeletedTableIsThereUntilItsItemsAreGone) {
  create("Things", ",'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'KEYS_ONLY'}");
  put("Things", "{'pk':{'S':'a'}}");
  const Reply deleted = must("DeleteTable", "{'TableName':'Things'}");
  EXPECT_EQ(deleted.at("/TableDescription/TableName"), "Things");
  EXPECT_EQ(deleted.at("/TableDescription/TableStatus"), "DELETING");
  EXPECT_TRUE(deleted.has("/TableDescription/TableArn"));
  for (const char* absent : {"KeySchema", "AttributeDefinitions", "CreationDateTime"})
    EXPECT_FALSE(deleted.has(std::string("/TableDescription/") + absent)) << absent;
  EXPECT_EQ(describe("Things").at("/Table/TableStatus"), "DELETING");
  EXPECT_EQ(must("ListTables", "{}").body(), json("{'TableNames':['Things']}"));
  EXPECT_EQ(refusal("GetItem", "{'TableName':'Things','Key':{'pk':{'S':'a'}}}"),
            "ResourceNotFoundException: Requested resource not found");
  EXPECT_EQ(refusal("DeleteTable", "{'TableName':'Things'}"),
            "ResourceInUseException: Attempt to change a resource which is still in use: Table is being "
            "deleted: Things");
  settle();
  EXPECT_EQ(refusal("DescribeTable", "{'TableName':'Things'}"),
            "ResourceNotFoundException: Requested resource not found: Table: Things not found");
  EXPECT_EQ(must("ListTables", "{}").body(), json("{'TableNames':[]}"));
}

TEST_F(TableOperations, AProtectedTableIsNotDeleted) {
  create("Things", ",'DeletionProtectionEnabled':true");
  EXPECT_EQ(
      refusal("DeleteTable", "{'TableName':'Things'}"),
      invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
              "protection first."));
}

TEST_F(TableOperations, TablesAreListedPageByPage) {
  for (const char* name : {"beta", "Alpha", "alpha", "gamma"}) create(name);
  EXPECT_EQ(must("ListTables", "{}").body(), json("{'TableNames':['Alpha','alpha','beta','gamma']}"));
  EXPECT_EQ(must("ListTables", "{'Limit':2}").body(),
            json("{'TableNames':['Alpha','alpha'],'LastEvaluatedTableName':'alpha'}"));
  EXPECT_EQ(must("ListTables", "{'Limit':2,'ExclusiveStartTableName':'alpha'}").body(),
            json("{'TableNames':['beta','gamma']}"));
  EXPECT_EQ(must("ListTables", "{'ExclusiveStartTableName':'aaa'}").body(),
            json("{'TableNames':['alpha','beta','gamma']}"));
  EXPECT_EQ(must("ListTables", "{'ExclusiveStartTableName':'zzz'}").body(), json("{'TableNames':[]}"));
}

TEST_F(TableOperations, AListingHasItsLimits) {
  EXPECT_EQ(refusal("ListTables", "{'Limit':0}"),
            violated("'0'", "limit", "have value greater than or equal to 1"));
  EXPECT_EQ(refusal("ListTables", "{'Limit':101}"),
            violated("'101'", "limit", "have value less than or equal to 100"));
  EXPECT_EQ(refusal("ListTables", "{'ExclusiveStartTableName':'a'}"),
            violated("'a'", "exclusiveStartTableName", "have length greater than or equal to 3"));
  EXPECT_EQ(
      refusal("ListTables", "{'ExclusiveStartTableName':'a;b'}"),
      violated("'a;b'", "exclusiveStartTableName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  for (int i = 0; i < 101; ++i) create("table" + std::to_string(1000 + i));
  EXPECT_EQ(must("ListTables", "{}").at("/LastEvaluatedTableName"), "table1099");
}

TEST_F(TableOperations, TimeToLiveIsTurnedOnAndOff) {
  create("Things");
  const auto request = [](const std::string& enabled, const std::string& attribute) {
    return "{'TableName':'Things','TimeToLiveSpecification':{'Enabled':" + enabled + ",'AttributeName':'" +
           attribute + "'}}";
  };
  const auto described = [&] { return must("DescribeTimeToLive", "{'TableName':'Things'}").body(); };
  EXPECT_EQ(described(), json("{'TimeToLiveDescription':{'TimeToLiveStatus':'DISABLED'}}"));
  EXPECT_EQ(refusal("UpdateTimeToLive", request("false", "ttl")), invalid("TimeToLive is already disabled"));
  EXPECT_EQ(must("UpdateTimeToLive", request("true", "ttl")).body(),
            json("{'TimeToLiveSpecification':{'Enabled':true,'AttributeName':'ttl'}}"));
  EXPECT_EQ(described(),
            json("{'TimeToLiveDescription':{'TimeToLiveStatus':'ENABLED','AttributeName':'ttl'}}"));
  EXPECT_EQ(refusal("UpdateTimeToLive", request("true", "ttl")), invalid("TimeToLive is already enabled"));
  const std::string other =
      invalid("TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  EXPECT_EQ(refusal("UpdateTimeToLive", request("true", "other")), other);
  EXPECT_EQ(refusal("UpdateTimeToLive", request("false", "other")), other);
  must("UpdateTimeToLive", request("false", "ttl"));
  EXPECT_EQ(described(), json("{'TimeToLiveDescription':{'TimeToLiveStatus':'DISABLED'}}"));
}

TEST_F(TableOperations, TheTimeToLiveOfATableThatGoesIsNotTold) {
  create("Things");
  must("DeleteTable", "{'TableName':'Things'}");
  EXPECT_EQ(refusal("DescribeTimeToLive", "{'TableName':'Things'}"),
            invalid("Cannot describe time to live while table is in DELETING state: Current table state is "
                    "DELETING"));
}

TEST_F(TableOperations, TimeToLiveNamesWhatIsMissing) {
  EXPECT_EQ(refusal("UpdateTimeToLive", "{'TableName':'Nothing','TimeToLiveSpecification':{}}"),
            invalid("2 validation errors detected: Value null at 'timeToLiveSpecification.attributeName' "
                    "failed to satisfy constraint: Member must not be null; Value null at "
                    "'timeToLiveSpecification.enabled' failed to satisfy constraint: Member must not be "
                    "null"));
  EXPECT_EQ(
      refusal("UpdateTimeToLive",
              "{'TableName':'Nothing','TimeToLiveSpecification':{'Enabled':true,'AttributeName':''}}"),
      violated("''", "timeToLiveSpecification.attributeName", "have length greater than or equal to 1"));
  EXPECT_EQ(refusal("UpdateTimeToLive", "{'TableName':'Nothing','TimeToLiveSpecification':{'Enabled':true}}"),
            violated("null", "timeToLiveSpecification.attributeName", "not be null"));
  EXPECT_EQ(refusal("UpdateTimeToLive", "{'TableName':'Nothing'}"),
            violated("null", "timeToLiveSpecification", "not be null"));
  EXPECT_EQ(refusal("UpdateTimeToLive",
                    "{'TableName':'Nothing','TimeToLiveSpecification':{'Enabled':true,'AttributeName':'t'}}"),
            kMissing);
  EXPECT_EQ(refusal("DescribeTimeToLive", "{'TableName':'Nothing'}"), kMissing);
}

TEST_F(TableOperations, TheAccountHasTheUsualLimits) {
  EXPECT_EQ(must("DescribeLimits", "{}").body(),
            json("{'AccountMaxReadCapacityUnits':80000,'AccountMaxWriteCapacityUnits':80000,"
                 "'TableMaxReadCapacityUnits':40000,'TableMaxWriteCapacityUnits':40000}"));
  EXPECT_EQ(must("DescribeEndpoints", "{}").body(),
            json("{'Endpoints':[{'Address':'localhost:8000','CachePeriodInMinutes':1440}]}"));
}

TEST_F(TableOperations, ThereAreNoBackups) {
  create("Things");
  EXPECT_EQ(must("DescribeContinuousBackups", "{'TableName':'Things'}").body(),
            json("{'ContinuousBackupsDescription':{'ContinuousBackupsStatus':'DISABLED',"
                 "'PointInTimeRecoveryDescription':{'PointInTimeRecoveryStatus':'DISABLED'}}}"));
  EXPECT_EQ(refusal("DescribeContinuousBackups", "{'TableName':'Nothing'}"),
            "TableNotFoundException: Table not found: Nothing");
}

}  // namespace
}  // namespace sheaf::wire
