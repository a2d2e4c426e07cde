// Tables that nobody but the model may write while it moves.
#include <gtest/gtest.h>

#include "api/forwarding_database.h"
#include "api/table_writers.h"
#include "migrate/live_model.h"
#include "migrate/migration.h"

namespace sheaf::migrate {
namespace {

constexpr const char* kModel = R"(model things {
  table app { pk PK; sk SK; tag Type }
  entity Thing { id id; name; key "T#<id>" / "T" }
  layout other { entity Thing { key "THING#<id>" / "T" } }
  pattern thing(t: Thing) = $t
})";

class LockedMove : public testing::Test {
 protected:
  LockedMove() {
    auto opened = LiveModel::open(*database_, kModel, {.applies = true});
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    live_ = std::move(*opened);
    EXPECT_TRUE(live_->write("put.Thing", {Value(Item{{"id", "1"}, {"name", "one"}})}).ok());
  }

  void begin(bool locks) {
    auto begun = Migration::begin(*database_,
                                  {.from_text = kModel,
                                   .from_layout = "default",
                                   .to_text = kModel,
                                   .to_layout = "other",
                                   .renames = {},
                                   .tables = {},
                                   .locks = locks},
                                  options_);
    ASSERT_TRUE(begun.ok()) << begun.error().message;
    migration_ = std::move(*begun);
  }
  void copy() {
    live_.reset();  // with its lease
    while (migration_->progress().stage != Progress::Stage::kDone) ASSERT_TRUE(migration_->advance(10).ok());
  }
  void step(Result<void> (Migration::*take)()) {
    const Result<void> taken = (migration_.get()->*take)();
    ASSERT_TRUE(taken.ok()) << taken.error().message;
  }
  // "things", or "anybody", or "no table"
  std::string writer_of(const std::string& table) {
    const auto described = database_->describe_table(table);
    if (!described.ok() || described->status != TableStatus::kActive) return "no table";
    const auto tag = described->tags.find(std::string(api::kWriterTag));
    return tag == described->tags.end() ? "anybody" : tag->second;
  }

  const std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false});
  const run::WriterOptions options_{};
  std::unique_ptr<LiveModel> live_;
  std::unique_ptr<Migration> migration_;
};

TEST_F(LockedMove, LastsUntilItIsFinished) {
  begin(true);
  EXPECT_EQ(writer_of("app"), "things");
  EXPECT_EQ(writer_of("app-2"), "things");
  EXPECT_EQ(writer_of("things-sheaf"), "anybody");  // leases are everybody's
  copy();
  step(&Migration::read_new);
  EXPECT_TRUE((*Migration::resume(*database_, "things-sheaf", options_))->record().is_locked);
  step(&Migration::stop_writing_old);
  EXPECT_EQ(writer_of("app-2"), "things");
  step(&Migration::remove_left_over);
  EXPECT_EQ(writer_of("app"), "no table");
  EXPECT_EQ(writer_of("app-2"), "anybody");
  EXPECT_FALSE((*read_versions(*database_, "things-sheaf"))->is_locked);
}

TEST_F(LockedMove, EndsForTablesThatAreKept) {
  begin(true);
  copy();
  step(&Migration::read_new);
  step(&Migration::stop_writing_old);
  step(&Migration::keep_left_over);
  EXPECT_EQ(writer_of("app"), "anybody");
  EXPECT_EQ(writer_of("app-2"), "anybody");
}

TEST_F(LockedMove, EndsWhenItIsTakenBack) {
  begin(true);
  live_.reset();
  step(&Migration::step_back);
  EXPECT_EQ(writer_of("app"), "things");
  step(&Migration::remove_left_over);
  EXPECT_EQ(writer_of("app"), "anybody");
  EXPECT_EQ(writer_of("app-2"), "no table");
}

// As after a crash between the record and the lock.
TEST_F(LockedMove, IsThereAgainWhenItIsGoneOnWith) {
  begin(true);
  ASSERT_TRUE(database_->untag_table("app-2", {std::string(api::kWriterTag)}).ok());
  ASSERT_TRUE(Migration::resume(*database_, "things-sheaf", options_).ok());
  EXPECT_EQ(writer_of("app"), "things");
  EXPECT_EQ(writer_of("app-2"), "things");
}

// Another mover is faster: its record is there when this one's is to be written.
class TooLate final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<Written> put_item(const PutItem& request) override {
    if (request.table == "things-sheaf" && request.condition) return Written{.condition_met = false};
    return ForwardingDatabase::put_item(request);
  }
};

TEST_F(LockedMove, IsNotOfAMoveThatWasNotBegun) {
  TooLate late(*database_);
  const auto begun = Migration::begin(late,
                                      {.from_text = kModel,
                                       .from_layout = "default",
                                       .to_text = kModel,
                                       .to_layout = "other",
                                       .renames = {},
                                       .tables = {},
                                       .locks = true},
                                      options_);
  ASSERT_FALSE(begun.ok());
  EXPECT_EQ(begun.error().code, Code::kConflict);
  EXPECT_EQ(writer_of("app"), "anybody");
  EXPECT_EQ(writer_of("app-2"), "anybody");
}

TEST_F(LockedMove, IsWhatWasAskedFor) {
  begin(false);
  EXPECT_EQ(writer_of("app"), "anybody");
  EXPECT_EQ(writer_of("app-2"), "anybody");
}

class Stranger final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<Written> delete_item(const DeleteItem& request) override {
    if (error) return *error;
    return ForwardingDatabase::delete_item(request);
  }
  std::optional<Error> error;
};

TEST_F(LockedMove, IsTriedWithoutWriting) {
  Stranger stranger(*database_);
  const auto lets = [&] { return lets_strangers_write(*database_, "things", stranger, "app"); };
  const int64_t items = database_->describe_table("app")->item_count;
  EXPECT_TRUE(*lets());
  stranger.error = Error{Code::kInUse, "locked"};
  EXPECT_FALSE(*lets());
  stranger.error = Error{Code::kUnavailable, "gone"};
  EXPECT_EQ(lets().error().code, Code::kUnavailable);
  EXPECT_EQ(writer_of("app"), "anybody");
  EXPECT_EQ(database_->describe_table("app")->item_count, items);
}

}  // namespace
}  // namespace sheaf::migrate
