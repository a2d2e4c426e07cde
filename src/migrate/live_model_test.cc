#include "migrate/live_model.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>

#include "api/forwarding_database.h"
#include "migrate/migration.h"
#include "run/plain_json.h"

namespace sheaf::migrate {
namespace {

constexpr const char* kText = "model m { entity A { id id; name } pattern a(a: A) = $a }";

// Writes of items wait until somebody opens it.
class SlowDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<Written> put_item(const PutItem& request) override {
    {
      std::unique_lock lock(mutex_);
      ++waiting_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_open_; });
      --waiting_;
    }
    return ForwardingDatabase::put_item(request);
  }
  void close() {
    std::lock_guard lock(mutex_);
    is_open_ = false;
  }
  void open() {
    std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void await_writer() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = true;
  int waiting_ = 0;
};

// Event loops ask what is stored how, and must not wait for who renews a lease: the write may wait for them.
TEST(LiveModel, WhatIsKnownIsToldWhileALeaseIsBeingWritten) {
  const std::unique_ptr<Database> database = Database::open_in_memory({.background_thread = false});
  SlowDatabase slow(*database);
  std::chrono::milliseconds now{1'000'000};
  std::mutex now_mutex;
  run::WriterOptions writer;
  writer.clock = [&] {
    std::lock_guard lock(now_mutex);
    return std::chrono::system_clock::time_point(now);
  };
  auto live = LiveModel::open(slow, kText, {.applies = true, .writer = writer});
  ASSERT_TRUE(live.ok()) << live.error().message;
  {
    std::lock_guard lock(now_mutex);
    now += std::chrono::hours(1);  // so that the lease is over
  }
  slow.close();
  std::thread reader([&] { EXPECT_TRUE((*live)->read("a", {Value("x")}).ok()); });
  slow.await_writer();
  EXPECT_EQ((*live)->reading()->version().layout, "default");
  EXPECT_EQ((*live)->versions().size(), 1u);
  EXPECT_FALSE((*live)->is_moving());
  slow.open();
  reader.join();
}

constexpr const char* kTeams = R"(model m {
  table app { pk PK; sk SK; tag Type }
  entity Team { id id; name }
  entity Player { id id; name }
  rel Team *--* Player as players / teams { size of players max 50; size of teams max 50; via lists copy players(name) }
  layout other { rel Team.players via edges pk both copy players(name) }
  pattern team(t: Team) = $t { *, players }
})";

// Something happens right before an item of a table is read.
class InterruptedDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<Got> get_item(const GetItem& request) override {
    if (request.table == "app" && interruption) std::exchange(interruption, nullptr)();
    return ForwardingDatabase::get_item(request);
  }
  std::function<void()> interruption;
};

// A process that stood still for longer than its lease: the model was moved meanwhile.
class StoodStill : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    auto opened = LiveModel::open(slow_, kTeams, {.applies = true, .writer = options_});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    live_ = std::move(*opened);
    write("put.Team", {R"({"id":"t1","name":"a"})"});
    write("put.Player", {R"({"id":"p1","name":"b"})"});
  }
  void write(std::string_view operation, const std::vector<std::string>& json) {
    const auto done = live_->write(operation, run::from_json(json));
    ASSERT_TRUE(done.ok()) << operation << ": " << done.error().message;
  }
  std::string team() {
    const auto reply = live_->read("team", run::from_json({R"("t1")"}));
    return reply.ok() ? run::to_plain_json(reply->documents.at(0)) : reply.error().message;
  }
  void move(bool removes) {
    now_ += std::chrono::seconds(11);
    auto migration = Migration::begin(*database_,
                                      {.from_text = kTeams,
                                       .from_layout = "default",
                                       .to_text = kTeams,
                                       .to_layout = "other",
                                       .renames = {},
                                       .tables = {}},
                                      options_);
    ASSERT_TRUE(migration.ok()) << migration.error().message;
    for (int i = 0; i < 100 && (*migration)->progress().stage != Progress::Stage::kDone; ++i)
      ASSERT_TRUE((*migration)->advance(100).ok());
    ASSERT_TRUE((*migration)->read_new().ok());
    ASSERT_TRUE((*migration)->stop_writing_old().ok());
    ASSERT_TRUE((removes ? (*migration)->remove_left_over() : (*migration)->keep_left_over()).ok());
    ASSERT_TRUE(database_->run_background_work().ok());
  }

  std::chrono::system_clock::time_point now_ = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
  const run::WriterOptions options_{.clock = [this] { return now_; }, .pause = [](int) {}};
  const std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false});
  InterruptedDatabase slow_{*database_};
  std::unique_ptr<LiveModel> live_;
};

TEST_P(StoodStill, WhatItWasAboutToWriteGoesWhereTheModelIsNow) {
  slow_.interruption = [this] { move(GetParam()); };
  write("link.Team.players", {R"("t1")", R"("p1")"});
  ASSERT_FALSE(slow_.interruption);
  EXPECT_EQ(live_->reading()->version().layout, "other");
  EXPECT_EQ(team(), R"({"id":"t1","name":"a","players":[{"id":"p1","name":"b"}]})");
}

INSTANTIATE_TEST_SUITE_P(OldTables, StoodStill, testing::Bool(),
                         [](const auto& each) { return each.param ? "Removed" : "Kept"; });

constexpr const char* kUsers = R"(model m {
  table app { pk PK; sk SK; tag Type }
  entity User { id id; code string? unique; key "U#<id>" / "A" }
  layout other { entity User { key "V#<id>" / "A" } }
  pattern user(u: User) = $u
})";

// Of two programs one has heard that a layout is left, and the other still writes it: what is said there of
// the first one's users is over.
class Behind : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<LiveModel> program() {
    auto opened = LiveModel::open(*database_, kUsers, {.applies = true, .writer = options_});
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return std::move(*opened);
  }
  static std::string write(LiveModel& live, std::string_view operation,
                           const std::vector<std::string>& json) {
    const auto done = live.write(operation, run::from_json(json));
    return done.ok() ? "" : done.error().message;
  }
  void hear() { now_ += std::chrono::seconds(11); }

  std::chrono::system_clock::time_point now_ = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
  const run::WriterOptions options_{.clock = [this] { return now_; }, .pause = [](int) {}};
  const std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false});
};

TEST_P(Behind, WhatOnlyTheLayoutRefusesThatOthersLeftIsWritten) {
  const std::unique_ptr<LiveModel> one = program(), other = program();
  ASSERT_EQ(write(*one, "put.User", {R"({"id":"a","code":"c"})"}), "");
  ASSERT_EQ(write(*other, "put.User", {R"({"id":"b"})"}), "");
  auto migration = Migration::begin(*database_,
                                    {.from_text = kUsers,
                                     .from_layout = "default",
                                     .to_text = kUsers,
                                     .to_layout = "other",
                                     .renames = {},
                                     .tables = {}},
                                    options_);
  ASSERT_TRUE(migration.ok()) << migration.error().message;
  hear();
  for (int i = 0; i < 100 && (*migration)->progress().stage != Progress::Stage::kDone; ++i)
    ASSERT_TRUE((*migration)->advance(100).ok());
  if (const bool goes_on = GetParam(); goes_on) {
    ASSERT_TRUE((*migration)->read_new().ok());
    hear();
  }
  ASSERT_EQ(write(*other, "set.User", {R"("b")", "{}"}), "");
  ASSERT_TRUE(other->is_moving());
  const auto left = GetParam() ? (*migration)->stop_writing_old() : (*migration)->step_back();
  ASSERT_TRUE(left.ok()) << left.error().message;
  // The lease of `other` goes on for some seconds.
  const std::unique_ptr<LiveModel> knowing = program();
  ASSERT_FALSE(knowing->is_moving());
  ASSERT_EQ(write(*knowing, "remove.User", {R"("a")", R"(["code"])"}), "");
  ASSERT_TRUE(other->is_moving());
  EXPECT_EQ(write(*other, "set.User", {R"("b")", R"({"code":"c"})"}), "");
  EXPECT_FALSE(other->is_moving());
  EXPECT_NE(write(*knowing, "set.User", {R"("a")", R"({"code":"c"})"}), "") << "it is taken";
}

INSTANTIATE_TEST_SUITE_P(Steps, Behind, testing::Bool(),
                         [](const auto& each) { return each.param ? "Finished" : "TakenBack"; });

}  // namespace
}  // namespace sheaf::migrate
