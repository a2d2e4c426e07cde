// UpdateTable: what it changes, and what it refuses in which words and order.
#include "wire/update_table.h"

#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class UpdateTableWire : public WireTest {
 protected:
  static inline const std::string kUnits =
      "'ProvisionedThroughput':{'ReadCapacityUnits':5,'WriteCapacityUnits':5}";
  static inline const std::string kDefineG =
      "'AttributeDefinitions':[{'AttributeName':'g','AttributeType':'S'}]";

  // A table of the given billing with a global index "gsi" on g and a local index "lsi" on l.
  void create_indexed(bool provisioned) {
    const auto attribute = [](const std::string& name) {
      return "{'AttributeName':'" + name + "','AttributeType':'S'}";
    };
    must("CreateTable",
         "{'TableName':'Things','AttributeDefinitions':[" + attribute("pk") + "," + attribute("sk") + "," +
             attribute("g") + "," + attribute("l") +
             "],'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'},{'AttributeName':'sk','KeyType':'RANGE'}"
             "]," +
             (provisioned ? kUnits : "'BillingMode':'PAY_PER_REQUEST'") +
             ",'LocalSecondaryIndexes':[{'IndexName':'lsi','KeySchema':[{'AttributeName':'pk','KeyType':'"
             "HASH'},"
             "{'AttributeName':'l','KeyType':'RANGE'}],'Projection':{'ProjectionType':'ALL'}}],"
             "'GlobalSecondaryIndexes':[{'IndexName':'gsi','KeySchema':[{'AttributeName':'g','KeyType':'HASH'"
             "}],"
             "'Projection':{'ProjectionType':'ALL'}" +
             (provisioned ? "," + kUnits : "") + "}]}");
  }
  static std::string request(const std::string& members) { return "{'TableName':'Things'," + members + "}"; }
  Reply update(const std::string& members) { return must("UpdateTable", request(members)); }
  std::string refused(const std::string& members) { return refusal("UpdateTable", request(members)); }
  static std::string creation(const std::string& name, const std::string& attribute,
                              const std::string& more = "") {
    return "{'Create':{'IndexName':'" + name + "','KeySchema':[{'AttributeName':'" + attribute +
           "','KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}" + more + "}}";
  }
  static std::string deletion(const std::string& name) { return "{'Delete':{'IndexName':'" + name + "'}}"; }
  static std::string units_of(const std::string& name, int read, int write) {
    return "{'Update':{'IndexName':'" + name +
           "','ProvisionedThroughput':{'ReadCapacityUnits':" + std::to_string(read) +
           ",'WriteCapacityUnits':" + std::to_string(write) + "}}}";
  }
  static std::string indexes(const std::string& updates) {
    return "'GlobalSecondaryIndexUpdates':[" + updates + "]";
  }
  std::string shown(const std::string& pointer) { return describe("Things").at("/Table" + pointer); }
};

TEST_F(UpdateTableWire, SomethingMustChange) {
  const std::string nothing = invalid(
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
      "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
      "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass "
      "is "
      "required");
  EXPECT_EQ(refusal("UpdateTable", "{'TableName':'Things'}"), nothing);
  EXPECT_EQ(refused(indexes("")), nothing);
  EXPECT_EQ(refused(indexes("") + ",'BillingMode':'PAY_PER_REQUEST'"),
            invalid_value("List of GlobalSecondaryIndexUpdates is empty"));
}

TEST_F(UpdateTableWire, TheTableIsLookedForAfterTheRequest) {
  EXPECT_EQ(refusal("UpdateTable", "{'DeletionProtectionEnabled':true}"),
            invalid("The parameter 'TableName' is required but was not present in the request"));
  EXPECT_EQ(refused("'BillingMode':'PROVISIONED'"),
            invalid_value("ProvisionedThroughput must be specified when BillingMode is PROVISIONED"));
  const std::string missing =
      "ResourceNotFoundException: Requested resource not found: Table: Things not found";
  EXPECT_EQ(refused("'DeletionProtectionEnabled':true"), missing);
  EXPECT_EQ(refused("'SSESpecification':{}"), missing);
  EXPECT_EQ(refused(indexes(creation("one", "a") + "," + creation("two", "b"))), missing);
}

TEST_F(UpdateTableWire, ATableThatGoesCannotBeChanged) {
  create("Things");
  must("DeleteTable", "{'TableName':'Things'}");
  const std::string going =
      "ResourceInUseException: Attempt to change a resource which is still in use: Table is being deleted: "
      "Things";
  EXPECT_EQ(refused("'DeletionProtectionEnabled':true"), going);
  EXPECT_EQ(refused("'SSESpecification':{'Enabled':false}"), going);
}

TEST_F(UpdateTableWire, ProtectionIsChangedAtOnceAndAlone) {
  create("Things");
  const Reply reply = update("'DeletionProtectionEnabled':true");
  EXPECT_EQ(reply.at("/TableDescription/TableStatus"), "ACTIVE");
  EXPECT_EQ(reply.at("/TableDescription/DeletionProtectionEnabled"), "true");
  EXPECT_EQ(refused("'DeletionProtectionEnabled':true,'BillingMode':'PAY_PER_REQUEST'"),
            invalid_value("DeletionProtection modification must be the only operation in the request"));
}

TEST_F(UpdateTableWire, KindsOfChangesAreKeptApart) {
  create_indexed(true);
  const std::string stream = ",'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'KEYS_ONLY'}";
  const std::string deleting = "," + indexes(deletion("gsi"));
  EXPECT_EQ(refused("'TableClass':'STANDARD'" + stream),
            invalid_value("TableClass modification must be the only operation in the request"));
  EXPECT_EQ(refused("'SSESpecification':{'Enabled':true}" + stream),
            invalid_value("Server-Side Encryption modification must be the only operation in the request"));
  EXPECT_EQ(refused("'WarmThroughput':{'ReadUnitsPerSecond':13000}" + stream),
            invalid_value("WarmThroughput must be the only operation in the request"));
  EXPECT_EQ(
      refused("'OnDemandThroughput':{'MaxReadRequestUnits':13000}" + stream),
      invalid_value("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"));
  EXPECT_EQ(refused(kUnits + stream),
            invalid_value("You cannot modify stream status while updating table IOPS"));
  EXPECT_EQ(refused(kUnits + deleting),
            invalid_value("You cannot create or delete index while updating table IOPS"));
  EXPECT_EQ(refused(indexes(deletion("gsi")) + stream),
            invalid_value("You cannot create or delete index while changing stream status"));
  EXPECT_EQ(refused("'SSESpecification':{'Enabled':true},'TableClass':'STANDARD',"
                    "'DeletionProtectionEnabled':true"),
            invalid_value("Server-Side Encryption modification must be the only operation in the request"));
  EXPECT_EQ(update("'BillingMode':'PAY_PER_REQUEST'" + stream).at("/TableDescription/TableStatus"),
            "UPDATING");
}

TEST_F(UpdateTableWire, UnitsChangeWithTheirHistory) {
  create_indexed(true);
  EXPECT_EQ(
      refused(kUnits),
      invalid("The provisioned throughput for the table will not change. The requested value equals the "
              "current value. Current ReadCapacityUnits provisioned for the table: 5. Requested "
              "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. Requested "
              "WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits "
              "and how to request higher limits."));
  EXPECT_EQ(refused("'BillingMode':'PROVISIONED'," + kUnits), refused(kUnits));
  clock_.advance_us(kSecondUs);
  const auto units = [](int read, int write) {
    return "'ProvisionedThroughput':{'ReadCapacityUnits':" + std::to_string(read) +
           ",'WriteCapacityUnits':" + std::to_string(write) + "}";
  };
  EXPECT_EQ(update(units(9, 3)).at("/TableDescription/TableStatus"), "UPDATING");
  EXPECT_EQ(shown("/TableStatus"), "ACTIVE");
  EXPECT_EQ(shown("/ProvisionedThroughput"),
            json("{'LastIncreaseDateTime':1800000001.123,'LastDecreaseDateTime':1800000001.123,"
                 "'NumberOfDecreasesToday':1,'ReadCapacityUnits':9,'WriteCapacityUnits':3}"));
  update(units(9, 2));
  EXPECT_EQ(shown("/ProvisionedThroughput/NumberOfDecreasesToday"), "2");
  clock_.advance_us(24 * 3600 * kSecondUs);
  EXPECT_EQ(shown("/ProvisionedThroughput/NumberOfDecreasesToday"), "0");
  update(units(9, 1));
  EXPECT_EQ(shown("/ProvisionedThroughput/NumberOfDecreasesToday"), "1");
  EXPECT_EQ(refused(units(9, 0)), violated("'0'", "provisionedThroughput.writeCapacityUnits",
                                           "have value greater than or equal to 1"));
  EXPECT_EQ(refused(units(0, 1000000) + ",'BillingMode':'never'").substr(0, 53),
            invalid("2 validation errors detected: Va"));
}

TEST_F(UpdateTableWire, SeveralIndexesChangeTheirUnitsTogether) {
  create_indexed(true);
  EXPECT_EQ(
      refused(indexes(units_of("gsi", 5, 5))),
      invalid("The provisioned throughput for the index gsi will not change. The requested value equals "
              "the current value. Current ReadCapacityUnits provisioned for index gsi: 5. Requested "
              "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for index gsi: 5. Requested "
              "WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits "
              "and how to request higher limits."));
  EXPECT_EQ(refused(indexes(units_of("lsi", 5, 5))),
            invalid_value("Cannot update an index that is not a GlobalSecondaryIndex: lsi"));
  EXPECT_EQ(refused(indexes(units_of("ghost", 5, 5))),
            "ResourceNotFoundException: Requested resource not found: Index ghost for table Things");
  EXPECT_EQ(
      refused(indexes(units_of("gsi", 1, 1) + "," + units_of("gsi", 2, 2))),
      invalid_value("Only one global secondary index update per index is allowed simultaneously. Index: "
                    "gsi"));
  EXPECT_EQ(refused(indexes(creation("new", "g"))),
            invalid_value("AttributeDefinitions is not specified for index: new"));
  EXPECT_EQ(refused(indexes(creation("new", "g")) + "," + kDefineG),
            invalid_value("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: new"));
  update(indexes(units_of("gsi", 7, 8) + "," + creation("new", "g", "," + kUnits)) + "," + kDefineG);
  settle();
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/ProvisionedThroughput/ReadCapacityUnits"), "7");
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/1/IndexName"), "new");
  update(indexes(units_of("gsi", 1, 1) + "," + units_of("new", 2, 2)));
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/ProvisionedThroughput/WriteCapacityUnits"), "1");
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/1/ProvisionedThroughput/WriteCapacityUnits"), "2");
}

TEST_F(UpdateTableWire, TheBillingModeChangesBackAndForth) {
  create_indexed(false);
  EXPECT_EQ(refused(kUnits),
            invalid_value("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                          "when BillingMode is PAY_PER_REQUEST"));
  EXPECT_EQ(
      refused("'BillingMode':'PAY_PER_REQUEST'," + kUnits),
      invalid_value("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode "
                    "is PAY_PER_REQUEST"));
  EXPECT_EQ(refused("'BillingMode':'PROVISIONED'," + kUnits),
            invalid_value("ProvisionedThroughput must be specified for index: gsi"));
  EXPECT_EQ(
      refused(indexes(units_of("gsi", 1, 1))),
      invalid_value("The only Updates for index: gsi when TableThroughputMode is PAY_PER_REQUEST can be "
                    "to OnDemandThroughput, WarmThroughput"));
  update("'BillingMode':'PAY_PER_REQUEST'");
  EXPECT_EQ(shown("/BillingModeSummary/LastUpdateToPayPerRequestDateTime"), "1800000000.123");
  clock_.advance_us(kSecondUs);
  update("'BillingMode':'PROVISIONED'," + kUnits + "," + indexes(units_of("gsi", 1, 1)));
  EXPECT_EQ(shown("/BillingModeSummary"),
            json("{'BillingMode':'PROVISIONED','LastUpdateToPayPerRequestDateTime':1800000000.123}"));
  EXPECT_EQ(shown("/WarmThroughput/ReadUnitsPerSecond"), "12000") << "it stays ready for what it was";
  update("'BillingMode':'PAY_PER_REQUEST'");
  EXPECT_EQ(shown("/BillingModeSummary"),
            json("{'BillingMode':'PAY_PER_REQUEST','LastUpdateToPayPerRequestDateTime':1800000001.123}"));
  EXPECT_EQ(shown("/ProvisionedThroughput/ReadCapacityUnits"), "0");
}

TEST_F(UpdateTableWire, MaximaAndWarmUnitsAreKept) {
  create_indexed(false);
  EXPECT_EQ(update("'OnDemandThroughput':{'MaxReadRequestUnits':50,'MaxWriteRequestUnits':60}")
                .at("/TableDescription/TableStatus"),
            "ACTIVE");
  update("'OnDemandThroughput':{'MaxReadRequestUnits':-1}");
  EXPECT_EQ(shown("/OnDemandThroughput"), json("{'MaxWriteRequestUnits':60}"));
  update(indexes("{'Update':{'IndexName':'gsi','OnDemandThroughput':{'MaxReadRequestUnits':7}}}"));
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/OnDemandThroughput"), json("{'MaxReadRequestUnits':7}"));
  EXPECT_EQ(
      refused("'OnDemandThroughput':{'MaxWriteRequestUnits':-2}"),
      invalid_value("Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid "
                    "range"));
  EXPECT_EQ(
      refused(indexes("{'Update':{'IndexName':'gsi'}}")),
      invalid_value("The only Updates for index: gsi when TableThroughputMode is PAY_PER_REQUEST can be to "
                    "OnDemandThroughput, WarmThroughput"));
  EXPECT_EQ(refused(indexes("{'Update':{'IndexName':'ghost','WarmThroughput':{}}}")),
            invalid_value("WarmThroughput must have at least one of ReadUnitsPerSecond or "
                          "WriteUnitsPerSecond specified for index: ghost"));
  EXPECT_EQ(
      refused(indexes("{'Update':{'IndexName':'gsi','OnDemandThroughput':{'MaxReadRequestUnits':0}}}")),
      invalid_value("Requested MaxReadRequestUnits for OnDemandThroughput for index : gsi is outside of "
                    "valid range"));
  EXPECT_EQ(update("'WarmThroughput':{'ReadUnitsPerSecond':15000}").at("/TableDescription/TableStatus"),
            "ACTIVE");
  EXPECT_EQ(shown("/WarmThroughput"),
            json("{'ReadUnitsPerSecond':15000,'WriteUnitsPerSecond':4000,'Status':'ACTIVE'}"));
  for (const char* fewer : {"14000", "0", "-1"}) {
    EXPECT_EQ(refused(std::string("'WarmThroughput':{'ReadUnitsPerSecond':") + fewer + "}"),
              invalid_value("Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current "
                            "WarmThroughput, decreasing WarmThroughput is not supported"));
  }
  update("'BillingMode':'PROVISIONED'," + kUnits + "," + indexes(units_of("gsi", 1, 1)));
  EXPECT_EQ(shown("/OnDemandThroughput"), "-");
  EXPECT_EQ(refused("'OnDemandThroughput':{'MaxWriteRequestUnits':5}"),
            invalid_value("MaxWriteRequestUnits for OnDemandThroughput cannot be specified when the table "
                          "BillingMode is PROVISIONED"));
}

TEST_F(UpdateTableWire, AnIndexIsMadeBeforeEveryonesEyes) {
  create("Things");
  for (int i = 0; i < 300; ++i) put("Things", "{'pk':{'S':'" + std::to_string(i) + "'},'g':{'S':'x'}}");
  const Reply begun = update(indexes(creation("gsi", "g")) + "," + kDefineG);
  EXPECT_EQ(begun.at("/TableDescription/TableStatus"), "UPDATING");
  EXPECT_EQ(begun.at("/TableDescription/GlobalSecondaryIndexes/0/IndexStatus"), "CREATING");
  EXPECT_EQ(begun.at("/TableDescription/GlobalSecondaryIndexes/0/Backfilling"), "false");
  EXPECT_EQ(begun.at("/TableDescription/AttributeDefinitions/0/AttributeName"), "g");
  EXPECT_EQ(shown("/TableStatus"), "UPDATING");
  ASSERT_TRUE(*database_.run_background_work());
  EXPECT_EQ(shown("/TableStatus"), "ACTIVE") << "whoever waits for the index looks at the index";
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/IndexStatus"), "CREATING");
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/Backfilling"), "true");
  settle();
  EXPECT_EQ(shown("/TableStatus"), "ACTIVE");
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/IndexStatus"), "ACTIVE");
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/Backfilling"), "-");
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/ItemCount"), "300");
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/0/IndexSizeBytes"),
            std::to_string(10 * 5 + 90 * 6 + 200 * 7));  // "pk" and a number, "g" and "x"

  EXPECT_EQ(update(indexes(deletion("gsi"))).at("/TableDescription/GlobalSecondaryIndexes/0/IndexStatus"),
            "DELETING");
  EXPECT_EQ(shown("/TableStatus"), "UPDATING");
  settle();
  EXPECT_EQ(shown("/GlobalSecondaryIndexes"), "-");
  EXPECT_EQ(shown("/AttributeDefinitions"), json("[{'AttributeName':'pk','AttributeType':'S'}]"));
}

TEST_F(UpdateTableWire, OneIndexAtATimeIsMadeOrRemoved) {
  create_indexed(false);
  put("Things", "{'pk':{'S':'a'},'sk':{'S':'b'},'g':{'S':'x'}}");
  const std::string one_only =
      "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or deleted "
      "simultaneously per table";
  EXPECT_EQ(refused(indexes(creation("one", "g") + "," + creation("two", "g")) + "," + kDefineG), one_only);
  EXPECT_EQ(refused(indexes(creation("one", "g") + "," + deletion("gsi")) + "," + kDefineG), one_only);
  EXPECT_EQ(refused(indexes(deletion("gsi") + "," + deletion("ghost"))), one_only);
  update(indexes(creation("one", "g")) + "," + kDefineG);
  EXPECT_EQ(refused(indexes(creation("two", "g")) + "," + kDefineG), one_only);
  EXPECT_EQ(refused(indexes(deletion("gsi"))), one_only);
  EXPECT_EQ(refusal("DeleteTable", "{'TableName':'Things'}"),
            "ResourceInUseException: Attempt to change a resource which is still in use: Cannot delete table "
            "while indexes are being created, updated, or deleted.");
  update(indexes(deletion("one")));  // what is being made can be given up
  EXPECT_EQ(refused(indexes(deletion("one"))), one_only);
  settle();
  EXPECT_EQ(shown("/GlobalSecondaryIndexes/1"), "-");
  must("DeleteTable", "{'TableName':'Things'}");
}

TEST_F(UpdateTableWire, IndexChangesNameWhatIsWrongWithThem) {
  create_indexed(false);
  EXPECT_EQ(refused(indexes("{}")),
            invalid_value("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                          "GlobalSecondaryIndexUpdate.Delete must not be null"));
  EXPECT_EQ(refused(indexes("{'Delete':{'IndexName':'gsi'},'Update':{'IndexName':'gsi'}}")),
            invalid_value("Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
                          "object"));
  EXPECT_EQ(refused(indexes(deletion("ghost"))),
            "ResourceNotFoundException: Requested resource not found: Index ghost for table Things");
  EXPECT_EQ(refused(indexes(deletion("lsi"))),
            invalid_value("Cannot delete an index that is not a GlobalSecondaryIndex: lsi"));
  const std::string exists = invalid("Attempting to create an index which already exists");
  EXPECT_EQ(refused(indexes(creation("gsi", "g")) + "," + kDefineG), exists);
  EXPECT_EQ(refused(indexes(creation("lsi", "g")) + "," + kDefineG), exists);
  EXPECT_EQ(refused(indexes(creation("new", "x")) + "," + kDefineG),
            invalid_value("Some index key attributes are not defined in AttributeDefinitions. Keys: [x], "
                          "AttributeDefinitions: [g]"));
  EXPECT_EQ(
      refused(indexes(creation("new", "g")) +
              ",'AttributeDefinitions':[{'AttributeName':'g','AttributeType':'N'}]"),
      invalid_value("Attributes cannot be redefined. Please check that your attribute has the same type as "
                    "previously defined. Existing schema: Schema:[SchemaElement: key{g:S:HASH}] New schema: "
                    "Schema:[SchemaElement: key{g:N:HASH}]"));
  EXPECT_EQ(refused(indexes(creation("new", "g", "," + kUnits)) + "," + kDefineG),
            invalid_value("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: new "
                          "when BillingMode is PAY_PER_REQUEST"));
  EXPECT_EQ(refused(indexes(deletion("gs"))),
            violated("'gs'", "globalSecondaryIndexUpdates.1.member.delete.indexName",
                     "have length greater than or equal to 3"));
}

TEST_F(UpdateTableWire, TheTwentyFirstGlobalIndexIsRefused) {
  create("Things");
  for (int i = 0; i < 20; ++i) {
    update(indexes(creation("gsi" + std::to_string(i), "g")) + "," + kDefineG);
    settle();
  }
  EXPECT_EQ(refused(indexes(creation("more", "g")) + "," + kDefineG),
            "LimitExceededException: Subscriber limit exceeded: Number of global secondary indexes exceeds "
            "per-table limit of 20");
}

TEST_F(UpdateTableWire, StreamsAreOpenedAndClosed) {
  create("Things");
  const auto stream = [](const std::string& members) { return "'StreamSpecification':{" + members + "}"; };
  EXPECT_EQ(refused(stream("'StreamEnabled':true")),
            invalid_value("If stream is being enabled then UpdateViewType is required"));
  EXPECT_EQ(refused(stream("'StreamEnabled':false,'StreamViewType':'KEYS_ONLY'")),
            invalid_value("If stream is being disabled, then UpdateViewType must not be specified"));
  EXPECT_EQ(refused(stream("'StreamEnabled':false")),
            invalid("Table has no stream to disable: TableName: Things"));
  const std::string first = update(stream("'StreamEnabled':true,'StreamViewType':'OLD_IMAGE'"))
                                .at("/TableDescription/LatestStreamLabel");
  EXPECT_EQ(first, "2027-01-15T08:00:00.123");
  EXPECT_EQ(shown("/StreamSpecification"), json("{'StreamEnabled':true,'StreamViewType':'OLD_IMAGE'}"));
  EXPECT_EQ(refused(stream("'StreamEnabled':true,'StreamViewType':'KEYS_ONLY'")),
            invalid("Table already has an enabled stream: TableName: Things"));
  update(stream("'StreamEnabled':false"));
  EXPECT_EQ(shown("/StreamSpecification"), "-");
  EXPECT_EQ(shown("/LatestStreamLabel"), first);
  // Also within the same millisecond a stream has a label of its own.
  EXPECT_EQ(update(stream("'StreamEnabled':true,'StreamViewType':'KEYS_ONLY'"))
                .at("/TableDescription/LatestStreamLabel"),
            "2027-01-15T08:00:00.124");
}

TEST_F(UpdateTableWire, TheClassIsKept) {
  create("Things");
  EXPECT_EQ(update("'TableClass':'STANDARD'").at("/TableDescription/TableStatus"), "UPDATING");
  EXPECT_EQ(shown("/TableClassSummary"), "-") << "it was that before";
  EXPECT_EQ(
      refused("'TableClass':'GOLD'"),
      invalid("Invalid table-class parameter provided. Please try again with a valid table-class value: "
              "[STANDARD, STANDARD_INFREQUENT_ACCESS]."));
  update("'TableClass':'STANDARD_INFREQUENT_ACCESS'");
  EXPECT_EQ(shown("/TableClassSummary"),
            json("{'TableClass':'STANDARD_INFREQUENT_ACCESS','LastUpdateDateTime':1800000000.123}"));
  clock_.advance_us(kSecondUs);
  update("'TableClass':'STANDARD_INFREQUENT_ACCESS'");
  EXPECT_EQ(shown("/TableClassSummary/LastUpdateDateTime"), "1800000000.123");
  update("'TableClass':'STANDARD'");
  EXPECT_EQ(shown("/TableClassSummary"),
            json("{'TableClass':'STANDARD','LastUpdateDateTime':1800000001.123}"));
}

}  // namespace
}  // namespace sheaf::wire
