// A model that moves while it is used, beside the same that stays: at every step, forwards and backwards, it
// answers, takes and refuses as that. Who moves it is killed in every part of the move.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/try.h"
#include "migrate/live_model.h"
#include "migrate/migration.h"
#include "migrations/mortal_database.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "random_model.h"
#include "run/applied_layout.h"
#include "run/audit.h"
#include "run/expectations.h"
#include "run/plain_json.h"
#include "run/session.h"
#include "run/system_table.h"

namespace sheaf::migrate {

using layouts::Chance;
using layouts::RandomCall;
using layouts::RandomModel;
using layouts::RandomOperation;

// What a move consists of; in each of them its process is killed once.
enum class Part : uint8_t { kBegin, kCopy, kVerify, kReadNew, kStepBack, kCompare, kStopWritingOld, kRemove };
inline constexpr std::array<const char*, 8> kPartNames = {
    "begin", "copy", "verify", "read new", "step back", "compare", "stop writing old", "remove"};

// How much was tried: a test of nothing would pass.
struct Totals {
  uint64_t moves = 0, calls = 0, done = 0, answers = 0, copied = 0, back = 0, settled_late = 0, programs = 0,
           waited = 0;
  struct Deaths {
    uint64_t requests = 4;  // that the part took the last time, of all its processes
    uint64_t within = 0;    // at one of its requests
    uint64_t after = 0;     // when all of them were done
  };
  std::array<Deaths, kPartNames.size()> deaths;

  Deaths& of(Part part) { return deaths[static_cast<size_t>(part)]; }
  void print() const {
    std::cout << moves << " moves, " << back << " of them taken back, " << calls << " calls, " << done
              << " done, " << answers << " answers, " << copied << " copied, " << settled_late
              << " calls while some were behind, " << waited
              << " that waited for one that was killed\nkilled: " << programs << " programs";
    for (size_t i = 0; i < deaths.size(); ++i)
      std::cout << "; " << kPartNames[i] << " " << deaths[i].within << " within, " << deaths[i].after
                << " after";
    std::cout << "\n";
  }
  // Every move died in every part that it has.
  void expect_deaths() const {
    for (size_t i = 0; i < deaths.size(); ++i) {
      const bool is_in_all = static_cast<Part>(i) != Part::kStepBack &&
                             static_cast<Part>(i) != Part::kCompare &&
                             static_cast<Part>(i) != Part::kStopWritingOld;
      EXPECT_GE(deaths[i].within + deaths[i].after, is_in_all ? moves : 1) << kPartNames[i];
      EXPECT_GT(deaths[i].within, 0u) << kPartNames[i];
    }
  }
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
    mover_ = std::make_unique<MortalDatabase>(*moving_database_);
    for (size_t i = 0; i < kLeases.size(); ++i) {
      programs_.push_back({.database = std::make_unique<MortalDatabase>(*moving_database_), .live = nullptr});
      start(i);
    }
  }

  std::string run() {
    find_operations();
    if (operations_.empty()) return "";
    for (int i = 0; i < 60; ++i) {
      if (const std::string why = act(); !why.empty()) return why;
    }
    if (const std::string why = begin(); !why.empty()) return why;
    ++totals_.moves;
    if (const std::string why = copy(); !why.empty()) return why;
    if (const std::string why = read_new(); !why.empty()) return why;
    if (chance_.one_in(3)) {
      ++totals_.back;
      if (const std::string why = step_back(); !why.empty()) return why;
      if (chance_.one_in(2)) {
        if (const std::string why = step_back(); !why.empty()) return why;
        return finish(from_);
      }
      if (const std::string why = copy(); !why.empty()) return why;
      if (const std::string why = read_new(); !why.empty()) return why;
    }
    if (const std::string why = compare(); !why.empty()) return why;
    const auto stop = [&] { return migration_->stop_writing_old(); };
    if (const std::string why = step(Part::kStopWritingOld, stop); !why.empty()) return why;
    return finish(to_);
  }

  std::string history;

 private:
  // Two programs, which hear of changes at different times.
  static constexpr std::array<int, 2> kLeases = {3'000, 14'000};
  struct Program {
    std::unique_ptr<MortalDatabase> database;
    std::unique_ptr<LiveModel> live;
  };

  const model::Model& model() const { return from_.planned.compiled.model; }
  std::string system_table() const { return run::system_table_name(model()); }
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
    LiveModel& live = *programs_[chance_.below(programs_.size())].live;
    auto given = live.write(call.name, values_of(call.arguments));
    // Whoever was killed while it deleted something too much keeps that until its lease has run out, and
    // others do what is left of it, as servers do all the time.
    if (!given.ok() && given.error().code == Code::kConflict && now_ <= died_at_ + options_.lease) {
      ++totals_.waited;
      now_ = died_at_ + options_.lease + std::chrono::seconds(1);
      if (const auto worked = live.work(); !worked.ok()) return worked.error().message;
      given = live.write(call.name, values_of(call.arguments));
    }
    const auto expected = still_->write(call.name, values_of(call.arguments));
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
        for (const Program& program : programs_) {
          const std::string given = answer(pattern, id, *program.live);
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

  void start(size_t program) {
    programs_[program].database->begin(std::nullopt, false);
    auto live = LiveModel::open(*programs_[program].database, from_.text,
                                {.layout = from_.stored().name,
                                 .writer = options_,
                                 .lease = std::chrono::milliseconds(kLeases[program])});
    EXPECT_TRUE(live.ok()) << live.error().message;
    programs_[program].live = std::move(*live);
  }

  // A part of the move, by a process that is killed once or more: at one of its requests, or when it has done
  // them all. Others go on; who comes after it does what is left. `work` can be done again, as the command
  // can be.
  template <typename Work>
  std::string mortally(Part part, const Work& work) {
    Totals::Deaths& deaths = totals_.of(part);
    uint64_t requests = 0;
    do {
      mover_->begin(chance_.below(deaths.requests + 1), chance_.one_in(2));
      const std::string why = work();
      const bool is_within = mover_->is_dead();
      if (!why.empty() && (!is_within || why.find(MortalDatabase::kKilled) == std::string::npos)) return why;
      ++(is_within ? deaths.within : deaths.after);
      requests += mover_->requests();
      history += std::string("is killed in ") + kPartNames[static_cast<size_t>(part)] + " after " +
                 std::to_string(mover_->requests()) + " requests\n";
      if (const std::string left = go_on_without_mover(); !left.empty()) return left;
      if (const std::string resumed = resume(); !resumed.empty()) return resumed;
    } while (chance_.one_in(8));
    const std::string why = work();
    deaths.requests = requests + mover_->requests();
    return why;
  }

  std::string go_on_without_mover() {
    mover_->kill();
    died_at_ = now_;
    migration_.reset();
    for (size_t i = chance_.below(4); i > 0; --i) {
      if (const std::string why = act(); !why.empty()) return why;
    }
    if (chance_.one_in(8)) kill_program();
    const bool tables_are_cleared = chance_.one_in(2);
    if (!tables_are_cleared) return "";
    const auto worked = moving_database_->run_background_work();
    return worked.ok() ? "" : worked.error().message;
  }

  void kill_program() {
    ++totals_.programs;
    const size_t program = chance_.below(programs_.size());
    history += "program " + std::to_string(program) + " is killed\n";
    programs_[program].database->kill();
    programs_[program].live.reset();
    start(program);
  }

  // Nothing if there is none: it is not begun, or nothing is left of it.
  std::string resume() {
    mover_->begin(std::nullopt, false);
    auto resumed = Migration::resume(*mover_, system_table(), options_);
    if (resumed.ok()) migration_ = std::move(*resumed);
    if (resumed.ok() || resumed.error().code == Code::kNotFound) return "";
    return "cannot resume: " + resumed.error().message;
  }

  std::string begin() {
    return mortally(Part::kBegin, [&]() -> std::string {
      if (migration_) return "";
      auto begun = Migration::begin(*mover_, request(), options_);
      if (!begun.ok()) return "cannot begin: " + begun.error().message;
      migration_ = std::move(*begun);
      return "";
    });
  }

  std::string copy() {
    using Stage = Progress::Stage;
    const auto copied = [&] { return advance_to(Stage::kCompare); };
    if (const std::string why = mortally(Part::kCopy, copied); !why.empty()) return why;
    const auto verified = [&] { return advance_to(Stage::kDone); };
    if (const std::string why = mortally(Part::kVerify, verified); !why.empty()) return why;
    const Progress& progress = migration_->progress();
    totals_.copied += static_cast<uint64_t>(progress.changed);
    return progress.differences.empty() ? "" : "differs after copying: " + progress.differences[0];
  }

  std::string advance_to(Progress::Stage stage) {
    if (const std::string why = settle(); !why.empty()) return why;
    for (int i = 0; i < 2'000; ++i) {
      if (migration_->progress().stage >= stage) return "";
      history += "advance\n";
      const auto advanced = migration_->advance(1 + static_cast<uint32_t>(chance_.below(6)));
      if (!advanced.ok()) return "cannot advance: " + advanced.error().message;
      if (chance_.one_in(2)) {
        if (const std::string why = act(); !why.empty()) return why;
      }
    }
    return "it never ends: " + migration_->progress().difference;
  }

  // From one phase to another; `take` is what the whole of it is.
  template <typename Take>
  std::string step(Part part, const Take& take) {
    const Phase before = migration_->record().phase;
    const auto work = [&]() -> std::string {
      if (migration_->record().phase != before) return "";
      if (const std::string why = settle(); !why.empty()) return why;
      history += "step\n";
      const Result<void> taken = take();
      return taken.ok() ? "" : "cannot step: " + taken.error().message;
    };
    if (const std::string why = mortally(part, work); !why.empty()) return why;
    if (migration_->record().phase == before) return "no step was taken";
    for (int i = 0; i < 12; ++i) {
      if (const std::string why = act(); !why.empty()) return why;
    }
    if (const std::string why = ask_all(); !why.empty()) return why;
    return settle();
  }
  std::string read_new() {
    return step(Part::kReadNew, [&] { return migration_->read_new(); });
  }
  std::string step_back() {
    return step(Part::kStepBack, [&]() -> Result<void> {
      const Comparison found = TRY(migration_->compare_back());
      if (!found.differences.empty()) return Error{Code::kConflict, found.differences.named()[0]};
      if (!found.unexplained.empty()) return Error{Code::kConflict, found.unexplained.named()[0]};
      return migration_->step_back();
    });
  }

  // Nobody wrote beside the model.
  std::string compare() {
    return mortally(Part::kCompare, [&]() -> std::string {
      if (const std::string why = settle(); !why.empty()) return why;
      const auto compared = migration_->compare();
      if (!compared.ok()) return "cannot compare: " + compared.error().message;
      if (!compared->differences.empty()) return "differs: " + compared->differences.named()[0];
      if (!compared->unexplained.empty()) return "is unexplained: " + compared->unexplained.named()[0];
      return "";
    });
  }

  std::string finish(const StoredModel& left) {
    const Version current = migration_->record().current;
    const auto work = [&]() -> std::string {
      if (!migration_) return "";
      const Result<void> removed = migration_->remove_left_over();
      return removed.ok() ? "" : "cannot remove: " + removed.error().message;
    };
    if (const std::string why = mortally(Part::kRemove, work); !why.empty()) return why;
    EXPECT_TRUE(moving_database_->run_background_work().ok());
    for (int i = 0; i < 10; ++i) {
      if (const std::string why = act(); !why.empty()) return why;
    }
    if (const std::string why = ask_all(); !why.empty()) return why;
    model::Layout stored = left.stored();
    rename_as(current, stored);
    if (const std::string why = check_leftovers(stored); !why.empty()) return why;
    const auto audited = run::audit(*moving_database_, left.planned.compiled.model, stored, {});
    if (!audited.ok()) return audited.error().message;
    if (!audited->findings.empty())
      return std::string(run::name_of(audited->findings[0].kind)) + ": " + audited->findings[0].what + ": " +
             audited->findings[0].message;
    return "";
  }

  // Tables that are there, and what the system table says, are of the layout that is left, and nothing else.
  std::string check_leftovers(const model::Layout& stored) {
    std::set<std::string> expected{system_table()};
    for (const model::Table& table : stored.tables) expected.insert(table.name);
    const auto tables = moving_database_->list_tables();
    if (!tables.ok()) return tables.error().message;
    for (const std::string& table : *tables) {
      if (!expected.contains(table)) return "the table " + table + " is left";
    }
    const auto page = moving_database_->scan({.table = system_table(), .consistent = true});
    if (!page.ok()) return page.error().message;
    for (size_t i = 0; i < page->items.size(); ++i) {
      const std::string pk(page->items[i].find("pk")->bytes());
      const bool is_of_move =
          pk == "version" && page->items[i].find("sk")->bytes() != std::string_view("record");
      const size_t hash = pk.find('#');
      const bool is_of_another = hash != std::string::npos && pk.substr(hash + 1) != stored.name &&
                                 !pk.substr(hash + 1).starts_with(stored.name + "#");
      if (is_of_move || is_of_another) return "the record " + pk + " is left";
    }
    return "";
  }

  const RandomModel& random_;
  const StoredModel from_, to_;
  Chance& chance_;
  Totals& totals_;
  std::chrono::system_clock::time_point now_ = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  std::chrono::system_clock::time_point died_at_;  // who moves it, the last time
  run::WriterOptions options_;
  std::unique_ptr<Database> still_database_, moving_database_;
  std::unique_ptr<run::Session> still_;
  std::vector<Program> programs_;
  std::unique_ptr<MortalDatabase> mover_;
  std::unique_ptr<Migration> migration_;
  std::vector<size_t> operations_;
  std::set<size_t> hidden_;
};

inline uint64_t number_from(const char* name, uint64_t usual) {
  const char* const text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

}  // namespace sheaf::migrate
