#include "engine/index_change.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace sheaf::engine {
namespace {

TableSettings settings_with(ProjectionKind projection, std::vector<std::string> included = {}) {
  TableSettings settings = collection_table("t");
  settings.indexes = {global_index("gsi", {.partition = {text_key("g")}, .sort = {number_key("r")}},
                                   projection, std::move(included))};
  settings.indexes.front().id = 9;
  return settings;
}

// An item in the index, with a text of so many bytes.
Item item_of(std::string_view g, size_t text_bytes) {
  return Item{{"PK", "p"}, {"SK", "s"}, {"g", g}, {"r", 1}, {"text", std::string(text_bytes, 'x')}};
}
// What such an item has beside the text's bytes: PK, p, SK, s, g, its one letter, r, 1, text.
constexpr size_t kRest = 3 + 3 + 2 + 3 + 4;

class IndexChangeTest : public testing::Test {
 protected:
  std::optional<IndexEntry> entry(const Item& item) const {
    return stored_index_entry(table_.indexes.front(), place_of_stored(table_, item),
                              {.item = item, .size_bytes = item.view().size_bytes()});
  }

  const Table table_{settings_with(ProjectionKind::kAll), store::Version{1}};
};

TEST_F(IndexChangeTest, FromNoneToNoneNothingHappens) {
  const IndexChange change = index_change(std::nullopt, std::nullopt);
  EXPECT_FALSE(change.erase || change.put);
  EXPECT_EQ(change.units, 0u);
}

// A12: every index's extra write load is metered.
TEST_F(IndexChangeTest, ANewEntryCostsItsSize) {
  const IndexChange small = index_change(std::nullopt, entry(item_of("a", 1024 - kRest)));
  EXPECT_EQ(small.put->key, entry(item_of("a", 0))->key);
  EXPECT_FALSE(small.erase);
  EXPECT_FALSE(small.in_place);
  EXPECT_EQ(small.units, 1u);
  EXPECT_EQ(index_change(std::nullopt, entry(item_of("a", 1025 - kRest))).units, 2u);
}

TEST_F(IndexChangeTest, AnEntryThatGoesCostsItsSize) {
  const IndexChange change = index_change(entry(item_of("a", 2049 - kRest)), std::nullopt);
  EXPECT_EQ(change.erase->key, entry(item_of("a", 0))->key);
  EXPECT_EQ(change.erase->size_bytes, 2049u);
  EXPECT_FALSE(change.put);
  EXPECT_EQ(change.units, 3u);
}

TEST_F(IndexChangeTest, AnEqualEntryCostsNothing) {
  Item before = item_of("a", 5000);
  before.set("set", Value::string_set({"x", "y"}));
  Item after = item_of("a", 5000);
  after.set("set", Value::string_set({"y", "x"}));
  const IndexChange change = index_change(entry(before), entry(after));
  EXPECT_FALSE(change.erase || change.put);
  EXPECT_EQ(change.units, 0u);
}

TEST_F(IndexChangeTest, AnEntryThatStaysInPlaceCostsTheLargerOfTheTwo) {
  const IndexChange shrinks = index_change(entry(item_of("a", 3000)), entry(item_of("a", 10)));
  EXPECT_TRUE(shrinks.in_place);
  EXPECT_FALSE(shrinks.erase);
  EXPECT_EQ(shrinks.replaced_bytes, 3000 + kRest);
  EXPECT_EQ(shrinks.put->size_bytes, 10 + kRest);
  EXPECT_EQ(shrinks.units, 3u);
  EXPECT_EQ(index_change(entry(item_of("a", 10)), entry(item_of("a", 3000))).units, 3u);
}

TEST_F(IndexChangeTest, AnEntryThatMovesCostsBoth) {
  const IndexChange moves = index_change(entry(item_of("a", 3000)), entry(item_of("b", 1500)));
  EXPECT_FALSE(moves.in_place);
  EXPECT_EQ(moves.replaced_bytes, 0u);
  EXPECT_EQ(moves.erase->key, entry(item_of("a", 0))->key);
  EXPECT_EQ(moves.put->key, entry(item_of("b", 0))->key);
  EXPECT_EQ(moves.units, 3u + 2u);
}

TEST(IndexEntryTest, HoldsWhatTheIndexProjects) {
  const Item item{{"PK", "p"}, {"SK", "s"}, {"g", "a"}, {"r", 1}, {"x", 5}, {"y", 6}, {"zz", 7}};
  const auto entry_in = [&](ProjectionKind projection, std::vector<std::string> included) {
    const Table table(settings_with(projection, std::move(included)), store::Version{1});
    return *stored_index_entry(table.indexes.front(), place_of_stored(table, item),
                               {.item = item, .size_bytes = item.view().size_bytes()});
  };
  const auto held = [](const IndexEntry& entry) {
    const Record record = Record::of(entry.record);
    EXPECT_EQ(record.size_bytes, record.item.size_bytes());
    EXPECT_EQ(record.size_bytes, entry.size_bytes);
    return Item(record.item);
  };
  EXPECT_EQ(held(entry_in(ProjectionKind::kAll, {})), item);
  EXPECT_EQ(held(entry_in(ProjectionKind::kKeysOnly, {})),
            (Item{{"PK", "p"}, {"SK", "s"}, {"g", "a"}, {"r", 1}}));
  EXPECT_EQ(held(entry_in(ProjectionKind::kInclude, {"zz", "x", "not there"})),
            (Item{{"PK", "p"}, {"SK", "s"}, {"g", "a"}, {"r", 1}, {"x", 5}, {"zz", 7}}));
  EXPECT_EQ(held(entry_in(ProjectionKind::kInclude, {"PK", "g"})),
            (Item{{"PK", "p"}, {"SK", "s"}, {"g", "a"}, {"r", 1}}));
}

TEST(IndexEntryTest, TheUnprojectedPartOfAnItemCostsNothing) {
  const Table table(settings_with(ProjectionKind::kKeysOnly), store::Version{1});
  const auto entry = [&](const Item& item) {
    return stored_index_entry(table.indexes.front(), place_of_stored(table, item),
                              {.item = item, .size_bytes = item.view().size_bytes()});
  };
  EXPECT_EQ(index_change(entry(item_of("a", 10)), entry(item_of("a", 5000))).units, 0u);
  EXPECT_EQ(index_change(entry(item_of("a", 3500)), entry(item_of("b", 500))).units, 2u);
}

// A9: items without the index keys are absent from the index.
TEST(IndexEntryTest, AnItemWithoutTheIndexKeysHasNone) {
  const Table table(settings_with(ProjectionKind::kAll), store::Version{1});
  Item item = item_of("a", 10);
  item.remove("r");
  EXPECT_FALSE(stored_index_entry(table.indexes.front(), place_of_stored(table, item),
                                  {.item = item, .size_bytes = item.view().size_bytes()}));
}

TEST(IndexEntryTest, AStoredItemThatTheIndexCannotTakeHasNone) {
  const Table table(settings_with(ProjectionKind::kAll), store::Version{1});
  for (const Value& wrong : {Value(1), Value(""), Value(std::string(2049, 'g'))}) {
    Item item = item_of("a", 10);
    item.set("g", wrong);
    const Record record{.item = item, .size_bytes = item.view().size_bytes()};
    const ItemPlace place = place_of_stored(table, item);
    EXPECT_FALSE(stored_index_entry(table.indexes.front(), place, record));
    EXPECT_FALSE(index_entry(table.indexes.front(), place, record, ItemOrigin::kPut).ok());
  }
}

TEST(IndexEntryTest, TheIndexKeyIsTheSameIfAllItsAttributesAre) {
  const Table table(settings_with(ProjectionKind::kAll), store::Version{1});
  const Index& index = table.indexes.front();
  const Item item = item_of("a", 10);
  EXPECT_TRUE(same_index_key(index, item, item_of("a", 99)));
  EXPECT_FALSE(same_index_key(index, item, item_of("b", 10)));
  Item without = item;
  without.remove("r");
  EXPECT_FALSE(same_index_key(index, item, without));
  EXPECT_FALSE(same_index_key(index, without, item));
  EXPECT_TRUE(same_index_key(index, without, without));
}

}  // namespace
}  // namespace sheaf::engine
