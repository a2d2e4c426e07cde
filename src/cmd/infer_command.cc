#include "cmd/infer_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/model_file.h"
#include "cmd/observed_table.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "infer/infer.h"
#include "infer/report_json.h"
#include "infer/workbench_file.h"

namespace sheaf::cmd {
namespace {

struct InferArguments {
  DatabaseChoice database;
  std::vector<std::string> tables;
  std::string file;
  uint64_t items = 10'000;
  std::string name;
  std::string output;
  bool as_json = false;
};

int tell(const infer::Observed& observed, const InferArguments& arguments) {
  const infer::Inferred inferred = infer::infer_model(observed);
  const std::string text = arguments.as_json ? infer::to_json(observed, inferred) : inferred.text;
  if (arguments.output.empty()) {
    const bool has_colour = !arguments.as_json && standard_terminal().look.has_colour;
    std::cout << console::painted_remarks(text, has_colour);
    return 0;
  }
  std::ofstream file(arguments.output, std::ios::binary | std::ios::trunc);
  file << text;
  return file.flush() ? 0 : fail("cannot write " + arguments.output);
}

int infer_tables(const InferArguments& arguments) {
  const Result<std::unique_ptr<Database>> database = open_database(arguments.database);
  if (!database.ok()) return fail(database.error().message);
  infer::Observed observed{.name = arguments.name.empty() ? arguments.tables.front() : arguments.name};
  const bool shows_progress = isatty(STDERR_FILENO) == 1;
  for (const std::string& table : arguments.tables) {
    SampleOptions options{.items_max = arguments.items};
    if (shows_progress) {
      options.on_progress = [&table](uint64_t items) {
        std::cerr << "\r" << table << ": " << items << " items" << std::flush;
      };
    }
    Result<infer::ObservedTable> sample = observe_table(**database, table, options);
    if (shows_progress) std::cerr << "\r\x1b[K";
    if (!sample.ok()) return fail(table + ": " + sample.error().message);
    observed.tables.push_back(std::move(*sample));
  }
  for (const infer::ObservedTable& table : observed.tables) std::cerr << infer::share_text(table) << "\n";
  return tell(observed, arguments);
}

int import_file(const InferArguments& arguments) {
  const Result<std::string> text = read_file(arguments.file);
  if (!text.ok()) return fail(text.error().message);
  Result<infer::Observed> observed = infer::read_workbench(*text);
  if (!observed.ok()) return fail(arguments.file + ": " + observed.error().message);
  if (!arguments.name.empty()) observed->name = arguments.name;
  return tell(*observed, arguments);
}

void add_output_options(CLI::App& command, InferArguments& arguments) {
  command.add_option("--name", arguments.name, "What the model is called");
  command.add_flag("--json", arguments.as_json,
                   "The model with every inference, its evidence and the questions, for programs");
  command.add_option("--output,--out", arguments.output, "Write it there; else to the standard output");
}

}  // namespace

void add_infer_commands(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<InferArguments>();
  CLI::App* const inferring = model.add_subcommand(
      "infer",
      "Print a model that describes tables which exist, from their items: keys, entities, relations");
  inferring->add_option("TABLE", arguments->tables, "The tables")->required();
  arguments->database.must_exist = true;
  add_database_options(*inferring, arguments->database, DatabaseNeed::kRequired);
  inferring->add_option("--items", arguments->items,
                        "Read so many items of each table at most, from all over it; 0: all");
  add_output_options(*inferring, *arguments);
  inferring->callback([arguments, &status] { status = infer_tables(*arguments); });

  CLI::App* const importing =
      model.add_subcommand("import", "Print a model that describes a data model of NoSQL Workbench");
  importing->add_option("FILE", arguments->file, "The data model, JSON (- is the standard input)")
      ->required();
  add_output_options(*importing, *arguments);
  importing->callback([arguments, &status] { status = import_file(*arguments); });
}

}  // namespace sheaf::cmd
