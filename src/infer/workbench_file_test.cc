#include "infer/workbench_file.h"

#include <gtest/gtest.h>

#include "infer/infer.h"
#include "model/compiled_model.h"

namespace sheaf::infer {
namespace {

constexpr std::string_view kShop = R"({
  "ModelName": "A shop",
  "DataModel": [{
    "TableName": "shop",
    "KeyAttributes": {
      "PartitionKey": {"AttributeName": "PK", "AttributeType": "S"},
      "SortKey": {"AttributeName": "SK", "AttributeType": "S"}},
    "NonKeyAttributes": [{"AttributeName": "Name", "AttributeType": "S"},
                         {"AttributeName": "Total", "AttributeType": "N"}],
    "TableFacets": [
      {"FacetName": "customer", "KeyAttributeAlias": {"PartitionKeyAlias": "PK", "SortKeyAlias": "SK"},
       "NonKeyAttributes": ["Name"],
       "TableData": [{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "Name": {"S": "Ann"},
                      "Box": {"M": {"plain": true, "typed": {"N": "7"}}}}]},
      {"FacetName": "order", "NonKeyAttributes": ["Total"],
       "TableData": [{"PK": {"S": "c#1"}, "SK": {"S": "o#11"}, "Total": {"N": "5"}},
                     {"PK": {"S": "c#1"}, "SK": {"S": "o#12"}, "Total": {"N": "6"}}]}],
    "GlobalSecondaryIndexes": [{
      "IndexName": "byTotal",
      "KeyAttributes": {"PartitionKey": {"AttributeName": "Total", "AttributeType": "N"}},
      "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["Name", "PK"]}}]
  }]})";

TEST(WorkbenchFile, FacetsAreKindsOfItems) {
  const Result<Observed> observed = read_workbench(kShop);
  ASSERT_TRUE(observed.ok()) << observed.error().message;
  ASSERT_EQ(observed->tables.size(), 1u);
  const ObservedTable& table = observed->tables.front();
  EXPECT_EQ(table.items.size(), 3u);
  ASSERT_EQ(table.facets.size(), 2u);
  EXPECT_EQ(table.facets[1].items, (std::vector<size_t>{1, 2}));
  EXPECT_EQ(table.indexes.front().included, std::vector<std::string>{"Name"});
  EXPECT_EQ(table.items.front().find("Box")->to_json(), R"({"M":{"plain":{"BOOL":true},"typed":{"N":"7"}}})");

  const Inferred inferred = infer_model(*observed);
  const model::CompiledModel compiled = model::compile("shop", inferred.text);
  ASSERT_TRUE(compiled.ok()) << compiled.rendered() << inferred.text;
  EXPECT_EQ(compiled.model.name(), "A_shop");
  ASSERT_TRUE(compiled.model.find_entity("Customer"));
  const auto order = compiled.model.find_entity("Order");
  ASSERT_TRUE(order);
  EXPECT_EQ(compiled.layouts.front().kind(*order)->pk.text(), "c#<customer.id>");
  EXPECT_EQ(compiled.layouts.front().kind(*order)->sk->text(), "o#<id>");
  ASSERT_EQ(compiled.layouts.front().tables.front().indexes.size(), 1u);
  EXPECT_EQ(compiled.layouts.front().tables.front().indexes.front().pk.type, language::Type::Kind::kNumber);
}

// Without sample data there are the tables, and the attributes that somebody declared.
TEST(WorkbenchFile, ATableWithoutItemsIsOneEntity) {
  const Result<Observed> observed = read_workbench(R"({"ModelName": "m", "DataModel": [{"TableName": "orders",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "OrderId", "AttributeType": "N"}},
    "NonKeyAttributes": [{"AttributeName": "Lines", "AttributeType": "L"}]}]})");
  ASSERT_TRUE(observed.ok());
  const Inferred inferred = infer_model(*observed);
  const model::CompiledModel compiled = model::compile("m", inferred.text);
  ASSERT_TRUE(compiled.ok()) << compiled.rendered() << inferred.text;
  EXPECT_TRUE(compiled.model.find_field(*compiled.model.find_entity("Order"), "Lines"));
}

// A16
TEST(WorkbenchFile, KeysThatShareAPartitionAreAskedAbout) {
  const Result<Observed> observed = read_workbench(R"({"ModelName": "m", "DataModel": [{"TableName": "shop",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"},
                      "SortKey": {"AttributeName": "SK", "AttributeType": "S"}},
    "TableFacets": [
      {"FacetName": "Order", "KeyAttributeAlias": {"PartitionKeyAlias": "ORDER#<id>", "SortKeyAlias": "ORDER#<id>"}},
      {"FacetName": "Line", "KeyAttributeAlias": {"PartitionKeyAlias": "ORDER#<order.id>", "SortKeyAlias": "LINE#<number>"}},
      {"FacetName": "Product", "KeyAttributeAlias": {"PartitionKeyAlias": "PRODUCT#<sku>", "SortKeyAlias": "PRODUCT#<sku>"}}]}]})");
  ASSERT_TRUE(observed.ok()) << observed.error().message;
  std::string asked;
  for (const Question& question : infer_model(*observed).questions) {
    if (question.about == Question::About::kRelation) asked += question.subject + ": " + question.text + "\n";
  }
  EXPECT_EQ(asked,
            "Line: its keys are in the partition of an Order, and no item says more: is that a relation?\n");
}

TEST(WorkbenchFile, WhatIsWrongHasItsPlace) {
  const auto error = [](std::string_view json) { return read_workbench(json).error().message; };
  EXPECT_NE(error("{}").find("no data model of NoSQL Workbench"), std::string::npos);
  EXPECT_NE(error(R"({"DataModel": [{}]})").find("$.DataModel[0]"), std::string::npos);
  EXPECT_NE(error(R"({"DataModel": [{"TableName": "t"}]})").find("KeyAttributes"), std::string::npos);
  EXPECT_NE(error(R"({"DataModel": [{"TableName": "orders",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"}},
    "TableData": [{"PK": {"N": "7"}}]}]})")
                .find("an item has no key PK"),
            std::string::npos);
  EXPECT_FALSE(read_workbench("not json").ok());
}

}  // namespace
}  // namespace sheaf::infer
