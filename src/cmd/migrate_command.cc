#include "cmd/migrate_command.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/move_json.h"
#include "cmd/progress.h"
#include "migrate/data_check.h"
#include "migrate/difference.h"
#include "migrate/migration.h"
#include "migrate/moved_layout.h"
#include "migrate/rename_check.h"
#include "run/applied_layout.h"
#include "run/system_table.h"

namespace sheaf::cmd {
namespace {

using migrate::Migration;
using migrate::Phase;
using migrate::VersionRecord;

constexpr uint32_t kItemsAtATime = 100;
constexpr std::chrono::milliseconds kAskEvery{200};

struct MigrateArguments {
  ModelChoice from, to;
  DatabaseChoice database;
  std::vector<std::string> renames, tables;
  bool only_plans = false, only_tells = false, as_json = false;
  bool finishes = false, discards = false, keeps = false, goes_back = false, locks = false;
};

Result<std::map<std::string, std::string>> pairs_of(const std::vector<std::string>& texts,
                                                    std::string_view option) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return Error{Code::kInvalid, std::string(option) + " takes OLD=NEW, not " + text};
    if (!pairs.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      return Error{Code::kInvalid,
                   std::string(option) + " tells twice what becomes of " + text.substr(0, equals)};
  }
  return pairs;
}

class Mover {
 public:
  Mover(const MigrateArguments& arguments, const ChosenModel& from, const ChosenModel& to, Database& database)
      : arguments_(arguments),
        from_(from),
        to_(to),
        database_(database),
        out_(arguments.as_json ? silent_ : std::cout) {
    if (!arguments.database.endpoint.empty()) options_.index_lag = kIndexLag;
  }

  Result<int> run() {
    if (from_.model().name() != to_.model().name())
      return Error{Code::kInvalid, "the models are " + from_.model().name() + " and " + to_.model().name() +
                                       ": a model that moves keeps its name"};
    const auto record = TRY(migrate::read_versions(database_, system_table()));
    const bool is_moving = record && record->phase != Phase::kOne;
    if (arguments_.only_tells) return tell(record);
    if (arguments_.only_plans) return plan();
    if (arguments_.goes_back) return go_back();
    if (arguments_.finishes) return finish();
    if (!is_moving && record && record->gone)
      return Error{Code::kConflict,
                   "the last move is not finished: sheaf model migrate --finish removes what "
                   "is left of it, --finish --keep leaves its tables"};
    if (!is_moving && !TRY(has_to_move())) return apply(record);
    return move(is_moving);
  }

 private:
  std::string system_table() const { return run::system_table_name(from_.model()); }

  Result<migrate::Renames> renames() const {
    const migrate::Renames renames = TRY(pairs_of(arguments_.renames, "--rename"));
    TRY(migrate::check_renames(from_.model(), to_.model(), renames));
    return renames;
  }

  Result<migrate::Difference> difference() const {
    const migrate::Renames renames = TRY(this->renames());
    return migrate::difference({from_.model(), from_.stored()}, {to_.model(), to_.stored()}, renames);
  }

  // What is called alike in both can be applied where it is.
  Result<bool> has_to_move() const {
    const migrate::Difference difference = TRY(this->difference());
    return difference.moves || from_.stored().name != to_.stored().name;
  }

  // Why the one cannot become the other, moved or where it is; or nothing.
  Result<std::optional<std::string>> hindrance() {
    using Hindrance = std::optional<std::string>;
    const migrate::Renames renames = TRY(this->renames());
    const auto there = migrate::Translation::make(from_.model(), to_.model(), renames);
    if (!there.ok()) return Hindrance(there.error().message);
    if (const auto back = there->reversed(); !back.ok())
      return Hindrance("there is no way back: " + back.error().message);
    const migrate::MovedLayout stored =
        TRY(migrate::stored_layout(database_, from_.planned.compiled, from_.layout));
    const migrate::Side side(database_, from_.model(), stored.layout);
    const Result<void> checked = migrate::check_data(side, *there);
    if (checked.ok() || checked.error().code == Code::kNotFound) return Hindrance();  // or nothing is stored
    if (checked.error().code == Code::kInvalid) return Hindrance(checked.error().message);
    return checked.error();
  }

  Result<int> apply(const std::optional<VersionRecord>& record) {
    if (const std::optional<std::string> hindrance = TRY(this->hindrance()))
      return Error{Code::kInvalid, *hindrance};
    const migrate::MovedLayout stored =
        TRY(migrate::stored_layout(database_, to_.planned.compiled, to_.layout));
    TRY(run::apply_layout(database_, to_.model(), stored.layout));
    out_ << "no item has to move: the new model is applied\n";
    return finished({.model = from_.model().name(), .record = record ? &*record : nullptr},
                    {.is_applied = true});
  }

  Result<int> plan() {
    const migrate::Difference difference = TRY(this->difference());
    const bool moves = difference.moves || from_.stored().name != to_.stored().name;
    const std::optional<std::string> hindrance = TRY(this->hindrance());
    const uint64_t items = TRY(count_items());
    if (arguments_.as_json) {
      std::cout << json_of(
          MovePlan{.difference = difference, .moves = moves, .items = items, .hindrance = hindrance});
      return hindrance ? kWrongModel : 0;
    }
    for (const std::string& line : difference.model) std::cout << line << "\n";
    for (const std::string& line : difference.storage) std::cout << line << "\n";
    if (difference.model.empty() && difference.storage.empty()) std::cout << "nothing differs\n";
    if (hindrance) {
      std::cout << *hindrance << "\n";
      return kWrongModel;
    }
    if (!moves) {
      std::cout << "no item has to move: the new model is applied where the old one is\n";
    } else {
      std::cout << "about " << counted(items, "item", "items") << " to copy and to compare, into "
                << counted(to_.stored().tables.size(), "new table", "new tables") << "\n";
    }
    return 0;
  }

  Result<uint64_t> count_items() {
    const migrate::MovedLayout stored =
        TRY(migrate::stored_layout(database_, from_.planned.compiled, from_.layout));
    uint64_t items = 0;
    for (const model::Table& table : stored.layout.tables) {
      const Result<TableDescription> there = database_.describe_table(table.name);
      if (there.ok()) items += static_cast<uint64_t>(there->item_count);
      if (!there.ok() && there.error().code != Code::kNotFound) return there.error();
    }
    return items;
  }

  // For programs: what became of what was asked for, and where the model is now.
  Result<int> finished(const Migration& migration, const MoveOutcome& outcome) {
    const VersionRecord& record = migration.record();
    MoveState state{.model = from_.model().name(), .record = &record};
    if (record.phase != Phase::kOne) {
      state.progress = &migration.progress();
      state.behind = TRY(migration.count_behind());
    }
    return finished(state, outcome);
  }
  Result<int> finished(const MoveState& state, const MoveOutcome& outcome) {
    if (arguments_.as_json) std::cout << json_of(state, &outcome);
    return outcome.is_done ? 0 : kWrongModel;
  }

  Result<int> tell_in_json(const std::optional<VersionRecord>& record) {
    MoveState state{.model = from_.model().name(), .record = record ? &*record : nullptr};
    std::unique_ptr<Migration> migration;
    if (record && record->phase != Phase::kOne) {
      migration = TRY(Migration::resume(database_, system_table(), options_));
      state.progress = &migration->progress();
      state.behind = TRY(migration->count_behind());
    }
    std::cout << json_of(state, nullptr);
    return 0;
  }

  Result<int> tell(const std::optional<VersionRecord>& record) {
    if (arguments_.as_json) return tell_in_json(record);
    if (!record) {
      std::cout << "the model " << from_.model().name() << " was never moved\n";
      return 0;
    }
    if (record->phase == Phase::kOne) {
      std::cout << "the model " << from_.model().name() << " is stored in the layout "
                << record->current.layout << named(record->current) << "\n";
      if (record->gone)
        std::cout << "what is left of the layout " << record->gone->layout << named(*record->gone)
                  << " is still there: --finish removes it\n";
      return 0;
    }
    const auto migration = TRY(Migration::resume(database_, system_table(), options_));
    const migrate::Progress& progress = migration->progress();
    std::cout << "from the layout " << record->current.layout << named(record->current) << " to "
              << record->next->layout << named(*record->next) << ": " << migrate::name_of(record->phase)
              << ", " << migrate::name_of(progress.stage) << "\n"
              << progress.seen << " looked at, " << progress.changed << " changed";
    if (progress.put_off > 0) std::cout << ", " << progress.put_off << " put off";
    std::cout << "\n";
    tell_differing(progress);
    if (record->phase == Phase::kReadNew)
      std::cout << "what is written beside the model since is looked for by --finish\n";
    if (record->is_locked) std::cout << "nobody but the model may write the tables until it is over\n";
    if (const size_t behind = TRY(migration->count_behind()); behind > 0)
      std::cout << counted(behind, "program uses", "programs use")
                << " it still as it was before the last step\n";
    return 0;
  }

  static std::string named(const migrate::Version& version) {
    std::string text;
    for (const auto& [was, is] : version.tables) text += (text.empty() ? " (" : ", ") + was + " is " + is;
    return text.empty() ? text : text + ")";
  }

  Result<void> settle(const Migration& migration) {
    bool is_told = false;
    while (true) {
      const size_t behind = TRY(migration.count_behind());
      if (behind == 0) return {};
      if (!is_told)
        std::cerr << "waiting for " << counted(behind, "program", "programs")
                  << " that use the model as it was before the last step\n";
      is_told = true;
      std::this_thread::sleep_for(kAskEvery);
    }
  }

  Result<int> move(bool is_moving) {
    std::unique_ptr<Migration> migration = TRY(is_moving ? resume() : begin());
    TRY(settle(*migration));
    if (migration->record().phase == Phase::kReadOld) {
      TRY(copy(*migration));
      TRY(migration->read_new());
      TRY(settle(*migration));
    }
    out_ << counted(static_cast<size_t>(migration->progress().seen), "entity or link", "entities and links")
         << " looked at, " << migration->progress().changed << " copied or changed; both say the same\n";
    tell_differing(migration->progress());
    out_ << "the layout " << migration->record().next->layout << named(*migration->record().next)
         << " is read now, both are written. Go on with --finish, or take it back with --back.\n";
    return finished(*migration, {});
  }

  void tell_differing(const migrate::Progress& progress) {
    if (progress.differing == 0) return;
    const auto count = static_cast<uint64_t>(progress.differing);
    out_ << counted(count, "difference was found", "differences were found")
         << " after copying, as when somebody writes beside the model; the old layout was followed:\n";
    print_named(progress.differences, count);
  }

  // The first of them, each in a line, and how many more there are.
  void print_named(const std::vector<std::string>& named, uint64_t count) {
    for (const std::string& each : named) out_ << "  " << each << "\n";
    if (count > named.size()) out_ << "  and " << count - named.size() << " more\n";
  }

  Result<std::unique_ptr<Migration>> begin() {
    migrate::MoveRequest request;
    request.from_text = from_.planned.compiled.source.text();
    request.from_layout = from_.stored().name;
    request.to_text = to_.planned.compiled.source.text();
    request.to_layout = to_.stored().name;
    request.renames = TRY(renames());
    request.tables = TRY(pairs_of(arguments_.tables, "--table"));
    request.locks = arguments_.locks;
    if (request.locks) TRY(need_lock());
    return Migration::begin(database_, request, options_);
  }

  Result<void> need_lock() {
    if (arguments_.database.endpoint.empty())
      return Error{Code::kInvalid,
                   "--lock is kept by a server, and there is none: nobody else can write to the directory "
                   "while this command has it open. Serve it, and name the server with --endpoint"};
    DatabaseChoice choice = arguments_.database;
    choice.writer.clear();
    const std::unique_ptr<Database> stranger = TRY(open_database(choice));
    const migrate::MovedLayout stored =
        TRY(migrate::stored_layout(database_, from_.planned.compiled, from_.layout));
    if (!TRY(migrate::lets_strangers_write(database_, from_.model().name(), *stranger,
                                           stored.layout.tables.front().name)))
      return {};
    return Error{
        Code::kInvalid,
        "this endpoint cannot lock a table: leave --lock out, and have nobody write beside the model; "
        "what is written all the same is found when both are compared, at last by --finish"};
  }

  Result<std::unique_ptr<Migration>> resume() {
    std::unique_ptr<Migration> migration = TRY(Migration::resume(database_, system_table(), options_));
    const migrate::Version& next = *migration->record().next;
    if (next.layout != to_.stored().name || next.text != to_.planned.compiled.source.text())
      return Error{Code::kConflict,
                   "the model is being moved to the layout " + next.layout +
                       " of another text: finish that with --finish, or take it back with --back"};
    std::cerr << "going on with the move that was begun\n";
    return migration;
  }

  Result<void> copy(Migration& migration) {
    Progress progress("entity or link", "entities and links");
    while (migration.progress().stage != migrate::Progress::Stage::kDone) {
      TRY(settle(migration));
      TRY(migration.advance(kItemsAtATime));
      progress.tell(static_cast<uint64_t>(migration.progress().seen), std::nullopt);
    }
    return {};
  }

  Result<int> finish() {
    std::unique_ptr<Migration> migration = TRY(Migration::resume(database_, system_table(), options_));
    if (migration->record().phase == Phase::kReadOld)
      return Error{Code::kInvalid,
                   "the new layout is not read yet: run sheaf model migrate without --finish first"};
    TRY(settle(*migration));
    MoveOutcome outcome;
    if (migration->record().phase == Phase::kReadNew) {
      outcome.compared = TRY(compare([&](const auto& tell) { return migration->compare(tell); }));
      outcome.is_done = may_leave_old(*outcome.compared);
      if (!outcome.is_done) return finished(*migration, outcome);
      TRY(migration->stop_writing_old());
      TRY(settle(*migration));
    }
    return clear(*migration, outcome);
  }

  // While both are still written: whether nothing is lost with the old one, or all that is may be.
  bool may_leave_old(const migrate::Comparison& found) {
    // What the model does not explain stays with its table.
    const bool loses_items = !found.unexplained.empty() && !arguments_.keeps;
    if (found.differences.empty() && !loses_items) return true;
    const std::string becomes = arguments_.discards ? " is lost" : " would be lost";
    tell_found(found, "old", becomes, loses_items ? becomes : "");
    if (arguments_.discards) return true;
    out_ << "nothing was done. ";
    if (!found.differences.empty())
      out_ << "To have what the old one says, --back reads it again, and then move once more. ";
    if (loses_items) out_ << "--finish --keep leaves the old tables. ";
    out_ << "--finish --discard goes on all the same.\n";
    return false;
  }

  // What becomes of what a layout says otherwise, and of items that the model does not explain; these are
  // left out if nothing does.
  void tell_found(const migrate::Comparison& found, const std::string& layout, const std::string& becomes,
                  const std::string& items_become) {
    if (!found.differences.empty()) {
      out_ << counted(found.differences.count(), "difference", "differences")
           << " between the layouts; what the " << layout << " one says otherwise" << becomes << ":\n";
      print_named(found.differences.named(), found.differences.count());
    }
    if (!found.unexplained.empty() && !items_become.empty()) {
      out_ << counted(found.unexplained.count(), "item", "items") << " of the " << layout
           << " tables that the model does not explain; what is there" << items_become << ":\n";
      print_named(found.unexplained.named(), found.unexplained.count());
    }
  }

  template <typename Compare>
  static Result<migrate::Comparison> compare(const Compare& compare) {
    Progress progress("entity or link", "entities and links");
    return compare([&](uint64_t seen) { progress.tell(seen, std::nullopt); });
  }

  Result<int> clear(Migration& migration, MoveOutcome& outcome) {
    const std::string layout = migration.record().current.layout + named(migration.record().current);
    if (arguments_.keeps) {
      TRY(migration.keep_left_over());
    } else {
      TRY(migration.remove_left_over());
    }
    outcome.are_tables_kept = arguments_.keeps;
    out_ << "the model is stored in the layout " << layout << "; "
         << (arguments_.keeps ? "what is left of the other is nobody's now\n"
                              : "what was left of the other is removed\n");
    return finished(migration, outcome);
  }

  Result<int> go_back() {
    std::unique_ptr<Migration> migration = TRY(Migration::resume(database_, system_table(), options_));
    TRY(settle(*migration));
    MoveOutcome outcome;
    const Phase phase = migration->record().phase;
    if (phase != Phase::kOne) {
      outcome.compared = look_back(*migration);
      TRY(migration->step_back());
      TRY(settle(*migration));
    } else if (!migrate::is_taken_back(migration->record())) {
      return Error{Code::kInvalid, "the old layout is no longer written: there is no way back"};
    }
    if (phase != Phase::kReadNew) return clear(*migration, outcome);
    out_ << "the layout " << migration->record().current.layout
         << " is read again, both are written. --back once more ends the move.\n";
    return finished(*migration, outcome);
  }

  // What is left behind with the new one. The way back is there in need, so nothing of this keeps anybody
  // from it.
  std::optional<migrate::Comparison> look_back(const Migration& migration) {
    if (arguments_.discards) return std::nullopt;
    Result<migrate::Comparison> found =
        compare([&](const auto& tell) { return migration.compare_back(tell); });
    if (!found.ok()) {
      std::cerr << "what the new layout says otherwise cannot be told: " << found.error().message << "\n";
      return std::nullopt;
    }
    const bool is_read = migration.record().phase == Phase::kReadNew;
    const std::string becomes = is_read            ? " is no longer read"
                                : arguments_.keeps ? " stays in its tables"
                                                   : " is lost";
    tell_found(*found, "new", becomes, becomes);
    return std::move(*found);
  }

  const MigrateArguments& arguments_;
  const ChosenModel& from_;
  const ChosenModel& to_;
  Database& database_;
  std::ostream silent_{nullptr};
  std::ostream& out_;  // for people
  run::WriterOptions options_;
};

int migrate_command(MigrateArguments& arguments) {
  if (arguments.discards && !arguments.finishes && !arguments.goes_back)
    return fail("--discard goes with --finish or --back");
  if (arguments.keeps && !arguments.finishes && !arguments.goes_back)
    return fail("--keep goes with --finish or --back");
  if (arguments.to.path.empty()) arguments.to.path = arguments.from.path;
  const auto from = choose_model(arguments.from);
  if (const int* status = std::get_if<int>(&from)) return *status;
  const auto to = choose_model(arguments.to);
  if (const int* status = std::get_if<int>(&to)) return *status;
  arguments.database.writer = std::get<ChosenModel>(from).model().name();
  if (arguments.database.is_in_memory() && !arguments.only_plans && !arguments.database.is_ambiguous)
    return fail(
        "where is the data? --data DIRECTORY or --endpoint URL says it, or SHEAF_DATA or SHEAF_ENDPOINT in "
        "the environment; --plan alone is of the models");
  const Result<std::unique_ptr<Database>> database = open_database(arguments.database);
  if (!database.ok()) return fail(database.error().message);
  const Result<int> status =
      Mover(arguments, std::get<ChosenModel>(from), std::get<ChosenModel>(to), **database).run();
  return status.ok() ? *status : fail(status.error().message);
}

}  // namespace

void add_migrate_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<MigrateArguments>();
  CLI::App* const command = model.add_subcommand("migrate",
                                                 "Move a model from one layout to another while it is used: "
                                                 "both are written, what is there is copied and "
                                                 "compared, the new one is read; then --finish ends the "
                                                 "writing of the old one, or --back takes it back. Run it "
                                                 "again to go on after a crash");
  command->add_option("OLD", arguments->from.path, "The model as it is stored")->required();
  command->add_option("NEW", arguments->to.path, "As it is to be stored (OLD, with another layout)");
  command->add_option("--from", arguments->from.layout, "Which layout of OLD")->capture_default_str();
  command->add_option("--to", arguments->to.layout, "Which layout of NEW")->capture_default_str();
  command->add_option("--rename", arguments->renames,
                      "What is called otherwise in NEW: User=Person, User.full=name, User.tickets=cases");
  command->add_option("--table", arguments->tables, "What a new table is to be called: app=app-v2");
  arguments->database.must_exist = true;
  add_database_options(*command, arguments->database, DatabaseNeed::kUsual);
  command->add_flag("--plan", arguments->only_plans,
                    "Tell what differs and what there is to do, and do nothing; without a database, of the "
                    "models alone");
  command->add_flag("--json", arguments->as_json,
                    "As JSON, for programs: the plan, the state, or what was done and the state then");
  command->add_flag("--lock", arguments->locks,
                    "Until it is finished or taken back, a Sheaf server lets nobody but the model write the "
                    "tables");
  command->add_flag("--status", arguments->only_tells, "Tell how far it is");
  command->add_flag("--finish", arguments->finishes,
                    "Stop writing the old layout, and remove its tables: there is no way back then");
  command->add_flag(
      "--discard", arguments->discards,
      "With --finish: go on though the old tables hold what was written beside the model, or what "
      "it does not explain. With --back: do not look for what is left behind so");
  command->add_flag("--keep", arguments->keeps,
                    "With --finish or --back: leave the tables that are no longer used");
  command->add_flag("--back", arguments->goes_back,
                    "One step back: read the old layout again, or write it alone");
  command->callback([arguments, &status] { status = migrate_command(*arguments); });
}

}  // namespace sheaf::cmd
