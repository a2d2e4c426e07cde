// A database in a directory: what stays, who may open it, copies, background work, and writers side by side.
#include <atomic>
#include <chrono>
#include <thread>

#include "api/database_fixture.h"
#include "base/temp_directory.h"

namespace sheaf {
namespace {

class DatabaseDirectoryTest : public ::testing::Test {
 protected:
  std::unique_ptr<Database> open(const std::string& name, bool background_thread = false) {
    return must(Database::open(directory_.path(name), {.background_thread = background_thread}));
  }
  static void fill(Database& db) {
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l")};
    table.global_indexes = {index_of("gsi", "g")};
    table.stream = StreamView::kNewAndOldImages;
    must(db.create_table(table));
    for (int i = 0; i < 10; ++i) {
      must(db.put_item(
          {.table = "Things", .item = {{"pk", "a"}, {"sk", std::to_string(i)}, {"g", "x"}, {"l", "y"}}}));
    }
  }
  static void expect_filled(Database& db) {
    const TableDescription table = must(db.describe_table("Things"));
    EXPECT_EQ(table.item_count, 10);
    for (const IndexDescription& index : table.indexes) EXPECT_EQ(index.item_count, 10);
    const Query query{
        .table = "Things", .key_condition = "pk = :p", .values = {{":p", "a"}}, .consistent = true};
    EXPECT_EQ(must(db.query(query)).count, 10u);
    EXPECT_EQ(must(db.scan({.table = "Things", .index = "gsi"})).count, 10u);
    EXPECT_EQ(must(db.collection_size("Things", {{"pk", "a"}})).item_count, 10);
    size_t events = 0;
    for (uint32_t shard = 0; shard < table.streams[0].shard_count; ++shard) {
      events += must(db.read_stream({.table = "Things", .stream = table.streams[0].id, .shard = shard}))
                    .events.size();
    }
    EXPECT_EQ(events, 10u);
  }

  TempDirectory directory_;
};

TEST_F(DatabaseDirectoryTest, KeepsEverythingWhenItIsOpenedAgain) {
  fill(*open("data"));
  expect_filled(*open("data"));
}

TEST_F(DatabaseDirectoryTest, IsOpenOnce) {
  const std::unique_ptr<Database> first = open("data");
  EXPECT_EQ(refusal(Database::open(directory_.path("data"))).code, Code::kBusy);
}

TEST_F(DatabaseDirectoryTest, ACheckpointIsADatabaseOfItsOwn) {
  const std::unique_ptr<Database> db = open("data");
  fill(*db);
  must(db->checkpoint(directory_.path("copy")));
  must(db->delete_item({.table = "Things", .key = {{"pk", "a"}, {"sk", "0"}}}));
  expect_filled(*open("copy"));
  EXPECT_FALSE(db->checkpoint(directory_.path("copy")).ok());  // it exists
}

TEST_F(DatabaseDirectoryTest, TheBackgroundThreadDoesTheBackgroundWork) {
  const std::unique_ptr<Database> db = open("data", true);
  fill(*db);
  must(db->update_table({.table = "Things", .add_index = index_of("late", "l")}));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const auto status = [&] { return must(db->describe_table("Things")).indexes.back().status; };
  while (status() != IndexStatus::kActive && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(status(), IndexStatus::kActive);
  EXPECT_EQ(must(db->scan({.table = "Things", .index = "late"})).count, 10u);
}

TEST_F(DatabaseDirectoryTest, AnIndexIsFilledOnAfterItIsOpenedAgain) {
  {
    const std::unique_ptr<Database> db = open("data");
    fill(*db);
    for (int i = 0; i < 500; ++i)
      must(
          db->put_item({.table = "Things", .item = {{"pk", std::to_string(i)}, {"sk", "s"}, {"late", "x"}}}));
    must(db->update_table({.table = "Things", .add_index = index_of("by_late", "late")}));
    EXPECT_TRUE(must(db->run_background_work()));
    EXPECT_GT(must(db->describe_table("Things")).indexes.back().items_filled, 0);
  }
  const std::unique_ptr<Database> db = open("data");
  EXPECT_EQ(must(db->describe_table("Things")).indexes.back().status, IndexStatus::kCreating);
  while (must(db->run_background_work())) {
  }
  EXPECT_EQ(must(db->describe_table("Things")).indexes.back().item_count, 500);
}

// Its answer must not depend on whether the table is still there when it is written.
TEST(ConcurrentTables, ADeletionIsAnsweredEvenIfTheTableIsClearedMeanwhile) {
  const std::unique_ptr<Database> db = Database::open_in_memory({.background_thread = false});
  std::atomic<bool> stop = false;
  std::thread clearing([&] {
    while (!stop) must(db->run_background_work());
  });
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "Table" + std::to_string(i);
    must(db->create_table(table_of(name, "pk")));
    EXPECT_EQ(must(db->delete_table(name)).name, name);
  }
  stop = true;
  clearing.join();
}

// A14, A15: writers side by side lose nothing: every increment counts, and transfers keep their sum.
TEST(ConcurrentWriters, LoseNoUpdate) {
  const std::unique_ptr<Database> db = Database::open_in_memory();
  must(db->create_table(table_of("Accounts", "pk")));
  constexpr int kThreads = 8;
  constexpr int kRounds = 200;
  for (int i = 0; i < kThreads; ++i)
    must(db->put_item({.table = "Accounts", .item = {{"pk", std::to_string(i)}, {"money", 100}}}));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < kRounds; ++round) {
        must(db->update_item({.table = "Accounts",
                              .key = {{"pk", "counter"}},
                              .update = "ADD hits :one",
                              .values = {{":one", 1}}}));
        const auto move = [&](int account, int by) {
          return UpdateItem{.table = "Accounts",
                            .key = {{"pk", std::to_string(account % kThreads)}},
                            .update = "ADD money :by",
                            .values = {{":by", by}}};
        };
        EXPECT_TRUE(must(db->transact_write_items(
                             {.actions = {move(thread + round, -1), move(thread + round + 1, 1)}}))
                        .applied);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(must(db->get_item({.table = "Accounts", .key = {{"pk", "counter"}}, .consistent = true})).item,
            (Item{{"pk", "counter"}, {"hits", kThreads * kRounds}}));
  int64_t sum = 0;
  for (const Item& item : items_of(must(db->scan({.table = "Accounts", .consistent = true})).items)) {
    if (const auto money = item.find("money")) sum += must(money->number().to_int64());
  }
  EXPECT_EQ(sum, 100 * kThreads);
}

}  // namespace
}  // namespace sheaf
