// Every rule by which DynamoDB charges, from a request to its price: metered, and held against what comes out
// on paper. Prices are those of the example: a million read units cost 0.125, a million write units 0.625.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "cost/bill.h"
#include "measure/meter.h"

namespace sheaf::units {
namespace {

class PricedRules : public ::testing::Test {
 protected:
  PricedRules() : inner_(Database::open_in_memory({.background_thread = false})), meter_(*inner_) {
    const auto created = inner_->create_table(
        {.table = "app",
         .key = {.partition = {{"pk"}}, .sort = {{"sk"}}},
         .global_indexes = {
             {.name = "all", .key = {.partition = {{"a"}}}},
             {.name = "keys", .key = {.partition = {{"k"}}}, .projection = ProjectionKind::kKeysOnly}}});
    EXPECT_TRUE(created.ok());
  }

  // An item of so many bytes, with these attributes.
  static Item item(const std::string& sk, uint32_t bytes,
                   std::initializer_list<std::pair<std::string_view, Value>> more = {}) {
    Item made{{"pk", "p"}, {"sk", sk}};
    for (const auto& [name, value] : more) made.set(name, value);
    made.set("x", Value(std::string(bytes - made.view().size_bytes() - 1, 'x')));
    EXPECT_EQ(made.view().size_bytes(), bytes);
    return made;
  }
  static Item key(const std::string& sk) { return {{"pk", "p"}, {"sk", sk}}; }
  // Not metered.
  void put(const Item& put) { EXPECT_TRUE(inner_->put_item({.table = "app", .item = put}).ok()); }

  // What a million of what was just asked for cost: the table's reads and writes and those of indexes, and
  // the sum in the currency.
  std::string million() {
    const measure::Usage usage = meter_.take();
    cost::Work work{.name = "it", .runs = 1};
    const auto add = [&](const std::map<std::string, Capacity>& tables, uint64_t cost::HalfUnits::*what) {
      for (const auto& [table, capacity] : tables) {
        work.used[{.table = table}].*what += static_cast<uint64_t>(std::llround(2 * capacity.table));
        for (const auto& [index, units] : capacity.indexes)
          work.used[{.table = table, .index = index}].*what += static_cast<uint64_t>(std::llround(2 * units));
      }
    };
    add(usage.reads, &cost::HalfUnits::reads);
    add(usage.writes, &cost::HalfUnits::writes);
    return cost::money_text(*cost::millionths_for_a_million(prices_, cost::TableClass::kStandard, work));
  }

  std::string get(const std::string& sk, bool consistent) {
    EXPECT_TRUE(meter_.get_item({.table = "app", .key = key(sk), .consistent = consistent}).ok());
    return million();
  }
  std::string write(const Item& written) {
    EXPECT_TRUE(meter_.put_item({.table = "app", .item = written}).ok());
    return million();
  }

  const cost::Prices prices_ = *cost::read_prices(cost::example_prices());
  const std::unique_ptr<Database> inner_;
  measure::Meter meter_;
};

TEST_F(PricedRules, AGetIsRoundedUpTo4KBAndHalfIfEventual) {
  put(item("a", 4096));
  put(item("b", 4097));
  EXPECT_EQ(get("a", true), "0.125000");
  EXPECT_EQ(get("a", false), "0.062500");
  EXPECT_EQ(get("b", true), "0.250000");
  EXPECT_EQ(get("b", false), "0.125000");
}

TEST_F(PricedRules, WhatIsNotThereCostsTheLeast) {
  EXPECT_EQ(get("nobody", false), "0.062500");
  ASSERT_TRUE(meter_.query({.table = "app", .key_condition = "pk = :p", .values = {{":p", "nobody"}}}).ok());
  EXPECT_EQ(million(), "0.062500");
}

TEST_F(PricedRules, AQueryIsRoundedOnceABatchForEachItem) {
  for (const char* sk : {"a", "b", "c", "d"}) put(item(sk, 1000));
  // 4,000 bytes: one unit, half of it.
  ASSERT_TRUE(meter_.query({.table = "app", .key_condition = "pk = :p", .values = {{":p", "p"}}}).ok());
  EXPECT_EQ(million(), "0.062500");
  // A filter drops, and saves nothing.
  ASSERT_TRUE(meter_
                  .query({.table = "app",
                          .key_condition = "pk = :p",
                          .filter = "x = :none",
                          .values = {{":p", "p"}, {":none", "none"}}})
                  .ok());
  EXPECT_EQ(million(), "0.062500");
  // Four items of one unit each, half of each.
  BatchGetItems batch;
  for (const char* sk : {"a", "b", "c", "d"}) batch.tables["app"].keys.push_back(key(sk));
  ASSERT_TRUE(meter_.batch_get_items(batch).ok());
  EXPECT_EQ(million(), "0.250000");
}

TEST_F(PricedRules, AScanCostsAllThatItReads) {
  for (const char* sk : {"a", "b", "c"}) put(item(sk, 4000));
  ASSERT_TRUE(meter_.scan({.table = "app"}).ok());
  EXPECT_EQ(million(), "0.187500");  // 12,000 bytes: three units, half of each
}

TEST_F(PricedRules, TransactionsCostTheTableDouble) {
  put(item("a", 100));
  ASSERT_TRUE(meter_.transact_get_items({.gets = {{.table = "app", .key = key("a")}}}).ok());
  EXPECT_EQ(million(), "0.250000");
  // Two write units for the table, and one for the index, which is not doubled.
  TransactWriteItems transaction;
  transaction.actions.emplace_back(PutItem{.table = "app", .item = item("b", 100, {{"k", "x"}})});
  ASSERT_TRUE(meter_.transact_write_items(transaction).ok());
  EXPECT_EQ(million(), "1.875000");
  // What is only checked costs as much as what is written.
  TransactWriteItems check;
  check.actions.emplace_back(
      ConditionCheck{.table = "app", .key = key("a"), .condition = "attribute_exists(pk)"});
  ASSERT_TRUE(meter_.transact_write_items(check).ok());
  EXPECT_EQ(million(), "1.250000");
}

TEST_F(PricedRules, AWriteIsRoundedUpToAKBOfTheLargerImage) {
  EXPECT_EQ(write(item("a", 1024)), "0.625000");
  EXPECT_EQ(write(item("a", 1025)), "1.250000");
  EXPECT_EQ(write(item("a", 100)), "1.250000");
  EXPECT_EQ(write(item("a", 100)), "0.625000");
  put(item("b", 2500));
  ASSERT_TRUE(meter_.delete_item({.table = "app", .key = key("b")}).ok());
  EXPECT_EQ(million(), "1.875000");
}

TEST_F(PricedRules, AConditionThatFailsCostsWhatWasThere) {
  put(item("a", 2500));
  const auto refused =
      meter_.put_item({.table = "app", .item = item("a", 100), .condition = "attribute_not_exists(pk)"});
  ASSERT_TRUE(refused.ok());
  EXPECT_FALSE(refused->condition_met);
  EXPECT_EQ(million(), "1.875000");
}

// A12: an index costs what changes in it.
TEST_F(PricedRules, AnIndexIsWrittenWhenItsEntryChanges) {
  EXPECT_EQ(write(item("a", 100, {{"a", "x"}})), "1.250000");              // the item, and an entry
  EXPECT_EQ(write(item("a", 100, {{"a", "x"}})), "0.625000");              // nothing new in the index
  EXPECT_EQ(write(item("a", 200, {{"a", "x"}})), "1.250000");              // the entry, in place
  EXPECT_EQ(write(item("a", 200, {{"a", "y"}})), "1.875000");              // another key: delete and put
  EXPECT_EQ(write(item("a", 200, {{"a", "y"}, {"k", "z"}})), "1.875000");  // both indexes
  EXPECT_EQ(write(item("a", 300)), "1.875000");                            // both entries go
  put(item("b", 100, {{"k", "z"}}));
  EXPECT_EQ(write(item("b", 900, {{"k", "z"}})),
            "0.625000");  // what the index does not hold costs it nothing
  EXPECT_EQ(write(item("b", 2000, {{"k", "w"}})), "2.500000");  // two of the table; entries are small: two
}

}  // namespace
}  // namespace sheaf::units
