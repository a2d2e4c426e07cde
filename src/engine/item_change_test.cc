#include "engine/item_change.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"
#include "engine/index_change.h"
#include "value/hex_text.h"

namespace sheaf::engine {
namespace {

using store::EntryKind;

StoredItem stored(const Item& item) {
  return StoredItem(make_record(item.encoded(), item.view().size_bytes()));
}

// A table with everything that a change can touch.
TableSettings full_settings() {
  TableSettings settings = collection_table("t");
  settings.id = 2;
  settings.indexes = {
      local_index("lsi", text_key("l"), ProjectionKind::kKeysOnly),
      global_index("gsi", {.partition = {text_key("g")}, .sort = {}}, ProjectionKind::kInclude, {"shown"})};
  settings.indexes[0].id = 3;
  settings.indexes[1].id = 4;
  settings.streams = {{.id = 5, .view = StreamView::kNewAndOldImages, .created_us = 1}};
  settings.ttl = {.attribute = "expires", .enabled = true, .id = 6};
  return settings;
}

class ItemChangeTest : public EngineTest {
 protected:
  // What a change adds to a batch.
  struct Added {
    Result<ChangeEffect> effect;
    store::Batch batch;

    std::vector<store::Batch::Entry> entries(EntryKind kind) const {
      std::vector<store::Batch::Entry> found;
      for (size_t i = 0; i < batch.entry_count(); ++i) {
        if (batch.entry(i).kind == kind) found.push_back(batch.entry(i));
      }
      return found;
    }
    // The keys of all entries of a kind, in hexadecimal.
    std::set<std::string> keys(EntryKind kind) const {
      std::set<std::string> keys;
      for (const auto& entry : entries(kind)) keys.insert(hex(entry.key));
      return keys;
    }
    // The deltas of one counter.
    std::vector<int64_t> deltas(const std::string& key) const {
      for (const auto& entry : entries(EntryKind::kAdd)) {
        if (entry.key == key) return store::decode_sums(entry.value);
      }
      return {};
    }
  };

  Added change(const TableSettings& settings, const std::optional<Item>& before,
               const std::optional<Item>& after, ItemOrigin origin = ItemOrigin::kPut) {
    const Table table(settings, store::Version{1});
    const std::optional<StoredItem> old = before ? std::optional(stored(*before)) : std::nullopt;
    const std::optional<StoredItem> made = after ? std::optional(stored(*after)) : std::nullopt;
    const ItemPlace place = place_of_stored(table, after ? *after : before ? *before : kItem);
    store::Batch batch;
    Result<ChangeEffect> effect = add_change(batch, *store().view({}),
                                             {.table = table,
                                              .place = place,
                                              .before = old ? &*old : nullptr,
                                              .after = made ? &*made : nullptr,
                                              .origin = origin});
    return {.effect = std::move(effect), .batch = std::move(batch)};
  }

  static std::string entry_key(const TableSettings& settings, std::string_view index, const Item& item) {
    const Table table(settings, store::Version{1});
    return **index_entry_key(*table.find_index(index), item, place_of_stored(table, item));
  }
  static ItemPlace place_of(const TableSettings& settings, const Item& item) {
    return place_of_stored(Table(settings, store::Version{1}), item);
  }

  static inline const Item kItem{{"PK", "p"},  {"SK", "s"},    {"l", "l1"},         {"g", "g1"},
                                 {"shown", 1}, {"hidden", 10}, {"expires", 2000000}};
  const TableSettings settings_ = full_settings();
};

TEST_F(ItemChangeTest, AnInsertWritesEverythingInOneBatch) {
  const Added added = change(settings_, std::nullopt, kItem);
  ASSERT_TRUE(added.effect.ok()) << outcome_of(added.effect);
  const ItemPlace place = place_of(settings_, kItem);
  const std::string lsi = entry_key(settings_, "lsi", kItem), gsi = entry_key(settings_, "gsi", kItem);

  EXPECT_EQ(added.keys(EntryKind::kPut),
            (std::set{hex(place.key), hex(lsi), hex(gsi), hex(expiry_key(6, 2'000'000, place))}));
  EXPECT_TRUE(added.entries(EntryKind::kErase).empty());
  EXPECT_EQ(added.keys(EntryKind::kAppend),
            std::set{hex(log_prefix(5, StreamSettings().shard_of(place.hash)))});

  const int64_t item_bytes = kItem.view().size_bytes();
  const int64_t lsi_bytes = 2 + 1 + 2 + 1 + 1 + 2;          // PK p SK s l l1
  const int64_t gsi_bytes = 2 + 1 + 2 + 1 + 1 + 2 + 5 + 2;  // PK p SK s g g1 shown 1
  EXPECT_EQ(added.deltas(total_counter_key(2, partition_of(place.hash))),
            (std::vector{int64_t{1}, item_bytes}));
  EXPECT_EQ(added.deltas(total_counter_key(3, partition_of(hash_of(lsi)))),
            (std::vector{int64_t{1}, lsi_bytes}));
  EXPECT_EQ(added.deltas(total_counter_key(4, partition_of(hash_of(gsi)))),
            (std::vector{int64_t{1}, gsi_bytes}));
  EXPECT_EQ(added.deltas(collection_counter_key(2, place)),
            (std::vector{int64_t{1}, item_bytes + lsi_bytes}));
  EXPECT_EQ(added.entries(EntryKind::kAdd).size(), 4u);
  EXPECT_EQ(added.effect->collection_bytes, item_bytes + lsi_bytes);
}

TEST_F(ItemChangeTest, ADeleteTakesEverythingBack) {
  const Added added = change(settings_, kItem, std::nullopt);
  ASSERT_TRUE(added.effect.ok());
  const ItemPlace place = place_of(settings_, kItem);
  EXPECT_EQ(added.keys(EntryKind::kErase),
            (std::set{hex(place.key), hex(entry_key(settings_, "lsi", kItem)),
                      hex(entry_key(settings_, "gsi", kItem)), hex(expiry_key(6, 2'000'000, place))}));
  EXPECT_TRUE(added.entries(EntryKind::kPut).empty());
  EXPECT_EQ(added.entries(EntryKind::kAppend).size(), 1u);
  const Added inserted = change(settings_, std::nullopt, kItem);
  for (const auto& add : inserted.entries(EntryKind::kAdd)) {
    std::vector<int64_t> opposite = store::decode_sums(add.value);
    for (int64_t& delta : opposite) delta = -delta;
    EXPECT_EQ(added.deltas(std::string(add.key)), opposite);
  }
}

TEST_F(ItemChangeTest, AChangeThatNoIndexShowsTouchesNoIndex) {
  Item after = kItem;
  after.set("hidden", Value(11));
  const Added added = change(settings_, kItem, after);
  EXPECT_EQ(added.keys(EntryKind::kPut), std::set{hex(place_of(settings_, kItem).key)});
  EXPECT_TRUE(added.entries(EntryKind::kErase).empty());
  EXPECT_TRUE(added.entries(EntryKind::kAdd).empty()) << "nothing grew";
  EXPECT_TRUE(added.effect->consumed.indexes.empty());
  EXPECT_EQ(added.entries(EntryKind::kAppend).size(), 1u);
}

TEST_F(ItemChangeTest, AProjectedChangeRewritesTheEntryInPlace) {
  Item after = kItem;
  after.set("shown", Value(1234567));  // three bytes more
  const Added added = change(settings_, kItem, after);
  const std::string gsi = entry_key(settings_, "gsi", kItem);
  EXPECT_EQ(added.keys(EntryKind::kPut), (std::set{hex(place_of(settings_, kItem).key), hex(gsi)}));
  EXPECT_TRUE(added.entries(EntryKind::kErase).empty());
  EXPECT_EQ(added.deltas(total_counter_key(4, partition_of(hash_of(gsi)))),
            (std::vector{int64_t{0}, int64_t{3}}));
}

TEST_F(ItemChangeTest, AChangedIndexKeyMovesTheEntry) {
  Item after = kItem;
  after.set("g", Value("g2"));
  const Added added = change(settings_, kItem, after);
  EXPECT_EQ(added.keys(EntryKind::kErase), std::set{hex(entry_key(settings_, "gsi", kItem))});
  EXPECT_EQ(added.keys(EntryKind::kPut),
            (std::set{hex(place_of(settings_, kItem).key), hex(entry_key(settings_, "gsi", after))}));
}

TEST_F(ItemChangeTest, OnlyLocalIndexesCountForTheCollection) {
  Item after = kItem;
  after.set("g", Value("a longer key"));
  EXPECT_EQ(change(settings_, kItem, after).effect->collection_bytes, 10) << "the item alone";
  after = kItem;
  after.set("l", Value("a longer key"));
  EXPECT_EQ(change(settings_, kItem, after).effect->collection_bytes, 2 * 10) << "item and entry";
}

TEST_F(ItemChangeTest, WhatChangesNothingWritesNothing) {
  Item same = kItem;
  same.set("hidden", Value(*Number::parse("10.0")));
  const Added put = change(settings_, kItem, same);
  EXPECT_TRUE(put.batch.empty());
  EXPECT_EQ(put.effect->consumed.table, 2u) << "a unit all the same";
  EXPECT_TRUE(put.effect->consumed.indexes.empty());
  EXPECT_EQ(put.effect->collection_bytes, 0);
  const Added removal = change(settings_, std::nullopt, std::nullopt);
  EXPECT_TRUE(removal.batch.empty());
  EXPECT_EQ(removal.effect->consumed.table, 2u);
}

TEST_F(ItemChangeTest, ATableWithoutSortKeyHasNoCollections) {
  TableSettings settings = table_settings("t", {.partition = {text_key("PK")}, .sort = {}});
  settings.id = 2;
  const Added added = change(settings, std::nullopt, Item{{"PK", "p"}});
  ASSERT_EQ(added.entries(EntryKind::kAdd).size(), 1u);
  EXPECT_EQ(added.deltas(total_counter_key(2, partition_of(place_of(settings, Item{{"PK", "p"}}).hash))),
            (std::vector{int64_t{1}, int64_t{3}}));
}

TEST_F(ItemChangeTest, AClosedStreamGetsNoRecords) {
  TableSettings settings = settings_;
  settings.streams.front().closed_us = 2;
  EXPECT_TRUE(change(settings, std::nullopt, kItem).entries(EntryKind::kAppend).empty());
}

TEST_F(ItemChangeTest, AnIndexThatIsBeingRemovedIsLeftAlone) {
  TableSettings settings = settings_;
  settings.indexes[1].status = IndexStatus::kDeleting;
  const Added added = change(settings, std::nullopt, kItem);
  EXPECT_FALSE(added.keys(EntryKind::kPut).contains(hex(entry_key(settings_, "gsi", kItem))));
  Item unfit = kItem;
  unfit.set("g", Value(1));
  EXPECT_TRUE(change(settings, std::nullopt, unfit).effect.ok());
}

// The filling of the index may not have come to this item yet.
TEST_F(ItemChangeTest, WhileAnIndexIsBeingCreatedTheOldEntryIsReadNotInferred) {
  TableSettings settings = settings_;
  settings.indexes[1].status = IndexStatus::kCreating;
  const std::string old_entry = entry_key(settings, "gsi", kItem);
  Item after = kItem;
  after.set("g", Value("g2"));
  const std::string total = total_counter_key(4, partition_of(hash_of(entry_key(settings, "gsi", after))));

  const Added unfilled = change(settings, kItem, after);
  EXPECT_FALSE(unfilled.keys(EntryKind::kErase).contains(hex(old_entry)));
  EXPECT_EQ(unfilled.deltas(total).front(), 1);

  store::Batch filling;
  filling.put(old_entry, stored(kItem).bytes());
  commit(store(), std::move(filling));
  const Added filled = change(settings, kItem, after);
  EXPECT_TRUE(filled.keys(EntryKind::kErase).contains(hex(old_entry)));
}

// Filling does not touch the item, so the item's own guard would not notice it.
TEST_F(ItemChangeTest, WhileAnIndexIsBeingCreatedTheOldEntryIsGuarded) {
  TableSettings settings = settings_;
  EXPECT_TRUE(change(settings, kItem, std::nullopt).entries(EntryKind::kGuard).empty());
  settings.indexes[1].status = IndexStatus::kCreating;
  EXPECT_EQ(change(settings, kItem, std::nullopt).keys(EntryKind::kGuard),
            std::set{hex(entry_key(settings, "gsi", kItem))});
}

TEST_F(ItemChangeTest, ExpiryEntriesFollowTheItem) {
  const ItemPlace place = place_of(settings_, kItem);
  Item later = kItem;
  later.set("expires", Value(3'000'000));
  const Added moved = change(settings_, kItem, later);
  EXPECT_TRUE(moved.keys(EntryKind::kErase).contains(hex(expiry_key(6, 2'000'000, place))));
  EXPECT_TRUE(moved.keys(EntryKind::kPut).contains(hex(expiry_key(6, 3'000'000, place))));
  Item never = kItem;
  never.remove("expires");
  const Added stays = change(settings_, kItem, never);
  EXPECT_EQ(stays.keys(EntryKind::kErase), std::set{hex(expiry_key(6, 2'000'000, place))});
  TableSettings off = settings_;
  off.ttl.enabled = false;
  EXPECT_FALSE(
      change(off, std::nullopt, kItem).keys(EntryKind::kPut).contains(hex(expiry_key(6, 2'000'000, place))));
}

TEST_F(ItemChangeTest, OnlyANumberOfSecondsIsAnExpiry) {
  const auto expires = [&](const Value& value) {
    return expiry_of(settings_, Item{{"PK", "p"}, {"SK", "s"}, {"expires", value}});
  };
  EXPECT_EQ(expires(Value(1'800'000'000)), 1'800'000'000u);
  EXPECT_EQ(expires(Value(*Number::parse("1800000000.9"))), 1'800'000'000u);
  EXPECT_EQ(expires(Value(0)), 0u);
  EXPECT_EQ(expires(Value("1800000000")), std::nullopt);
  EXPECT_EQ(expires(Value(-1)), std::nullopt);
  EXPECT_EQ(expires(Value(*Number::parse("1e100"))), std::nullopt);
  EXPECT_EQ(expires(Value::number_set({1})), std::nullopt);
  EXPECT_EQ(expiry_of(settings_, Item{{"PK", "p"}}), std::nullopt);
}

TEST_F(ItemChangeTest, APutIsRefusedForAnIndexKeyThatTheIndexCannotTake) {
  Item unfit = kItem;
  unfit.set("g", Value(1));
  EXPECT_EQ(outcome_of(change(settings_, std::nullopt, unfit).effect),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N "
            "IndexName: gsi");
}

// It may have been put before there was an index to object.
TEST_F(ItemChangeTest, APutOfTheSameItemAnswersForItsIndexKeysAllTheSame) {
  Item unfit = kItem;
  unfit.set("g", Value(1));
  EXPECT_FALSE(change(settings_, unfit, unfit, ItemOrigin::kPut).effect.ok());
  EXPECT_TRUE(change(settings_, unfit, unfit, ItemOrigin::kUpdate).effect.ok());
}

TEST_F(ItemChangeTest, AnUpdateAnswersOnlyForTheIndexKeysThatItChanges) {
  Item unfit = kItem;
  unfit.set("g", Value(1));
  Item changed = unfit;
  changed.set("hidden", Value(99));
  const Added kept = change(settings_, unfit, changed, ItemOrigin::kUpdate);
  ASSERT_TRUE(kept.effect.ok()) << outcome_of(kept.effect);
  EXPECT_TRUE(kept.effect->consumed.indexes.empty());
  EXPECT_FALSE(change(settings_, unfit, changed, ItemOrigin::kPut).effect.ok());
  changed.set("g", Value(2));
  EXPECT_FALSE(change(settings_, unfit, changed, ItemOrigin::kUpdate).effect.ok());
  changed.set("g", Value("now it fits"));
  EXPECT_TRUE(change(settings_, unfit, changed, ItemOrigin::kUpdate).effect.ok());
}

// A12: the units of the table and of each index.
class ItemChangeUnits : public ItemChangeTest {
 protected:
  // {table, gsi} in whole units; -1 for an index without an arm.
  std::pair<int, int> units(const std::optional<Item>& before, const std::optional<Item>& after) {
    TableSettings settings = collection_table("t");
    settings.indexes = {
        global_index("gsi", {.partition = {text_key("g")}, .sort = {}}, ProjectionKind::kKeysOnly)};
    const Added added = change(settings, before, after);
    const Consumed& consumed = added.effect->consumed;
    const int index =
        consumed.indexes.empty() ? -1 : static_cast<int>(consumed.indexes.front().half_units / 2);
    return {static_cast<int>(consumed.table / 2), index};
  }
  static Item sized(size_t bytes, std::string_view g) {
    Item item{{"PK", "p"}, {"SK", "s"}, {"text", std::string(bytes, 'x')}};
    if (!g.empty()) item.set("g", Value(g));
    return item;
  }
};

TEST_F(ItemChangeUnits, AreThoseOfTheWorkedExamples) {
  using Units = std::pair<int, int>;
  EXPECT_EQ(units(std::nullopt, sized(10, "a")), Units(1, 1));
  EXPECT_EQ(units(std::nullopt, sized(10, "")), Units(1, -1));
  EXPECT_EQ(units(sized(3500, "a"), sized(500, "a")), Units(4, -1));
  EXPECT_EQ(units(sized(3500, "a"), sized(500, "b")), Units(4, 2));
  EXPECT_EQ(units(sized(10, "a"), sized(20, "a")), Units(1, -1));
  EXPECT_EQ(units(sized(10, "a"), sized(10, "")), Units(1, 1));
  EXPECT_EQ(units(sized(3500, "a"), std::nullopt), Units(4, 1));
  EXPECT_EQ(units(sized(3500, "a"), sized(3500, "a")), Units(4, -1));
}

}  // namespace
}  // namespace sheaf::engine
