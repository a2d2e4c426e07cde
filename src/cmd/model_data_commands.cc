#include "cmd/model_data_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cmd/appended_file.h"
#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "cmd/data_input.h"
#include "cmd/database_option.h"
#include "cmd/model_file.h"
#include "cmd/model_load.h"
#include "cmd/until_told.h"
#include "migrate/live_model.h"
#include "migrate/moved_layout.h"
#include "model/value_type.h"
#include "run/applied_layout.h"
#include "run/archive.h"
#include "run/audit.h"
#include "run/expectations.h"
#include "run/plain_json.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

struct DataArguments {
  ModelChoice model;
  DatabaseChoice database;
  std::string data;
  std::string name;
  std::vector<std::string> values;
  std::string cursor;
  std::string answers;
  std::string junit;
  bool tells_cost = false;
  bool repairs = false;
  bool replaces = false;
  bool is_in_json = false;
  std::string by;
  std::string before;
  std::string archive;
};

void print_figures(std::initializer_list<std::pair<std::string_view, size_t>> figures) {
  std::string out;
  {
    wire::JsonObject object(out);
    for (const auto& [name, value] : figures) object.integer(name, static_cast<int64_t>(value));
  }
  std::cout << out << "\n";
}

// A model, and the database that it is for.
struct Opened {
  std::unique_ptr<ChosenModel> chosen;
  std::unique_ptr<Database> database;
  run::WriterOptions options;

  // Also while it is being moved.
  Result<std::unique_ptr<migrate::LiveModel>> live(const ModelChoice& choice) const {
    return migrate::LiveModel::open(*database, std::string(chosen->planned.compiled.source.text()),
                                    {.name = choice.path, .layout = choice.layout, .writer = options});
  }
};

// A directory without a database.
enum class Absent { kIsMade, kIsRefused };

std::variant<Opened, int> open(const DataArguments& arguments, Absent absent) {
  auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  DatabaseChoice choice = arguments.database;
  choice.writer = std::get<ChosenModel>(made).model().name();
  choice.must_exist = absent == Absent::kIsRefused;
  Result<std::unique_ptr<Database>> database = open_database(choice);
  if (!database.ok()) return fail(database.error().message);
  Opened opened{.chosen = std::make_unique<ChosenModel>(std::move(std::get<ChosenModel>(made))),
                .database = std::move(*database)};
  if (!arguments.database.endpoint.empty()) opened.options.index_lag = kIndexLag;
  return opened;
}

// Only if the layout is there already.
std::variant<Opened, int> open_applied(const DataArguments& arguments) {
  auto made = open(arguments, Absent::kIsRefused);
  const auto* const opened = std::get_if<Opened>(&made);
  if (opened == nullptr) return made;
  ChosenModel& chosen = *opened->chosen;
  const Result<void> followed = migrate::follow_moves(*opened->database, chosen.planned, chosen.layout);
  if (!followed.ok()) return fail(followed.error().message);
  const Result<void> applied = run::check_applied(*opened->database, chosen.model(), chosen.stored());
  if (!applied.ok()) return fail(applied.error().message);
  return made;
}

Result<void> apply(Opened& opened) {
  ChosenModel& chosen = *opened.chosen;
  TRY(migrate::follow_moves(*opened.database, chosen.planned, chosen.layout));
  return run::apply_layout(*opened.database, chosen.model(), chosen.stored());
}

// Before the database, which is made if it is not there. Nothing if none is given.
Result<std::optional<DataInput>> open_input(const std::string& path) {
  if (path.empty()) return std::optional<DataInput>();
  return std::optional<DataInput>(TRY(DataInput::open(path)));
}

// What is said when not all of it was loaded; then the exit status.
int tell_part(const LoadedData& loaded, const std::string& how_to_go_on) {
  if (loaded.written.items > 0)
    complain(counted(loaded.written.items, "item is", "items are") + " loaded; " + how_to_go_on);
  return kWrongUse;
}

int load_failed(const Error& error, const LoadedData& loaded) {
  fail(error.message + (error.code == Code::kInUse ? "; --replace writes over what is there" : ""));
  return tell_part(loaded, "loading it again, when it is mended, goes on: what is there already stays");
}

int apply_command(const DataArguments& arguments) {
  auto made = open(arguments, Absent::kIsMade);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& opened = std::get<Opened>(made);
  const Result<void> applied = apply(opened);
  if (!applied.ok()) return fail(applied.error().message);
  const std::vector<model::Table>& tables = opened.chosen->stored().tables;
  if (arguments.is_in_json) {
    std::string out;
    wire::append_json_list(out, tables, [&](const model::Table& table) {
      wire::JsonObject each(out);
      each.text("table", table.name);
      each.integer("indexes", static_cast<int64_t>(table.indexes.size()));
    });
    std::cout << out << "\n";
    return 0;
  }
  for (const model::Table& table : tables)
    std::cout << "table " << table.name << ": " << counted(table.indexes.size(), "index", "indexes") << "\n";
  return 0;
}

void tell_loaded_in_json(const LoadedData& loaded) {
  print_figures({{"items", loaded.written.items},
                 {"replaced", loaded.written.replaced},
                 {"there", loaded.written.there},
                 {"dangling", loaded.dangling.count}});
}

int load_command(const DataArguments& arguments) {
  const UntilTold until_told;
  Result<std::optional<DataInput>> input = open_input(arguments.data);
  if (!input.ok()) return fail(input.error().message);
  auto made = open(arguments, Absent::kIsMade);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& opened = std::get<Opened>(made);
  if (const Result<void> applied = apply(opened); !applied.ok()) return fail(applied.error().message);
  LoadedData loaded;
  const Result<void> done =
      load_data(*opened.database, *opened.chosen, **input,
                arguments.replaces ? run::WhatIsThere::kIsReplaced : run::WhatIsThere::kIsKept, loaded);
  if (!done.ok()) return load_failed(done.error(), loaded);
  const run::Written& written = loaded.written;
  if (arguments.is_in_json) {
    tell_loaded_in_json(loaded);
  } else {
    std::cout << counted(written.items, "item", "items") << " loaded";
    if (written.replaced > 0) std::cout << ", " << written.replaced << " of them over what was there";
    if (written.there > 0) std::cout << ", " << written.there << " were there already";
    std::cout << "\n";
  }
  complain_of_links(loaded.dangling);
  if (loaded.dangling.is_ended) {
    complain("interrupted; all of it is loaded");
    return kWrongUse;
  }
  if (!written.is_ended) return 0;
  complain("interrupted; loading it again goes on: what is there already stays");
  return kWrongUse;
}

int print_answer(migrate::LiveModel& live, const model::Pattern& pattern, const DataArguments& arguments) {
  const Result<run::Session::Reply> reply =
      live.read(arguments.name, typed_values(pattern.parameters, arguments.values), arguments.cursor);
  if (!reply.ok()) return fail(reply.error().message);
  for (const Value& document : reply->documents) std::cout << run::to_pretty_json(document) << "\n";
  if (reply->cursor) std::cerr << "more: --cursor " << *reply->cursor << "\n";
  if (arguments.tells_cost) {
    const run::Figures& figures = reply->figures;
    std::cerr << counted(figures.requests, "request", "requests") << ", " << figures.items_read
              << " items read, " << figures.units << " units"
              << (figures.dangling > 0 ? ", " + std::to_string(figures.dangling) + " dangling" : "")
              << (figures.foreign > 0 ? ", " + std::to_string(figures.foreign) + " foreign" : "") << "\n";
  }
  return 0;
}

int carry_out(migrate::LiveModel& live, const model::Operation* operation, const DataArguments& arguments) {
  const std::vector<model::Parameter> none;
  const Result<run::Session::Outcome> outcome = live.write(
      arguments.name, typed_values(operation != nullptr ? operation->parameters : none, arguments.values));
  if (!outcome.ok()) return fail(outcome.error().message);
  for (const Value& id : outcome->put) std::cout << run::to_plain_json(id) << "\n";
  const run::WriteReply& reply = outcome->reply;
  if (reply.copies > 0) std::cerr << counted(reply.copies, "copy", "copies") << " brought in step\n";
  if (reply.deleted > 0) std::cerr << counted(reply.deleted, "more entity", "more entities") << " deleted\n";
  if (reply.pending > 0)
    std::cerr << counted(reply.pending, "job waits", "jobs wait") << ": sheaf model work\n";
  if (arguments.tells_cost)
    std::cerr << counted(reply.figures.requests, "request", "requests") << ", " << reply.figures.units
              << " units" << (reply.retries > 0 ? ", " + counted(reply.retries, "retry", "retries") : "")
              << "\n";
  return 0;
}

// --load writes only into what the command line names: what the environment has may be anybody's.
void leave_environment(DatabaseChoice& database) {
  database.directory.clear();
  database.endpoint.clear();
  database.is_ambiguous = false;
}

// Into a database that is named, or into one that is thrown away.
int load_first(Opened& opened, DataInput& input) {
  const UntilTold until_told;
  LoadedData loaded;
  const Result<void> done =
      load_data(*opened.database, *opened.chosen, input, run::WhatIsThere::kIsKept, loaded);
  if (!done.ok()) {
    fail(done.error().message +
         (done.error().code == Code::kInUse ? "; sheaf model load --replace writes over what is there" : ""));
    return kWrongUse;
  }
  if (!loaded.written.is_ended && !loaded.dangling.is_ended) return 0;
  complain("interrupted while loading");
  return kWrongUse;
}

int run_command(const DataArguments& given, bool is_named) {
  DataArguments arguments = given;
  const bool loads = !arguments.data.empty();
  if (loads && !is_named) leave_environment(arguments.database);
  Result<std::optional<DataInput>> input = open_input(arguments.data);
  if (!input.ok()) return fail(input.error().message);
  auto made = open(arguments, loads ? Absent::kIsMade : Absent::kIsRefused);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& opened = std::get<Opened>(made);
  const bool is_thrown_away = arguments.database.is_in_memory();
  if (loads || is_thrown_away) {
    if (const Result<void> applied = apply(opened); !applied.ok()) return fail(applied.error().message);
  }
  if (loads) {
    if (const int status = load_first(opened, **input); status != 0) return status;
  } else if (is_thrown_away) {
    std::cerr << "in an empty database that is thrown away: name one with --data or --endpoint\n";
  }
  const auto live = opened.live(arguments.model);
  if (!live.ok()) return fail(live.error().message);
  const model::Model& model = opened.chosen->model();
  if (const model::Pattern* const pattern = model.find_pattern(arguments.name))
    return print_answer(**live, *pattern, arguments);
  return carry_out(**live, model.find_operation(arguments.name), arguments);
}

int work_command(const DataArguments& arguments) {
  auto made = open(arguments, Absent::kIsRefused);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& opened = std::get<Opened>(made);
  const auto live = opened.live(arguments.model);
  if (!live.ok()) return fail(live.error().message);
  const Result<size_t> jobs = (*live)->count_jobs();
  if (!jobs.ok()) return fail(jobs.error().message);
  const Result<run::WriteReply> worked = (*live)->work();
  if (!worked.ok()) return fail(worked.error().message);
  if (arguments.is_in_json) {
    print_figures({{"done", *jobs - worked->pending},
                   {"left", worked->pending},
                   {"copies", worked->copies},
                   {"deleted", worked->deleted}});
    return 0;
  }
  std::cout << counted(*jobs - worked->pending, "job", "jobs") << " done, " << worked->pending
            << " left to others; " << counted(worked->copies, "copy", "copies") << " brought in step, "
            << counted(worked->deleted, "entity", "entities") << " deleted\n";
  return 0;
}

void tell_audit_in_json(const run::Audit& audit) {
  std::string out;
  {
    wire::JsonObject object(out);
    object.integer("items", static_cast<int64_t>(audit.items));
    object.integer("entities", static_cast<int64_t>(audit.entities));
    object.integer("edges", static_cast<int64_t>(audit.edges));
    object.integer("being_deleted", static_cast<int64_t>(audit.being_deleted));
    object.integer("copies_under_way", static_cast<int64_t>(audit.copies_under_way));
    std::string& findings = object.member("findings");
    wire::append_json_list(findings, audit.findings, [&](const run::Finding& finding) {
      wire::JsonObject each(findings);
      each.text("kind", run::name_of(finding.kind));
      each.text("what", finding.what);
      each.text("message", finding.message);
      each.flag("mended", finding.is_mended);
    });
  }
  std::cout << out << "\n";
}

int audit_command(const DataArguments& arguments) {
  auto made = open_applied(arguments);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& opened = std::get<Opened>(made);
  const ChosenModel& chosen = *opened.chosen;
  const Result<run::Audit> audit =
      run::audit(*opened.database, chosen.model(), chosen.stored(), {.repairs = arguments.repairs});
  if (!audit.ok()) return fail(audit.error().message);
  const auto left =
      static_cast<size_t>(std::count_if(audit->findings.begin(), audit->findings.end(),
                                        [](const run::Finding& finding) { return !finding.is_mended; }));
  if (arguments.is_in_json) {
    tell_audit_in_json(*audit);
    return left == 0 ? 0 : kWrongModel;
  }
  for (const run::Finding& finding : audit->findings) {
    std::cout << run::name_of(finding.kind) << ": " << finding.what << ": " << finding.message
              << (finding.is_mended ? " (mended)" : "") << "\n";
  }
  std::cout << counted(audit->items, "item", "items") << ": "
            << counted(audit->entities, "entity", "entities") << ", "
            << counted(audit->edges, "edge", "edges") << "; "
            << counted(audit->findings.size(), "finding", "findings");
  if (arguments.repairs) std::cout << ", " << audit->findings.size() - left << " mended";
  if (audit->being_deleted > 0) std::cout << "; " << audit->being_deleted << " being deleted";
  if (audit->copies_under_way > 0) std::cout << "; " << audit->copies_under_way << " copies under way";
  if (audit->oldest_job_ms > 0) std::cout << "; the oldest job waits " << audit->oldest_job_ms / 1000 << " s";
  std::cout << "\n";
  return left == 0 ? 0 : kWrongModel;
}

// The time by which entities are old: the one that is said, or the only one that there is.
Result<model::FieldId> time_field(const model::Entity& entity, const std::string& by) {
  std::vector<model::FieldId> found;
  for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
    const language::Type::Kind kind = entity.fields[id].type.kind;
    const bool is_time = kind == language::Type::Kind::kTime || kind == language::Type::Kind::kDate;
    const bool is_meant =
        by.empty() ? entity.fields[id].kept == model::Kept::kNo : entity.fields[id].name == by;
    if (is_time && is_meant) found.push_back(id);
  }
  if (found.size() == 1) return found.front();
  if (!by.empty()) return Error{Code::kInvalid, entity.name + " has no time or date named " + by};
  return Error{Code::kInvalid, entity.name + (found.empty() ? " has no time or date" : " has several times") +
                                   ": say by which, --by FIELD"};
}

int archive_command(const DataArguments& arguments) {
  auto made = open_applied(arguments);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& opened = std::get<Opened>(made);
  const ChosenModel& chosen = *opened.chosen;
  const auto entity = chosen.model().find_entity(arguments.name);
  if (!entity) return fail("there is no entity " + arguments.name);
  const Result<model::FieldId> by = time_field(chosen.model().entities[*entity], arguments.by);
  if (!by.ok()) return fail(by.error().message);
  if (!model::is_time(arguments.before) && !model::is_date(arguments.before))
    return fail("--before takes a date like 2026-01-31 or a time like 2026-01-31T12:00:00.000Z");
  if (const auto why = run::why_not_archived(chosen.model(), chosen.stored(), *entity)) return fail(*why);
  Result<AppendedFile> file = AppendedFile::open(arguments.archive);
  if (!file.ok()) return fail(file.error().message);
  const run::Writer writer(*opened.database, chosen.model(), chosen.stored(), opened.options);
  const run::ArchiveOptions options{.entity = *entity,
                                    .by = *by,
                                    .before = arguments.before,
                                    .keep = [&](std::string_view lines) { return file->append(lines); },
                                    .progress =
                                        [](const run::Archived& now) {
                                          std::cerr << "\r" << counted(now.items, "item", "items")
                                                    << " read, " << now.entities << " archived" << std::flush;
                                        }};
  const Result<run::Archived> archived =
      run::archive(*opened.database, chosen.model(), chosen.stored(), writer, options);
  std::cerr << "\n";
  if (!archived.ok()) return fail(archived.error().message);
  if (arguments.is_in_json) {
    print_figures(
        {{"archived", archived->entities}, {"changed", archived->changed}, {"gone", archived->gone}});
    return 0;
  }
  std::cout << archived->entities << " of " << arguments.name << " are in " << arguments.archive
            << " and no longer in the table";
  if (archived->changed > 0) std::cout << "; " << archived->changed << " were changed meanwhile, and stay";
  if (archived->gone > 0) std::cout << "; " << archived->gone << " were deleted meanwhile";
  std::cout << "\n";
  return 0;
}

int restore_command(const DataArguments& arguments) {
  auto made = open_applied(arguments);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& opened = std::get<Opened>(made);
  const ChosenModel& chosen = *opened.chosen;
  std::ifstream file(arguments.archive, std::ios::binary);
  if (!file) return fail("cannot read " + arguments.archive);
  const run::Writer writer(*opened.database, chosen.model(), chosen.stored(), opened.options);
  run::Restored restored;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const Result<void> done = run::restore_line(chosen.model(), chosen.stored(), writer, line, restored);
    if (!done.ok())
      return fail(arguments.archive + ":" + std::to_string(number) + ": " + done.error().message + "; " +
                  std::to_string(restored.entities) + " before it are restored");
    if (number % 1000 == 0) std::cerr << "\r" << restored.entities << " restored" << std::flush;
  }
  if (number >= 1000) std::cerr << "\n";
  if (arguments.is_in_json) {
    print_figures({{"restored", restored.entities}, {"there", restored.there}});
    return 0;
  }
  std::cout << counted(restored.entities, "entity", "entities") << " restored";
  if (restored.there > 0) std::cout << ", " << restored.there << " were there";
  std::cout << "\n";
  return 0;
}

// What lies beside the model file, if it is there.
std::string beside(const std::string& path, std::string_view name) {
  const std::filesystem::path found = std::filesystem::path(path).parent_path() / name;
  return std::filesystem::exists(found) ? found.string() : std::string();
}

void tell_tests_in_json(const std::vector<run::TestCase>& cases, size_t passed, size_t skipped) {
  std::vector<const run::TestCase*> failed;
  for (const run::TestCase& each : cases) {
    if (each.failure) failed.push_back(&each);
  }
  std::string out;
  {
    wire::JsonObject object(out);
    object.integer("passed", static_cast<int64_t>(passed));
    object.integer("not_for_their_layout", static_cast<int64_t>(skipped));
    std::string& failures = object.member("failed");
    wire::append_json_list(failures, failed, [&](const run::TestCase* test) {
      wire::JsonObject each(failures);
      each.text("layout", test->layout);
      each.text("name", test->name);
      each.text("message", *test->failure);
    });
  }
  std::cout << out << "\n";
}

int test_command(const DataArguments& arguments, bool has_layout) {
  const auto made =
      choose_model({.path = arguments.model.path,
                    .layout = has_layout ? arguments.model.layout : std::string(model::kDefaultLayout)});
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);
  run::Expectations wanted{.layout = has_layout ? arguments.model.layout : std::string()};
  const std::string data =
      arguments.data.empty() ? beside(arguments.model.path, "data.json") : arguments.data;
  const std::string answers =
      arguments.answers.empty() ? beside(arguments.model.path, "answers.json") : arguments.answers;
  for (const auto& [path, text] : {std::pair(&data, &wanted.data), std::pair(&answers, &wanted.answers)}) {
    if (path->empty()) continue;
    Result<std::string> read = read_file(*path);
    if (!read.ok()) return fail(read.error().message);
    *text = std::move(*read);
  }
  const Result<std::vector<run::TestCase>> cases = run::run_expectations(chosen.planned, wanted);
  if (!cases.ok()) return fail(cases.error().message);
  size_t failed = 0, skipped = 0;
  for (const run::TestCase& each : *cases) {
    skipped += each.is_skipped ? 1 : 0;
    if (!each.failure) continue;
    ++failed;
    if (!arguments.is_in_json) std::cout << each.layout << ": " << each.name << ": " << *each.failure << "\n";
  }
  if (!arguments.junit.empty()) {
    std::ofstream file(arguments.junit, std::ios::binary | std::ios::trunc);
    file << run::to_junit(chosen.model().name(), *cases);
    if (!file.flush()) return fail("cannot write " + arguments.junit);
  }
  if (arguments.is_in_json) {
    tell_tests_in_json(*cases, cases->size() - failed - skipped, skipped);
    return failed == 0 ? 0 : kWrongModel;
  }
  std::cout << arguments.model.path << ": "
            << counted(cases->size() - failed - skipped, "test passes", "tests pass")
            << (skipped > 0 ? ", " + std::to_string(skipped) + " not for their layout" : "")
            << (failed > 0 ? ", " + counted(failed, "fails", "fail") : "") << "\n";
  return failed == 0 ? 0 : kWrongModel;
}

}  // namespace

void add_model_data_commands(CLI::App& model, int& status) {
  // Each has its own: what the environment says is for some of them.
  const auto add = [&](const std::string& name, const std::string& help, DatabaseNeed need) {
    const auto arguments = std::make_shared<DataArguments>();
    CLI::App* const command = model.add_subcommand(name, help);
    add_model_options(*command, arguments->model);
    arguments->database.must_exist = name != "apply" && name != "load";  // for the help
    add_database_options(*command, arguments->database, need);
    // What a pattern answers is JSON anyway.
    if (name != "run") command->add_flag("--json", arguments->is_in_json, "Say what was done in JSON");
    return std::pair(command, arguments);
  };

  const auto [applying, to_apply] =
      add("apply", "Make the tables and indexes of a layout, or tell what would have to move",
          DatabaseNeed::kRequired);
  applying->callback([arguments = to_apply, &status] { status = apply_command(*arguments); });

  const auto [loading, to_load] =
      add("load", "Make the tables of a model and load data into them", DatabaseNeed::kRequired);
  loading
      ->add_option("DATA", to_load->data,
                   "Entities and links: one JSON document, or lines of them, which may be of any size; "
                   "compressed by gzip or zstd or not; - is the standard input")
      ->required();
  loading->add_flag("--replace", to_load->replaces,
                    "Write over entities and links that are there and differ, instead of refusing them");
  loading->callback([arguments = to_load, &status] { status = load_command(*arguments); });

  const auto [running, to_run] = add(
      "run",
      "Answer a pattern or carry out an operation: run FILE NAME VALUE...; a value is JSON or text, an id of "
      "several parts a list. Every model has put.ENTITY, upsert.ENTITY, delete.ENTITY, set.ENTITY, "
      "add.ENTITY, remove.ENTITY, link.ENTITY.END, unlink.ENTITY.END, move.ENTITY.END",
      DatabaseNeed::kUsual);
  running->add_option("NAME", to_run->name, "A pattern or an operation")->required();
  running->add_option("--load", to_run->data,
                      "Load this first: into the database that is named here, which is made if it is not "
                      "there; without --data and --endpoint into one that is thrown away, whatever "
                      "SHEAF_DATA or SHEAF_ENDPOINT has");
  running->add_option("--cursor", to_run->cursor, "Go on where an earlier answer ended");
  running->add_flag("--cost", to_run->tells_cost, "Also tell requests, items and units");
  add_words_option(*running, "VALUE", to_run->values,
                   "A parameter, as JSON or text (behind --, one that begins with a dash)");
  running->callback([arguments = to_run, command = running, &status] {
    status = run_command(*arguments, command->count("--data") + command->count("--endpoint") > 0);
  });

  const auto [working, to_work] =
      add("work", "Do the jobs that operations have left: copies, deletions", DatabaseNeed::kRequired);
  working->callback([arguments = to_work, &status] { status = work_command(*arguments); });

  const auto [auditing, to_audit] =
      add("audit", "Look through all items, and tell what is not as the model says", DatabaseNeed::kRequired);
  auditing->add_flag("--repair", to_audit->repairs,
                     "Mend what is safe: guards, counts, index keys, copies, edges to nobody");
  auditing->callback([arguments = to_audit, &status] { status = audit_command(*arguments); });

  const auto [archiving, to_archive] =
      add("archive", "Move old entities out of their table into a file, from which restore brings them back",
          DatabaseNeed::kRequired);
  archiving->add_option("ENTITY", to_archive->name, "Of which kind")->required();
  archiving->add_option("--before", to_archive->before, "Those that are older: a date, or a time in UTC")
      ->required();
  archiving->add_option("--by", to_archive->by, "By which of its times, if it has several");
  archiving->add_option("--to", to_archive->archive, "The file: a line for each is added to it")->required();
  archiving->callback([arguments = to_archive, &status] { status = archive_command(*arguments); });

  const auto [restoring, to_restore] =
      add("restore", "Put what archive has moved into a file back into its table", DatabaseNeed::kRequired);
  restoring->add_option("ARCHIVE", to_restore->archive, "The file")->required();
  restoring->callback([arguments = to_restore, &status] { status = restore_command(*arguments); });

  const auto arguments = std::make_shared<DataArguments>();
  CLI::App* const testing = model.add_subcommand(
      "test", "Try the model's expect lines, and a file of questions and answers, on a throw-away database");
  add_model_options(*testing, arguments->model);
  testing->add_option("--load", arguments->data, "The data (data.json beside the model)");
  testing->add_option("--answers", arguments->answers,
                      "Questions and answers (answers.json beside the model)");
  testing->add_flag("--json", arguments->is_in_json, "Say what passed and what failed in JSON");
  testing->add_option("--junit", arguments->junit, "Also write the results to this file, as JUnit does");
  testing->callback(
      [arguments, testing, &status] { status = test_command(*arguments, testing->count("--layout") > 0); });
}

}  // namespace sheaf::cmd
