#include "engine/store_keys.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/big_endian.h"
#include "engine/engine_fixture.h"
#include "engine/jobs.h"
#include "engine/request_tokens.h"
#include "value/hex_text.h"
#include "value/key_codec.h"
#include "value/random_value.h"

namespace sheaf::engine {
namespace {

// The table of the worked examples in doc/key-format.md.
TableSettings tasks() {
  TableSettings settings =
      table_settings("tasks", {.partition = {text_key("PK")}, .sort = {number_key("SK")}});
  settings.id = 2;
  settings.indexes = {
      local_index("by-due", text_key("due")),
      global_index("by-status", {.partition = {text_key("status")}, .sort = {number_key("rank")}}),
      global_index("by-place", {.partition = {text_key("status"), number_key("rank")},
                                .sort = {text_key("due"), text_key("city")}})};
  for (Id id = 3; IndexSettings & index : settings.indexes) index.id = id++;
  return settings;
}

const Item kTask{{"PK", "ORG#1"},    {"SK", 7},    {"due", "2026"},
                 {"status", "open"}, {"rank", 42}, {"city", "Bonn"}};

class StoreKeys : public testing::Test {
 protected:
  ItemPlace place_of(const Item& item) const { return *place_of_item(table_, item); }
  std::string entry_of(std::string_view index, const Item& item) const {
    return **index_entry_key(*table_.find_index(index), item, place_of(item));
  }

  const Table table_{tasks(), store::Version{1}};
};

// Joins the parts of a key as the document draws it.
std::string bytes(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view part : parts) joined += (joined.empty() ? "" : " ") + std::string(part);
  return joined;
}

// Components of the worked examples.
constexpr std::string_view kOrg1 = "4F 52 47 23 31 00 01";
constexpr std::string_view kHashOfOrg1 = "62 B8 16 FD BC DB 6E 39";
constexpr std::string_view kSeven = "C1 08 00";
constexpr std::string_view kOpen = "6F 70 65 6E 00 01";
constexpr std::string_view kHashOfOpen = "70 80 06 80 57 C6 B9 AF";
constexpr std::string_view kFortyTwo = "C1 2B 00";
constexpr std::string_view kHashOfOpenFortyTwo = "11 B4 6D 84 F8 AB F3 50";
constexpr std::string_view kYear = "32 30 32 36 00 01";
constexpr std::string_view kBonn = "42 6F 6E 6E 00 01";

TEST_F(StoreKeys, CatalogRowsAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(table_catalog_key("tasks")), "01 74 74 61 73 6B 73");
  EXPECT_EQ(hex(next_id_key()), "01 6E");
  EXPECT_EQ(table_name_of(table_catalog_key("tasks")), "tasks");
}

TEST_F(StoreKeys, AllTablesAreBetweenTheFirstNameAndTheLast) {
  const store::Range range = all_tables();
  EXPECT_EQ(hex(range.begin), "01 74");
  EXPECT_EQ(hex(range.end), "01 75");
  EXPECT_FALSE(next_id_key() >= range.begin && next_id_key() < range.end);
}

TEST_F(StoreKeys, ItemsAreLaidOutAsDocumented) {
  const ItemPlace place = place_of(kTask);
  EXPECT_EQ(hex(place.key), bytes({"02", "00 00 00 02", kHashOfOrg1, kOrg1, kSeven}));
  EXPECT_EQ(place.hash, 0x62b816fdbcdb6e39u);
}

TEST_F(StoreKeys, APlaceKnowsThePartsOfItsKey) {
  const ItemPlace place = place_of(kTask);
  EXPECT_EQ(hex(place.collection()), bytes({"02", "00 00 00 02", kHashOfOrg1, kOrg1}));
  EXPECT_EQ(hex(place.partition_components()), kOrg1);
  EXPECT_EQ(hex(place.sort_components()), kSeven);
  EXPECT_EQ(hex(place.primary_key()), bytes({kOrg1, kSeven}));
  EXPECT_EQ(hash_of(place.key), place.hash);
}

TEST_F(StoreKeys, LocalIndexEntriesAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(entry_of("by-due", kTask)), bytes({"03", "00 00 00 03", kHashOfOrg1, kOrg1, kYear, kSeven}));
}

TEST_F(StoreKeys, GlobalIndexEntriesAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(entry_of("by-status", kTask)),
            bytes({"03", "00 00 00 04", kHashOfOpen, kOpen, kFortyTwo, kOrg1, kSeven}));
}

TEST_F(StoreKeys, IndexEntriesOfSeveralAttributesAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(entry_of("by-place", kTask)),
            bytes({"03", "00 00 00 05", kHashOfOpenFortyTwo, kOpen, kFortyTwo, kYear, kBonn, kOrg1, kSeven}));
  EXPECT_EQ(hash_of(entry_of("by-place", kTask)), 0x11b46d84f8abf350u);
}

TEST_F(StoreKeys, LogRowsAreLaidOutAsDocumented) {
  // The store puts stamp and position behind the prefix.
  EXPECT_EQ(hex(log_prefix(6, 1)), "04 00 00 00 06 01");
}

TEST_F(StoreKeys, TotalsAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(total_counter_key(2, 1)), "05 00 00 00 02 00 00 01");
  EXPECT_EQ(hex(total_counters(2).begin), "05 00 00 00 02 00");
  EXPECT_EQ(hex(total_counters(2).end), "05 00 00 00 02 01");
}

TEST_F(StoreKeys, CollectionCountersAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(collection_counter_key(2, place_of(kTask))),
            bytes({"05", "00 00 00 02", "01", kHashOfOrg1, kOrg1}));
  EXPECT_EQ(hex(collection_counters(2).begin), "05 00 00 00 02 01");
  EXPECT_EQ(hex(collection_counters(2).end), "05 00 00 00 02 02");
}

TEST_F(StoreKeys, JobsAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(job_key(JobKind::kFillIndex, 4)), "06 01 00 00 00 04");
  EXPECT_EQ(hex(job_key(JobKind::kClear, 2)), "06 05 00 00 00 02");
}

TEST_F(StoreKeys, TokensAreLaidOutAsDocumented) {
  // Generation 3000000 is the ten minutes from 1800000000 seconds on.
  const ManualClock clock(kTestStartUs);
  const std::unique_ptr<store::Store> store = store::open_memory_store(clock);
  store::Batch batch;
  ASSERT_FALSE(*check_token(*store->view({}), {.text = "tok", .fingerprint = "f"}, clock.now_us(), batch));
  const store::Batch::Entry row = batch.entry(batch.entry_count() - 1);
  EXPECT_EQ(hex(row.key), "07 00 00 00 00 00 2D C6 C0 74 6F 6B");
  EXPECT_EQ(hex(row.value), "00 06 65 17 28 98 80 00 66");
}

TEST_F(StoreKeys, ExpiryEntriesAreLaidOutAsDocumented) {
  EXPECT_EQ(hex(expiry_key(8, 1'800'000'000, place_of(kTask))),
            bytes({"08", "00 00 00 08", "00 00 00 00 6B 49 D2 00", kOrg1, kSeven}));
}

TEST_F(StoreKeys, ThePartitionIsTheFirstTwoBitsOfTheHash) {
  EXPECT_EQ(partition_of(0x3fffffffffffffffu), 0);
  EXPECT_EQ(partition_of(0x4000000000000000u), 1);
  EXPECT_EQ(partition_of(0xbfffffffffffffffu), 2);
  EXPECT_EQ(partition_of(0xc000000000000000u), 3);
  EXPECT_EQ(partition_of(place_of(kTask).hash), 1);
}

TEST_F(StoreKeys, TheShardIsGivenByTheFirstBitsOfTheHash) {
  const uint64_t hash = 0xdfffffffffffffffu;
  EXPECT_EQ((StreamSettings{.shard_bits = 0}).shard_of(hash), 0);
  EXPECT_EQ((StreamSettings{.shard_bits = 1}).shard_of(hash), 1);
  EXPECT_EQ(StreamSettings().shard_of(hash), 3);
  EXPECT_EQ((StreamSettings{.shard_bits = kShardBitsMax}).shard_of(hash), 0x6f);
  EXPECT_EQ((StreamSettings{.shard_bits = 0}).shard_count(), 1u);
  EXPECT_EQ(StreamSettings().shard_count(), 4u);
  EXPECT_EQ(StreamSettings().shard_of(place_of(kTask).hash), 1);
}

// A4: the items of a partition key lie together, in the order of their sort keys.
TEST_F(StoreKeys, AnItemCollectionIsOneRangeInSortKeyOrder) {
  Random random;
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  std::map<std::string, std::pair<std::string, Number>> by_key;
  for (int i = 0; i < 2000; ++i) {
    const std::string partition = "p" + random.text(2);
    const Number sort = random.number();
    by_key.emplace(place_of(Item{{"PK", partition}, {"SK", sort}}).key, std::pair(partition, sort));
  }
  std::set<std::string> finished;
  const std::pair<std::string, Number>* before = nullptr;
  for (const auto& [key, names] : by_key) {
    if (before != nullptr && before->first == names.first) {
      EXPECT_LT(before->second, names.second);
    } else {
      EXPECT_TRUE(finished.insert(names.first).second) << "a collection in two pieces";
    }
    before = &names;
  }
  EXPECT_GT(finished.size(), 20u);
}

TEST_F(StoreKeys, APartitionIsNamedByItsPartitionAttributesAlone) {
  const Result<ItemPlace> partition = place_of_partition(table_, Item{{"PK", "ORG#1"}});
  ASSERT_TRUE(partition.ok()) << outcome_of(partition);
  EXPECT_EQ(partition->key, place_of(kTask).collection());
  EXPECT_EQ(outcome_of(place_of_partition(table_, Item{{"PK", "ORG#1"}, {"SK", 7}})),
            "The provided key element does not match the schema");
}

TEST_F(StoreKeys, APutAKeyAndAStoredItemHaveTheSamePlace) {
  const ItemPlace put = place_of(kTask);
  EXPECT_EQ(place_of_key(table_, Item{{"PK", "ORG#1"}, {"SK", 7}})->key, put.key);
  EXPECT_EQ(place_of_stored(table_, kTask).key, put.key);
  EXPECT_EQ(place_of_stored(table_, kTask).partition_end, put.partition_end);
}

TEST_F(StoreKeys, EqualNumbersNameTheSameItem) {
  const Number seven = *Number::parse("7.00");
  EXPECT_EQ(place_of_key(table_, Item{{"PK", "ORG#1"}, {"SK", seven}})->key, place_of(kTask).key);
}

// A9: items without the index keys are absent from the index.
TEST_F(StoreKeys, AnItemThatLacksOneKeyAttributeHasNoEntry) {
  for (const std::string_view lacking : {"status", "rank", "due", "city"}) {
    Item item = kTask;
    item.remove(lacking);
    const auto entry = index_entry_key(*table_.find_index("by-place"), item, place_of(item));
    ASSERT_TRUE(entry.ok()) << outcome_of(entry);
    EXPECT_FALSE(entry->has_value()) << lacking;
  }
}

TEST_F(StoreKeys, EntriesWithEqualIndexKeysLieInTheOrderOfTheBaseItems) {
  Item later = kTask;
  later.set("SK", Value(8));
  Item other = kTask;
  other.set("PK", Value("ORG#2"));
  EXPECT_LT(entry_of("by-status", kTask), entry_of("by-status", later));
  EXPECT_LT(entry_of("by-status", later), entry_of("by-status", other));
}

}  // namespace
}  // namespace sheaf::engine
