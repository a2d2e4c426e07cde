// Item collections: their sizes, their limit, and the warnings on the way there.
#include "engine/collection_watch.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"
#include "engine/store_audit.h"
#include "value/random_value.h"

namespace sheaf::engine {
namespace {

Item key(std::string_view partition, std::string_view sort) { return Item{{"PK", partition}, {"SK", sort}}; }

// An item whose bytes by DynamoDB's count are so many.
Item sized(std::string_view partition, std::string_view sort, size_t bytes) {
  Item item = key(partition, sort);
  item.set("b", Value(std::string(bytes - item.view().size_bytes() - 1, 'x')));
  return item;
}

class Collections : public EngineTest {
 protected:
  void create_limited(std::string name) {
    TableSettings settings = collection_table(std::move(name));
    settings.indexes = {local_index("lsi", text_key("l"))};
    create(settings);
  }

  CollectionSize size(std::string_view name, std::string_view partition) {
    const TableRef found = table(name);
    const ItemPlace place = *place_of_partition(*found, Item{{"PK", partition}});
    return *collection_size(*store().view({}), *found, place);
  }

  Code refusal(ItemWrite write) {
    const Result<WriteAnswer> answer = write_one(engine(), std::move(write));
    EXPECT_FALSE(answer.ok());
    return answer.ok() ? Code::kIo : answer.error().code;
  }
};

// A20: items and bytes of a partition key are known.
TEST_F(Collections, SizesFollowEveryWrite) {
  create(collection_table("t"));
  EXPECT_EQ(size("t", "a").item_count, 0);
  put("t", sized("a", "1", 100));
  put("t", sized("a", "2", 50));
  put("t", sized("b", "1", 30));
  EXPECT_EQ(size("t", "a").item_count, 2);
  EXPECT_EQ(size("t", "a").size_bytes, 150);
  EXPECT_EQ(size("t", "b").size_bytes, 30);
  put("t", sized("a", "2", 70));
  EXPECT_EQ(size("t", "a").size_bytes, 170);
  remove("t", key("a", "1"));
  EXPECT_EQ(size("t", "a").item_count, 1);
  EXPECT_EQ(size("t", "a").size_bytes, 70);
  remove("t", key("a", "2"));
  EXPECT_EQ(size("t", "a").item_count, 0);
  EXPECT_EQ(size("t", "a").size_bytes, 0);
}

// A20: local index entries are part of the collection.
TEST_F(Collections, BytesOfLocalIndexEntriesCount) {
  create_limited("t");
  put("t", Item{{"PK", "a"}, {"SK", "1"}, {"l", "x"}});  // 8 bytes, and the same in the index
  EXPECT_EQ(size("t", "a").item_count, 1);
  EXPECT_EQ(size("t", "a").size_bytes, 16);
  put("t", key("a", "2"));  // 6 bytes, and no entry
  EXPECT_EQ(size("t", "a").size_bytes, 22);
}

// A20
TEST_F(Collections, SizesAndIndexesAreExactAfterRandomWrites) {
  TableSettings settings = collection_table("t");
  settings.indexes = {local_index("all", text_key("l")),
                      local_index("keys", number_key("n"), ProjectionKind::kKeysOnly),
                      global_index("some", {.partition = {text_key("l")}, .sort = {number_key("n")}},
                                   ProjectionKind::kInclude, {"b"}),
                      global_index("inverted", {.partition = {text_key("SK")}, .sort = {text_key("PK")}})};
  settings.streams = {{.view = StreamView::kNewAndOldImages}};
  settings.ttl = {.attribute = "n", .enabled = true, .id = 77};
  create(settings);
  Random random;
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  const auto random_key = [&] {
    return key("p" + std::to_string(random.between(0, 3)), "s" + std::to_string(random.between(0, 9)));
  };
  const auto random_item = [&](Item item) {
    if (!random.one_in(3)) item.set("l", Value("l" + random.text(3)));
    if (!random.one_in(3)) item.set("n", Value(random.number()));
    if (!random.one_in(3))
      item.set("b", Value(std::string(static_cast<size_t>(random.between(0, 3000)), 'b')));
    if (random.one_in(3)) item.set("more", Value::list({1, "two"}));
    return item;
  };
  for (int i = 0; i < 3000; ++i) {
    switch (random.between(0, 5)) {
      case 0:
        remove("t", random_key());
        break;
      case 1:
        update("t", random_key(), "SET b = :b REMOVE l", {{":b", random.text(100)}});
        break;
      case 2: {
        WriteRequest request{.transaction = true};
        std::set<std::string> keys;
        for (int writes = 0; writes < 4; ++writes) {
          ItemWrite write = put_write(table("t"), random_item(random_key()));
          if (keys.insert(write.place.key).second) request.writes.push_back(std::move(write));
        }
        ASSERT_TRUE(write_items(engine(), std::move(request)).ok());
        break;
      }
      default:
        put("t", random_item(random_key()));
    }
  }
  expect_sound(store(), table("t")->settings);
  const Totals totals = *totals_of(engine(), table("t")->settings.id);
  EXPECT_EQ(static_cast<size_t>(totals.items), rows_of(store(), store::Space::kItems).size());
  EXPECT_GT(totals.items, 10);
}

// A20, G3: with a local index a collection cannot outgrow its limit.
TEST_F(Collections, ALimitedCollectionGrowsUpToTheLimitAndNoFurther) {
  restart({.collection_bytes_max = 1000});
  create_limited("t");
  put("t", sized("a", "1", 600));
  EXPECT_EQ(put("t", sized("a", "2", 400)).collection_bytes, 1000) << "exactly the limit";
  EXPECT_EQ(refusal(put_write(table("t"), key("a", "3"))), Code::kTooLarge);
  EXPECT_EQ(refusal(put_write(table("t"), sized("a", "2", 401))), Code::kTooLarge);
  EXPECT_EQ(outcome_of(write_one(engine(), put_write(table("t"), key("a", "3")))),
            "Collection size exceeded.");
  put("t", sized("b", "1", 1000));
  EXPECT_EQ(size("t", "a").size_bytes, 1000);
}

TEST_F(Collections, TheIndexEntryIsPartOfWhatWouldBeTooLarge) {
  restart({.collection_bytes_max = 15});
  create_limited("t");
  EXPECT_EQ(refusal(put_write(table("t"), Item{{"PK", "a"}, {"SK", "1"}, {"l", "x"}})), Code::kTooLarge);
  put("t", key("a", "1"));
}

// J10: the limit holds only for tables with a local index.
TEST_F(Collections, WithoutALocalIndexACollectionIsNotLimited) {
  restart({.collection_bytes_max = 1000});
  create(collection_table("t"));
  const ItemWritten written = put("t", sized("a", "1", 5000));
  EXPECT_EQ(written.collection_bytes, std::nullopt);
}

TEST_F(Collections, ACollectionOverItsLimitCanStillShrink) {
  create_limited("t");
  put("t", sized("a", "1", 600));
  put("t", sized("a", "2", 600));
  restart({.collection_bytes_max = 1000});
  EXPECT_EQ(put("t", sized("a", "1", 500)).collection_bytes, 1100);
  EXPECT_EQ(remove("t", key("a", "1")).collection_bytes, 600);
  put("t", sized("a", "3", 400));
}

TEST_F(Collections, InATransactionTheLimitIsAReason) {
  restart({.collection_bytes_max = 1000});
  create_limited("t");
  const Result<WriteAnswer> answer =
      write_items(engine(), transaction_of(put_write(table("t"), sized("a", "1", 600)),
                                           put_write(table("t"), sized("a", "2", 600)),
                                           put_write(table("t"), sized("b", "1", 600))));
  ASSERT_TRUE(answer.ok()) << outcome_of(answer);
  EXPECT_FALSE(answer->applied);
  EXPECT_FALSE(answer->items[0].error);
  ASSERT_TRUE(answer->items[1].error) << "the two together are too large";
  EXPECT_EQ(answer->items[1].error->code, Code::kTooLarge);
  EXPECT_FALSE(answer->items[2].error);
  EXPECT_EQ(size("t", "b").item_count, 0);
}

class CollectionWarningTest : public Collections {
 protected:
  void watch(int64_t items, int64_t bytes) {
    restart({.collection_bytes_warning = bytes,
             .collection_items_warning = items,
             .on_collection_warning = [this](const CollectionWarning& warning) {
               warnings_.push_back(warning);
             }});
  }

  // Makes writes that change nothing of the size until the watch, which looks now and then, has looked.
  void let_it_look(std::string_view name, const Item& of) {
    for (int i = 0; i < 500; ++i) {
      Item item = of;
      item.set("round", Value(1 + i % 9));
      put(name, item);
    }
  }

  std::vector<CollectionWarning> warnings_;
};

// G3, G4
TEST_F(CollectionWarningTest, ManyItemsAreReportedOnce) {
  watch(10, INT64_MAX);
  create(collection_table("t"));
  for (int i = 0; i < 9; ++i) put("t", key("a", std::to_string(i)));
  let_it_look("t", key("a", "0"));
  EXPECT_TRUE(warnings_.empty()) << "nine are not ten";
  put("t", key("a", "9"));
  let_it_look("t", key("a", "0"));
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0].table, "t");
  EXPECT_EQ(warnings_[0].partition_key, (Item{{"PK", "a"}}));
  EXPECT_EQ(warnings_[0].size.item_count, 10);
  EXPECT_GT(warnings_[0].size.size_bytes, 60);
  for (int i = 10; i < 300; ++i) put("t", key("a", std::to_string(i)));
  EXPECT_EQ(warnings_.size(), 1u) << "once is enough";
}

// A20, G3
TEST_F(CollectionWarningTest, ManyBytesAreReportedOnce) {
  watch(INT64_MAX, 5000);
  create(collection_table("t"));
  put("t", sized("a", "1", 2000));
  put("t", sized("a", "2", 2979));
  let_it_look("t", key("a", "3"));  // 13 bytes
  EXPECT_TRUE(warnings_.empty());
  put("t", sized("a", "4", 8));
  let_it_look("t", key("a", "3"));
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0].size.item_count, 4);
  EXPECT_EQ(warnings_[0].size.size_bytes, 5000);
}

TEST_F(CollectionWarningTest, ACollectionThatFellBelowTheLineIsReportedWhenItRisesAgain) {
  watch(5, INT64_MAX);
  create(collection_table("t"));
  for (int i = 0; i < 5; ++i) put("t", key("a", std::to_string(i)));
  let_it_look("t", key("a", "0"));
  ASSERT_EQ(warnings_.size(), 1u);
  remove("t", key("a", "4"));
  let_it_look("t", key("a", "0"));
  EXPECT_EQ(warnings_.size(), 1u);
  put("t", key("a", "4"));
  let_it_look("t", key("a", "0"));
  EXPECT_EQ(warnings_.size(), 2u);
}

TEST_F(CollectionWarningTest, EqualKeysOfDifferentTablesAreDifferentCollections) {
  watch(3, INT64_MAX);
  create(collection_table("t"));
  create(collection_table("u"));
  for (int i = 0; i < 3; ++i) put("t", key("a", std::to_string(i)));
  let_it_look("t", key("a", "0"));
  ASSERT_EQ(warnings_.size(), 1u);
  put("u", key("a", "0"));
  let_it_look("u", key("a", "0"));
  let_it_look("t", key("a", "0"));
  EXPECT_EQ(warnings_.size(), 1u) << "the small one says nothing about the large one";
  for (int i = 0; i < 3; ++i) put("u", key("a", std::to_string(i)));
  let_it_look("u", key("a", "0"));
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_EQ(warnings_[1].table, "u");
}

// Deletes look too, to notice that a collection fell; they must not use up the warning.
TEST_F(CollectionWarningTest, ADeleteDoesNotTakeTheWarningFromTheNextPut) {
  create(collection_table("t"));
  for (int i = 0; i < 1000; ++i) put("t", key("a", std::to_string(i)));
  watch(10, INT64_MAX);
  for (int i = 500; i < 1000; ++i) remove("t", key("a", std::to_string(i)));
  EXPECT_TRUE(warnings_.empty());
  let_it_look("t", key("a", "0"));
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(CollectionWarningTest, ATableWithoutSortKeyIsNotWatched) {
  watch(1, 1);
  create(table_settings("t", {.partition = {text_key("PK")}, .sort = {}}));
  let_it_look("t", Item{{"PK", "a"}});
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(CollectionWarningTest, TheDefaultsAreAGigabyteAndTenThousandItems) {
  EXPECT_EQ(EngineOptions().collection_bytes_warning, int64_t{1} << 30);
  EXPECT_EQ(EngineOptions().collection_items_warning, 10'000);
  EXPECT_EQ(EngineOptions().collection_bytes_max, int64_t{10} << 30);
}

}  // namespace
}  // namespace sheaf::engine
