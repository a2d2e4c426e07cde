#include "cmd/model_command.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "cmd/draw_command.h"

#include "cmd/model_errors.h"
#include "language/diagnostic_json.h"
#include "language/format.h"
#include "language/parser.h"
#include "language/syntax_json.h"
#include "language/syntax_text.h"
#include "model/value_type.h"
#include "plan/explain.h"
#include "plan/planned_model.h"
#include "run/applied_layout.h"
#include "run/data_file.h"
#include "run/plain_json.h"
#include "run/session.h"

namespace sheaf::cmd {
namespace {

constexpr int kWrongModel = 1;
constexpr int kWrongUse = 2;

int fail(const std::string& message) {
  std::cerr << "sheaf: " << message << "\n";
  return kWrongUse;
}

Result<std::string> read_file(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{Code::kIo, "cannot read " + path};
  text << file.rdbuf();
  return text.str();
}

// The text of a model file; of its JSON form, what it says in the language.
Result<std::string> read_model(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text.ok() || text->find_first_not_of(" \t\r\n") == std::string::npos) return text;
  if ((*text)[text->find_first_not_of(" \t\r\n")] != '{') return text;
  const Result<language::Model> model = language::model_from_json(*text);
  if (!model.ok()) return Error{model.error().code, path + ": " + model.error().message};
  return language::to_text(*model);
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

int check_as_json(const std::vector<std::string>& paths) {
  int status = 0;
  language::JsonWriter writer;
  std::string unread;
  writer.array([&] {
    for (const std::string& path : paths) {
      const Result<std::string> text = read_model(path);
      if (!text.ok()) {
        unread = text.error().message;
        return;
      }
      const plan::PlannedModel planned = plan::plan_model(model::compile(path, *text));
      language::write_json(writer, planned.compiled.source, planned.compiled.diagnostics);
      if (!planned.compiled.ok()) status = kWrongModel;
    }
  });
  if (!unread.empty()) return fail(unread);
  std::cout << writer.take();
  return status;
}

int check(const std::vector<std::string>& paths, bool as_json) {
  if (as_json) return check_as_json(paths);
  int status = 0;
  for (const std::string& path : paths) {
    const Result<std::string> text = read_model(path);
    if (!text.ok()) return fail(text.error().message);
    const plan::PlannedModel planned = plan::plan_model(model::compile(path, *text));
    const model::CompiledModel& compiled = planned.compiled;
    std::cerr << compiled.rendered();
    if (!compiled.ok()) {
      std::cerr << path << ": " << counted(compiled.diagnostics.error_count(), "mistake", "mistakes") << "\n";
      status = kWrongModel;
      continue;
    }
    std::cout << path << ": " << counted(compiled.model.entities.size(), "entity", "entities") << ", "
              << counted(compiled.model.relations.size(), "relation", "relations") << ", "
              << counted(compiled.model.patterns.size(), "pattern", "patterns") << ", "
              << counted(compiled.layouts.size(), "layout", "layouts") << ": fine\n";
  }
  return status;
}

// Rewrites files in place; with `check_only` it only says which would change.
int format(const std::vector<std::string>& paths, bool check_only) {
  int status = 0;
  for (const std::string& path : paths) {
    const Result<std::string> text = read_file(path);
    if (!text.ok()) return fail(text.error().message);
    const language::SourceText source(path, *text);
    language::Diagnostics diagnostics;
    language::parse(source, diagnostics);
    for (const language::Diagnostic& diagnostic : diagnostics.all())
      std::cerr << language::render(source, diagnostic);
    if (diagnostics.has_errors()) {
      status = kWrongModel;
      continue;
    }
    const std::string formatted = language::format(source);
    if (path == "-") {
      std::cout << formatted;
    } else if (formatted != *text && check_only) {
      std::cout << path << "\n";
      status = kWrongModel;
    } else if (formatted != *text) {
      std::ofstream file(path, std::ios::binary | std::ios::trunc);
      file << formatted;
      if (!file.flush()) return fail("cannot write " + path);
    }
  }
  return status;
}

int print_json(const std::string& path) {
  const Result<std::string> text = read_model(path);
  if (!text.ok()) return fail(text.error().message);
  const language::SourceText source(path, *text);
  language::Diagnostics diagnostics;
  const language::Model model = language::parse(source, diagnostics);
  for (const language::Diagnostic& diagnostic : diagnostics.all())
    std::cerr << language::render(source, diagnostic);
  if (diagnostics.has_errors()) return kWrongModel;
  std::cout << language::to_json(model);
  return 0;
}

// A model, planned, and one of its layouts.
struct Chosen {
  plan::PlannedModel planned;
  size_t layout = 0;

  const model::Model& model() const { return planned.compiled.model; }
  const model::Layout& stored() const { return planned.compiled.layouts[layout]; }
};

std::variant<Chosen, int> choose(const std::string& path, const std::string& layout) {
  const Result<std::string> text = read_model(path);
  if (!text.ok()) return fail(text.error().message);
  Chosen chosen{.planned = plan::plan_model(model::compile(path, *text))};
  std::cerr << chosen.planned.compiled.rendered();
  if (chosen.planned.plans.empty()) return kWrongModel;
  for (const model::Layout& each : chosen.planned.compiled.layouts) {
    if (each.name == layout) return chosen;
    ++chosen.layout;
  }
  return fail(path + " has no layout " + layout);
}

int plan(const std::string& path, const std::string& layout) {
  const auto made = choose(path, layout);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const Chosen& chosen = std::get<Chosen>(made);
  for (const plan::PlannedPattern& each : chosen.planned.plans[chosen.layout]) {
    if (each.ok()) {
      std::cout << plan::explain(chosen.model(), chosen.stored(), std::get<plan::Plan>(each.plan));
      continue;
    }
    const auto& refusal = std::get<plan::Refusal>(each.plan);
    std::cout << each.pattern->name << ": cannot be answered: " << refusal.message << "\n";
    if (!refusal.fix.empty()) std::cout << "  = " << refusal.fix << "\n";
  }
  return chosen.planned.compiled.ok() ? 0 : kWrongModel;
}

struct RunArguments {
  std::string path;
  std::string layout{model::kDefaultLayout};
  std::string data_directory;
  std::string data;
  std::string pattern;
  std::vector<std::string> values;
  std::string cursor;
  bool tells_cost = false;
};

Result<std::unique_ptr<Database>> open(const std::string& directory) {
  if (directory.empty()) return Database::open_in_memory();
  return Database::open(directory);
}

Result<size_t> load(Database& database, const Chosen& chosen, const std::string& path) {
  const Result<std::string> json = read_file(path);
  if (!json.ok()) return json.error();
  const Result<run::Data> data = run::read_data(chosen.model(), chosen.stored(), *json);
  if (!data.ok()) return Error{data.error().code, path + ": " + data.error().message};
  return run::load_data(database, chosen.model(), chosen.stored(), *data);
}

// A value as it is typed: JSON, or else the text itself.
Value typed(const std::string& text) {
  Result<Value> value = run::from_plain_json(text);
  return value.ok() ? std::move(*value) : Value(text);
}

int apply_command(const RunArguments& arguments) {
  const auto made = choose(arguments.path, arguments.layout);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const Chosen& chosen = std::get<Chosen>(made);
  Result<std::unique_ptr<Database>> database = open(arguments.data_directory);
  if (!database.ok()) return fail(database.error().message);
  if (const Result<void> applied = run::apply_layout(**database, chosen.model(), chosen.stored());
      !applied.ok())
    return fail(applied.error().message);
  for (const model::Table& table : chosen.stored().tables)
    std::cout << "table " << table.name << ": " << counted(table.indexes.size(), "index", "indexes") << "\n";
  return 0;
}

int load_command(const RunArguments& arguments) {
  const auto made = choose(arguments.path, arguments.layout);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const Chosen& chosen = std::get<Chosen>(made);
  Result<std::unique_ptr<Database>> database = open(arguments.data_directory);
  if (!database.ok()) return fail(database.error().message);
  if (const Result<void> applied = run::apply_layout(**database, chosen.model(), chosen.stored());
      !applied.ok())
    return fail(applied.error().message);
  const Result<size_t> loaded = load(**database, chosen, arguments.data);
  if (!loaded.ok()) return fail(loaded.error().message);
  std::cout << counted(*loaded, "item", "items") << " loaded\n";
  return 0;
}

// As they are typed: JSON, or else the text itself.
std::vector<Value> typed_values(const std::vector<model::Parameter>& parameters,
                                const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (size_t i = 0; i < texts.size(); ++i) {
    const bool is_text =
        i < parameters.size() && !parameters[i].entity && model::is_textual(parameters[i].type);
    values.push_back(is_text ? Value(texts[i]) : typed(texts[i]));
  }
  return values;
}

int write(const run::Session& session, const RunArguments& arguments) {
  const model::Operation* const operation = session.model().find_operation(arguments.pattern);
  const std::vector<model::Parameter> none;
  const Result<run::Session::Outcome> outcome = session.write(
      arguments.pattern, typed_values(operation != nullptr ? operation->parameters : none, arguments.values));
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

int work_command(const RunArguments& arguments) {
  const auto made = choose(arguments.path, arguments.layout);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const Chosen& chosen = std::get<Chosen>(made);
  Result<std::unique_ptr<Database>> database = open(arguments.data_directory);
  if (!database.ok()) return fail(database.error().message);
  const Result<std::unique_ptr<run::Session>> session =
      run::Session::open(**database, chosen.planned, chosen.layout);
  if (!session.ok()) return fail(session.error().message);
  const Result<std::vector<run::Job>> jobs = (*session)->jobs();
  if (!jobs.ok()) return fail(jobs.error().message);
  const Result<run::WriteReply> worked = (*session)->work();
  if (!worked.ok()) return fail(worked.error().message);
  std::cout << counted(jobs->size() - worked->pending, "job", "jobs") << " done, " << worked->pending
            << " left to others; " << counted(worked->copies, "copy", "copies") << " brought in step, "
            << counted(worked->deleted, "entity", "entities") << " deleted\n";
  return 0;
}

int run_command(const RunArguments& arguments) {
  const auto made = choose(arguments.path, arguments.layout);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const Chosen& chosen = std::get<Chosen>(made);
  const model::Pattern* const pattern = chosen.model().find_pattern(arguments.pattern);
  Result<std::unique_ptr<Database>> database = open(arguments.data_directory);
  if (!database.ok()) return fail(database.error().message);
  if (!arguments.data.empty() || arguments.data_directory.empty()) {
    if (const Result<void> applied = run::apply_layout(**database, chosen.model(), chosen.stored());
        !applied.ok())
      return fail(applied.error().message);
  }
  if (!arguments.data.empty()) {
    if (const Result<size_t> loaded = load(**database, chosen, arguments.data); !loaded.ok())
      return fail(loaded.error().message);
  }
  const Result<std::unique_ptr<run::Session>> session =
      run::Session::open(**database, chosen.planned, chosen.layout);
  if (!session.ok()) return fail(session.error().message);
  if (pattern == nullptr) return write(**session, arguments);
  const Result<run::Session::Reply> reply = (*session)->read(
      arguments.pattern, typed_values(pattern->parameters, arguments.values), arguments.cursor);
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

void add_layout_options(CLI::App& command, RunArguments& arguments) {
  command
      .add_option("FILE", arguments.path, "Model file, in the language or as JSON (- is the standard input)")
      ->required();
  command.add_option("--layout", arguments.layout, "Which layout")->capture_default_str();
}

}  // namespace

void add_model_command(CLI::App& app, int& status) {
  CLI::App* const model = app.add_subcommand("model", "Check, format, plan and run model files");
  model->require_subcommand(1);

  const auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* const checking = model->add_subcommand("check", "Tell what is wrong with model files");
  checking->add_option("FILE", *paths, "Model files (- is the standard input)")->required();
  const auto as_json = std::make_shared<bool>(false);
  checking->add_flag("--json", *as_json, "Tell it as JSON, for editors and build servers");
  checking->callback([paths, as_json, &status] { status = check(*paths, *as_json); });

  const auto id = std::make_shared<std::string>();
  CLI::App* const explaining = model->add_subcommand("errors", "Explain what check tells");
  explaining->add_option("ID", *id, "The mistake, as check names it; without it, all are listed");
  explaining->callback([id, &status] { status = print_errors(*id); });

  const auto only_check = std::make_shared<bool>(false);
  CLI::App* const formatting = model->add_subcommand("fmt", "Lay model files out, comments and all");
  formatting->add_option("FILE", *paths, "Model files (- is the standard input)")->required();
  formatting->add_flag("--check", *only_check, "Only tell which files would change");
  formatting->callback([paths, only_check, &status] { status = format(*paths, *only_check); });

  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* const jsoning = model->add_subcommand("json", "Print a model as JSON, for programs");
  jsoning->add_option("FILE", arguments->path, "Model file (- is the standard input)")->required();
  jsoning->callback([arguments, &status] { status = print_json(arguments->path); });

  CLI::App* const planning = model->add_subcommand("plan", "Show the requests that answer each pattern");
  add_layout_options(*planning, *arguments);
  planning->callback([arguments, &status] { status = plan(arguments->path, arguments->layout); });

  CLI::App* const applying = model->add_subcommand(
      "apply", "Make the tables and indexes of a layout, or tell what would have to move");
  add_layout_options(*applying, *arguments);
  applying->add_option("--data", arguments->data_directory, "The data directory")->required();
  applying->callback([arguments, &status] { status = apply_command(*arguments); });

  CLI::App* const loading =
      model->add_subcommand("load", "Make the tables of a model and load data into them");
  add_layout_options(*loading, *arguments);
  loading->add_option("DATA", arguments->data, "Entities and links, as JSON")->required();
  loading->add_option("--data", arguments->data_directory, "The data directory")->required();
  loading->callback([arguments, &status] { status = load_command(*arguments); });

  CLI::App* const working =
      model->add_subcommand("work", "Do the jobs that operations have left: copies, deletions");
  add_layout_options(*working, *arguments);
  working->add_option("--data", arguments->data_directory, "The data directory")->required();
  working->callback([arguments, &status] { status = work_command(*arguments); });

  CLI::App* const running = model->add_subcommand(
      "run",
      "Answer a pattern or carry out an operation: run FILE NAME VALUE...; a value is JSON or text, an id of "
      "several parts a list. Every model has put.ENTITY, upsert.ENTITY, delete.ENTITY, set.ENTITY, "
      "add.ENTITY, "
      "remove.ENTITY, link.ENTITY.END, unlink.ENTITY.END, move.ENTITY.END");
  add_layout_options(*running, *arguments);
  running->add_option("NAME", arguments->pattern, "A pattern or an operation")->required();
  running->add_option("--data", arguments->data_directory, "The data directory; without it, in memory");
  running->add_option("--load", arguments->data, "Load this first");
  running->add_option("--cursor", arguments->cursor, "Go on where an earlier answer ended");
  running->add_flag("--cost", arguments->tells_cost, "Also tell requests, items and units");
  // As extras: a list in brackets stays one value.
  running->allow_extras();
  running->callback([arguments, running, &status] {
    arguments->values = running->remaining();
    status = run_command(*arguments);
  });
  add_draw_command(*model, status);
}

}  // namespace sheaf::cmd
