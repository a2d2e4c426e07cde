// CreateTable, DescribeTable and ListTables: results, and what is refused in which words and order.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

using CreateTableTest = DatabaseTest;

std::string constraint(const std::string& value, const std::string& member, const std::string& must_text) {
  return "1 validation error detected: Value '" + value + "' at '" + member +
         "' failed to satisfy constraint: Member must " + must_text;
}

CreateTable with_global(std::vector<IndexDeclaration> indexes) {
  CreateTable table = table_of("Things", "pk", "sk");
  table.global_indexes = std::move(indexes);
  return table;
}

CreateTable with_local(std::vector<IndexDeclaration> indexes) {
  CreateTable table = table_of("Things", "pk", "sk");
  table.local_indexes = std::move(indexes);
  return table;
}

std::vector<IndexDeclaration> many_global(int count) {
  std::vector<IndexDeclaration> indexes;
  for (int i = 0; i < count; ++i)
    indexes.push_back(index_of("gsi" + std::to_string(i), ("g" + std::to_string(i)).c_str()));
  return indexes;
}

std::vector<IndexDeclaration> many_local(int count) {
  std::vector<IndexDeclaration> indexes;
  for (int i = 0; i < count; ++i)
    indexes.push_back(index_of("lsi" + std::to_string(i), "pk", ("l" + std::to_string(i)).c_str()));
  return indexes;
}

std::vector<std::string> many_names(int count, const std::string& prefix = "a") {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

TEST_F(CreateTableTest, DescribesWhatWasDeclared) {
  CreateTable wanted = table_of("Things", "pk", "sk");
  wanted.local_indexes = {index_of("lsi", "pk", "l", ProjectionKind::kKeysOnly)};
  wanted.global_indexes = {index_of("gsi", "g", "", ProjectionKind::kInclude, {"x", "y"})};
  wanted.stream = StreamView::kNewImage;
  wanted.tags = {{"team", "blue"}};
  const TableDescription made = create(wanted);
  for (const TableDescription& table : {made, must(db_->describe_table("Things"))}) {
    EXPECT_EQ(table.name, "Things");
    EXPECT_NE(table.id, 0u);
    EXPECT_EQ(table.key, wanted.key);
    EXPECT_EQ(table.status, TableStatus::kActive);
    EXPECT_EQ(table.billing, BillingMode::kOnDemand);
    EXPECT_EQ(table.item_count, 0);
    EXPECT_EQ(table.size_bytes, 0);
    EXPECT_GT(table.created_us, 0);
    EXPECT_EQ(table.tags, wanted.tags);
    EXPECT_FALSE(table.ttl_enabled);
    EXPECT_FALSE(table.deletion_protected);
    ASSERT_EQ(table.indexes.size(), 2u);
    EXPECT_EQ(table.indexes[0].name, "lsi");
    EXPECT_TRUE(table.indexes[0].local);
    EXPECT_EQ(table.indexes[0].projection, ProjectionKind::kKeysOnly);
    EXPECT_EQ(table.indexes[1].name, "gsi");
    EXPECT_FALSE(table.indexes[1].local);
    EXPECT_EQ(table.indexes[1].included, (Texts{"x", "y"}));
    EXPECT_EQ(table.indexes[1].status, IndexStatus::kActive);
    ASSERT_EQ(table.streams.size(), 1u);
    EXPECT_TRUE(table.streams[0].open);
    EXPECT_EQ(table.streams[0].view, StreamView::kNewImage);
  }
}

TEST_F(CreateTableTest, CountsItemsAndBytesOfTableAndIndexes) {
  create(with_global({index_of("gsi", "g", "", ProjectionKind::kKeysOnly)}));
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"g", "x"}, {"more", "text"}});  // 3 + 3 + 2 + 8
  put("Things", {{"pk", "a"}, {"sk", "2"}});                                // 3 + 3
  const TableDescription table = must(db_->describe_table("Things"));
  EXPECT_EQ(table.item_count, 2);
  EXPECT_EQ(table.size_bytes, 22);
  EXPECT_EQ(table.indexes[0].item_count, 1);
  EXPECT_EQ(table.indexes[0].size_bytes, 8);
}

TEST_F(CreateTableTest, ListsTablesInOrderOfTheirNames) {
  for (const char* name : {"beta", "Alpha", "alpha"}) create(table_of(name, "pk"));
  EXPECT_EQ(must(db_->list_tables()), (Texts{"Alpha", "alpha", "beta"}));
}

TEST_F(CreateTableTest, RefusesANameThatIsTaken) {
  create(table_of("Things", "pk"));
  EXPECT_EQ(refusal(db_->create_table(table_of("Things", "pk"))),
            (Error{Code::kInUse, "Table already exists: Things"}));
}

TEST_F(CreateTableTest, KnowsNoTableThatWasNotMade) {
  EXPECT_EQ(refusal(db_->describe_table("Nothing")),
            (Error{Code::kNotFound, "Requested resource not found: Table: Nothing not found"}));
}

TEST_F(CreateTableTest, TableNamesHaveThreeTo255LettersOfAFewKinds) {
  EXPECT_EQ(refusal(db_->create_table(table_of("ab", "pk"))),
            invalid(constraint("ab", "tableName", "have length greater than or equal to 3")));
  const std::string longest(255, 'a');
  create(table_of(longest, "pk"));
  EXPECT_EQ(refusal(db_->create_table(table_of(longest + "a", "pk"))),
            invalid(constraint(longest + "a", "tableName", "have length less than or equal to 255")));
  create(table_of("a-b_c.D9", "pk"));
  EXPECT_EQ(
      refusal(db_->create_table(table_of("bad table", "pk"))),
      invalid(constraint("bad table", "tableName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+")));
}

TEST_F(CreateTableTest, IndexNamesFollowTheSameRule) {
  EXPECT_EQ(refusal(db_->create_table(with_global({index_of("gsi1", "g"), index_of("g!!", "h")}))),
            invalid(constraint("g!!", "globalSecondaryIndexes.2.member.indexName",
                               "satisfy regular expression pattern: [a-zA-Z0-9_.-]+")));
  EXPECT_EQ(refusal(db_->create_table(with_local({index_of("ls", "pk", "l")}))),
            invalid(constraint("ls", "localSecondaryIndexes.1.member.indexName",
                               "have length greater than or equal to 3")));
}

TEST_F(CreateTableTest, TheKeyIsOnePartitionAttributeAndAtMostOneSortAttribute) {
  CreateTable none = table_of("Things", "pk");
  none.key = {};
  EXPECT_EQ(refusal(db_->create_table(none)),
            invalid(constraint("[]", "keySchema", "have length greater than or equal to 1")));
  CreateTable three = table_of("Things", "pk");
  three.key.sort = strings({"a", "b"});
  EXPECT_EQ(refusal(db_->create_table(three)),
            invalid(constraint("[KeySchemaElement(attributeName=pk, keyType=HASH), "
                               "KeySchemaElement(attributeName=a, keyType=RANGE), "
                               "KeySchemaElement(attributeName=b, keyType=RANGE)]",
                               "keySchema", "have length less than or equal to 2")));
  CreateTable two_partitions = table_of("Things", "pk");
  two_partitions.key.partition = strings({"a", "b"});
  EXPECT_EQ(refusal(db_->create_table(two_partitions)),
            invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"));
  CreateTable no_partition = table_of("Things", "pk");
  no_partition.key = {.partition = {}, .sort = strings({"a"})};
  EXPECT_EQ(refusal(db_->create_table(no_partition)),
            invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type"));
  EXPECT_EQ(refusal(db_->create_table(table_of("Things", "pk", "pk"))),
            invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name"));
}

TEST_F(CreateTableTest, KeyAttributeNamesHaveOneTo255Bytes) {
  EXPECT_EQ(
      refusal(db_->create_table(table_of("Things", ""))),
      invalid(constraint("", "keySchema.1.member.attributeName", "have length greater than or equal to 1")));
  const std::string longest(255, 'k');
  create(table_of("Things", longest.c_str()));
  EXPECT_EQ(refusal(db_->create_table(table_of("Others", "pk", (longest + "k").c_str()))),
            invalid(constraint(longest + "k", "keySchema.2.member.attributeName",
                               "have length less than or equal to 255")));
}

// A2: a list or a map as table or index key is rejected, as is every type without an order.
TEST_F(CreateTableTest, OnlyStringsNumbersAndBinariesCanBeKeys) {
  for (const Type type : {Type::kString, Type::kNumber, Type::kBinary}) {
    CreateTable table = table_of("Keyed" + std::string(type_name(type)), "pk");
    table.key.partition[0].type = type;
    create(table);
  }
  for (const Type type : {Type::kList, Type::kMap, Type::kBool, Type::kNull, Type::kStringSet}) {
    const std::string name(type_name(type));
    const Error expected = invalid(
        constraint(name, "attributeDefinitions.1.member.attributeType", "satisfy enum value set: [B, N, S]"));
    CreateTable table = table_of("Things", "pk");
    table.key.partition[0].type = type;
    EXPECT_EQ(refusal(db_->create_table(table)), expected);
    CreateTable indexed = with_global({index_of("gsi", "g")});
    indexed.global_indexes[0].key.partition[0].type = type;
    EXPECT_EQ(refusal(db_->create_table(indexed)), expected);
  }
}

TEST_F(CreateTableTest, AnAttributeHasOneTypeInAllKeys) {
  CreateTable table = with_global({index_of("gsi", "sk")});
  table.global_indexes[0].key.partition[0].type = Type::kNumber;
  EXPECT_EQ(refusal(db_->create_table(table)),
            invalid_parameter("Attributes cannot be redefined. Please check that your attribute has the same "
                              "type as previously defined. Attribute: sk"));
}

TEST_F(CreateTableTest, LocalIndexesShareThePartitionKeyAndHaveASortKey) {
  CreateTable hash_only = table_of("Things", "pk");
  hash_only.local_indexes = {index_of("lsi", "pk", "l")};
  EXPECT_EQ(
      refusal(db_->create_table(hash_only)),
      invalid_parameter("Table KeySchema does not have a range key, which is required when specifying a "
                        "LocalSecondaryIndex"));
  EXPECT_EQ(refusal(db_->create_table(with_local({index_of("lsi", "pk")}))),
            invalid_parameter("Index KeySchema does not have a range key for index: lsi"));
  EXPECT_EQ(
      refusal(db_->create_table(with_local({index_of("lsi", "other", "l")}))),
      invalid_parameter("Index KeySchema does not have the same leading hash key as table KeySchema for "
                        "index: lsi. index hash key: other, table hash key: pk"));
}

TEST_F(CreateTableTest, WhatIsIncludedMustFitTheKindOfProjection) {
  EXPECT_EQ(refusal(db_->create_table(with_global({index_of("gsi", "g", "", ProjectionKind::kInclude)}))),
            invalid_parameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
  EXPECT_EQ(refusal(db_->create_table(with_global({index_of("gsi", "g", "", ProjectionKind::kAll, {"x"})}))),
            invalid_parameter("ProjectionType is ALL, but NonKeyAttributes is specified"));
  EXPECT_EQ(
      refusal(db_->create_table(with_local({index_of("lsi", "pk", "l", ProjectionKind::kKeysOnly, {"x"})}))),
      invalid_parameter("ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"));
  EXPECT_EQ(refusal(db_->create_table(
                with_global({index_of("gsi", "g", "", ProjectionKind::kInclude, {"x", "y", "x"})}))),
            invalid_parameter("Duplicate element in NonKeyAttributes: x"));
}

TEST_F(CreateTableTest, AnIndexIncludesAtMostTwentyAttributes) {
  create(with_global({index_of("gsi", "g", "", ProjectionKind::kInclude, many_names(20))}));
  CreateTable more = with_global({index_of("gsi", "g", "", ProjectionKind::kInclude, many_names(21))});
  more.table = "More";
  const Error error = refusal(db_->create_table(more));
  EXPECT_EQ(error.code, Code::kInvalid);
  EXPECT_NE(error.message.find("at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to "
                               "satisfy constraint: Member must have length less than or equal to 20"),
            std::string::npos)
      << error.message;
}

TEST_F(CreateTableTest, AllIndexesTogetherIncludeAtMostAHundredAttributes) {
  std::vector<IndexDeclaration> indexes = many_global(5);
  for (IndexDeclaration& index : indexes) {
    index.projection = ProjectionKind::kInclude;
    index.included = many_names(20);
  }
  create(with_global(indexes));
  indexes.push_back(index_of("last", "h", "", ProjectionKind::kInclude, {"a0"}));
  CreateTable more = with_global(indexes);
  more.table = "More";
  EXPECT_EQ(
      refusal(db_->create_table(more)),
      invalid_parameter("Number of NonKeyAttributes over all indexes exceeds the per-table limit of 100"));
}

TEST_F(CreateTableTest, IndexNamesAreUniqueAcrossLocalAndGlobal) {
  EXPECT_EQ(refusal(db_->create_table(with_global({index_of("same", "g"), index_of("same", "h")}))),
            invalid_parameter("Duplicate index name: same"));
  CreateTable both = with_global({index_of("same", "g")});
  both.local_indexes = {index_of("same", "pk", "l")};
  EXPECT_EQ(refusal(db_->create_table(both)), invalid_parameter("Duplicate index name: same"));
}

// A13, G5: twenty global indexes and no more.
TEST_F(CreateTableTest, HasAtMostTwentyGlobalIndexes) {
  EXPECT_EQ(create(with_global(many_global(20))).indexes.size(), 20u);
  CreateTable more = with_global(many_global(21));
  more.table = "More";
  EXPECT_EQ(refusal(db_->create_table(more)),
            invalid_parameter("GlobalSecondaryIndex count exceeds the per-table limit of 20"));
}

TEST_F(CreateTableTest, HasAtMostFiveLocalIndexes) {
  EXPECT_EQ(create(with_local(many_local(5))).indexes.size(), 5u);
  CreateTable more = with_local(many_local(6));
  more.table = "More";
  EXPECT_EQ(refusal(db_->create_table(more)),
            invalid_parameter("Number of LocalSecondaryIndexes exceeds per-table limit of 5"));
}

TEST_F(CreateTableTest, UnitsGoWithProvisionedBillingAndOnlyWithIt) {
  CreateTable on_demand = table_of("Things", "pk");
  on_demand.throughput = {.read_units = 5, .write_units = 5};
  EXPECT_EQ(refusal(db_->create_table(on_demand)),
            invalid_parameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                              "BillingMode is PAY_PER_REQUEST"));
  CreateTable provisioned = table_of("Things", "pk");
  provisioned.billing = BillingMode::kProvisioned;
  EXPECT_EQ(refusal(db_->create_table(provisioned)),
            invalid_parameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when "
                              "BillingMode is PROVISIONED"));
  provisioned.throughput = {.read_units = 5, .write_units = 3};
  provisioned.global_indexes = {index_of("gsi", "g")};
  EXPECT_EQ(refusal(db_->create_table(provisioned)),
            invalid_parameter("ProvisionedThroughput is not specified for index: gsi"));
  provisioned.global_indexes[0].throughput = {.read_units = 1, .write_units = 2};
  const TableDescription made = create(provisioned);
  EXPECT_EQ(made.throughput, provisioned.throughput);
  EXPECT_EQ(made.indexes[0].throughput, provisioned.global_indexes[0].throughput);

  CreateTable index_units = with_global({index_of("gsi", "g")});
  index_units.table = "Others";
  index_units.global_indexes[0].throughput = {.read_units = 1, .write_units = 1};
  EXPECT_EQ(refusal(db_->create_table(index_units)),
            invalid_parameter("ProvisionedThroughput should not be specified for index: gsi when BillingMode "
                              "is PAY_PER_REQUEST"));
}

TEST_F(CreateTableTest, TheShapeOfMembersComesBeforeWhatTheyMean) {
  CreateTable table = with_global({index_of("g!!", "g")});
  table.throughput = {.read_units = 1, .write_units = 1};
  EXPECT_NE(refusal(db_->create_table(table)).message.find("indexName"), std::string::npos);
  table.table = "x";
  EXPECT_NE(refusal(db_->create_table(table)).message.find("tableName"), std::string::npos);
}

TEST_F(CreateTableTest, ARefusedTableDoesNotExist) {
  static_cast<void>(refusal(db_->create_table(with_global(many_global(21)))));
  EXPECT_TRUE(must(db_->list_tables()).empty());
}

TEST_F(CreateTableTest, HasAtMostFiftyTags) {
  CreateTable table = table_of("Things", "pk");
  for (int i = 0; i < 50; ++i) table.tags["k" + std::to_string(i)] = "v";
  create(table);
  table.table = "More";
  table.tags["one"] = "more";
  EXPECT_EQ(refusal(db_->create_table(table)),
            invalid("Number of Tags exceed the current limit for the provided ResourceArn"));
}

}  // namespace
}  // namespace sheaf
