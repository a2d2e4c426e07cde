// Settings of tables that have no effect here, or none yet: each is kept and told, or refused.
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class TableSettings : public WireTest {
 protected:
  static inline const std::string kUnits =
      "'ProvisionedThroughput':{'ReadCapacityUnits':5,'WriteCapacityUnits':5}";

  // With members that say how the table is billed.
  static std::string request(const std::string& members) {
    return "{'TableName':'Things','AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'}],"
           "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}]," +
           members + "}";
  }
  std::string not_created(const std::string& members) {
    return refusal("CreateTable", request("'BillingMode':'PAY_PER_REQUEST'," + members));
  }
  std::string not_updated(const std::string& members) {
    return refusal("UpdateTable", "{'TableName':'Things'," + members + "}");
  }
  std::string shown(const std::string& pointer) { return describe("Things").at("/Table" + pointer); }
};

TEST_F(TableSettings, ThereAreNoKeysToEncryptWith) {
  const auto encryption = [](const std::string& members) { return "'SSESpecification':{" + members + "}"; };
  const std::string no_keys = invalid_value(
      "SSESpecification is not supported: there is no key management service here. Encrypt the disk, or "
      "leave it out");
  for (const char* wanted : {"'Enabled':true", "'SSEType':'KMS'", "'Enabled':true,'SSEType':'KMS'",
                             "'SSEType':'KMS','KMSMasterKeyId':'alias/mine'"}) {
    EXPECT_EQ(not_created(encryption(wanted)), no_keys) << wanted;
    EXPECT_EQ(not_updated(encryption(wanted)), no_keys) << wanted;
  }
  EXPECT_EQ(must("ListTables", "{}").body(), json("{'TableNames':[]}"));
  create("Things", ",'SSESpecification':{'Enabled':false}");
  create("Other", ",'SSESpecification':{}");
  EXPECT_EQ(shown("/SSEDescription"), "-");
  const std::string so_already = invalid_value("Table is already encrypted by default");
  EXPECT_EQ(not_updated(encryption("'Enabled':false")), so_already);
  EXPECT_EQ(not_updated(encryption("")), so_already);
}

TEST_F(TableSettings, EncryptionMustNotContradictItself) {
  const auto refused = [&](const std::string& members) {
    const std::string specification = "'SSESpecification':{" + members + "}";
    EXPECT_EQ(not_created(specification), not_updated(specification));
    return not_created(specification);
  };
  EXPECT_EQ(refused("'Enabled':false,'SSEType':'KMS','KMSMasterKeyId':'x'"),
            invalid_value("SSEType can not be specified if Enabled is false"));
  EXPECT_EQ(refused("'Enabled':false,'KMSMasterKeyId':'x'"),
            invalid_value("KMSMasterKeyId can not be specified if Enabled is false"));
  EXPECT_EQ(refused("'Enabled':true,'SSEType':'AES256'"), invalid_value("SSEType AES256 is not supported"));
  EXPECT_EQ(refused("'Enabled':true,'KMSMasterKeyId':'x'"),
            invalid_value("SSEType KMS is required if KMSMasterKeyId is specified"));
  EXPECT_EQ(refused("'SSEType':'kms'"),
            violated("'kms'", "sSESpecification.sSEType", "satisfy enum value set: [AES256, KMS]"));
  EXPECT_EQ(refused("'SSEType':'KMS','KMSMasterKeyId':''"),
            violated("''", "sSESpecification.kMSMasterKeyId", "have length greater than or equal to 1"));
}

TEST_F(TableSettings, ThereAreNoGlobalTables) {
  const auto none = [](const std::string& member) {
    return invalid_value(member + " is not supported: there are no global tables");
  };
  EXPECT_EQ(not_created("'GlobalTableSourceArn':'arn'"), none("GlobalTableSourceArn"));
  const std::string mode = "'GlobalTableSettingsReplicationMode':'ENABLED'";
  EXPECT_EQ(not_created(mode), none("GlobalTableSettingsReplicationMode"));
  create("Things");
  EXPECT_EQ(not_updated(mode), none("GlobalTableSettingsReplicationMode"));
  EXPECT_EQ(not_updated("'ReplicaUpdates':[{'Create':{'RegionName':'eu-west-1'}}]"), none("ReplicaUpdates"));
  EXPECT_EQ(not_updated("'ReplicaUpdates':[]"),
            violated("'[]'", "replicaUpdates", "have length greater than or equal to 1"));
  EXPECT_EQ(not_updated("'MultiRegionConsistency':'STRONG'"), none("MultiRegionConsistency"));
  EXPECT_EQ(not_updated("'GlobalTableWitnessUpdates':[{}]"), none("GlobalTableWitnessUpdates"));
  EXPECT_EQ(not_updated("'DisassociationProtectionEnabled':false"), none("DisassociationProtectionEnabled"));
}

TEST_F(TableSettings, WhatWouldBeMisunderstoodIsRefused) {
  EXPECT_EQ(
      not_created("'TableClass':'GOLD'"),
      invalid("Invalid table-class parameter provided. Please try again with a valid table-class value: "
              "[STANDARD, STANDARD_INFREQUENT_ACCESS]."));
  EXPECT_EQ(not_created("'VectorIndexes':[{}]"), invalid_value("VectorIndexes is not supported"));
  EXPECT_EQ(not_created("'ResourcePolicy':'{}'"),
            invalid_value("ResourcePolicy is not supported: the server's own credentials say who may do "
                          "what"));
  create("Things", ",'VectorIndexes':[]");
  EXPECT_EQ(not_updated("'VectorIndexUpdates':[{}]"), invalid_value("VectorIndexUpdates is not supported"));
}

TEST_F(TableSettings, TheBillingModeHasAnOlderName) {
  must("CreateTable", request("'TableThroughputMode':'PAY_PER_REQUEST'"));
  EXPECT_EQ(shown("/BillingModeSummary/BillingMode"), "PAY_PER_REQUEST");
  must("UpdateTable", "{'TableName':'Things','TableThroughputMode':'PROVISIONED'," + kUnits + "}");
  EXPECT_EQ(shown("/TableThroughputModeSummary/TableThroughputMode"), "PROVISIONED");
  must("UpdateTable",
       "{'TableName':'Things','BillingMode':'PAY_PER_REQUEST','TableThroughputMode':'PROVISIONED'}");
  EXPECT_EQ(shown("/BillingModeSummary/BillingMode"), "PAY_PER_REQUEST") << "the newer name decides";
  EXPECT_EQ(
      refusal("CreateTable", request("'BillingMode':'one','TableThroughputMode':'two'")),
      invalid("2 validation errors detected: Value 'one' at 'billingMode' failed to satisfy constraint: "
              "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value 'two' at "
              "'tableThroughputMode' failed to satisfy constraint: Member must satisfy enum value set: "
              "[PROVISIONED, PAY_PER_REQUEST]"));
}

TEST_F(TableSettings, MaximaOfANewTableAreAboveZero) {
  for (const char* units : {"0", "-1", "-2"}) {
    EXPECT_EQ(not_created(std::string("'OnDemandThroughput':{'MaxWriteRequestUnits':") + units + "}"),
              invalid_value("Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of "
                            "valid range"));
  }
  create("Things", ",'OnDemandThroughput':{}");
  EXPECT_EQ(shown("/OnDemandThroughput"), "-");
}

TEST_F(TableSettings, WarmUnitsAreNoFewerThanTheBillingModeBrings) {
  const std::string initial =
      "initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/"
      "developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial";
  const auto too_few = [](const std::string& which, const std::string& whose, const std::string& what) {
    return invalid_value("Requested " + which + " for WarmThroughput for " + whose + " is lower than " +
                         what);
  };
  const auto warm = [](const std::string& read, const std::string& write) {
    return "'WarmThroughput':{'ReadUnitsPerSecond':" + read + ",'WriteUnitsPerSecond':" + write + "}";
  };
  for (const char* units : {"11999", "0", "-1"})
    EXPECT_EQ(not_created(warm(units, "4000")), too_few("ReadUnitsPerSecond", "table", initial));
  EXPECT_EQ(not_created(warm("12000", "1")), too_few("WriteUnitsPerSecond", "table", initial));
  EXPECT_EQ(refusal("CreateTable", request(kUnits + "," + warm("4", "5"))),
            too_few("ReadUnitsPerSecond", "table", "ReadCapacityUnits of ProvisionedThroughput"));
  EXPECT_EQ(refusal("CreateTable", request(kUnits + "," + warm("5", "4"))),
            too_few("WriteUnitsPerSecond", "table", "WriteCapacityUnits of ProvisionedThroughput"));
  EXPECT_EQ(not_created("'GlobalSecondaryIndexes':[{'IndexName':'gsi','KeySchema':[{'AttributeName':'pk',"
                        "'KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}," +
                        warm("1", "1") + "}]"),
            too_few("ReadUnitsPerSecond", "index gsi", initial));
  const Reply created = create("Things", ",'WarmThroughput':{'ReadUnitsPerSecond':12001}");
  EXPECT_EQ(created.at("/TableDescription/WarmThroughput/Status"), "UPDATING");
  EXPECT_EQ(shown("/WarmThroughput"),
            json("{'ReadUnitsPerSecond':12001,'WriteUnitsPerSecond':4000,'Status':'ACTIVE'}"));
}

}  // namespace
}  // namespace sheaf::wire
