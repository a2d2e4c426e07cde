// Indexes that are added to a table with items: filled while writers go on, and resumed after a crash.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"
#include "engine/store_audit.h"
#include "value/random_value.h"

namespace sheaf::engine {
namespace {

class FillIndex : public EngineTest {
 protected:
  void SetUp() override {
    TableSettings settings = collection_table("t");
    settings.indexes = {local_index("lsi", text_key("l"), ProjectionKind::kKeysOnly)};
    settings.streams = {{.view = StreamView::kKeysOnly}};
    create(settings);
  }

  void add_index(ProjectionKind projection = ProjectionKind::kInclude) {
    TableUpdate update;
    update.add_index =
        global_index("gsi", {.partition = {text_key("g")}, .sort = {number_key("n")}}, projection, {"shown"});
    if (projection != ProjectionKind::kInclude) update.add_index->included.clear();
    const Result<TableRef> updated = update_table(engine(), "t", update);
    ASSERT_TRUE(updated.ok()) << outcome_of(updated);
  }

  IndexSettings index() { return *(*engine().catalog.reload("t"))->find_index("gsi")->settings; }
  size_t entry_count() { return rows_under(store(), space_key(store::Space::kIndexes, index().id)).size(); }

  static Item item(int i) {
    Item made{{"PK", "p" + std::to_string(i / 3)}, {"SK", "s" + std::to_string(i)}, {"l", "l"}, {"shown", i}};
    if (i % 5 != 0) made.set("g", Value("g" + std::to_string(i % 4)));
    if (i % 7 != 0) made.set("n", Value(i));
    return made;
  }
  void put_items(int count) {
    for (int i = 0; i < count; ++i) put("t", item(i));
  }
};

// A7, A9
TEST_F(FillIndex, AddsTheEntriesOfAllItemsThatHaveTheIndexKeys) {
  put_items(500);
  add_index();
  EXPECT_EQ(index().status, IndexStatus::kCreating);
  EXPECT_EQ(entry_count(), 0u);
  run_all_jobs();
  EXPECT_EQ(index().status, IndexStatus::kActive);
  EXPECT_EQ(entry_count(), 500u - 100u - 72u + 15u);  // without those that lack g, n, or both
  expect_sound(store(), table("t")->settings);
  EXPECT_EQ(totals_of(engine(), index().id)->items, static_cast<int64_t>(entry_count()));
}

TEST_F(FillIndex, OfAnEmptyTableIsDoneAtOnce) {
  add_index();
  run_all_jobs();
  EXPECT_EQ(index().status, IndexStatus::kActive);
  EXPECT_EQ(entry_count(), 0u);
}

TEST_F(FillIndex, WorksForEveryProjection) {
  put_items(200);
  for (const auto projection : {ProjectionKind::kAll, ProjectionKind::kKeysOnly, ProjectionKind::kInclude}) {
    add_index(projection);
    run_all_jobs();
    expect_sound(store(), table("t")->settings);
    TableUpdate removal;
    removal.remove_index = "gsi";
    ASSERT_TRUE(update_table(engine(), "t", removal).ok());
    run_all_jobs();
  }
}

TEST_F(FillIndex, ItsProgressCanBeSeen) {
  put_items(300);
  add_index();
  int64_t last = 0;
  for (bool more = true; more;) {
    const std::optional<int64_t> filled = *items_filled(engine(), index().id);
    ASSERT_TRUE(filled);
    EXPECT_GE(*filled, last);
    EXPECT_LE(*filled, 300);
    last = *filled;
    ASSERT_TRUE(run_jobs(engine(), "a").ok());
    more = index().status == IndexStatus::kCreating;
  }
  EXPECT_EQ(last, 300);
  EXPECT_EQ(*items_filled(engine(), index().id), std::nullopt) << "nothing is being filled any more";
}

// Items that were put before there was an index to object stay out of it, and can be changed all the same.
TEST_F(FillIndex, SkipsItemsThatTheIndexCannotTake) {
  const Item unfit[] = {Item{{"PK", "unfit"}, {"SK", "1"}, {"g", 1}, {"n", 1}},
                        Item{{"PK", "unfit"}, {"SK", "2"}, {"g", ""}, {"n", 1}},
                        Item{{"PK", "unfit"}, {"SK", "3"}, {"g", "x"}, {"n", "1"}},
                        Item{{"PK", "unfit"}, {"SK", "4"}, {"g", std::string(2049, 'x')}, {"n", 1}}};
  for (const Item& each : unfit) put("t", each);
  put("t", Item{{"PK", "fit"}, {"SK", "1"}, {"g", "x"}, {"n", 1}});
  add_index();
  update("t", Item{{"PK", "unfit"}, {"SK", "1"}}, "SET shown = :one", {{":one", 1}});
  run_all_jobs();
  EXPECT_EQ(entry_count(), 1u);
  update("t", Item{{"PK", "unfit"}, {"SK", "2"}}, "SET shown = :one", {{":one", 1}});
  expect_sound(store(), table("t")->settings);
}

TEST_F(FillIndex, GoesOnAfterACrash) {
  put_items(700);
  add_index();
  ASSERT_TRUE(*run_jobs(engine(), "crashed"));
  ASSERT_TRUE(*run_jobs(engine(), "crashed"));
  const int64_t before = **items_filled(engine(), index().id);
  EXPECT_GT(before, 0);
  restart();
  put("t", Item{{"PK", "after"}, {"SK", "crash"}, {"g", "x"}, {"n", 1}});
  EXPECT_FALSE(*run_jobs(engine(), "new")) << "the lease of the crashed one has not run out";
  clock().advance_us(kMinuteUs);
  ASSERT_TRUE(*run_jobs(engine(), "new"));
  EXPECT_GT(**items_filled(engine(), index().id), before) << "not from the beginning";
  run_all_jobs("new");
  EXPECT_EQ(index().status, IndexStatus::kActive);
  expect_sound(store(), table("t")->settings);
}

// A crash between any two commits of the job: what it had begun is repeated, never left half done.
TEST_F(FillIndex, ACrashAtAnyStepLosesNothing) {
  put_items(300);
  add_index();
  for (int step = 0; index().status == IndexStatus::kCreating; ++step) {
    ASSERT_LT(step, 20);
    HookedStore hooked(store());
    hooked.answer = [&, refused = false](const store::Batch&) mutable -> std::optional<store::Outcome> {
      if (std::exchange(refused, true)) return std::nullopt;
      return store::Outcome{.kind = store::Outcome::Kind::kRefused, .reason = "crashed"};
    };
    Engine crashing(hooked, clock(), {});
    EXPECT_FALSE(run_jobs(crashing, "a").ok());
    ASSERT_TRUE(run_jobs(crashing, "a").ok());
  }
  run_all_jobs("a");
  expect_sound(store(), table("t")->settings);
}

class FillBetween : public FillIndex {
 protected:
  // Lets `write` happen after the filling has read the items and before it commits.
  void fill_with(const std::function<void()>& write) {
    HookedStore hooked(store());
    Engine filling(hooked, clock(), {});
    hooked.before_next_submit(write);
    ASSERT_TRUE(run_jobs(filling, "a").ok());
    run_all_jobs("a");
    EXPECT_EQ(index().status, IndexStatus::kActive);
    expect_sound(store(), table("t")->settings);
  }
  // Lets the filling happen after a writer has read and before it commits.
  void write_with_fill(ItemWrite write) {
    HookedStore hooked(store());
    Engine writing(hooked, clock(), {});
    hooked.before_next_submit([this] { ASSERT_TRUE(run_jobs(engine(), "a").ok()); });
    const Result<WriteAnswer> answer = write_one(writing, std::move(write));
    ASSERT_TRUE(answer.ok()) << outcome_of(answer);
    run_all_jobs("a");
    expect_sound(store(), table("t")->settings);
  }

  const Item kKey{{"PK", "p0"}, {"SK", "s1"}};
  const Item kMoved{{"PK", "p0"}, {"SK", "s1"}, {"g", "elsewhere"}, {"n", 77}, {"shown", 1}};
};

TEST_F(FillBetween, AnItemThatChangesUnderTheFillingIsReadAgain) {
  put_items(20);
  add_index();
  fill_with([&] { put("t", kMoved); });
}

TEST_F(FillBetween, AnItemThatGoesUnderTheFillingLeavesNoEntry) {
  put_items(20);
  add_index();
  fill_with([&] { remove("t", kKey); });
}

TEST_F(FillBetween, AnItemThatComesUnderTheFillingIsCountedOnce) {
  put_items(20);
  add_index();
  fill_with([&] {
    remove("t", kKey);
    put("t", item(1));
    put("t", Item{{"PK", "new"}, {"SK", "s"}, {"g", "x"}, {"n", 1}});
  });
}

TEST_F(FillBetween, AWriterThatMovesAnEntryNoticesThatItWasFilledInMeanwhile) {
  put_items(20);
  add_index();
  write_with_fill(put_write(table("t"), kMoved));
}

TEST_F(FillBetween, AWriterThatChangesAnEntryNoticesThatItWasFilledInMeanwhile) {
  put_items(20);
  add_index();
  write_with_fill(update_write(table("t"), kKey, update_of("SET shown = :s", {{":s", "a longer text"}})));
}

TEST_F(FillBetween, ADeleteNoticesThatTheEntryWasFilledInMeanwhile) {
  put_items(20);
  add_index();
  write_with_fill(delete_write(table("t"), kKey));
}

// A9, A12: the index equals what its items say, however many wrote while it was being filled.
TEST_F(FillIndex, IsExactUnderConcurrentWriters) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  constexpr int kItems = 600, kWriters = 3;
  put_items(kItems);
  add_index();
  std::atomic<bool> stop = false;
  std::atomic<int> failures = 0, writes = 0;
  Engine others(store(), clock(), {});
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      Engine& mine = i == 0 ? others : engine();
      std::mt19937_64 random(test_seed() + static_cast<uint64_t>(i));
      while (!stop) {
        const TableRef t = *mine.catalog.find("t");
        Item made = item(static_cast<int>(random() % (kItems + 50)));
        const Item key{{"PK", Value(*made.find("PK"))}, {"SK", Value(*made.find("SK"))}};
        if (random() % 3 == 0) made.set("g", Value("g" + std::to_string(random() % 4)));
        if (random() % 3 == 0) made.set("shown", Value(static_cast<int64_t>(random() % 1'000'000)));
        ItemWrite write = random() % 4 == 0 ? delete_write(t, key)
                          : random() % 4 == 0
                              ? update_write(t, key, update_of("REMOVE n SET shown = :s", {{":s", 5}}))
                              : put_write(t, std::move(made));
        const Result<WriteAnswer> answer = write_one(mine, std::move(write));
        if (!answer.ok() && answer.error().code != Code::kConflict) ++failures;
        ++writes;
      }
    });
  }
  // Some writes before every step, and some on the complete index.
  const auto let_write = [&] {
    for (const int before = writes; writes < before + 60 && failures == 0;) std::this_thread::yield();
  };
  for (let_write(); index().status == IndexStatus::kCreating; let_write()) {
    EXPECT_TRUE(run_jobs(engine(), "a").ok());
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failures, 0);
  run_all_jobs("a");
  expect_sound(store(), table("t")->settings);
  EXPECT_GT(entry_count(), 50u);
}

// Dropping a range changes no versions: only the table's own row says that it is gone.
TEST_F(FillIndex, AddsNothingToATableThatIsClearedMeanwhile) {
  put_items(300);
  add_index();
  ASSERT_TRUE(update_ttl(engine(), "t", "n", true).ok());
  HookedStore hooked(store());
  Engine slow(hooked, clock(), {});
  ASSERT_TRUE(*run_jobs(slow, "slow")) << "now it has the lease";
  hooked.before_next_submit([&] {
    ASSERT_TRUE(delete_table(engine(), "t").ok());
    run_all_jobs("fast");
    EXPECT_FALSE(engine().catalog.reload("t").ok()) << "cleared";
  });
  ASSERT_TRUE(run_jobs(slow, "slow").ok());
  EXPECT_TRUE(rows_of(store(), store::Space::kIndexes).empty());
  EXPECT_TRUE(rows_of(store(), store::Space::kCounters).empty());
  EXPECT_TRUE(rows_of(store(), store::Space::kExpiry).empty());
}

TEST_F(FillIndex, StopsWhenItsTableIsDeleted) {
  put_items(300);
  add_index();
  const Id id = index().id;
  ASSERT_TRUE(*run_jobs(engine(), "a"));
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  run_all_jobs("a");
  EXPECT_EQ(*find_job(engine(), JobKind::kFillIndex, id), std::nullopt);
  EXPECT_TRUE(rows_of(store(), store::Space::kIndexes).empty());
}

}  // namespace
}  // namespace sheaf::engine
