// CreateTable: what it answers, and what it refuses in which words and order.
#include "wire/create_table.h"

#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class CreateTableWire : public WireTest {
 protected:
  static std::string definitions(std::initializer_list<std::string> names) {
    std::string list;
    for (const std::string& name : names)
      list += (list.empty() ? "" : ",") + ("{'AttributeName':'" + name + "','AttributeType':'S'}");
    return "'AttributeDefinitions':[" + list + "]";
  }
  // "pk" is the partition key, what follows are sort keys; "pk sk", "a b|c d" for two and two.
  static std::string key(const std::string& words) {
    std::string list;
    std::string kind = "HASH";
    for (size_t at = 0; at < words.size();) {
      const size_t end = std::min(words.find_first_of(" |", at), words.size());
      list += (list.empty() ? "" : ",") +
              ("{'AttributeName':'" + words.substr(at, end - at) + "','KeyType':'" + kind + "'}");
      if (words.find('|') == std::string::npos || (end < words.size() && words[end] == '|')) kind = "RANGE";
      at = end + 1;
    }
    return "'KeySchema':[" + list + "]";
  }
  static std::string index(const std::string& name, const std::string& keys, const std::string& more = "") {
    return "{'IndexName':'" + name + "'," + key(keys) + ",'Projection':{'ProjectionType':'ALL'}" + more + "}";
  }
  // A whole request out of its members; the name is added.
  std::string refused(const std::string& members) {
    return refusal("CreateTable", "{'TableName':'Things'," + members + "}");
  }
  static inline const std::string kOnDemand = ",'BillingMode':'PAY_PER_REQUEST'";
  static inline const std::string kPk = definitions({"pk"}) + "," + key("pk");
  static inline const std::string kPkSk = definitions({"pk", "sk"}) + "," + key("pk sk");
};

TEST_F(CreateTableWire, AnswersWhatTheTableIsBecoming) {
  const Reply reply =
      must("CreateTable",
           "{'TableName':'Things','BillingMode':'PROVISIONED','ProvisionedThroughput':{'ReadCapacityUnits':5,"
           "'WriteCapacityUnits':6},'AttributeDefinitions':[{'AttributeName':'sk','AttributeType':'N'},"
           "{'AttributeName':'pk','AttributeType':'S'},{'AttributeName':'l','AttributeType':'B'}]," +
               key("pk sk") + ",'LocalSecondaryIndexes':[" + index("lsi", "pk l") +
               "],'GlobalSecondaryIndexes':[{'IndexName':'gsi','KeySchema':[{'AttributeName':'sk','KeyType':'"
               "HASH'}],"
               "'Projection':{'ProjectionType':'INCLUDE','NonKeyAttributes':['z','a']},"
               "'ProvisionedThroughput':{'ReadCapacityUnits':1,'WriteCapacityUnits':2}}],"
               "'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'NEW_IMAGE'},"
               "'TableClass':'STANDARD_INFREQUENT_ACCESS','DeletionProtectionEnabled':true,"
               "'SSESpecification':{'Enabled':false},'Tags':[{'Key':'a','Value':'b'}]}");
  const std::string id = reply.at("/TableDescription/TableId");
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Things";
  const auto warm = [](int read, int write) {
    return ",'WarmThroughput':{'ReadUnitsPerSecond':" + std::to_string(read) +
           ",'WriteUnitsPerSecond':" + std::to_string(write) + ",'Status':'ACTIVE'}";
  };
  const auto expected = [&](const std::string& status, bool with_warm) {
    return json(
        "{'TableName':'Things','TableStatus':'" + status + "','TableArn':'" + arn + "','TableId':'" + id +
        "','AttributeDefinitions':[{'AttributeName':'l','AttributeType':'B'},{'AttributeName':'pk',"
        "'AttributeType':'S'},{'AttributeName':'sk','AttributeType':'N'}]," +
        key("pk sk") +
        ",'CreationDateTime':1800000000.123,'TableSizeBytes':0,'ItemCount':0,'ProvisionedThroughput':{"
        "'NumberOfDecreasesToday':0,'ReadCapacityUnits':5,'WriteCapacityUnits':6},'LocalSecondaryIndexes':[{"
        "'IndexName':'lsi'," +
        key("pk l") + ",'Projection':{'ProjectionType':'ALL'},'IndexSizeBytes':0,'ItemCount':0,'IndexArn':'" +
        arn + "/index/lsi'}],'GlobalSecondaryIndexes':[{'IndexName':'gsi'," + key("sk") +
        ",'Projection':{'ProjectionType':'INCLUDE','NonKeyAttributes':['a','z']},'IndexSizeBytes':0,"
        "'ItemCount':0,'IndexArn':'" +
        arn + "/index/gsi','IndexStatus':'" + status +
        "','ProvisionedThroughput':{'NumberOfDecreasesToday':0,'ReadCapacityUnits':1,'WriteCapacityUnits':"
        "2}" +
        (with_warm ? warm(1, 2) : "") +
        "}],'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'NEW_IMAGE'},'LatestStreamArn':'" +
        arn +
        "/stream/2027-01-15T08:00:00.123','LatestStreamLabel':'2027-01-15T08:00:00.123',"
        "'TableClassSummary':{'TableClass':'STANDARD_INFREQUENT_ACCESS'},'DeletionProtectionEnabled':true" +
        (with_warm ? warm(5, 6) : "") + "}");
  };
  EXPECT_EQ(reply.body(), "{\"TableDescription\":" + expected("CREATING", false) + "}");
  EXPECT_EQ(describe("Things").body(), "{\"Table\":" + expected("ACTIVE", true) + "}");
  EXPECT_EQ(id.size(), 36u);
  EXPECT_EQ(id[14], '4');
}

TEST_F(CreateTableWire, CanBeUsedAtOnce) {
  EXPECT_EQ(create("Things").at("/TableDescription/TableStatus"), "CREATING");
  put("Things", "{'pk':{'S':'a'}}");
  const Reply table = describe("Things");
  EXPECT_EQ(table.at("/Table/TableStatus"), "ACTIVE");
  EXPECT_EQ(table.at("/Table/ItemCount"), "1");
  EXPECT_EQ(table.at("/Table/TableSizeBytes"), "3");
}

TEST_F(CreateTableWire, OnDemandTablesHaveNoUnitsButASummary) {
  const Reply created = create("Things", ",'OnDemandThroughput':{'MaxReadRequestUnits':40}");
  EXPECT_EQ(created.at("/TableDescription/BillingModeSummary"), json("{'BillingMode':'PAY_PER_REQUEST'}"));
  const Reply table = describe("Things");
  EXPECT_EQ(table.at("/Table/BillingModeSummary"),
            json("{'BillingMode':'PAY_PER_REQUEST','LastUpdateToPayPerRequestDateTime':1800000000.123}"));
  EXPECT_EQ(table.at("/Table/TableThroughputModeSummary"),
            json("{'TableThroughputMode':'PAY_PER_REQUEST','LastUpdateToPayPerRequestDateTime':"
                 "1800000000.123}"));
  EXPECT_EQ(table.at("/Table/ProvisionedThroughput"),
            json("{'NumberOfDecreasesToday':0,'ReadCapacityUnits':0,'WriteCapacityUnits':0}"));
  EXPECT_EQ(table.at("/Table/OnDemandThroughput"), json("{'MaxReadRequestUnits':40}"));
  EXPECT_EQ(table.at("/Table/WarmThroughput"),
            json("{'ReadUnitsPerSecond':12000,'WriteUnitsPerSecond':4000,'Status':'ACTIVE'}"));
  for (const char* absent : {"StreamSpecification", "LatestStreamArn", "TableClassSummary", "SSEDescription",
                             "GlobalSecondaryIndexes", "LocalSecondaryIndexes"})
    EXPECT_FALSE(table.has(std::string("/Table/") + absent)) << absent;
}

TEST_F(CreateTableWire, ATableMadeAnewHasAnotherId) {
  const std::string first = create("Things").at("/TableDescription/TableId");
  EXPECT_EQ(describe("Things").at("/Table/TableId"), first);
  must("DeleteTable", "{'TableName':'Things'}");
  settle();
  EXPECT_NE(create("Things").at("/TableDescription/TableId"), first);
}

TEST_F(CreateTableWire, TheNameMayBeAnArn) {
  create("arn:aws:dynamodb:us-east-1:000000000000:table/Things");
  EXPECT_EQ(describe("Things").at("/Table/TableName"), "Things");
}

TEST_F(CreateTableWire, AcceptsWhatAwsAccepts) {
  create("one", ",'Tags':[]");
  create("two", ",'StreamSpecification':{'StreamEnabled':false}");
  must("CreateTable", "{'TableName':'three'," + kPkSk + kOnDemand + ",'LocalSecondaryIndexes':[" +
                          index("lsi", "pk sk") + "],'GlobalSecondaryIndexes':[" + index("three", "pk sk") +
                          ",{'IndexName':'keys'," + key("sk pk") +
                          ",'Projection':{'ProjectionType':'INCLUDE','NonKeyAttributes':['pk']}}]}");
  must("CreateTable", "{'TableName':'four'," + definitions({"pk", "a", "b", "c", "d"}) + "," + key("pk") +
                          kOnDemand + ",'GlobalSecondaryIndexes':[" + index("gsi", "a b|c d") + "]}");
  EXPECT_EQ(describe("four").at("/Table/GlobalSecondaryIndexes/0/KeySchema"),
            json("[{'AttributeName':'a','KeyType':'HASH'},{'AttributeName':'b','KeyType':'HASH'},"
                 "{'AttributeName':'c','KeyType':'RANGE'},{'AttributeName':'d','KeyType':'RANGE'}]"));
}

TEST_F(CreateTableWire, TheTableNameIsComplainedOfAlone) {
  EXPECT_EQ(refusal("CreateTable", "{" + kPk + ",'BillingMode':'never'}"),
            invalid("The parameter 'TableName' is required but was not present in the request"));
  EXPECT_EQ(refusal("CreateTable", "{'TableName':'','KeySchema':[],'AttributeDefinitions':[]}"),
            invalid("2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: "
                    "Member must have length greater than or equal to 3; Value '' at 'tableName' failed to "
                    "satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  EXPECT_EQ(refusal("CreateTable", "{'TableName':'ab'," + kPk + "}"),
            violated("'ab'", "tableName", "have length greater than or equal to 3"));
  EXPECT_EQ(refusal("CreateTable", "{'TableName':'a b;','KeySchema':[]}"),
            violated("'a b;'", "tableName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  const std::string long_name(256, 'a');
  EXPECT_EQ(refusal("CreateTable", "{'TableName':'" + long_name + "'," + kPk + "}"),
            violated("'" + long_name + "'", "tableName", "have length less than or equal to 255"));
}

TEST_F(CreateTableWire, AllConstraintsAreToldTogether) {
  EXPECT_EQ(refused("'BillingMode':'never','ProvisionedThroughput':{'ReadCapacityUnits':0},"
                    "'KeySchema':[{'AttributeName':'','KeyType':'HASHES'}],"
                    "'StreamSpecification':{'StreamViewType':'ALL'}"),
            invalid("8 validation errors detected: Value 'never' at 'billingMode' failed to satisfy "
                    "constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value "
                    "null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member "
                    "must not be null; Value '0' at 'provisionedThroughput.readCapacityUnits' failed to "
                    "satisfy constraint: Member must have value greater than or equal to 1; Value '' at "
                    "'keySchema.1.member.attributeName' failed to satisfy constraint: Member must have "
                    "length greater than or equal to 1; Value 'HASHES' at 'keySchema.1.member.keyType' "
                    "failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]; Value "
                    "null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null; "
                    "Value null at 'streamSpecification.streamEnabled' failed to satisfy constraint: Member "
                    "must not be null; Value 'ALL' at 'streamSpecification.streamViewType' failed to satisfy "
                    "constraint: Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, "
                    "NEW_AND_OLD_IMAGES, NEW_IMAGE]"));
}

TEST_F(CreateTableWire, EachMemberHasItsConstraints) {
  EXPECT_EQ(refused(key("pk") + kOnDemand), violated("null", "attributeDefinitions", "not be null"));
  EXPECT_EQ(refused(definitions({"pk"}) + kOnDemand), violated("null", "keySchema", "not be null"));
  EXPECT_EQ(refused("'KeySchema':[]," + definitions({"pk"})),
            violated("'[]'", "keySchema", "have length greater than or equal to 1"));
  EXPECT_EQ(refused("'KeySchema':[null]," + definitions({"pk"})),
            violated("null", "keySchema.1.member", "not be null"));
  EXPECT_EQ(refused(key("a b c") + "," + definitions({"a"})),
            violated("'[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, "
                     "keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]'",
                     "keySchema", "have length less than or equal to 2"));
  EXPECT_EQ(
      refused(key("pk") + ",'AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'SS'}]"),
      violated("'SS'", "attributeDefinitions.1.member.attributeType", "satisfy enum value set: [B, N, S]"));
  EXPECT_EQ(
      refused(key("pk") + ",'AttributeDefinitions':[{}]"),
      invalid("2 validation errors detected: Value null at 'attributeDefinitions.1.member.attributeType'"
              " failed to satisfy constraint: Member must not be null; Value null at "
              "'attributeDefinitions.1.member.attributeName' failed to satisfy constraint: Member must "
              "not be null"));
  const auto with_index = [&](const std::string& members) {
    return refused(kPk + kOnDemand + ",'GlobalSecondaryIndexes':[{" + members + "}]");
  };
  const std::string rest = ",'Projection':{'ProjectionType':'ALL'}";
  const std::string place = "globalSecondaryIndexes.1.member.";
  EXPECT_EQ(with_index(key("pk") + rest), violated("null", place + "indexName", "not be null"));
  EXPECT_EQ(with_index("'IndexName':'gs'," + key("pk") + rest),
            violated("'gs'", place + "indexName", "have length greater than or equal to 3"));
  EXPECT_EQ(with_index("'IndexName':'g!!'," + key("pk") + rest),
            violated("'g!!'", place + "indexName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  EXPECT_EQ(with_index("'IndexName':'gsi','Projection':{}"),
            violated("null", place + "keySchema", "not be null"));
  EXPECT_EQ(with_index("'IndexName':'gsi'," + key("pk")),
            violated("null", place + "projection", "not be null"));
  EXPECT_EQ(with_index("'IndexName':'gsi'," + key("pk") + ",'Projection':{'ProjectionType':'SOME'}"),
            violated("'SOME'", place + "projection.projectionType",
                     "satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]"));
  EXPECT_EQ(
      with_index("'IndexName':'gsi'," + key("pk") +
                 ",'Projection':{'ProjectionType':'INCLUDE','NonKeyAttributes':[]}"),
      violated("'[]'", place + "projection.nonKeyAttributes", "have length greater than or equal to 1"));
  std::string many, shown;
  for (int i = 0; i < 21; ++i) {
    many += (i == 0 ? "'a" : ",'a") + std::to_string(i) + "'";
    shown += (i == 0 ? "a" : ", a") + std::to_string(i);
  }
  EXPECT_EQ(with_index("'IndexName':'gsi'," + key("pk") +
                       ",'Projection':{'ProjectionType':'INCLUDE','NonKeyAttributes':[" + many + "]}"),
            violated("'[" + shown + "]'", place + "projection.nonKeyAttributes",
                     "have length less than or equal to 20"));
  EXPECT_EQ(
      refused(kPk + kOnDemand + ",'LocalSecondaryIndexes':[" + index("ls", "pk sk") + "]"),
      violated("'ls'", "localSecondaryIndexes.1.member.indexName", "have length greater than or equal to 3"));
}

TEST_F(CreateTableWire, WhatIsNoRequestAtAllIsMalformed) {
  EXPECT_EQ(call("CreateTable", "{'TableName':5}").at("/__type"),
            "com.amazon.coral.service#SerializationException");
  EXPECT_EQ(call("CreateTable", "{'TableName':'x','KeySchema':'pk'}").at("/__type"),
            "com.amazon.coral.service#SerializationException");
}

TEST_F(CreateTableWire, UnitsGoWithTheBillingMode) {
  const std::string units = ",'ProvisionedThroughput':{'ReadCapacityUnits':1,'WriteCapacityUnits':1}";
  EXPECT_EQ(
      refused(kPk + kOnDemand + units),
      invalid_value("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode "
                    "is PAY_PER_REQUEST"));
  const std::string missing = invalid_value(
      "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  EXPECT_EQ(refused(kPk), missing);
  EXPECT_EQ(refused(kPk + ",'BillingMode':'PROVISIONED'"), missing);
  EXPECT_EQ(
      refused(kPk + ",'ProvisionedThroughput':{'ReadCapacityUnits':1000000000001,'WriteCapacityUnits':1}"),
      invalid("Given value 1000000000001 for ReadCapacityUnits is out of bounds"));
  EXPECT_EQ(
      refused(kPk + ",'ProvisionedThroughput':{'ReadCapacityUnits':1,'WriteCapacityUnits':1000000000001}"),
      invalid("Given value 1000000000001 for WriteCapacityUnits is out of bounds"));
  EXPECT_EQ(refused(kPk + units + ",'OnDemandThroughput':{'MaxReadRequestUnits':5}"),
            invalid_value("MaxReadRequestUnits for OnDemandThroughput cannot be specified when table "
                          "BillingMode is PROVISIONED."));
  EXPECT_EQ(
      refused(kPk + kOnDemand + ",'OnDemandThroughput':{'MaxReadRequestUnits':0}"),
      invalid_value("Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid "
                    "range"));
  const std::string two = definitions({"pk", "g"}) + "," + key("pk");
  EXPECT_EQ(refused(two + units + ",'GlobalSecondaryIndexes':[" + index("gsi", "g") + "]"),
            invalid_value("ProvisionedThroughput is not specified for index: gsi"));
  EXPECT_EQ(refused(two + kOnDemand + ",'GlobalSecondaryIndexes':[" + index("gsi", "g", units) + "]"),
            invalid_value("ProvisionedThroughput should not be specified for index: gsi when BillingMode is "
                          "PAY_PER_REQUEST"));
}

TEST_F(CreateTableWire, KeysAreDefinedAndDefinitionsAreKeys) {
  EXPECT_EQ(refused(definitions({"pk"}) + "," + key("pk sk") + kOnDemand),
            invalid("Invalid KeySchema: Some index key attribute have no definition"));
  EXPECT_EQ(refused(definitions({"pk"}) + "," + key("pk pk") + kOnDemand),
            invalid("Invalid KeySchema: Some index key attribute have no definition"));
  EXPECT_EQ(
      refused(definitions({"pk", "other"}) + "," + key("pk sk") + kOnDemand),
      invalid_value("Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, sk], "
                    "AttributeDefinitions: [pk, other]"));
  EXPECT_EQ(refused(definitions({"pk", "sk"}) + "," + key("pk pk") + kOnDemand),
            invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name"));
  EXPECT_EQ(
      refused(definitions({"pk"}) + ",'KeySchema':[{'AttributeName':'pk','KeyType':'RANGE'}]" + kOnDemand),
      invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type"));
  EXPECT_EQ(refused(definitions({"pk", "sk"}) + "," + key("pk sk|") + kOnDemand),
            invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"));
  EXPECT_EQ(refused(definitions({"pk", "pk"}) + "," + key("pk") + kOnDemand),
            invalid("Attribute Name is duplicated: pk"));
  EXPECT_EQ(refused(definitions({"pk", "more"}) + "," + key("pk") + kOnDemand),
            invalid_value("Number of attributes in KeySchema does not exactly match number of attributes "
                          "defined in AttributeDefinitions"));
  EXPECT_EQ(refused(definitions({"pk", "g", "more"}) + "," + key("pk") + kOnDemand +
                    ",'GlobalSecondaryIndexes':[" + index("gsi", "g g") + "]"),
            invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name"))
      << "keys come before definitions that are left over";
  EXPECT_EQ(refused(definitions({"pk", "g", "more"}) + "," + key("pk") + kOnDemand +
                    ",'GlobalSecondaryIndexes':[" + index("gsi", "g") + "]"),
            invalid_value("Some AttributeDefinitions are not used. AttributeDefinitions: [pk, g, more], keys "
                          "used: [pk, g]"));
}

TEST_F(CreateTableWire, IndexesNameWhatIsWrongWithThem) {
  const auto local = [&](const std::string& indexes, const std::string& base = kPkSk) {
    return refused(base + kOnDemand + ",'LocalSecondaryIndexes':[" + indexes + "]");
  };
  const auto global = [&](const std::string& indexes, const std::string& base = kPkSk) {
    return refused(base + kOnDemand + ",'GlobalSecondaryIndexes':[" + indexes + "]");
  };
  EXPECT_EQ(local(""), invalid_value("List of LocalSecondaryIndexes is empty"));
  EXPECT_EQ(global(""), invalid_value("List of GlobalSecondaryIndexes is empty"));
  EXPECT_EQ(local(index("lsi", "pk sk"), definitions({"pk", "sk"}) + "," + key("pk")),
            invalid_value("Table KeySchema does not have a range key, which is required when specifying a "
                          "LocalSecondaryIndex"));
  EXPECT_EQ(local(index("lsi", "pk x")),
            invalid_value("Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, x], "
                          "AttributeDefinitions: [pk, sk]"));
  EXPECT_EQ(local(index("lsi", "pk sk|")),
            invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"));
  EXPECT_EQ(local(index("lsi", "pk pk")),
            invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name"));
  EXPECT_EQ(local(index("lsi", "pk")),
            invalid_value("Index KeySchema does not have a range key for index: lsi"));
  EXPECT_EQ(local(index("lsi", "sk pk")),
            invalid_value("Index KeySchema does not have the same leading hash key as table KeySchema for "
                          "index: lsi. index hash key: sk, table hash key: pk"));
  const auto projected = [&](const std::string& projection) {
    return global("{'IndexName':'gsi'," + key("sk") + ",'Projection':{" + projection + "}}");
  };
  EXPECT_EQ(projected(""), invalid_value("Unknown ProjectionType: null"));
  EXPECT_EQ(projected("'ProjectionType':'ALL','NonKeyAttributes':['a']"),
            invalid_value("ProjectionType is ALL, but NonKeyAttributes is specified"));
  EXPECT_EQ(projected("'ProjectionType':'KEYS_ONLY','NonKeyAttributes':['a']"),
            invalid_value("ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"));
  EXPECT_EQ(projected("'ProjectionType':'INCLUDE'"),
            invalid_value("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
  EXPECT_EQ(projected("'ProjectionType':'INCLUDE','NonKeyAttributes':['a','a']"),
            invalid_value("Duplicate element in NonKeyAttributes: a"));
  EXPECT_EQ(global(index("same", "pk") + "," + index("same", "sk")),
            invalid_value("Duplicate index name: same"));
  EXPECT_EQ(refused(kPkSk + kOnDemand + ",'LocalSecondaryIndexes':[" + index("same", "pk sk") +
                    "],'GlobalSecondaryIndexes':[" + index("same", "pk") + "]"),
            invalid_value("Duplicate index name: same"));
}

TEST_F(CreateTableWire, GlobalKeysHaveUpToFourAttributesOfEachKind) {
  const auto global = [&](const std::string& keys) {
    return refused(definitions({"pk", "a", "b", "c", "d", "e"}) + "," + key("pk") + kOnDemand +
                   ",'GlobalSecondaryIndexes':[" + index("all", "a b|c d e") + "," + index("gsi", keys) +
                   "]");
  };
  EXPECT_EQ(global("a b c d e|"),
            invalid_value("The KeySchema exceeds the maximum allowed number of HASH key attributes"));
  EXPECT_EQ(global("pk a b c d e"),
            invalid_value("The KeySchema exceeds the maximum allowed number of RANGE key attributes"));
  EXPECT_EQ(global("a a|"), invalid("The KeySchema contains multiple key attributes with the same name"));
  EXPECT_EQ(global("a b|a"), invalid("The KeySchema contains multiple key attributes with the same name"));
  EXPECT_EQ(global("a a"),
            invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name"));
  const auto raw = [&](const std::string& elements) {
    return refused(definitions({"pk", "a"}) + "," + key("pk") + kOnDemand +
                   ",'GlobalSecondaryIndexes':[{'IndexName':'gsi','Projection':{'ProjectionType':'ALL'},"
                   "'KeySchema':[" +
                   elements + "]}]");
  };
  EXPECT_EQ(raw("{'AttributeName':'a','KeyType':'RANGE'},{'AttributeName':'pk','KeyType':'HASH'}"),
            invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type"));
  EXPECT_EQ(raw("{'AttributeName':'pk','KeyType':'HASH'},{'AttributeName':'a','KeyType':'RANGE'},"
                "{'AttributeName':'a','KeyType':'HASH'}"),
            invalid_value("All HASH key attributes must precede RANGE key attributes in the KeySchema"));
}

TEST_F(CreateTableWire, IndexesAreCounted) {
  std::string global, local;
  for (int i = 0; i < 21; ++i) global += (i == 0 ? "" : ",") + index("gsi" + std::to_string(i), "sk");
  for (int i = 0; i < 6; ++i) local += (i == 0 ? "" : ",") + index("lsi" + std::to_string(i), "pk sk");
  EXPECT_EQ(refused(kPkSk + kOnDemand + ",'GlobalSecondaryIndexes':[" + global + "]"),
            invalid_value("GlobalSecondaryIndex count exceeds the per-table limit of 20"));
  EXPECT_EQ(refused(kPkSk + kOnDemand + ",'LocalSecondaryIndexes':[" + local + "]"),
            invalid_value("Number of LocalSecondaryIndexes exceeds per-table limit of 5"));
}

TEST_F(CreateTableWire, AStreamNeedsAViewAndNoStreamNone) {
  EXPECT_EQ(refused(kPk + kOnDemand + ",'StreamSpecification':{'StreamEnabled':true}"),
            invalid_value("Table is being created with a stream enabled, UpdateViewType is required"));
  EXPECT_EQ(
      refused(kPk + kOnDemand +
              ",'StreamSpecification':{'StreamEnabled':false,'StreamViewType':'KEYS_ONLY'}"),
      invalid_value("Table is being created with a stream disabled, UpdateViewType should not be specified"));
}

TEST_F(CreateTableWire, OneBadTagKeepsTheTableFromBeingMade) {
  EXPECT_EQ(refused(kPk + kOnDemand + ",'Tags':[{'Key':'a','Value':'b'},{'Key':'aws:c','Value':'d'}]"),
            invalid("Tag Key cannot be prefixed with aws:, Key: aws:c"));
  EXPECT_EQ(must("ListTables", "{}").body(), json("{'TableNames':[]}"));
}

TEST_F(CreateTableWire, ANameIsTakenUntilItsTableIsGone) {
  create("Things");
  const std::string taken = "ResourceInUseException: Table already exists: Things";
  EXPECT_EQ(refusal("CreateTable", table_request("Things")), taken);
  must("DeleteTable", "{'TableName':'Things'}");
  EXPECT_EQ(refusal("CreateTable", table_request("Things")), taken);
  settle();
  create("Things");
}

}  // namespace
}  // namespace sheaf::wire
