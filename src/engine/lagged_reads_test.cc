// Reads that may be late, and reads that may not, while items change.
#include <functional>
#include <numeric>
#include <thread>

#include "engine/hooked_store.h"
#include "engine/query_fixture.h"
#include "store/faulty_store.h"
#include "value/random_value.h"

namespace sheaf::engine {
namespace {

using std::chrono::milliseconds;

constexpr int64_t kMsUs = 1000;
constexpr milliseconds kReadLag{10};
constexpr milliseconds kIndexLag{30};

const EngineOptions kLate{.index_lags = {{.table = "t", .min = kIndexLag, .max = kIndexLag}},
                          .read_lags = {{.table = "t", .min = kReadLag, .max = kReadLag}}};

TableSettings indexed_table(const std::string& name) {
  TableSettings settings = collection_table(name);
  settings.indexes = {local_index("keys", text_key("l"), ProjectionKind::kKeysOnly),
                      local_index("all", text_key("l")),
                      global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
  return settings;
}

Item item(std::string_view sort, std::string_view local, std::string_view global) {
  return Item{{"PK", "p"}, {"SK", sort}, {"l", local}, {"g", global}, {"v", sort}};
}
Item lagged_key(std::string_view sort) { return Item{{"PK", "p"}, {"SK", sort}}; }

class LaggedReads : public QueryTest {
 protected:
  LaggedReads() {
    restart(kLate);
    create(indexed_table("t"));
    create(indexed_table("prompt"));
  }

  std::string get(std::string_view sort, ReadMode mode, const char* name = "t") {
    const ItemRead read = *ItemRead::of_key(table(name), lagged_key(sort));
    const Result<std::optional<StoredItem>> found = read_item(engine(), read, mode, {});
    EXPECT_TRUE(found.ok()) << outcome_of(found);
    const Result<std::vector<std::optional<StoredItem>>> many = read_items(engine(), {read}, mode, {});
    EXPECT_TRUE(many.ok()) << outcome_of(many);
    EXPECT_EQ((*many)[0].has_value(), found->has_value());
    if (!*found) return "-";
    EXPECT_EQ((*many)[0]->bytes(), (*found)->bytes());
    return std::string((*found)->item().find("l")->bytes());
  }
  // The local index, with the items that it leads to.
  std::string by_l(ReadMode mode) {
    const ReadPage entries = query("PK = :p", {{":p", "p"}}, {.index = "all", .mode = mode});
    const ReadPage items = query("PK = :p", {{":p", "p"}}, {.index = "keys", .fetch = true, .mode = mode});
    EXPECT_EQ(items.items, entries.items);
    return column(entries.items, "v");
  }
  std::string by_g(const char* global) {
    return column(query("g = :g", {{":g", global}}, {.index = "gsi"}).items, "v");
  }
  std::string scanned(ReadMode mode) { return column(scan({.mode = mode}).items, "v"); }

  void advance(milliseconds time) { clock().advance_us(std::chrono::microseconds(time).count()); }
  void settle() { advance(std::max(kReadLag, kIndexLag)); }
};

constexpr ReadMode kEventual = ReadMode::kEventual, kStrong = ReadMode::kStrong;

TEST_F(LaggedReads, ANewItemIsSeenByReadsThatMayNotBeLateAlone) {
  put("t", item("a", "l1", "g1"));
  EXPECT_EQ(get("a", kEventual), "-");
  EXPECT_EQ(scanned(kEventual), "");
  EXPECT_EQ(by_l(kEventual), "");
  EXPECT_EQ(by_g("g1"), "");
  EXPECT_EQ(get("a", kStrong), "l1");
  EXPECT_EQ(get("a", ReadMode::kTransactional), "l1");
  EXPECT_EQ(scanned(kStrong), "a");
  EXPECT_EQ(by_l(kStrong), "a");

  advance(kReadLag);
  EXPECT_EQ(get("a", kEventual), "l1");
  EXPECT_EQ(scanned(kEventual), "a");
  EXPECT_EQ(by_l(kEventual), "a");
  EXPECT_EQ(by_g("g1"), "") << "the index takes longer";
  advance(kIndexLag - kReadLag);
  EXPECT_EQ(by_g("g1"), "a");
  EXPECT_EQ(engine().past->bytes(), 0u);
}

TEST_F(LaggedReads, ADeletedItemIsSeenUntilTheLagIsOver) {
  for (const char* sort : {"a", "b", "c"}) put("t", item(sort, "l1", "g1"));
  settle();
  remove("t", lagged_key("b"));
  EXPECT_EQ(get("b", kEventual), "l1");
  EXPECT_EQ(scanned(kEventual), "a,b,c");
  EXPECT_EQ(by_l(kEventual), "a,b,c");
  EXPECT_EQ(by_g("g1"), "a,b,c");
  EXPECT_EQ(get("b", kStrong), "-");
  EXPECT_EQ(scanned(kStrong), "a,c");
  EXPECT_EQ(by_l(kStrong), "a,c");
  advance(kReadLag);
  EXPECT_EQ(get("b", kEventual), "-");
  EXPECT_EQ(by_l(kEventual), "a,c");
  EXPECT_EQ(by_g("g1"), "a,b,c");
  settle();
  EXPECT_EQ(by_g("g1"), "a,c");
}

TEST_F(LaggedReads, AnEntryThatMovesIsInOnePlaceAtATime) {
  put("t", item("a", "l2", "g1"));
  put("t", item("b", "l3", "g1"));
  settle();
  put("t", item("b", "l1", "g2"));
  EXPECT_EQ(by_l(kEventual), "a,b");
  EXPECT_EQ(by_l(kStrong), "b,a");
  EXPECT_EQ(by_g("g1") + " " + by_g("g2"), "a,b ");
  EXPECT_EQ(column(scan({.index = "gsi"}).items, "g"), "g1,g1");
  advance(milliseconds(5));
  put("t", item("b", "l4", "g3"));
  advance(milliseconds(5));
  EXPECT_EQ(by_l(kEventual), "b,a") << "one change after the other";
  advance(milliseconds(5));
  EXPECT_EQ(by_l(kEventual), "a,b");
  settle();
  EXPECT_EQ(by_g("g1") + " " + by_g("g2") + " " + by_g("g3"), "a  b");
}

// The second lag is over before the first.
TEST_F(LaggedReads, ChangesOfAnItemAreSeenInTheirOrderWhateverIsDrawn) {
  restart({.index_lags = {{.table = "t", .min = milliseconds(0), .max = milliseconds(50)}},
           .read_lags = {{.table = "t", .min = milliseconds(0), .max = milliseconds(50)}}});
  for (int i = 10; i < 40; ++i) {
    const std::string place = std::to_string(i);
    put("t", item("a", place, "g"));
  }
  std::string base = "-", index;
  int changes = 0;
  for (int ms = 0; ms <= 50; ++ms) {
    const std::string base_now = get("a", kEventual);
    const ReadPage entries = query("g = :g", {{":g", "g"}}, {.index = "gsi"});
    ASSERT_LE(entries.items.size(), 1u);
    const std::string index_now = column(entries.items, "l");
    EXPECT_TRUE(base == "-" || base_now >= base) << base << " " << base_now;
    EXPECT_GE(index_now, index);
    changes += (base_now != base ? 1 : 0) + (index_now != index ? 1 : 0);
    base = base_now;
    index = index_now;
    advance(milliseconds(1));
  }
  EXPECT_GT(changes, 3) << "it came step by step";
  EXPECT_EQ(base + " " + index, "39 39");
}

TEST_F(LaggedReads, TheSameSeedShowsTheSame) {
  const auto shown = [&](uint64_t seed, const char* name) {
    restart(
        {.read_lags = {{.table = name, .min = milliseconds(0), .max = milliseconds(20)}}, .lag_seed = seed});
    std::string all;
    for (int i = 10; i < 30; ++i) {
      put(name, item(std::to_string(i), "l", "g"));
      all += column(scan({.table = name}).items, "v") + ";";
      advance(milliseconds(1));
    }
    return all;
  };
  for (const char* name : {"t1", "t2", "t3"}) create(indexed_table(name));
  const std::string first = shown(7, "t1");
  EXPECT_EQ(shown(7, "t2"), first);
  EXPECT_NE(shown(8, "t3"), first);
}

TEST_F(LaggedReads, OtherTablesAreNotLate) {
  put("prompt", item("a", "l1", "g1"));
  EXPECT_EQ(get("a", kEventual, "prompt"), "l1");
  EXPECT_EQ(column(query("g = :g", {{":g", "g1"}}, {.table = "prompt", .index = "gsi"}).items, "v"), "a");
  EXPECT_EQ(engine().past->bytes(), 0u);
}

TEST_F(LaggedReads, ItemsOfATransactionAreEachSeenInTheirTime) {
  restart({.read_lags = {{.table = "t", .min = milliseconds(0), .max = milliseconds(50)}}});
  WriteRequest request{.transaction = true};
  for (int i = 10; i < 40; ++i)
    request.writes.push_back(put_write(table("t"), item(std::to_string(i), "l", "g")));
  ASSERT_TRUE(write_items(engine(), std::move(request)).ok());
  EXPECT_EQ(scan({.mode = kStrong}).items.size(), 30u);
  advance(milliseconds(25));
  const size_t seen = scan({}).items.size();
  EXPECT_TRUE(seen > 0 && seen < 30) << seen;
  advance(milliseconds(25));
  EXPECT_EQ(scan({}).items.size(), 30u);
}

TEST_F(LaggedReads, ConditionsAndUpdatesKnowWhatIs) {
  put("t", item("a", "l1", "g1"));
  const auto again = write_one(
      engine(), put_write(table("t"), item("a", "l2", "g1"), condition_of("attribute_not_exists(PK)")));
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->applied);
  EXPECT_EQ(update("t", lagged_key("a"), "SET l = :l", {{":l", "l9"}}).before->item().find("l")->bytes(),
            "l1");
  EXPECT_EQ(get("a", kEventual), "-");
}

TEST_F(LaggedReads, AWriteThatChangesNothingHoldsNothingBack) {
  put("t", item("a", "l1", "g1"));
  settle();
  EXPECT_EQ(get("a", kEventual), "l1");
  EXPECT_EQ(engine().past->bytes(), 0u);
  put("t", item("a", "l1", "g1"));
  remove("t", lagged_key("x"));
  EXPECT_EQ(engine().past->bytes(), 0u);
}

TEST_F(LaggedReads, WhatAnIndexIsFilledWithIsNotLateButWhatComesThenIs) {
  put("prompt", item("a", "l1", "g1"));
  restart({.index_lags = {{.table = "*", .min = kIndexLag, .max = kIndexLag}}});
  TableUpdate update;
  update.add_index = global_index("later", {.partition = {text_key("l")}, .sort = {}});
  ASSERT_TRUE(update_table(engine(), "prompt", update).ok());
  put("prompt", item("b", "l1", "g1"));
  run_all_jobs();
  const auto by = [&] {
    return column(query("l = :l", {{":l", "l1"}}, {.table = "prompt", .index = "later"}).items, "v");
  };
  EXPECT_EQ(by(), "a");
  settle();
  EXPECT_EQ(by(), "a,b");
  EXPECT_EQ(get("b", kEventual, "prompt"), "l1");
}

TEST_F(LaggedReads, AnExpiredItemIsSeenUntilTheLagIsOver) {
  ASSERT_TRUE(update_ttl(engine(), "t", "until", true).ok());
  Item expiring = item("a", "l1", "g1");
  expiring.set("until", Value(Number(clock().now_us() / kSecondUs + 5)));
  put("t", std::move(expiring));
  clock().advance_us(kMinuteUs);
  run_all_jobs();
  EXPECT_EQ(get("a", kStrong), "-");
  EXPECT_EQ(get("a", kEventual), "l1");
  EXPECT_EQ(by_g("g1"), "a");
  settle();
  EXPECT_EQ(get("a", kEventual), "-");
  EXPECT_EQ(by_g("g1"), "");
}

TEST_F(LaggedReads, ARestartForgetsWhatWasBefore) {
  put("t", item("a", "l1", "g1"));
  restart(kLate);
  EXPECT_EQ(get("a", kEventual), "l1");
  EXPECT_EQ(by_g("g1"), "a");
}

// Pages of a reader that goes on while its past shrinks.
TEST_F(LaggedReads, PagesGoOnWhereTheyEndedThoughTheirRowsAreGone) {
  for (int i = 10; i < 20; ++i) put("t", item(std::to_string(i), "l", "g"));
  settle();
  for (int i = 10; i < 20; ++i) remove("t", lagged_key(std::to_string(i)));
  for (const bool descending : {false, true}) {
    const ReadPage page = query("PK = :p", {{":p", "p"}}, {.descending = descending, .limit = 4});
    EXPECT_EQ(column(page.items, "v"), descending ? "19,18,17,16" : "10,11,12,13");
    const ReadPage rest =
        query("PK = :p", {{":p", "p"}}, {.descending = descending, .start = page.end.last_key});
    EXPECT_EQ(column(rest.items, "v"), descending ? "15,14,13,12,11,10" : "14,15,16,17,18,19");
    EXPECT_FALSE(rest.end.last_key);
  }
  advance(kReadLag);
  EXPECT_EQ(query("PK = :p", {{":p", "p"}}, {.start = lagged_key("13")}).items.size(), 0u);
}

TEST_F(LaggedReads, MegabytesOfThePastComeInPages) {
  const auto big = [](int i) {
    Item large = item(std::to_string(i), "l", "g");
    large.set("b", Value(std::string(50'000, 'x')));
    return large;
  };
  for (int i = 10; i < 60; ++i) put("t", big(i));
  settle();
  for (int i = 10; i < 60; i += 2) remove("t", lagged_key(std::to_string(i)));
  std::vector<int> all;
  std::optional<Item> start;
  int pages = 0;
  do {
    const ReadPage page = query("PK = :p", {{":p", "p"}}, {.start = start});
    for (const Item& each : page.items) all.push_back(std::stoi(std::string(each.find("v")->bytes())));
    start = page.end.last_key;
  } while (++pages < 10 && start);
  EXPECT_EQ(pages, 3);
  std::vector<int> expected(50);
  std::iota(expected.begin(), expected.end(), 10);
  EXPECT_EQ(all, expected);
}

// What the store does to a batch, the past does too.
class LaggedWrites : public ::testing::Test {
 protected:
  void open(store::Store& store) {
    engine_.emplace(store, clock_, kLate);
    ASSERT_TRUE(create_table(*engine_, indexed_table("t")).ok());
  }
  TableRef table() { return *engine_->catalog.find("t"); }
  std::string get(ReadMode mode) {
    const auto found = read_item(*engine_, *ItemRead::of_key(table(), lagged_key("a")), mode, {});
    EXPECT_TRUE(found.ok()) << outcome_of(found);
    return *found ? std::string((*found)->item().find("l")->bytes()) : "-";
  }
  void settle() { clock_.advance_us(std::chrono::microseconds(kIndexLag).count()); }

  ManualClock clock_{kTestStartUs};
  std::unique_ptr<store::Store> memory_ = store::open_memory_store(clock_);
  std::optional<Engine> engine_;
};

TEST_F(LaggedWrites, ARefusedWriteLeavesNothing) {
  HookedStore store(*memory_);
  open(store);
  store.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kRefused, .reason = "no"};
  };
  EXPECT_FALSE(write_one(*engine_, put_write(table(), item("a", "l1", "g1"))).ok());
  EXPECT_EQ(engine_->past->bytes(), 0u);
  EXPECT_EQ(get(kEventual), "-");
}

TEST_F(LaggedWrites, OfAnUnknownOneReadersSeeWhatWasUntilTheLagIsOver) {
  HookedStore store(*memory_);
  open(store);
  ASSERT_TRUE(write_one(*engine_, put_write(table(), item("a", "l1", "g1"))).ok());
  settle();
  store.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kUnknown, .reason = "who knows"};
  };
  EXPECT_EQ(write_one(*engine_, put_write(table(), item("a", "l2", "g1"))).error().code, Code::kUnknown);
  EXPECT_EQ(get(kEventual), "l1");
  EXPECT_GT(engine_->past->bytes(), 0u);
  settle();
  EXPECT_EQ(get(kEventual), "l1") << "it was not made";
  EXPECT_EQ(engine_->past->bytes(), 0u);
}

TEST_F(LaggedWrites, AReadBetweenCommitAndAnswerIsLate) {
  HookedStore store(*memory_);
  open(store);
  std::string before, after;
  store.answer = [&](const store::Batch& batch) {
    std::thread([&] { before = get(kEventual); }).join();
    const store::Outcome outcome = commit(*memory_, batch);
    settle();
    std::thread([&] { after = get(kEventual) + " " + get(kStrong); }).join();
    return outcome;
  };
  ASSERT_TRUE(write_one(*engine_, put_write(table(), item("a", "l1", "g1"))).ok());
  EXPECT_EQ(before, "-");
  EXPECT_EQ(after, "- l1");
}

// Guards that fail, answers that are lost and scans that are cut, and yet nothing stays behind for ever.
TEST_F(LaggedWrites, InTheEndAllReadsAgreeWhateverTheStoreDoes) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  store::FaultyStore store(store::open_memory_store(clock_), {.seed = test_seed(),
                                                              .guard_failed = 0.4,
                                                              .unknown_applied = 0.1,
                                                              .unknown_not_applied = 0.1,
                                                              .refuse_after_unknown = false,
                                                              .scan_short = 0.3});
  engine_.emplace(store, clock_, kLate);
  for (int i = 0; i < 100 && !engine_->catalog.find("t").ok(); ++i)
    (void)create_table(*engine_, indexed_table("t"));
  Random random;
  for (int i = 0; i < 300; ++i) {
    const std::string sort = std::to_string(random.between(10, 14));
    ItemWrite write = random.one_in(3) ? delete_write(table(), lagged_key(sort))
                                       : put_write(table(), item(sort, "l" + sort + std::to_string(i), "g"));
    (void)write_one(*engine_, std::move(write));
    clock_.advance_us(random.between(0, 8) * kMsUs);
    if (i % 50 != 49) continue;
    settle();
    for (const char* name : {"", "all", "keys", "gsi"}) {
      const auto rows = [&](ReadMode mode) {
        std::vector<Item> items;
        const Index* const index = *name == '\0' ? nullptr : table()->find_index(name);
        Result<KeyRange> keys = plan_scan(table(), index, {});
        EXPECT_TRUE(keys.ok());
        const auto end = read_page(*engine_, {.keys = std::move(*keys), .mode = mode}, {},
                                   [&](ItemView each) { items.emplace_back(each); });
        EXPECT_TRUE(end.ok()) << outcome_of(end);
        return items;
      };
      EXPECT_EQ(rows(kEventual), rows(kStrong)) << name;
    }
    EXPECT_EQ(engine_->past->bytes(), 0u);
  }
}

// What is written while the store is being asked is not yet to be seen, though the store may have it.
TEST_F(LaggedWrites, AChangeWhileTheStoreIsAskedIsNotSeenEarly) {
  HookedStore store(*memory_);
  open(store);
  const auto count_of = [&](const Index* index) {
    size_t count = 0;
    const auto end =
        read_page(*engine_, {.keys = *plan_scan(table(), index, {})}, {}, [&](ItemView) { ++count; });
    EXPECT_TRUE(end.ok()) << outcome_of(end);
    return std::to_string(count);
  };
  const ItemRead read = *ItemRead::of_key(table(), lagged_key("a"));
  const std::vector<std::function<std::string()>> reads{
      [&] { return get(kEventual); },
      [&] { return read_items(*engine_, {read}, kEventual, {})->front() ? "l1" : "-"; },
      [&] { return count_of(nullptr); },
      [&] { return count_of(table()->find_index("all")); },
      [&] { return count_of(table()->find_index("gsi")); },
  };
  const auto write = [&](ItemWrite change) {
    std::thread([&] { EXPECT_TRUE(write_one(*engine_, std::move(change)).ok()); }).join();
  };
  for (const auto& seen : reads) {
    const std::string nothing = seen();
    store.before_next_look([&] { write(put_write(table(), item("a", "l1", "g1"))); });
    EXPECT_EQ(seen(), nothing) << "of an item that comes";
    settle();
    const std::string something = seen();
    EXPECT_NE(something, nothing);
    store.before_next_look([&] { write(delete_write(table(), lagged_key("a"))); });
    EXPECT_EQ(seen(), something) << "of an item that goes";
    settle();
    EXPECT_EQ(seen(), nothing);
  }
}

}  // namespace
}  // namespace sheaf::engine
