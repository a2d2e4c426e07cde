// Directories that are damaged on purpose: what is found is just that, and after a repair nothing is.
#include "doctor/directory_check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temp_directory.h"
#include "engine/engine_fixture.h"
#include "engine/index_change.h"
#include "engine/item_change.h"
#include "store/rocks_store.h"

namespace sheaf::doctor {
namespace {

using namespace engine;
using store::Space;

// A directory with a table that has everything: both kinds of indexes, a stream, time to live.
class DirectoryCheckTest : public testing::Test {
 protected:
  DirectoryCheckTest() {
    const auto store = open();
    Engine engine(*store, clock_, {});
    TableSettings settings = collection_table("T");
    settings.indexes = {local_index("by_d", text_key("d"), ProjectionKind::kKeysOnly),
                        global_index("by_g", {.partition = {text_key("g")}, .sort = {number_key("n")}})};
    settings.streams = {{.view = StreamView::kNewAndOldImages}};
    EXPECT_TRUE(create_table(engine, settings).ok());
    EXPECT_TRUE(update_ttl(engine, "T", "ttl", true).ok());
    EXPECT_TRUE(create_table(engine, table_settings("Other", {.partition = {text_key("id")}})).ok());
    const TableRef table = *engine.catalog.find("T");
    for (int i = 0; i < 60; ++i) {
      Item item{{"PK", "p" + std::to_string(i % 7)},
                {"SK", std::to_string(i)},
                {"g", "g" + std::to_string(i % 3)},
                {"n", i}};
      if (i % 2 == 0) item.set("d", Value("d" + std::to_string(i)));
      if (i % 3 == 0) item.set("ttl", Value(int64_t{1'900'000'000} + i));
      EXPECT_TRUE(write_one(engine, put_write(table, item)).ok());
    }
    for (int round = 0; round < 1000; ++round) {
      const Result<bool> more = run_jobs(engine, "test");
      EXPECT_TRUE(more.ok());
      if (!more.ok() || !*more) break;
    }
  }

  std::unique_ptr<store::Store> open() {
    auto store = store::open_rocks_store({.directory = folder_.path("data")}, clock_);
    EXPECT_TRUE(store.ok()) << store.error().message;
    return std::move(*store);
  }

  // Writes rows as nobody should.
  void damage(const std::function<void(store::Store&, const Table&, store::Batch&)>& change) {
    const auto store = open();
    Engine engine(*store, clock_, {});
    store::Batch batch;
    change(*store, **engine.catalog.find("T"), batch);
    EXPECT_EQ(store::commit(*store, std::move(batch)).kind, store::Outcome::Kind::kApplied);
  }

  std::vector<std::string> findings() {
    const Result<DirectoryCheck> check = check_directory(folder_.path("data"), clock_, {});
    EXPECT_TRUE(check.ok()) << check.error().message;
    std::vector<std::string> texts;
    if (!check.ok()) return texts;
    for (const Finding& finding : check->checkup.findings)
      texts.push_back(finding.where + " " + std::string(name_of(finding.trouble)) + " " +
                      std::to_string(finding.count));
    return texts;
  }

  void expect_repaired() {
    const Result<std::string> copy = repair_directory(folder_.path("data"), clock_, Backup::kBeside);
    ASSERT_TRUE(copy.ok()) << copy.error().message;
    EXPECT_TRUE(std::filesystem::exists(*copy));
    EXPECT_EQ(findings(), Texts());
    // And it is as it was before anything was damaged.
    const auto store = open();
    EXPECT_EQ(all_rows(*store), sound_);
  }

  static std::map<std::string, std::string> all_rows(store::Store& store) {
    std::map<std::string, std::string> rows;
    for (const store::Space space : {Space::kItems, Space::kIndexes, Space::kLog, Space::kExpiry}) {
      for (const auto& [key, row] : engine::rows_of(store, space)) rows.emplace(key, row);
    }
    for (const auto& [key, row] : engine::rows_of(store, Space::kCounters)) {
      if (store::decode_sums(row) != std::vector<int64_t>{0, 0}) rows.emplace(key, row);
    }
    return rows;
  }
  void remember() {
    const auto store = open();
    sound_ = all_rows(*store);
  }

  using Texts = std::vector<std::string>;
  TempDirectory folder_;
  ManualClock clock_{kTestStartUs};
  std::map<std::string, std::string> sound_;
};

TEST_F(DirectoryCheckTest, AHealthyDirectoryHasNoFindingsAndStaysAsItIs) {
  const auto files = [&] {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path("data"))) {
      std::ifstream file(entry.path(), std::ios::binary);
      all.emplace(entry.path().filename(), std::string(std::istreambuf_iterator<char>(file), {}));
    }
    return all;
  };
  const auto before = files();
  EXPECT_EQ(findings(), Texts());
  EXPECT_EQ(files(), before);
}

TEST_F(DirectoryCheckTest, EntriesOfIndexesAreComparedBothWays) {
  remember();
  damage([&](store::Store& store, const Table& table, store::Batch& batch) {
    const Index& global = *table.find_index("by_g");
    const Rows entries = rows_under(store, global.prefix);
    auto entry = entries.begin();
    batch.erase(entry->first);
    batch.erase((++entry)->first);
    // One that says something else, and one of an item that never was.
    ++entry;
    Item other(Record::of(entry->second).item);
    other.set("x", Value("y"));
    batch.put(entry->first, make_record(other.encoded(), other.view().size_bytes()));
    const Item ghost{{"PK", "nobody"}, {"SK", "1"}, {"g", "g1"}, {"n", 7}};
    const std::string record = make_record(ghost.encoded(), ghost.view().size_bytes());
    const auto ghost_entry = stored_index_entry(global, place_of_stored(table, ghost), Record::of(record));
    batch.put(ghost_entry->key, ghost_entry->record);
    batch.erase(rows_under(store, table.find_index("by_d")->prefix).begin()->first);
  });
  EXPECT_EQ(findings(), (Texts{"table T, index by_d missing-entry 1", "table T, index by_g missing-entry 2",
                               "table T, index by_g wrong-entry 1", "table T, index by_g orphan-entry 1"}));
  expect_repaired();
}

TEST_F(DirectoryCheckTest, CountsAreComparedWithWhatThereIs) {
  remember();
  damage([&](store::Store& store, const Table& table, store::Batch& batch) {
    const Id index = table.find_index("by_g")->settings->id;
    batch.add(total_counter_key(table.settings.id, 2), std::array<int64_t, 2>{3, -100});
    batch.add(total_counter_key(index, 1), std::array<int64_t, 2>{0, 5});
    const ItemPlace place = place_of_stored(table, Item{{"PK", "p1"}, {"SK", "1"}});
    batch.add(collection_counter_key(table.settings.id, place), std::array<int64_t, 2>{1, 1});
    const ItemPlace nobody = place_of_stored(table, Item{{"PK", "nobody"}, {"SK", "1"}});
    batch.add(collection_counter_key(table.settings.id, nobody), std::array<int64_t, 2>{2, 20});
    static_cast<void>(store);
  });
  EXPECT_EQ(findings(), (Texts{"table T wrong-total 1", "table T, index by_g wrong-total 1",
                               "table T wrong-collection 2"}));
  expect_repaired();
}

TEST_F(DirectoryCheckTest, ExpiriesAreComparedBothWays) {
  remember();
  damage([&](store::Store& store, const Table& table, store::Batch& batch) {
    batch.erase(rows_under(store, space_key(Space::kExpiry, table.settings.ttl.id)).begin()->first);
    const ItemPlace nobody = place_of_stored(table, Item{{"PK", "nobody"}, {"SK", "1"}});
    batch.put(expiry_key(table.settings.ttl.id, 1'900'000'000, nobody), "");
  });
  EXPECT_EQ(findings(), (Texts{"table T missing-expiry 1", "table T orphan-expiry 1"}));
  expect_repaired();
}

TEST_F(DirectoryCheckTest, JobsThatAreMissingOrStuckAreFound) {
  remember();
  damage([&](store::Store&, const Table& table, store::Batch& batch) {
    batch.erase(job_key(JobKind::kExpire, table.settings.ttl.id));
    batch.put(job_key(JobKind::kTrim, table.settings.streams[0].id),
              encode_job({.kind = JobKind::kTrim,
                          .id = table.settings.streams[0].id,
                          .table = "T",
                          .lease_until_us = kTestStartUs + 100 * kHourUs,
                          .owner = "ghost"}));
    batch.put(job_key(JobKind::kClear, 77), "no job");
  });
  EXPECT_EQ(findings(), (Texts{"the jobs bad-job 1", "table T stuck-job 2"}));
  expect_repaired();
}

TEST_F(DirectoryCheckTest, WhatIsLeftOfNothingIsFoundAndIdsAreNotUsedTwice) {
  remember();
  damage([&](store::Store&, const Table&, store::Batch& batch) {
    batch.put(space_key(Space::kItems, 500) + "x", "y");
    batch.put(space_key(Space::kItems, 500) + "y", "y");
    batch.put(space_key(Space::kIndexes, 501) + "x", "y");
    batch.put(next_id_key(), std::string("\0\0\0\1", 4));
  });
  EXPECT_EQ(findings(), (Texts{"the catalog ids-used-again 1", "the store stray-rows 2"}));
  expect_repaired();
}

TEST_F(DirectoryCheckTest, ItemsThatAreBadAreToldAndLeft) {
  damage([&](store::Store& store, const Table& table, store::Batch& batch) {
    const Rows items = rows_under(store, table.item_prefix);
    auto item = items.begin();
    batch.put(item->first, item->second.substr(0, item->second.size() - 1));
    const std::string misplaced = (++item)->first;
    batch.put(misplaced, (++item)->second);
    const Rows log = rows_under(store, space_key(Space::kLog, table.settings.streams[0].id));
    batch.put(log.begin()->first, "no record");
  });
  const Texts expected = findings();
  EXPECT_EQ(expected[0], "table T bad-item 1");
  EXPECT_EQ(expected[1], "table T misplaced-item 1");
  EXPECT_TRUE(expected.back().starts_with("table T, stream ") &&
              expected.back().ends_with(" bad-log-record 1"))
      << expected.back();
  ASSERT_TRUE(repair_directory(folder_.path("data"), clock_, Backup::kNone).ok());
  const Texts after = findings();
  EXPECT_EQ(after[0], "table T bad-item 1");
}

TEST_F(DirectoryCheckTest, OneThatIsOpenIsRefusedAndSoIsOneThatIsNone) {
  const auto store = open();
  EXPECT_EQ(check_directory(folder_.path("data"), clock_, {}).error().code, Code::kBusy);
  EXPECT_EQ(check_directory(folder_.path("none"), clock_, {}).error().code, Code::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("none")));
}

TEST_F(DirectoryCheckTest, BytesThatChangedInAFileAreFoundAndNothingIsRepaired) {
  const std::string copy = folder_.path("copy");
  ASSERT_TRUE(open()->checkpoint(copy).ok());  // a copy has all of it in table files
  std::filesystem::path largest;
  for (const auto& entry : std::filesystem::directory_iterator(copy)) {
    if (entry.path().extension() == ".sst" &&
        (largest.empty() || entry.file_size() > std::filesystem::file_size(largest)))
      largest = entry.path();
  }
  ASSERT_FALSE(largest.empty());
  // It may be the very file of the directory that was copied.
  const std::filesystem::path own = copy + "/fresh";
  std::filesystem::copy_file(largest, own);
  std::filesystem::rename(own, largest);
  {
    std::fstream file(largest, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(40);
    file.write("damage", 6);
  }
  const Result<DirectoryCheck> check = check_directory(copy, clock_, {});
  ASSERT_TRUE(check.ok()) << check.error().message;
  ASSERT_FALSE(check->checkup.findings.empty());
  EXPECT_EQ(check->checkup.findings[0].trouble, Trouble::kDamagedFile);
  EXPECT_EQ(check->checkup.findings[0].where, largest);
  EXPECT_EQ(check->files.damaged.size(), 1u);
  EXPECT_FALSE(check->can_be_repaired());
  EXPECT_EQ(findings(), Texts());
}

}  // namespace
}  // namespace sheaf::doctor
