// What there is none of here: answered as an account without it would.
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class AbsentOperations : public WireTest {
 protected:
  AbsentOperations() { create("abc"); }
};

const std::string kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/abc";
const std::string kStream = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";

TEST_F(AbsentOperations, ListsAreEmpty) {
  EXPECT_EQ(must("ListGlobalTables", "{}").body(), json("{'GlobalTables':[]}"));
  EXPECT_EQ(must("ListBackups", "{'TableName':'nope'}").body(), json("{'BackupSummaries':[]}"));
  EXPECT_EQ(must("ListExports", "{}").body(), json("{'ExportSummaries':[]}"));
  EXPECT_EQ(must("ListImports", "{}").body(), json("{'ImportSummaryList':[]}"));
  EXPECT_EQ(must("DescribeKinesisStreamingDestination", "{'TableName':'abc'}").body(),
            json("{'KinesisDataStreamDestinations':[],'TableName':'abc'}"));
}

TEST_F(AbsentOperations, NamesAreNotFound) {
  EXPECT_EQ(
      refusal("DescribeGlobalTable", "{'GlobalTableName':'abc'}"),
      "GlobalTableNotFoundException: Global table not found: Global table with name: 'abc' does not exist.");
  for (const char* operation : {"DescribeGlobalTableSettings", "UpdateGlobalTableSettings"}) {
    EXPECT_EQ(refusal(operation, "{'GlobalTableName':'abc'}"),
              "GlobalTableNotFoundException: Global table with name: 'abc' does not exist.");
  }
  for (const char* operation : {"DescribeTableReplicaAutoScaling", "UpdateTableReplicaAutoScaling"}) {
    EXPECT_EQ(refusal(operation, "{'TableName':'abc'}"),
              "ResourceNotFoundException: Global table with name: 'abc' does not exist.");
  }
  const std::string backup = kArn + "/backup/01-ab";
  for (const char* operation : {"DescribeBackup", "DeleteBackup"})
    EXPECT_EQ(refusal(operation, "{'BackupArn':'" + backup + "'}"),
              "BackupNotFoundException: Backup not found: " + backup);
  const std::string made = kArn + "/export/01-ab";
  EXPECT_EQ(refusal("DescribeExport", "{'ExportArn':'" + made + "'}"),
            "ExportNotFoundException: Export not found: Export not found: " + made);
  EXPECT_EQ(refusal("GetResourcePolicy", "{'ResourceArn':'" + kArn + "'}"),
            "PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: " + kArn);
  EXPECT_EQ(must("DeleteResourcePolicy", "{'ResourceArn':'" + kArn + "'}").body(), "{}");
}

TEST_F(AbsentOperations, TablesMustBeThere) {
  const std::string missing =
      "ResourceNotFoundException: Requested resource not found: Table: nope not found";
  EXPECT_EQ(refusal("DescribeKinesisStreamingDestination", "{'TableName':'nope'}"), missing);
  for (const char* operation : {"EnableKinesisStreamingDestination", "DisableKinesisStreamingDestination",
                                "UpdateKinesisStreamingDestination"})
    EXPECT_EQ(refusal(operation, "{'TableName':'nope','StreamArn':'" + kStream + "'}"), missing);
  EXPECT_EQ(
      refusal("GetResourcePolicy", "{'ResourceArn':'arn:aws:dynamodb:us-east-1:000000000000:table/nope'}"),
      missing);
}

TEST_F(AbsentOperations, NothingIsMade) {
  EXPECT_EQ(
      refusal("CreateGlobalTable",
              "{'GlobalTableName':'abc','ReplicationGroup':[{'RegionName':'us-east-1'}]}"),
      invalid_value("DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB "
                    "global tables version 2019.11.21, instead of version 2017.11.29 (Legacy)."));
  EXPECT_EQ(
      refusal("DisableKinesisStreamingDestination", "{'TableName':'abc','StreamArn':'" + kStream + "'}"),
      invalid("Table is not in a valid state to disable Kinesis Streaming Destination: "
              "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation."));
  EXPECT_TRUE(
      refusal("EnableKinesisStreamingDestination", "{'TableName':'abc','StreamArn':'" + kStream + "'}")
          .starts_with("ValidationException: "));
  EXPECT_TRUE(refusal("PutResourcePolicy", "{'ResourceArn':'" + kArn + "','Policy':'{}'}")
                  .starts_with("ValidationException: "));
}

}  // namespace
}  // namespace sheaf::wire
