// B12: an item for each field of an entity.
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kByFieldModel = R"(model shop {
  table app { pk PK; sk SK; tag T }
  entity Product { id id; name; price number; color?; sizes { small int; large int }?; words set<string>?;
    code? unique; sold int = count(orders); versioned; store eav; key "P#<id>" / "is#<attribute>" }
  entity Order { id id; note?; key "O#<id>" / "O" }
  entity Shelf { id id; label; store eav }
  rel Product 1--* Order as orders / product { via index; size avg 5 max 100; on delete restrict }
  rel Shelf *--* Product as products / shelves { via edges; size of products max 50; size of shelves max 3 }
  pattern product(p: Product)  = $p                        budget 1 request strong
  pattern ordered(p: Product)  = $p { name, orders }       budget 2 requests
  pattern shelf(s: Shelf)      = $s { *, products { name } }  budget 60 requests
  pattern of(o: Order)         = $o { *, product { name, price } }  budget 2 requests
  op rename(p: Product, n: string)        = set $p.name = $n
  op reprice(p: Product, n: number)       = set $p.price = $n
  op paint(p: Product, c: string)         = set $p.color = $c
  op strip(p: Product)                    = remove $p.color
  op dearer(p: Product, n: number)        = set $p.price = $p.price + $n
  op both(p: Product, n: number)          = set $p.price = $n, $p.color = "red"
  op counted(p: Product)                  = set $p.price = $p.sold + 1
  op small(p: Product, n: int)            = set $p.sizes.small = $n
  op word(p: Product, w: set<string>)     = add $p.words = $w
  op recode(p: Product, c: string)        = set $p.code = $c
  op shelve(p: Product, s: Shelf)         = link $s.products $p
  op cheap(p: Product)                    = { check $p.price < 10; set $p.color = "cheap" }
})";
constexpr std::string_view kByFieldData = R"({
  "Product": [{ "id": "1", "name": "Pen", "price": 2, "color": "blue", "sizes": { "small": 1, "large": 2 }, "code": "x" },
              { "id": "2", "name": "Pad", "price": 4 }],
  "Order": [{ "id": "a", "product": "1" }],
  "Shelf": [{ "id": "s", "label": "left" }],
  "links": { "Shelf.products": [["s", "1"]] } })";

class ByField : public ::testing::Test {
 protected:
  // The items of a partition: their sort keys and what they hold.
  std::string stored(const std::string& pk) {
    const auto page = model_.database().query(
        {.table = "app", .key_condition = "PK = :p", .values = {{":p", pk}}, .consistent = true});
    EXPECT_TRUE(page.ok());
    std::string out;
    for (size_t i = 0; i < page->items.size(); ++i) {
      const auto value = page->items[i].find("value");
      out += std::string(page->items[i].find("SK")->bytes()) + " " +
             (value ? to_plain_json(Value(*value)) : "-") + "\n";
    }
    return out;
  }
  std::string stored_field(const std::string& id, const std::string& field) {
    const auto got =
        model_.database().get_item({.table = "app", .key = {{"PK", "P#" + id}, {"SK", "is#" + field}}});
    EXPECT_TRUE(got.ok());
    return got->item ? to_plain_json(Value(*got->item->find("value"))) : "none";
  }
  void erase(const std::string& id, const std::string& field) {
    const auto done =
        model_.database().delete_item({.table = "app", .key = {{"PK", "P#" + id}, {"SK", "is#" + field}}});
    ASSERT_TRUE(done.ok());
  }

  RunningModel model_{std::string(kByFieldModel), std::string(kByFieldData)};
};

TEST_F(ByField, WhatIsThereHasAnItemAndNothingElseHas) {
  EXPECT_EQ(stored("P#2"), "is#name \"Pad\"\nis#price 4\nis#sold 0\nis#version 1\n");
  EXPECT_EQ(model_.ask("product", {"\"2\""}),
            "{\"id\":\"2\",\"name\":\"Pad\",\"price\":4,\"sold\":0,\"version\":1}\n");
  EXPECT_EQ(model_.figures().requests, 1u);
  EXPECT_EQ(model_.figures().items_read, 4u);
  EXPECT_EQ(model_.ask("product", {"\"3\""}), "");
  // Without a key of its own it gets one.
  EXPECT_EQ(stored("SHELF#s"), "PRODUCTS#1 -\nSHELF#label \"left\"\n");
  EXPECT_EQ(model_.audited(), "");
}

TEST_F(ByField, OneFieldThatIsNeverMissingIsOneWrite) {
  RunningModel alone(R"(model alone {
    entity Thing { id id; name; price int; color?; store eav }
    op reprice(t: Thing, n: int) = set $t.price = $n budget 1 request
    op paint(t: Thing, c: string) = set $t.color = $c budget 1 request
    op both(t: Thing, n: int, c: string) = set $t.price = $n, $t.color = $c budget 1 request
  })",
                     R"({ "Thing": [{ "id": "1", "name": "a", "price": 1 }] })");
  EXPECT_EQ(alone.write("reprice", {"\"1\"", "7"}), "");
  EXPECT_EQ(alone.reply().figures.requests, 1u);
  EXPECT_EQ(alone.reply().figures.units, 1) << "one item, and no transaction";
  EXPECT_EQ(alone.write("paint", {"\"1\"", "\"red\""}), "");
  EXPECT_EQ(alone.reply().figures.units, 4) << "that it is there is another item's to say";
  EXPECT_EQ(alone.write("both", {"\"1\"", "8", "\"green\""}), "");
  EXPECT_EQ(alone.reply().figures.units, 4);
  for (const char* operation : {"reprice", "paint"}) {
    const bool is_number = std::string_view(operation) == "reprice";
    EXPECT_EQ(alone.write(operation, {"\"2\"", is_number ? "7" : "\"red\""}), "error: there is no Thing 2");
  }
  const auto page = alone.database().scan({.table = alone.layout().tables[0].name});
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items.size(), 3u);
}

TEST_F(ByField, FieldsChangeComeAndGo) {
  EXPECT_EQ(model_.write("paint", {"\"2\"", "\"red\""}), "");
  EXPECT_EQ(stored_field("2", "color"), "\"red\"");
  EXPECT_EQ(model_.write("strip", {"\"2\""}), "");
  EXPECT_EQ(stored_field("2", "color"), "none");
  EXPECT_EQ(model_.write("dearer", {"\"2\"", "5"}), "");
  EXPECT_EQ(stored_field("2", "price"), "9");
  EXPECT_EQ(model_.write("both", {"\"2\"", "1"}), "");
  EXPECT_EQ(stored_field("2", "price") + stored_field("2", "color"), "1\"red\"");
  EXPECT_EQ(model_.write("counted", {"\"1\""}), "") << "from another item";
  EXPECT_EQ(stored_field("1", "price"), "2");
  EXPECT_EQ(model_.write("small", {"\"1\"", "9"}), "");
  EXPECT_EQ(stored_field("1", "sizes"), "{\"large\":2,\"small\":9}");
  EXPECT_EQ(model_.write("word", {"\"2\"", "[\"a\"]"}), "");
  EXPECT_EQ(model_.write("word", {"\"2\"", "[\"b\"]"}), "");
  EXPECT_EQ(stored_field("2", "words"), "[\"a\",\"b\"]");
  EXPECT_EQ(stored_field("2", "version"), "7") << "each write but the links";
  EXPECT_EQ(model_.audited(), "");
}

TEST_F(ByField, NothingIsChangedOfWhatIsNotThere) {
  for (const auto& [operation, argument] :
       std::vector<std::pair<std::string, std::string>>{{"rename", "\"x\""},
                                                        {"reprice", "1"},
                                                        {"paint", "\"x\""},
                                                        {"dearer", "1"},
                                                        {"word", "[\"a\"]"},
                                                        {"recode", "\"y\""},
                                                        {"both", "1"}})
    EXPECT_EQ(model_.write(operation, {"\"9\"", argument}), "error: there is no Product 9") << operation;
  EXPECT_EQ(model_.write("strip", {"\"9\""}), "error: there is no Product 9");
  EXPECT_EQ(model_.write("shelve", {"\"9\"", "\"s\""}), "error: there is no Product 9");
  EXPECT_EQ(stored("P#9"), "");
  EXPECT_EQ(model_.audited(), "");
}

TEST_F(ByField, PutsAndDeletionsAreOfAllItems) {
  EXPECT_EQ(model_.write("put.Product", {R"({"id": "3", "name": "Cup", "price": 1, "color": "grey"})"}), "");
  EXPECT_EQ(model_.reply().figures.requests, 1u);
  EXPECT_EQ(model_.write("put.Product", {R"({"id": "3", "name": "Mug", "price": 1})"}),
            "error: there is already a Product 3");
  EXPECT_EQ(stored_field("3", "name"), "\"Cup\"");
  EXPECT_EQ(model_.write("delete.Product", {"\"3\""}), "");
  EXPECT_EQ(stored("P#3"), "");
  EXPECT_EQ(model_.write("delete.Product", {"\"3\""}), "error: there is no Product 3");
  // One that others depend on stays, and is whole again.
  EXPECT_NE(model_.write("delete.Product", {"\"1\""}), "");
  EXPECT_EQ(model_.write("rename", {"\"1\"", "\"Pencil\""}), "");
  EXPECT_EQ(model_.write("delete.Order", {"\"a\""}), "");
  EXPECT_EQ(model_.write("delete.Product", {"\"1\""}), "");
  EXPECT_EQ(stored("P#1"), "");
  EXPECT_EQ(model_.ask("shelf", {"\"s\""}), "{\"id\":\"s\",\"label\":\"left\",\"products\":[]}\n");
  EXPECT_EQ(model_.audited(), "");
}

TEST_F(ByField, RelationsLeadToThemAndFromThem) {
  EXPECT_EQ(model_.ask("ordered", {"\"1\""}),
            "{\"id\":\"1\",\"name\":\"Pen\",\"orders\":[{\"id\":\"a\"}]}\n");
  EXPECT_EQ(model_.ask("of", {"\"a\""}),
            "{\"id\":\"a\",\"product\":{\"id\":\"1\",\"name\":\"Pen\",\"price\":2}}\n");
  EXPECT_EQ(model_.write("shelve", {"\"2\"", "\"s\""}), "");
  EXPECT_EQ(model_.ask("shelf", {"\"s\""}),
            "{\"id\":\"s\",\"label\":\"left\",\"products\":[{\"id\":\"1\",\"name\":\"Pen\"},{\"id\":\"2\","
            "\"name\":\"Pad\"}]}\n");
  EXPECT_EQ(model_.write("put.Order", {R"({"id": "b", "product": "2"})"}), "");
  EXPECT_EQ(stored_field("2", "sold"), "1");
  EXPECT_EQ(model_.write("put.Order", {R"({"id": "c", "product": "9"})"}), "error: there is no Product 9");
  EXPECT_EQ(model_.audited(), "");
}

TEST_F(ByField, ConditionsAndUniqueValuesHold) {
  EXPECT_EQ(model_.write("cheap", {"\"1\""}), "");
  EXPECT_EQ(stored_field("1", "color"), "\"cheap\"");
  EXPECT_EQ(model_.write("reprice", {"\"1\"", "20"}), "");
  EXPECT_NE(model_.write("cheap", {"\"1\""}), "");
  EXPECT_NE(model_.write("recode", {"\"2\"", "\"x\""}), "");
  EXPECT_EQ(stored_field("2", "code"), "none");
  EXPECT_EQ(model_.write("recode", {"\"1\"", "\"y\""}), "");
  EXPECT_EQ(model_.write("recode", {"\"2\"", "\"x\""}), "");
  EXPECT_EQ(model_.audited(), "");
}

TEST_F(ByField, FieldsWithoutTheirEntityAreFound) {
  erase("2", "name");
  EXPECT_EQ(model_.ask("product", {"\"2\""}), "");
  EXPECT_EQ(model_.write("paint", {"\"2\"", "\"red\""}), "error: there is no Product 2");
  EXPECT_EQ(model_.audited(), "misfit\n");
  erase("1", "price");
  EXPECT_EQ(model_.audited(), "misfit\nmisfit\n");
  // A field that is missing although it never should can be set.
  EXPECT_EQ(model_.write("reprice", {"\"1\"", "3"}), "");
  erase("1", "sold");
  EXPECT_EQ(model_.audited(true), "misfit\nwrong-count mended\n");
  EXPECT_EQ(stored_field("1", "sold"), "1");
}

// Without a tag it is the values of keys that tell kinds apart, the name of the field among them.
TEST(ByFieldWithoutTag, ItemsAreToldByTheFieldInTheirKey) {
  RunningModel model(R"(model catalogue {
    table app { pk PK; sk SK }
    entity Product { id id; name; price number; color?; store eav; key "<id>" / "<attribute>" }
    pattern product(p: Product) = $p
  })",
                     R"({"Product": [{"id": "1", "name": "Pen", "price": 2, "color": "blue"}]})");
  EXPECT_EQ(model.ask("product", {"\"1\""}),
            "{\"color\":\"blue\",\"id\":\"1\",\"name\":\"Pen\",\"price\":2}\n");
  EXPECT_EQ(model.audited(), "");
}

}  // namespace
}  // namespace sheaf::run
