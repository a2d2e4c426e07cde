// Who may only read a model can read it, also while it moves.
#include <gtest/gtest.h>

#include "api/forwarding_database.h"
#include "migrate/live_model.h"
#include "migrate/migration.h"
#include "run/plain_json.h"

namespace sheaf::migrate {
namespace {

class ReadOnly final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<Written> put_item(const PutItem&) override { return Error{Code::kUnavailable, "no"}; }
  Result<Written> delete_item(const DeleteItem&) override { return Error{Code::kUnavailable, "no"}; }
  Result<TransactWritten> transact_write_items(const TransactWriteItems&) override {
    return Error{Code::kUnavailable, "no"};
  }
};

class CountedWrites final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<Written> put_item(const PutItem& request) override {
    ++writes;
    return ForwardingDatabase::put_item(request);
  }
  Result<Written> delete_item(const DeleteItem& request) override {
    ++writes;
    return ForwardingDatabase::delete_item(request);
  }
  uint64_t writes = 0;
};

constexpr const char* kThings = R"(model m {
  table app { pk PK; sk SK; tag Type }
  entity Thing { id id; name }
  pattern thing(t: Thing) = $t
})";

TEST(Readers, NeedNoLease) {
  const std::unique_ptr<Database> database = Database::open_in_memory({.background_thread = false});
  std::chrono::system_clock::time_point now = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
  const run::WriterOptions options{.clock = [&] { return now; }, .pause = [](int) {}};
  const auto writer = LiveModel::open(*database, kThings, {.applies = true, .writer = options});
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  ASSERT_TRUE((*writer)->write("put.Thing", {Value(Item{{"id", "1"}, {"name", "one"}})}).ok());
  ReadOnly read_only(*database);
  const auto reader = LiveModel::open(read_only, kThings, {.writer = options});
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  const auto count = [&] {
    now += std::chrono::minutes(1);
    const auto reply = (*reader)->read("thing", {Value("1")});
    EXPECT_TRUE(reply.ok()) << reply.error().message;
    return reply.ok() ? reply->documents.size() : 0;
  };
  EXPECT_EQ(count(), 1u);
  EXPECT_FALSE((*reader)->write("put.Thing", {Value(Item{{"id", "2"}, {"name", "two"}})}).ok());
  auto migration = *Migration::begin(*database,
                                     {.from_text = kThings,
                                      .from_layout = "default",
                                      .to_text = kThings,
                                      .to_layout = "default",
                                      .renames = {},
                                      .tables = {}},
                                     options);
  for (const auto take : {&Migration::read_new, &Migration::stop_writing_old, &Migration::remove_left_over}) {
    EXPECT_EQ(count(), 1u);
    ASSERT_TRUE((*writer)->work().ok());
    while (migration->progress().stage != Progress::Stage::kDone) ASSERT_TRUE(migration->advance(10).ok());
    const Result<void> taken = (migration.get()->*take)();
    ASSERT_TRUE(taken.ok()) << taken.error().message;
  }
  ASSERT_TRUE(database->run_background_work().ok());
  EXPECT_EQ(count(), 1u);
}

// As a server does that nobody asks anything.
TEST(Readers, LookForJobsWithoutWriting) {
  const std::unique_ptr<Database> database = Database::open_in_memory({.background_thread = false});
  std::chrono::system_clock::time_point now = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
  const run::WriterOptions options{.clock = [&] { return now; }, .pause = [](int) {}};
  CountedWrites counted(*database);
  const auto idle = LiveModel::open(counted, kThings, {.applies = true, .writer = options});
  ASSERT_TRUE(idle.ok()) << idle.error().message;
  counted.writes = 0;
  for (int i = 0; i < 10; ++i) {
    now += std::chrono::seconds(10);
    ASSERT_TRUE((*idle)->work().ok());
  }
  EXPECT_EQ(counted.writes, 0u);
  // It learns all the same where the model is, and nobody waits for it longer than a lease.
  const MoveRequest request{.from_text = kThings,
                            .from_layout = "default",
                            .to_text = kThings,
                            .to_layout = "default",
                            .renames = {},
                            .tables = {}};
  const auto migration = Migration::begin(*database, request, options);
  ASSERT_TRUE(migration.ok()) << migration.error().message;
  EXPECT_TRUE(*(*migration)->is_settled());
  EXPECT_FALSE((*idle)->is_moving());
  now += std::chrono::seconds(10);
  ASSERT_TRUE((*idle)->work().ok());
  EXPECT_TRUE((*idle)->is_moving());
}

}  // namespace
}  // namespace sheaf::migrate
