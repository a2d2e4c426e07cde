#include "engine/catalog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/big_endian.h"
#include "engine/engine_fixture.h"
#include "engine/hooked_store.h"

namespace sheaf::engine {
namespace {

class CatalogTest : public EngineTest {
 protected:
  Catalog& catalog() { return engine().catalog; }

  // Changes one tag of a table that exists.
  static Result<void> set_tag(Catalog& catalog, std::string_view table, const std::string& value) {
    return catalog.change(table,
                          [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                              store::Batch&) -> Result<std::optional<TableSettings>> {
                            TableSettings after = *before;
                            after.tags["tag"] = value;
                            return std::optional(std::move(after));
                          });
  }
};

TEST_F(CatalogTest, AnUnknownTableIsNotFound) {
  EXPECT_EQ(catalog().find("nothing").error(), (Error{Code::kNotFound, "Requested resource not found"}));
  EXPECT_EQ(catalog().reload("nothing").error(), (Error{Code::kNotFound, "Requested resource not found"}));
}

TEST_F(CatalogTest, ATableIsKeptInMemory) {
  create(collection_table("t"));
  EXPECT_EQ(catalog().find("t")->get(), catalog().find("t")->get());
}

TEST_F(CatalogTest, ReloadShowsWhatOthersHaveChanged) {
  create(collection_table("t"));
  Catalog other(store());
  ASSERT_TRUE(catalog().find("t").ok());
  ASSERT_TRUE(set_tag(other, "t", "new").ok());
  EXPECT_FALSE((*catalog().find("t"))->settings.tags.contains("tag")) << "nobody told it";
  EXPECT_EQ((*catalog().reload("t"))->settings.tags.at("tag"), "new");
  EXPECT_EQ((*catalog().find("t"))->settings.tags.at("tag"), "new");
}

TEST_F(CatalogTest, WhoeverChangesATableFindsTheChange) {
  create(collection_table("t"));
  ASSERT_TRUE(set_tag(catalog(), "t", "new").ok());
  EXPECT_EQ((*catalog().find("t"))->settings.tags.at("tag"), "new");
}

TEST_F(CatalogTest, ATableThatIsBeingDeletedIsNotFoundButCanBeReloaded) {
  create(collection_table("t"));
  ASSERT_TRUE(delete_table(engine(), "t").ok());
  EXPECT_EQ(catalog().find("t").error().code, Code::kNotFound);
  EXPECT_EQ((*catalog().reload("t"))->settings.status, TableStatus::kDeleting);
  EXPECT_EQ(catalog().find("t").error().code, Code::kNotFound) << "also after that";
}

TEST_F(CatalogTest, TheVersionGuardsTheRow) {
  const TableRef table = create(collection_table("t"));
  const auto guarded = [&] {
    store::Batch batch;
    batch.guard(table->catalog_key, table->version);
    return commit(store(), std::move(batch)).kind;
  };
  EXPECT_EQ(guarded(), store::Outcome::Kind::kApplied);
  ASSERT_TRUE(set_tag(catalog(), "t", "new").ok());
  EXPECT_EQ(guarded(), store::Outcome::Kind::kGuardFailed);
}

TEST_F(CatalogTest, ADamagedRowIsSaidToBeDamaged) {
  store::Batch batch;
  batch.put(table_catalog_key("t"), "no settings");
  commit(store(), std::move(batch));
  EXPECT_EQ(catalog().find("t").error().code, Code::kCorrupt);
}

TEST_F(CatalogTest, ListsNamesInOrderFromAnyPlace) {
  for (const char* name : {"orders", "b", "a.1", "a-1", "users", "A"}) create(collection_table(name));
  ASSERT_TRUE(delete_table(engine(), "b").ok());
  const auto list = [&](std::string_view after, uint32_t count_max) {
    return *catalog().list(after, count_max);
  };
  EXPECT_EQ(list("", 100).names, (std::vector<std::string>{"A", "a-1", "a.1", "b", "orders", "users"}));
  EXPECT_FALSE(list("", 100).more);
  EXPECT_EQ(list("", 2).names, (std::vector<std::string>{"A", "a-1"}));
  EXPECT_TRUE(list("", 2).more);
  EXPECT_EQ(list("a-1", 2).names, (std::vector<std::string>{"a.1", "b"}));
  EXPECT_EQ(list("b", 2).names, (std::vector<std::string>{"orders", "users"}));
  EXPECT_FALSE(list("b", 2).more) << "exactly the rest";
  EXPECT_EQ(list("c, which does not exist", 1).names, std::vector<std::string>{"orders"});
  EXPECT_TRUE(list("users", 5).names.empty());
}

TEST_F(CatalogTest, ListsMoreTablesThanOneSliceHolds) {
  store::Batch batch;
  const size_t count = store::kSliceRowsMax + 100;
  for (size_t i = 0; i < count; ++i) {
    batch.put(table_catalog_key("t" + std::to_string(100'000 + i)),
              encode_settings(collection_table("t")).encoded());
  }
  commit(store(), std::move(batch));
  const Catalog::Names all = *catalog().list("", UINT32_MAX);
  EXPECT_EQ(all.names.size(), count);
  EXPECT_EQ(all.names.back(), "t" + std::to_string(100'000 + count - 1));
  EXPECT_FALSE(all.more);
}

TEST_F(CatalogTest, AChangeThatFailsLeavesEverythingAsItIs) {
  create(collection_table("t"));
  const Rows before = rows_of(store(), store::Space::kCatalog);
  const Result<void> changed =
      catalog().change("t",
                       [](const std::optional<TableSettings>&, Catalog::Ids& ids,
                          store::Batch& batch) -> Result<std::optional<TableSettings>> {
                         ids.take();
                         batch.put(table_catalog_key("other"), "row");
                         return Error{Code::kInvalid, "no"};
                       });
  EXPECT_EQ(outcome_of(changed), "no");
  EXPECT_EQ(rows_of(store(), store::Space::kCatalog), before);
}

TEST_F(CatalogTest, AChangeToNothingRemovesTheTable) {
  create(collection_table("t"));
  ASSERT_TRUE(catalog()
                  .change("t",
                          [](const std::optional<TableSettings>& before, Catalog::Ids&,
                             store::Batch&) -> Result<std::optional<TableSettings>> {
                            EXPECT_TRUE(before.has_value());
                            return std::optional<TableSettings>();
                          })
                  .ok());
  EXPECT_EQ(catalog().find("t").error().code, Code::kNotFound);
  EXPECT_TRUE(catalog().list("", 10)->names.empty());
}

TEST_F(CatalogTest, AChangeIsDecidedAgainIfAnotherWasFaster) {
  create(collection_table("t"));
  Catalog other(store());
  std::vector<std::string> seen;
  const Result<void> changed =
      catalog().change("t",
                       [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                           store::Batch&) -> Result<std::optional<TableSettings>> {
                         const auto tag = before->tags.find("tag");
                         seen.push_back(tag == before->tags.end() ? "none" : tag->second);
                         if (seen.size() == 1) (void)set_tag(other, "t", "theirs");
                         TableSettings after = *before;
                         after.tags["mine"] = "too";
                         return std::optional(std::move(after));
                       });
  ASSERT_TRUE(changed.ok()) << outcome_of(changed);
  EXPECT_EQ(seen, (std::vector<std::string>{"none", "theirs"}));
  EXPECT_EQ((*catalog().find("t"))->settings.tags,
            (std::map<std::string, std::string>{{"mine", "too"}, {"tag", "theirs"}}));
}

TEST_F(CatalogTest, AChangeThatNeverWinsEndsInAConflict) {
  create(collection_table("t"));
  Catalog other(store());
  int rounds = 0;
  const Result<void> changed =
      catalog().change("t",
                       [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                           store::Batch&) -> Result<std::optional<TableSettings>> {
                         EXPECT_TRUE(set_tag(other, "t", std::to_string(++rounds)).ok());
                         return before;
                       });
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().code, Code::kConflict);
  EXPECT_GT(rounds, 1);
}

TEST_F(CatalogTest, IdsAreNeverUsedAgain) {
  std::set<Id> ids;
  for (int life = 0; life < 5; ++life) {
    TableSettings settings = collection_table("t");
    settings.indexes = {local_index("lsi", text_key("l")),
                        global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
    settings.streams = {{.view = StreamView::kKeysOnly}};
    const TableRef made = create(settings);
    EXPECT_TRUE(ids.insert(made->settings.id).second);
    for (const IndexSettings& index : made->settings.indexes) EXPECT_TRUE(ids.insert(index.id).second);
    EXPECT_TRUE(ids.insert(made->settings.streams.front().id).second);
    ASSERT_TRUE(delete_table(engine(), "t").ok());
    run_all_jobs();
    restart();
  }
  EXPECT_EQ(ids.size(), 20u);
  EXPECT_FALSE(ids.contains(0)) << "0 means none";
}

TEST_F(CatalogTest, AnswersOfTheStoreArePassedOn) {
  create(collection_table("t"));
  HookedStore hooked(store());
  Catalog catalog(hooked);
  hooked.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kUnknown, .reason = "who knows"};
  };
  EXPECT_EQ(set_tag(catalog, "t", "x").error(), (Error{Code::kUnknown, "who knows"}));
  hooked.answer = [](const store::Batch&) {
    return store::Outcome{.kind = store::Outcome::Kind::kRefused, .reason = "closed"};
  };
  EXPECT_EQ(set_tag(catalog, "t", "x").error(), (Error{Code::kUnavailable, "closed"}));
}

// A reader that has read the row before the deletion, and is slow, must not bring the table back.
TEST_F(CatalogTest, ASlowReloadDoesNotBringBackATableThatWasDeletedMeanwhile) {
  create(collection_table("t"));
  HookedStore hooked(store());
  Engine slow(hooked, clock(), {});
  std::atomic<bool> deleted = false;
  std::thread deleting;
  hooked.after_next_read(table_catalog_key("t"), [&] {
    deleting = std::thread([&] {
      EXPECT_TRUE(delete_table(slow, "t").ok());
      deleted = true;
    });
    // The deletion is committed, and has as much time as it wants to be noticed before the reading goes on.
    while (engine().catalog.find("t").ok()) (void)engine().catalog.reload("t");
    for (int i = 0; i < 50 && !deleted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  (void)slow.catalog.reload("t");
  deleting.join();
  EXPECT_FALSE(slow.catalog.find("t").ok());
}

constexpr int kThreads = 8;

TEST_F(CatalogTest, ConcurrentChangesOfOneTableAreAllKept) {
  create(collection_table("t"));
  Catalog others(store());
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Catalog& mine = i % 2 == 0 ? catalog() : others;
      for (int round = 0; round < 40;) {
        const Result<void> changed =
            mine.change("t",
                        [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                            store::Batch&) -> Result<std::optional<TableSettings>> {
                          TableSettings after = *before;
                          std::string& count = after.tags["count"];
                          count = std::to_string((count.empty() ? 0 : std::stoi(count)) + 1);
                          return std::optional(std::move(after));
                        });
        if (changed.ok()) {
          ++round;
        } else if (changed.error().code != Code::kConflict) {
          ++failures;
          return;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ((*catalog().reload("t"))->settings.tags.at("count"), std::to_string(kThreads * 40));
}

TEST_F(CatalogTest, ConcurrentlyMadeTablesHaveIdsOfTheirOwn) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, i] {
      for (int round = 0; round < 20;) {
        const Result<TableRef> made =
            create_table(engine(), collection_table("t" + std::to_string(i) + "-" + std::to_string(round)));
        if (made.ok()) ++round;
        if (!made.ok() && made.error().code != Code::kConflict) return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Catalog::Names all = *catalog().list("", 1000);
  EXPECT_EQ(all.names.size(), kThreads * 20u);
  std::set<Id> ids;
  for (const std::string& name : all.names) ids.insert((*catalog().reload(name))->settings.id);
  EXPECT_EQ(ids.size(), all.names.size());
}

// Readers see some state that was, never half of one, and in the end the last.
TEST_F(CatalogTest, ReadersSeeWholeTablesWhileTheyChange) {
  create(collection_table("t"));
  std::atomic<bool> stop = false;
  std::atomic<int> torn = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&, i] {
      while (!stop) {
        const Result<TableRef> found = i == 0 ? catalog().reload("t") : catalog().find("t");
        if (!found.ok()) continue;  // while it is away
        const auto& tags = (*found)->settings.tags;
        if (tags.size() == 2 && tags.at("first") != tags.at("second")) ++torn;
      }
    });
  }
  for (int round = 0; round < 300; ++round) {
    ASSERT_TRUE(
        add_tags(engine(), "t", {{"first", std::to_string(round)}, {"second", std::to_string(round)}}).ok());
    EXPECT_EQ((*catalog().find("t"))->settings.tags.at("first"), std::to_string(round));
    if (round % 50 == 49) {
      ASSERT_TRUE(delete_table(engine(), "t").ok());
      EXPECT_FALSE(catalog().find("t").ok());
      run_all_jobs();
      create(collection_table("t"));
    }
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(torn, 0);
}

}  // namespace
}  // namespace sheaf::engine
