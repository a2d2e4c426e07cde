// What is left of deleted tables, indexes and streams: nothing.
#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"
#include "engine/store_audit.h"

namespace sheaf::engine {
namespace {

// A table with everything that a table can have.
TableSettings full_table(std::string name) {
  TableSettings settings = collection_table(std::move(name));
  settings.indexes = {local_index("lsi", text_key("l")),
                      global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
  settings.streams = {{.view = StreamView::kNewAndOldImages}};
  return settings;
}

class Clearing : public EngineTest {
 protected:
  void fill(std::string_view name, int count) {
    for (int i = 0; i < count; ++i) {
      put(name, Item{{"PK", "p" + std::to_string(i % 9)},
                     {"SK", std::to_string(i)},
                     {"l", "x"},
                     {"g", "g" + std::to_string(i % 5)},
                     {"ttl", clock().now_us() / kSecondUs + 1'000'000}});
    }
  }

  // Every row of the store but the one that remembers which ids were given out.
  Rows all_rows() {
    Rows rows;
    for (uint8_t space = store::kSpaceMin; space <= store::kSpaceMax; ++space) {
      rows.merge(rows_of(store(), store::Space{space}));
    }
    rows.erase(next_id_key());
    return rows;
  }

  IndexStatus status(std::string_view index) {
    return (*engine().catalog.reload("t"))->find_index(index)->settings->status;
  }
  Result<TableRef> remove_index(const std::string& index) {
    TableUpdate update;
    update.remove_index = index;
    return update_table(engine(), "t", update);
  }
};

TEST_F(Clearing, OfADeletedTableNothingIsLeft) {
  create(full_table("t"));
  ASSERT_TRUE(update_ttl(engine(), "t", "ttl", true).ok());
  fill("t", 300);
  ASSERT_TRUE(update_table(engine(), "t", {.close_stream = true}).ok());
  ASSERT_TRUE(update_table(engine(), "t", {.open_stream = StreamView::kKeysOnly}).ok());
  fill("t", 10);
  remove("t", Item{{"PK", "p0"}, {"SK", "0"}});
  run_all_jobs();
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  EXPECT_FALSE(all_rows().empty());
  run_all_jobs();
  for (const auto& [key, row] : all_rows()) EXPECT_EQ(key[0], static_cast<char>(store::Space::kJobs));
  // Jobs that wait for their time find out then that there is nothing to do any more.
  clock().advance_us(kHourUs);
  run_all_jobs();
  EXPECT_EQ(all_rows(), Rows());
}

TEST_F(Clearing, OfATableThatWasDeletedAmidItsWorkNothingIsLeft) {
  TableSettings settings = full_table("t");
  settings.indexes.pop_back();
  create(settings);
  fill("t", 300);
  TableUpdate adding;
  adding.add_index = global_index("gsi", {.partition = {text_key("g")}, .sort = {}});
  ASSERT_TRUE(update_table(engine(), "t", adding).ok());
  ASSERT_TRUE(update_ttl(engine(), "t", "ttl", true).ok());
  ASSERT_TRUE(*run_jobs(engine(), "test"));
  ASSERT_TRUE(update_ttl(engine(), "t", "ttl", false).ok());
  ASSERT_TRUE(update_ttl(engine(), "t", "other", true).ok());
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  run_all_jobs();
  clock().advance_us(kHourUs);
  run_all_jobs();
  EXPECT_EQ(all_rows(), Rows());
}

TEST_F(Clearing, OtherTablesKeepEverything) {
  create(full_table("t"));
  create(full_table("u"));
  ASSERT_TRUE(update_ttl(engine(), "u", "ttl", true).ok());
  fill("t", 50);
  fill("u", 50);
  run_all_jobs();
  const size_t log_of_u =
      rows_under(store(), space_key(store::Space::kLog, table("u")->settings.streams[0].id)).size();
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  run_all_jobs();
  expect_sound(store(), table("u")->settings);
  EXPECT_EQ(rows_of(store(), store::Space::kItems).size(), 50u);
  EXPECT_EQ(rows_of(store(), store::Space::kLog).size(), log_of_u);
  EXPECT_EQ(log_of_u, 50u);
}

TEST_F(Clearing, ANameIsFreeOnceItsTableIsGone) {
  create(full_table("t"));
  fill("t", 50);
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  EXPECT_EQ(create_table(engine(), collection_table("t")).error(),
            (Error{Code::kInUse, "Table already exists: t"}));
  run_all_jobs();
  create(full_table("t"));
  EXPECT_EQ(get("t", Item{{"PK", "p0"}, {"SK", "0"}}), std::nullopt);
  EXPECT_EQ(totals_of(engine(), table("t")->settings.id)->items, 0);
  EXPECT_TRUE(events("t").empty());
  fill("t", 20);
  clock().advance_us(kHourUs);
  run_all_jobs();
  expect_sound(store(), table("t")->settings);
  EXPECT_EQ(totals_of(engine(), table("t")->settings.id)->items, 20);
}

TEST_F(Clearing, ATableThatIsProtectedOrGoingCannotBeDeleted) {
  TableSettings settings = collection_table("t");
  settings.deletion_protected = true;
  create(settings);
  EXPECT_EQ(
      outcome_of(delete_table(engine(), "t")),
      "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection "
      "first.");
  TableUpdate unprotect;
  unprotect.deletion_protected = false;
  ASSERT_TRUE(update_table(engine(), "t", unprotect).ok());
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  EXPECT_EQ(
      delete_table(engine(), "t").error(),
      (Error{Code::kInUse, "Attempt to change a resource which is still in use: Table is being deleted: t"}));
  EXPECT_EQ(delete_table(engine(), "nothing").error(),
            (Error{Code::kNotFound, "Requested resource not found: Table: nothing not found"}));
}

TEST_F(Clearing, ADeletionGoesOnAfterACrash) {
  create(full_table("t"));
  fill("t", 50);
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  HookedStore hooked(store());
  hooked.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kRefused, .reason = "crashed"};
  };
  Engine crashing(hooked, clock(), {});
  EXPECT_FALSE(run_jobs(crashing, "test").ok());
  restart();
  EXPECT_FALSE(engine().catalog.find("t").ok());
  run_all_jobs();
  EXPECT_EQ(all_rows(), Rows());
}

TEST_F(Clearing, ARemovedIndexLeavesNoEntriesAndNoCounters) {
  create(full_table("t"));
  fill("t", 100);
  const Id id = table("t")->find_index("gsi")->settings->id;
  ASSERT_TRUE(remove_index("gsi").ok());
  EXPECT_EQ(status("gsi"), IndexStatus::kDeleting);
  put("t", Item{{"PK", "p"}, {"SK", "while it goes"}, {"g", "x"}});
  put("t", Item{{"PK", "p"}, {"SK", "unfit"}, {"g", 1}});
  run_all_jobs();
  EXPECT_EQ(table("t")->find_index("gsi"), nullptr);
  EXPECT_TRUE(rows_under(store(), space_key(store::Space::kIndexes, id)).empty());
  EXPECT_TRUE(rows_under(store(), space_key(store::Space::kCounters, id)).empty());
  EXPECT_NE(table("t")->find_index("lsi"), nullptr);
  expect_sound(store(), table("t")->settings);
}

TEST_F(Clearing, AnIndexCanBeMadeAgainUnderItsName) {
  create(full_table("t"));
  fill("t", 100);
  ASSERT_TRUE(remove_index("gsi").ok());
  TableUpdate adding;
  adding.add_index = global_index("gsi", {.partition = {text_key("g")}, .sort = {text_key("l")}});
  EXPECT_FALSE(update_table(engine(), "t", adding).ok()) << "not while the old one goes";
  run_all_jobs();
  ASSERT_TRUE(update_table(engine(), "t", adding).ok());
  run_all_jobs();
  EXPECT_EQ(status("gsi"), IndexStatus::kActive);
  expect_sound(store(), table("t")->settings);
}

TEST_F(Clearing, OnlyGlobalIndexesThatAreThereCanBeRemoved) {
  create(full_table("t"));
  EXPECT_EQ(outcome_of(remove_index("lsi")),
            "One or more parameter values were invalid: Cannot delete an index that is not a "
            "GlobalSecondaryIndex: lsi");
  EXPECT_EQ(remove_index("ghost").error(),
            (Error{Code::kNotFound, "Requested resource not found: Index ghost for table t"}));
}

// A writer that began before the index was removed must not leave an entry behind.
TEST_F(Clearing, AWriterThatHasNotHeardOfTheRemovalLeavesNothing) {
  create(full_table("t"));
  const TableRef old = table("t");
  ASSERT_TRUE(remove_index("gsi").ok());
  run_all_jobs();
  write(put_write(old, Item{{"PK", "p"}, {"SK", "s"}, {"g", "x"}}));
  EXPECT_TRUE(rows_of(store(), store::Space::kIndexes).empty());
  expect_sound(store(), table("t")->settings);
}

class Trimming : public Clearing {
 protected:
  Trimming() { create(full_table("t")); }
  size_t log_rows() { return rows_of(store(), store::Space::kLog).size(); }
};

TEST_F(Trimming, RecordsAreKeptForADay) {
  fill("t", 30);
  clock().advance_us(kStreamRetentionUs - kHourUs);
  fill("t", 30);  // the same items with another time to live
  EXPECT_EQ(log_rows(), 60u);
  run_all_jobs();
  EXPECT_EQ(log_rows(), 60u) << "none is a day old";
  clock().advance_us(2 * kHourUs);
  run_all_jobs();
  EXPECT_EQ(log_rows(), 30u);
  EXPECT_EQ(events("t").size(), 30u);
  clock().advance_us(kStreamRetentionUs);
  run_all_jobs();
  EXPECT_EQ(log_rows(), 0u);
}

TEST_F(Trimming, AClosedStreamIsForgottenWhenItsRecordsAre) {
  fill("t", 10);
  const Id id = table("t")->settings.streams.front().id;
  clock().advance_us(kHourUs);
  ASSERT_TRUE(update_table(engine(), "t", {.close_stream = true}).ok());
  clock().advance_us(kStreamRetentionUs - kMinuteUs);
  run_all_jobs();
  EXPECT_EQ(log_rows(), 0u);
  EXPECT_EQ(table("t")->settings.streams.size(), 1u) << "closed for less than a day";
  clock().advance_us(kHourUs);
  run_all_jobs();
  EXPECT_TRUE(table("t")->settings.streams.empty());
  EXPECT_EQ(*find_job(engine(), JobKind::kTrim, id), std::nullopt);
}

// Commits that are faster than the clock have stamps ahead of it, also ahead of the time of closing.
TEST_F(Trimming, AForgottenStreamLeavesNoRecordBehind) {
  fill("t", 50);
  ASSERT_TRUE(update_table(engine(), "t", {.close_stream = true}).ok());
  const StreamSettings closed = table("t")->settings.streams.front();
  clock().advance_us(closed.closed_us + kStreamRetentionUs + 1 - clock().now_us());
  run_all_jobs();
  EXPECT_TRUE(table("t")->settings.streams.empty());
  EXPECT_EQ(log_rows(), 0u);
}

TEST_F(Trimming, AReopenedStreamIsNotTouchedByTheEndOfTheOldOne) {
  fill("t", 10);
  ASSERT_TRUE(update_table(engine(), "t", {.close_stream = true}).ok());
  clock().advance_us(kStreamRetentionUs - kHourUs);
  ASSERT_TRUE(update_table(engine(), "t", {.open_stream = StreamView::kKeysOnly}).ok());
  fill("t", 10);
  clock().advance_us(2 * kHourUs);
  run_all_jobs();
  ASSERT_EQ(table("t")->settings.streams.size(), 1u);
  EXPECT_EQ(table("t")->settings.streams.front().view, StreamView::kKeysOnly);
  EXPECT_EQ(events("t").size(), 10u);
}

}  // namespace
}  // namespace sheaf::engine
