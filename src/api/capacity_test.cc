// Capacity units: of every operation, of the table and of each index, in DynamoDB's arithmetic.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class CapacityTest : public DatabaseTest {
 protected:
  CapacityTest() {
    create(table_of("Simple", "pk"));
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l", ProjectionKind::kKeysOnly)};
    table.global_indexes = {index_of("all", "h"), index_of("gsi", "g", "", ProjectionKind::kKeysOnly)};
    create(table);
  }
  // Simple's item of so many bytes.
  static Item simple(uint32_t bytes) { return {{"pk", "a"}, {"x", std::string(bytes - 4, 'x')}}; }
  // Things' item of so many bytes with these index keys.
  static Item thing(uint32_t bytes, std::initializer_list<std::pair<std::string_view, Value>> more = {}) {
    Item item{{"pk", "a"}, {"sk", "1"}};
    for (const auto& [name, value] : more) item.set(name, value);
    item.set("x", Value(std::string(bytes - item.view().size_bytes() - 1, 'x')));
    return item;
  }
  std::string put_thing(uint32_t bytes, std::initializer_list<std::pair<std::string_view, Value>> more = {}) {
    return units(put("Things", thing(bytes, more)).capacity);
  }
  std::string update_thing(const std::string& update, Item values = {}) {
    return units(must(db_->update_item({.table = "Things",
                                        .key = {{"pk", "a"}, {"sk", "1"}},
                                        .update = update,
                                        .values = std::move(values)}))
                     .capacity);
  }
  double get_units(bool consistent) {
    return must(db_->get_item({.table = "Simple", .key = {{"pk", "a"}}, .consistent = consistent}))
        .capacity.table;
  }
};

TEST_F(CapacityTest, AGetCostsAUnitForEach4KBAndHalfIfEventual) {
  EXPECT_EQ(get_units(true), 1);  // nothing there costs as much as the smallest read
  EXPECT_EQ(get_units(false), 0.5);
  for (const auto& [bytes, expected] :
       {std::pair(100u, 1.0), {4096u, 1.0}, {4097u, 2.0}, {kItemBytesMax, 100.0}}) {
    put("Simple", simple(bytes));
    EXPECT_EQ(get_units(true), expected) << bytes;
    EXPECT_EQ(get_units(false), expected / 2) << bytes;
    const TransactGot got =
        must(db_->transact_get_items({.gets = {{.table = "Simple", .key = {{"pk", "a"}}}}}));
    EXPECT_EQ(got.capacity.at("Simple").table, 2 * expected) << bytes;
  }
}

TEST_F(CapacityTest, APutCostsAUnitForEachKBOfTheLargerImage) {
  EXPECT_EQ(put("Simple", simple(1024)).capacity.table, 1);
  EXPECT_EQ(put("Simple", simple(1025)).capacity.table, 2);
  EXPECT_EQ(put("Simple", simple(100)).capacity.table, 2);  // the old one was larger
  EXPECT_EQ(put("Simple", simple(100)).capacity.table, 1);
  EXPECT_EQ(put("Simple", simple(kItemBytesMax)).capacity.table, 400);
}

TEST_F(CapacityTest, ADeleteCostsWhatItRemoves) {
  put("Simple", simple(3000));
  const DeleteItem request{.table = "Simple", .key = {{"pk", "a"}}};
  EXPECT_EQ(must(db_->delete_item(request)).capacity.table, 3);
  EXPECT_EQ(must(db_->delete_item(request)).capacity.table, 1);
}

TEST_F(CapacityTest, AFailedConditionCostsTheItemThatWasThere) {
  put("Simple", simple(3000));
  const Written outcome =
      must(db_->put_item({.table = "Simple", .item = simple(100), .condition = "attribute_not_exists(pk)"}));
  EXPECT_FALSE(outcome.condition_met);
  EXPECT_EQ(outcome.capacity.table, 3);
}

// A12: every index's share of a write is metered by itself.
TEST_F(CapacityTest, IndexesAreMeteredBesideTheTable) {
  EXPECT_EQ(put_thing(100, {{"g", "x"}}), "table 1, gsi 1");
  EXPECT_EQ(put_thing(100, {{"g", "x"}}), "table 1");  // the same again changes no index
  EXPECT_EQ(put_thing(100), "table 1, gsi 1");         // the entry goes
  EXPECT_EQ(put_thing(100), "table 1");
  EXPECT_EQ(put_thing(2000, {{"g", "x"}, {"h", "y"}, {"l", "z"}}), "table 2, all 2, gsi 1, lsi 1");
}

// A12: an entry that stays in place costs once, one that moves costs twice, one that does not change nothing.
TEST_F(CapacityTest, AnIndexCostsWhatChangesInIt) {
  put("Things", thing(3500, {{"g", "x"}}));
  EXPECT_EQ(put_thing(500, {{"g", "x"}}), "table 4");
  put("Things", thing(3500, {{"g", "x"}}));
  EXPECT_EQ(put_thing(500, {{"g", "y"}}), "table 4, gsi 2");
  EXPECT_EQ(update_thing("SET note = :n", {{":n", 1}}), "table 1");
  EXPECT_EQ(update_thing("REMOVE g"), "table 1, gsi 1");
  put("Things", thing(1500, {{"h", "x"}}));
  EXPECT_EQ(put_thing(2500, {{"h", "x"}}), "table 3, all 3");
  EXPECT_EQ(put_thing(500, {{"h", "y"}}), "table 3, all 4");  // 3 for the old entry, 1 for the new
  EXPECT_EQ(update_thing("SET note = :n", {{":n", 1}}), "table 1, all 1");
  EXPECT_EQ(update_thing("SET note = :n", {{":n", 1}}), "table 1");
}

// A12: a delete takes its index entries along.
TEST_F(CapacityTest, ADeleteIsMeteredInEveryIndex) {
  put("Things", thing(2000, {{"g", "x"}, {"h", "y"}, {"l", "z"}}));
  EXPECT_EQ(units(must(db_->delete_item({.table = "Things", .key = {{"pk", "a"}, {"sk", "1"}}})).capacity),
            "table 2, all 2, gsi 1, lsi 1");
}

TEST_F(CapacityTest, AQueryCostsTheSumOfWhatItReads) {
  for (int i = 0; i < 10; ++i)
    put("Things", {{"pk", "q"}, {"sk", std::to_string(i)}, {"x", std::string(993, 'x')}});  // 1000 bytes each
  Query request{.table = "Things", .key_condition = "pk = :p", .values = {{":p", "q"}}, .consistent = true};
  EXPECT_EQ(units(must(db_->query(request)).capacity), "table 3");
  request.consistent = false;
  EXPECT_EQ(units(must(db_->query(request)).capacity), "table 1.5");
  request.filter = "attribute_not_exists(x)";  // what is filtered out was read all the same
  request.projection = "sk";
  EXPECT_EQ(units(must(db_->query(request)).capacity), "table 1.5");
  request.values = {{":p", "nothing"}};
  EXPECT_EQ(units(must(db_->query(request)).capacity), "table 0.5");
  EXPECT_EQ(units(must(db_->scan({.table = "Things", .consistent = true})).capacity), "table 3");
  EXPECT_EQ(units(must(db_->scan({.table = "Simple"})).capacity), "table 0.5");
}

TEST_F(CapacityTest, AnIndexReadCostsTheIndex) {
  for (int i = 0; i < 3; ++i) {
    put("Things", {{"pk", "q"},
                   {"sk", std::to_string(i)},
                   {"g", "G"},
                   {"l", std::to_string(i)},
                   {"x", std::string(2000, 'x')}});
  }
  EXPECT_EQ(
      units(must(db_->query(
                     {.table = "Things", .index = "gsi", .key_condition = "g = :g", .values = {{":g", "G"}}}))
                .capacity),
      "table 0, gsi 0.5");
  Query local{.table = "Things",
              .index = "lsi",
              .key_condition = "pk = :p",
              .values = {{":p", "q"}},
              .consistent = true};
  EXPECT_EQ(units(must(db_->query(local)).capacity), "table 0, lsi 1");
  // Fetching whole items costs each of them, rounded by itself.
  local.select = Select::kAllAttributes;
  EXPECT_EQ(units(must(db_->query(local)).capacity), "table 3, lsi 1");
  local.consistent = false;
  EXPECT_EQ(units(must(db_->query(local)).capacity), "table 1.5, lsi 0.5");
}

TEST_F(CapacityTest, BatchesCostTheSumOfTheirParts) {
  const BatchWritten written =
      must(db_->batch_write_items({.tables = {{"Things",
                                               {{.item = thing(1500, {{"g", "x"}})},
                                                {.item = {{"pk", "b"}, {"sk", "1"}, {"g", "y"}}},
                                                {.put = false, .item = {{"pk", "c"}, {"sk", "1"}}}}}}}));
  EXPECT_EQ(units(written.capacity.at("Things")), "table 4, gsi 2");
  const BatchGot got = must(db_->batch_get_items(
      {.tables = {
           {"Things",
            {.keys = {{{"pk", "a"}, {"sk", "1"}}, {{"pk", "b"}, {"sk", "1"}}, {{"pk", "z"}, {"sk", "1"}}},
             .consistent = true}}}}));
  EXPECT_EQ(units(got.capacity.at("Things")), "table 3");
}

// A12: a transaction doubles the table's part and not the indexes'.
TEST_F(CapacityTest, TransactionsCostTheTableDouble) {
  const TransactWritten written = must(db_->transact_write_items(
      {.actions = {PutItem{.table = "Things", .item = thing(1500, {{"g", "x"}})}}}));
  EXPECT_EQ(units(written.capacity.at("Things")), "table 4, gsi 1");

  put("Simple", simple(3000));
  const TransactWritten checked = must(db_->transact_write_items(
      {.actions = {
           ConditionCheck{.table = "Simple", .key = {{"pk", "a"}}, .condition = "attribute_exists(pk)"},
           DeleteItem{.table = "Simple", .key = {{"pk", "none"}}}}}));
  EXPECT_EQ(units(checked.capacity.at("Simple")), "table 8");  // 2 x 3 and 2 x 1
}

}  // namespace
}  // namespace sheaf
