// For tests: a model that changes when it moves, as two programs use it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "migrate/live_model.h"
#include "migrate/migration.h"
#include "run/audit.h"
#include "run/plain_json.h"
#include "run/running_model.h"

namespace sheaf::migrate {

// A database on which a model is used by two programs: one that has its old text, one that has the new one.
class ChangedModel : public testing::Test {
 protected:
  void open(const std::string& text, const std::string& layout = "default") {
    old_text_ = text;
    old_layout_ = layout;
    old_ = opened(text, layout);
  }
  void begin(const std::string& text, const std::string& layout = "default", const Renames& renames = {}) {
    new_text_ = text;
    new_layout_ = layout;
    auto begun = Migration::begin(*database_,
                                  {.from_text = old_text_,
                                   .from_layout = old_layout_,
                                   .to_text = text,
                                   .to_layout = layout,
                                   .renames = renames,
                                   .tables = {}},
                                  options_);
    ASSERT_TRUE(begun.ok()) << begun.error().message;
    migration_ = std::move(*begun);
    settle();
  }
  std::string refusal(const std::string& text, const Renames& renames = {}) {
    const auto begun = Migration::begin(*database_,
                                        {.from_text = old_text_,
                                         .from_layout = old_layout_,
                                         .to_text = text,
                                         .to_layout = "default",
                                         .renames = renames,
                                         .tables = {}},
                                        options_);
    return begun.ok() ? "begun" : begun.error().message;
  }
  void copy() {
    for (int i = 0; i < 1000 && migration_->progress().stage != Progress::Stage::kDone; ++i) {
      const auto advanced = migration_->advance(3);
      ASSERT_TRUE(advanced.ok()) << advanced.error().message;
    }
    ASSERT_EQ(migration_->progress().stage, Progress::Stage::kDone) << migration_->progress().difference;
  }
  void step(Result<void> (Migration::*take)()) {
    const Result<void> taken = (migration_.get()->*take)();
    ASSERT_TRUE(taken.ok()) << taken.error().message;
    settle();
  }
  // What was new to nobody is known to all.
  void settle() {
    now_ += std::chrono::seconds(30);
    if (old_) (void)old_->work();
    if (new_) (void)new_->work();
    ASSERT_TRUE(*migration_->is_settled());
  }
  void end() {
    const auto compared = migration_->compare();
    ASSERT_TRUE(compared.ok()) << compared.error().message;
    EXPECT_TRUE(compared->is_clean()) << testing::PrintToString(compared->differences.named())
                                      << testing::PrintToString(compared->unexplained.named());
    step(&Migration::stop_writing_old);
    step(&Migration::remove_left_over);
    EXPECT_TRUE(database_->run_background_work().ok());
  }

  std::unique_ptr<LiveModel> opened(const std::string& text, const std::string& layout) {
    auto live = LiveModel::open(*database_, text, {.layout = layout, .applies = true, .writer = options_});
    EXPECT_TRUE(live.ok()) << live.error().message;
    return live.ok() ? std::move(*live) : nullptr;
  }
  // Somebody who goes past the model gives all items that have an attribute another one.
  void write_beside(const std::string& table, const std::string& attribute, const std::string& value) {
    const auto page = database_->scan({.table = table, .consistent = true});
    ASSERT_TRUE(page.ok()) << page.error().message;
    size_t count = 0;
    for (size_t i = 0; i < page->items.size(); ++i) {
      Item item(page->items[i]);
      if (!item.find(attribute)) continue;
      item.set(attribute, Value(value));
      ASSERT_TRUE(database_->put_item({.table = table, .item = std::move(item)}).ok());
      ++count;
    }
    ASSERT_GT(count, 0u);
  }
  static std::string write(LiveModel& live, std::string_view operation,
                           const std::vector<std::string>& json) {
    const auto done = live.write(operation, run::from_json(json));
    return done.ok() ? "" : done.error().message;
  }
  static std::string ask(LiveModel& live, std::string_view pattern, const std::vector<std::string>& json) {
    const auto reply = live.read(pattern, run::from_json(json));
    if (!reply.ok()) return "error: " + reply.error().message;
    std::string out;
    for (const Value& each : reply->documents) out += run::to_plain_json(each) + "\n";
    return out;
  }
  size_t findings() { return findings(*old_); }
  size_t findings(const LiveModel& live) {
    const std::shared_ptr<const OpenVersion> version = live.reading();
    const auto audit = run::audit(*database_, version->model(), version->layout(), {});
    EXPECT_TRUE(audit.ok()) << audit.error().message;
    return audit.ok() ? audit->findings.size() : 99;
  }

  std::chrono::system_clock::time_point now_ = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
  run::WriterOptions options_{.clock = [this] { return now_; }, .pause = [](int) {}};
  const std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false});
  std::string old_text_, old_layout_, new_text_, new_layout_;
  std::unique_ptr<LiveModel> old_, new_;
  std::unique_ptr<Migration> migration_;
};

inline constexpr const char* kUsers = R"(model m {
  table app { pk PK; sk SK; tag Type }
  entity User { id id; full; nick string? }
  entity Ticket { id id; subject }
  rel User 1--* Ticket as tickets / user { required; size max 50 }
  pattern user(u: User) = $u { *, tickets }
})";

}  // namespace sheaf::migrate
