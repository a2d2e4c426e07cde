// A model that moves while it is used, beside the same that stays: at every step, forwards and backwards, it
// answers, takes and refuses as that.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "migrate/live_model.h"
#include "migrate/migration.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "random_model.h"
#include "run/applied_layout.h"
#include "run/audit.h"
#include "run/expectations.h"
#include "run/plain_json.h"
#include "run/session.h"

namespace sheaf::migrate {

using layouts::Chance;
using layouts::RandomCall;
using layouts::RandomModel;
using layouts::RandomOperation;

// How much was tried: a test of nothing would pass.
struct Totals {
  uint64_t moves = 0, calls = 0, done = 0, answers = 0, copied = 0, back = 0, settled_late = 0;
};

inline std::vector<Value> values_of(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(*run::from_plain_json(text));
  return values;
}

// A model's text, and how it is stored.
struct StoredModel {
  const std::string& text;
  const plan::PlannedModel& planned;
  size_t layout;

  const model::Layout& stored() const { return planned.compiled.layouts[layout]; }
};

// One model, moved from one layout to another, beside the same that stays.
class Move {
 public:
  Move(const RandomModel& random, const StoredModel& from, const StoredModel& to, Chance& chance,
       Totals& totals)
      : random_(random), from_(from), to_(to), chance_(chance), totals_(totals) {
    options_ = {.clock = [this] { return now_; }, .pause = [](int) {}};
    still_database_ = Database::open_in_memory({.background_thread = false});
    moving_database_ = Database::open_in_memory({.background_thread = false});
    for (Database* each : {still_database_.get(), moving_database_.get()}) {
      const auto applied = run::apply_layout(*each, model(), from.stored());
      EXPECT_TRUE(applied.ok()) << applied.error().message;
    }
    still_ = std::move(*run::Session::open(*still_database_, from.planned, from.layout, options_));
    // Two programs, which hear of changes at different times.
    for (const int lease : {3'000, 14'000}) {
      auto live = LiveModel::open(
          *moving_database_, from.text,
          {.layout = from.stored().name, .writer = options_, .lease = std::chrono::milliseconds(lease)});
      EXPECT_TRUE(live.ok()) << live.error().message;
      live_.push_back(std::move(*live));
    }
  }

  std::string run() {
    find_operations();
    if (operations_.empty()) return "";
    for (int i = 0; i < 60; ++i) {
      if (const std::string why = act(); !why.empty()) return why;
    }
    auto begun = Migration::begin(*moving_database_, request(), options_);
    if (!begun.ok()) return "cannot begin: " + begun.error().message;
    migration_ = std::move(*begun);
    ++totals_.moves;
    if (const std::string why = copy(); !why.empty()) return why;
    if (const std::string why = step([&] { return migration_->read_new(); }); !why.empty()) return why;
    if (chance_.one_in(3)) {
      ++totals_.back;
      if (const std::string why = step([&] { return migration_->step_back(); }); !why.empty()) return why;
      if (chance_.one_in(2)) {
        if (const std::string why = step([&] { return migration_->step_back(); }); !why.empty()) return why;
        return finish(from_, from_.stored().name);
      }
      if (const std::string why = copy(); !why.empty()) return why;
      if (const std::string why = step([&] { return migration_->read_new(); }); !why.empty()) return why;
    }
    if (const std::string why = compare(); !why.empty()) return why;
    const std::string label = migration_->record().next->label;
    if (const std::string why = step([&] { return migration_->stop_writing_old(); }); !why.empty())
      return why;
    return finish(to_, label);
  }

  std::string history;

 private:
  const model::Model& model() const { return from_.planned.compiled.model; }
  MoveRequest request() const {
    return {.from_text = from_.text,
            .from_layout = from_.stored().name,
            .to_text = to_.text,
            .to_layout = to_.stored().name,
            .renames = {},
            .tables = {}};
  }

  // That both layouts can do.
  void find_operations() {
    const auto can = [&](const StoredModel& stored, const std::string& name) {
      for (const plan::PlannedOperation& each : stored.planned.operations[stored.layout]) {
        if (each.operation->name == name) return each.ok();
      }
      return true;
    };
    for (size_t i = 0; i < random_.operations.size(); ++i) {
      const std::string& name = random_.operations[i].name;
      if (can(from_, name) && can(to_, name)) operations_.push_back(i);
    }
    for (const StoredModel* each : {&from_, &to_}) {
      const model::Model& stored_model = each->planned.compiled.model;
      for (size_t entity = 0; entity < random_.entities.size(); ++entity) {
        if (each->stored().kind(entity) != nullptr &&
            !plan::has_known_key(stored_model, each->stored(), entity) &&
            !plan::lookup_plan(stored_model, each->stored(), entity))
          hidden_.insert(entity);
      }
    }
  }

  std::string act() {
    const RandomOperation* operation = &random_.operations[chance_.of(operations_)];
    for (int i = 0; i < 3 && operation->parameters[0].kind != RandomOperation::Argument::kDocument; ++i) {
      const RandomOperation& other = random_.operations[chance_.of(operations_)];
      if (other.parameters[0].kind == RandomOperation::Argument::kDocument) operation = &other;
    }
    const RandomCall call = layouts::random_call(random_, *operation, hidden_, chance_);
    history += call.name;
    for (const std::string& argument : call.arguments) history += " " + argument;
    history += "\n";
    now_ += std::chrono::seconds(1);
    ++totals_.calls;
    const auto expected = still_->write(call.name, values_of(call.arguments));
    LiveModel& live = *live_[chance_.below(live_.size())];
    const auto given = live.write(call.name, values_of(call.arguments));
    totals_.done += expected.ok() ? 1 : 0;
    const bool is_same =
        expected.ok() == given.ok() && (expected.ok() || expected.error().code == given.error().code);
    if (!is_same)
      return "said '" + (given.ok() ? std::string() : given.error().message) + "' instead of '" +
             (expected.ok() ? std::string() : expected.error().message) + "'";
    return chance_.one_in(12) ? ask_all() : "";
  }

  // Patterns that both layouts answer.
  std::string ask_all() {
    for (const model::Pattern& pattern : model().patterns) {
      if (pattern.parameters.size() != 1 || !pattern.parameters[0].entity || pattern.node.order) continue;
      const auto answers = [&](const StoredModel& stored) {
        for (const plan::PlannedPattern& each : stored.planned.plans[stored.layout]) {
          if (each.pattern->name == pattern.name && !each.ok()) return false;
        }
        return true;
      };
      if (!answers(from_) || !answers(to_)) continue;
      for (const std::string& id : layouts::ids_of(random_, *pattern.parameters[0].entity)) {
        const std::string expected = answer(pattern, id, *still_);
        for (const auto& live : live_) {
          const std::string given = answer(pattern, id, *live);
          ++totals_.answers;
          if (given != expected)
            return pattern.name + " " + id + " answers\n" + given + "instead of\n" + expected;
        }
      }
    }
    return "";
  }

  // All pages.
  template <typename Reader>
  std::string answer(const model::Pattern& pattern, const std::string& id, Reader& reader) const {
    std::vector<Value> documents;
    std::string cursor;
    while (true) {
      Result<run::Session::Reply> reply = reader.read(pattern.name, values_of({id}), cursor);
      if (!reply.ok()) return "error: " + reply.error().message;
      for (Value& document : reply->documents) documents.push_back(std::move(document));
      if (!reply->cursor) return run::canonical_text(model(), pattern, documents);
      cursor = *reply->cursor;
    }
  }

  // Others go on meanwhile, until nobody is left behind.
  std::string settle() {
    for (int i = 0; i < 100; ++i) {
      const auto settled = migration_->is_settled();
      if (!settled.ok()) return settled.error().message;
      if (*settled) return "";
      ++totals_.settled_late;
      if (const std::string why = act(); !why.empty()) return why;
    }
    return "nobody hears of it";
  }

  std::string copy() {
    if (const std::string why = settle(); !why.empty()) return why;
    for (int i = 0; i < 2'000; ++i) {
      if (migration_->progress().stage == Progress::Stage::kDone) {
        totals_.copied += static_cast<uint64_t>(migration_->progress().changed);
        return migration_->progress().differences.empty()
                   ? ""
                   : "differs after copying: " + migration_->progress().differences[0];
      }
      history += "advance\n";
      const auto advanced = migration_->advance(1 + static_cast<uint32_t>(chance_.below(6)));
      if (!advanced.ok()) return "cannot advance: " + advanced.error().message;
      if (chance_.one_in(2)) {
        if (const std::string why = act(); !why.empty()) return why;
      }
      if (!chance_.one_in(6)) continue;
      // As after a crash.
      auto resumed = Migration::resume(*moving_database_, model().name() + "-sheaf", options_);
      if (!resumed.ok()) return "cannot resume: " + resumed.error().message;
      migration_ = std::move(*resumed);
    }
    return "it never ends: " + migration_->progress().difference;
  }

  template <typename Take>
  std::string step(const Take& take) {
    if (const std::string why = settle(); !why.empty()) return why;
    history += "step\n";
    const Result<void> taken = take();
    if (!taken.ok()) return "cannot step: " + taken.error().message;
    for (int i = 0; i < 12; ++i) {
      if (const std::string why = act(); !why.empty()) return why;
    }
    if (const std::string why = ask_all(); !why.empty()) return why;
    return settle();
  }

  // Nobody wrote beside the model.
  std::string compare() {
    if (const std::string why = settle(); !why.empty()) return why;
    const auto compared = migration_->compare();
    if (!compared.ok()) return "cannot compare: " + compared.error().message;
    if (!compared->differences.empty()) return "differs: " + compared->differences.named()[0];
    if (!compared->unexplained.empty()) return "is unexplained: " + compared->unexplained.named()[0];
    return "";
  }

  std::string finish(const StoredModel& left, const std::string& label) {
    const Result<void> removed = migration_->remove_left_over();
    if (!removed.ok()) return "cannot remove: " + removed.error().message;
    EXPECT_TRUE(moving_database_->run_background_work().ok());
    for (int i = 0; i < 10; ++i) {
      if (const std::string why = act(); !why.empty()) return why;
    }
    if (const std::string why = ask_all(); !why.empty()) return why;
    model::Layout stored = left.stored();
    stored.name = label;
    for (model::Table& table : stored.tables) {
      const auto real = migration_->record().current.tables.find(table.name);
      if (real != migration_->record().current.tables.end()) table.name = real->second;
    }
    const auto audited = run::audit(*moving_database_, left.planned.compiled.model, stored, {});
    if (!audited.ok()) return audited.error().message;
    if (!audited->findings.empty())
      return std::string(run::name_of(audited->findings[0].kind)) + ": " + audited->findings[0].what + ": " +
             audited->findings[0].message;
    return "";
  }

  const RandomModel& random_;
  const StoredModel from_, to_;
  Chance& chance_;
  Totals& totals_;
  std::chrono::system_clock::time_point now_ = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  run::WriterOptions options_;
  std::unique_ptr<Database> still_database_, moving_database_;
  std::unique_ptr<run::Session> still_;
  std::vector<std::unique_ptr<LiveModel>> live_;
  std::unique_ptr<Migration> migration_;
  std::vector<size_t> operations_;
  std::set<size_t> hidden_;
};

inline uint64_t number_from(const char* name, uint64_t usual) {
  const char* const text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

}  // namespace sheaf::migrate
