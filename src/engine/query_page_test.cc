#include "engine/query_page.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/query_fixture.h"
#include "value/random_value.h"

namespace sheaf::engine {
namespace {

// An item whose bytes by DynamoDB's count are so many.
Item sized(std::string_view sort, size_t bytes) {
  Item item{{"PK", "p"}, {"SK", sort}};
  item.set("b", Value(std::string(bytes - item.view().size_bytes() - 1, 'x')));
  return item;
}

std::string padded(int n) { return std::to_string(100'000 + n).substr(1); }

class QueryPage : public QueryTest {
 protected:
  QueryPage() {
    TableSettings settings = collection_table("t");
    settings.indexes = {
        local_index("keys", text_key("l"), ProjectionKind::kKeysOnly), local_index("all", text_key("l")),
        global_index("gsi", {.partition = {text_key("g")}, .sort = {}}, ProjectionKind::kInclude, {"shown"})};
    create(settings);
  }
  ReadPage query_all(const Asked& asked) { return query("PK = :p", {{":p", "p"}}, asked); }
  Id index_id(std::string_view name) { return table("t")->find_index(name)->settings->id; }
};

TEST_F(QueryPage, APageThatEndsWithItsRangeHasNoLastKey) {
  for (int i = 0; i < 5; ++i) put("t", sized(padded(i), 100));
  const ReadPage page = query_all({});
  EXPECT_EQ(page.items.size(), 5u);
  EXPECT_EQ(page.end.scanned, 5u);
  EXPECT_FALSE(page.end.last_key);
  EXPECT_FALSE(query_all({.limit = 6}).end.last_key);
}

TEST_F(QueryPage, ALimitEndsThePage) {
  for (int i = 0; i < 5; ++i) put("t", sized(padded(i), 100));
  const ReadPage page = query_all({.limit = 3});
  EXPECT_EQ(page.items.size(), 3u);
  EXPECT_EQ(page.end.last_key, (Item{{"PK", "p"}, {"SK", padded(2)}}));
  EXPECT_EQ(query_all({.limit = 5}).end.last_key, (Item{{"PK", "p"}, {"SK", padded(4)}}))
      << "nobody knows yet that nothing follows";
}

TEST_F(QueryPage, AnEmptyRangeCostsTheSmallestRead) {
  const ReadPage page = query_all({});
  EXPECT_EQ(page.end.scanned, 0u);
  EXPECT_FALSE(page.end.last_key);
  EXPECT_EQ(page.end.consumed.table, 1u);
  EXPECT_EQ(query_all({.mode = ReadMode::kStrong}).end.consumed.table, 2u);
}

// A17: pages of a megabyte.
TEST_F(QueryPage, APageEndsWithTheItemThatReachesAMegabyte) {
  constexpr size_t kBytes = 1 << 20;
  put("t", sized("0", 300 * 1024));
  put("t", sized("1", 400 * 1024));
  put("t", sized("2", kBytes - 700 * 1024 - 1));
  put("t", sized("3", 100));
  put("t", sized("4", 100));
  const ReadPage page = query_all({});
  EXPECT_EQ(column(page.items, "SK"), "0,1,2,3") << "one byte short of it, so one more";
  EXPECT_EQ(page.end.last_key, (Item{{"PK", "p"}, {"SK", "3"}}));
  put("t", sized("2", kBytes - 700 * 1024));
  EXPECT_EQ(column(query_all({}).items, "SK"), "0,1,2") << "exactly a megabyte";
  EXPECT_EQ(column(query_all({.start = Item{{"PK", "p"}, {"SK", "2"}}}).items, "SK"), "3,4");
}

TEST_F(QueryPage, TheMegabyteIsReachedBackwardsToo) {
  for (int i = 0; i < 5; ++i) put("t", sized(padded(i), 400 * 1024));
  const ReadPage page = query_all({.descending = true});
  EXPECT_EQ(page.items.size(), 3u);
  EXPECT_EQ(page.end.last_key, (Item{{"PK", "p"}, {"SK", padded(2)}}));
}

TEST_F(QueryPage, TheFilterDoesNotMakeThePageLonger) {
  for (int i = 0; i < 6; ++i) put("t", sized(padded(i), 400 * 1024));
  put("t", Item{{"PK", "p"}, {"SK", "last"}, {"wanted", true}});
  const expr::Condition wanted = condition_of("wanted = :t", {{":t", true}});
  const ReadPage first = query_all({.filter = &wanted});
  EXPECT_EQ(first.end.count, 0u) << "an empty page that is not the last";
  EXPECT_EQ(first.end.scanned, 3u);
  ASSERT_TRUE(first.end.last_key);
  const ReadPage second = query_all({.start = first.end.last_key, .filter = &wanted});
  EXPECT_EQ(second.end.scanned, 3u);
  const ReadPage third = query_all({.start = second.end.last_key, .filter = &wanted});
  EXPECT_EQ(column(third.items, "SK"), "last");
  EXPECT_FALSE(third.end.last_key);
}

TEST_F(QueryPage, TheLimitCountsWhatIsReadNotWhatPasses) {
  for (int i = 0; i < 10; ++i) put("t", Item{{"PK", "p"}, {"SK", padded(i)}, {"n", i}});
  const expr::Condition odd_end = condition_of("n IN (:a, :b)", {{":a", 1}, {":b", 7}});
  const ReadPage page = query_all({.limit = 4, .filter = &odd_end});
  EXPECT_EQ(page.end.scanned, 4u);
  EXPECT_EQ(page.end.count, 1u);
  EXPECT_EQ(page.end.last_key, (Item{{"PK", "p"}, {"SK", padded(3)}}));
}

// Sizes are summed before they are rounded.
TEST_F(QueryPage, APageCostsTheSumOfWhatItRead) {
  for (int i = 0; i < 5; ++i) put("t", sized(padded(i), 1000));
  EXPECT_EQ(query_all({}).end.consumed.table, 2u) << "5000 bytes are two times 4 KB, each half a unit";
  EXPECT_EQ(query_all({.mode = ReadMode::kStrong}).end.consumed.table, 4u);
  EXPECT_EQ(query_all({.limit = 4}).end.consumed.table, 1u);
  const expr::Condition none = condition_of("attribute_exists(nowhere)");
  EXPECT_EQ(query_all({.filter = &none}).end.consumed.table, 2u)
      << "what the filter drops was read all the same";
  put("t", sized(padded(5), 4096 + 4096 - 5000));
  EXPECT_EQ(query_all({}).end.consumed.table, 2u);
  put("t", sized(padded(6), 12));
  EXPECT_EQ(query_all({}).end.consumed.table, 3u);
}

// A12
TEST_F(QueryPage, AnIndexReadIsChargedToTheIndex) {
  put("t", Item{{"PK", "p"}, {"SK", "1"}, {"g", "x"}, {"shown", 1}, {"b", std::string(9000, 'x')}});
  const ReadPage page = query("g = :g", {{":g", "x"}}, {.index = "gsi"});
  EXPECT_EQ(page.items, (std::vector{Item{{"PK", "p"}, {"SK", "1"}, {"g", "x"}, {"shown", 1}}}));
  EXPECT_EQ(page.end.consumed.table, 0u);
  ASSERT_EQ(page.end.consumed.indexes.size(), 1u);
  EXPECT_EQ(page.end.consumed.indexes[0].index, index_id("gsi"));
  EXPECT_EQ(page.end.consumed.indexes[0].half_units, 1u) << "by the size of the entry";
}

TEST_F(QueryPage, TheLastKeyOfAnIndexPageHasBothKeys) {
  put("t", Item{{"PK", "p"}, {"SK", "1"}, {"g", "x"}});
  put("t", Item{{"PK", "p"}, {"SK", "2"}, {"g", "x"}});
  EXPECT_EQ(query("g = :g", {{":g", "x"}}, {.index = "gsi", .limit = 1}).end.last_key,
            (Item{{"PK", "p"}, {"SK", "1"}, {"g", "x"}}));
  EXPECT_EQ(scan({.index = "gsi", .limit = 1}).end.last_key, (Item{{"PK", "p"}, {"SK", "1"}, {"g", "x"}}));
}

TEST_F(QueryPage, ALocalIndexFetchesWholeItems) {
  const Item first{{"PK", "p"}, {"SK", "1"}, {"l", "b"}, {"more", 1}};
  const Item second{{"PK", "p"}, {"SK", "2"}, {"l", "a"}, {"more", 2}};
  put("t", first);
  put("t", second);
  const ReadPage covered = query_all({.index = "keys"});
  EXPECT_FALSE(covered.items.front().find("more"));
  EXPECT_EQ(covered.end.consumed.table, 0u);
  const ReadPage fetched = query_all({.index = "keys", .fetch = true});
  EXPECT_EQ(fetched.items, (std::vector{second, first})) << "in the index's order";
}

TEST_F(QueryPage, EachFetchedItemIsRoundedByItself) {
  for (int i = 0; i < 3; ++i) put("t", Item{{"PK", "p"}, {"SK", padded(i)}, {"l", padded(i)}});
  const ReadPage page = query_all({.index = "keys", .fetch = true});
  EXPECT_EQ(page.end.consumed.table, 3u);
  ASSERT_EQ(page.end.consumed.indexes.size(), 1u);
  EXPECT_EQ(page.end.consumed.indexes[0].half_units, 1u);
  EXPECT_EQ(query_all({.index = "keys", .fetch = true, .mode = ReadMode::kStrong}).end.consumed.total(), 8u);
}

TEST_F(QueryPage, TheFilterOfAFetchSeesTheWholeItem) {
  for (int i = 0; i < 4; ++i) put("t", Item{{"PK", "p"}, {"SK", padded(i)}, {"l", padded(i)}, {"n", i}});
  const expr::Condition two = condition_of("n = :two", {{":two", 2}});
  const ReadPage page = query_all({.index = "keys", .filter = &two, .fetch = true});
  EXPECT_EQ(page.end.count, 1u);
  EXPECT_EQ(page.end.scanned, 4u);
  EXPECT_EQ(page.end.consumed.table, 4u) << "all of them were fetched";
}

TEST_F(QueryPage, AnEntryWithoutItsItemIsDamage) {
  put("t", Item{{"PK", "p"}, {"SK", "1"}, {"l", "a"}});
  store::Batch batch;
  batch.erase(place_of_stored(*table("t"), Item{{"PK", "p"}, {"SK", "1"}}).key);
  commit(store(), std::move(batch));
  const Result<PageEnd> end =
      read_page(engine(), {.keys = *plan("PK = :p", {{":p", "p"}}, {.index = "keys"}), .fetch_items = true},
                {}, [](ItemView) {});
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, Code::kCorrupt);
}

// A17: pagination over thousands of children.
TEST_F(QueryPage, PagesTogetherAreTheWholeCollection) {
  constexpr int kChildren = 3000;
  WriteRequest request{.transaction = true};
  for (int i = 0; i < kChildren; ++i) {
    request.writes.push_back(put_write(table("t"), sized(padded(i), 1000)));
    if (request.writes.size() < 100) continue;
    ASSERT_TRUE(write_items(engine(), std::exchange(request, {.transaction = true})).ok());
  }
  int pages = 0, read = 0;
  for (std::optional<Item> start; pages == 0 || start; ++pages) {
    const ReadPage page = query_all({.start = start});
    for (const Item& item : page.items) EXPECT_EQ(item.find("SK")->bytes(), padded(read++));
    start = page.end.last_key;
  }
  EXPECT_EQ(read, kChildren);
  EXPECT_EQ(pages, 3) << "1049 items of 1000 bytes are over a megabyte";
}

TEST_F(QueryPage, PagesOfAnySizeAreTheWholeInBothDirections) {
  Random random;
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  for (int i = 0; i < 60; ++i) {
    put("t", Item{{"PK", "p"},
                  {"SK", random.text(4) + "."},
                  {"l", "l" + random.text(1)},
                  {"g", "g" + std::to_string(random.between(0, 1))},
                  {"b", std::string(static_cast<size_t>(random.between(0, 70'000)), 'x')}});
  }
  // All the pages of a read, one after the other.
  const auto paged = [&](auto read_next) {
    std::vector<Item> items;
    std::optional<Item> start;
    for (int pages = 0; pages < 200; ++pages) {
      const ReadPage page = read_next(start);
      items.insert(items.end(), page.items.begin(), page.items.end());
      start = page.end.last_key;
      if (!start) break;
    }
    EXPECT_FALSE(start) << "pages without end";
    return items;
  };
  for (const bool descending : {false, true}) {
    for (const char* index : {"", "keys", "all"}) {
      const std::vector<Item> whole = paged([&](const auto& start) {
        return query_all({.index = index, .descending = descending, .start = start});
      });
      for (const uint32_t limit : {1u, 2u, 7u, 59u}) {
        EXPECT_EQ(
            paged([&](const auto& start) {
              return query_all({.index = index, .descending = descending, .start = start, .limit = limit});
            }),
            whole)
            << index << ", " << limit;
      }
      EXPECT_GT(whole.size(), 30u);
    }
  }
  for (const char* index : {"", "gsi"}) {
    const std::vector<Item> whole =
        paged([&](const auto& start) { return scan({.index = index, .start = start}); });
    EXPECT_EQ(paged([&](const auto& start) { return scan({.index = index, .start = start, .limit = 3}); }),
              whole);
  }
}

// A15, A22: what was written before a read began is in it.
TEST_F(QueryPage, AReadSeesEverythingThatWasWrittenBefore) {
  std::atomic<bool> stop = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    for (int i = 0; i < 400 && !stop; ++i) {
      put("t", Item{{"PK", "p"}, {"SK", padded(i)}, {"l", padded(i)}});
      written = i + 1;
    }
    stop = true;
  });
  while (!stop) {
    const int before = written;
    EXPECT_GE(static_cast<int>(query_all({}).items.size()), before);
    EXPECT_GE(static_cast<int>(query_all({.index = "keys", .fetch = true}).items.size()), before);
  }
  writer.join();
}

}  // namespace
}  // namespace sheaf::engine
