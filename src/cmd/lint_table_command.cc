#include "cmd/lint_table_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/heat_client.h"
#include "cmd/lint_options.h"
#include "cmd/lint_table_items.h"
#include "cmd/table_figures.h"
#include "lint/table_rules.h"

namespace sheaf::cmd {
namespace {

struct LintTableArguments {
  std::string table;
  int64_t items = 10'000;
  DatabaseChoice database;
  LintChoice choice;
};

std::string summary(const lint::TableStatistics& statistics, bool has_traffic) {
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.3g", statistics.percent_read());
  std::string out =
      "table " + statistics.table + ": " + counted(static_cast<size_t>(statistics.items), "item", "items") +
      " read, " + percent + " % of the table, " + std::to_string(statistics.bytes) + " bytes in " +
      counted(static_cast<size_t>(statistics.partitions), "partition key", "partition keys") + "\n";
  for (const lint::KindFigures& kind : statistics.kinds)
    out += "  " + kind.name + ": " + counted(static_cast<size_t>(kind.items), "item", "items") + "\n";
  if (!statistics.largest.empty()) {
    const lint::PartitionFigures& largest = statistics.largest.front();
    const bool is_of_all = statistics.is_whole || statistics.counted;
    out += std::string("  largest item collection") + (is_of_all ? "" : " of those that were read") + ": " +
           largest.key + ", " + counted(static_cast<size_t>(largest.items), "item", "items") + ", " +
           std::to_string(largest.bytes) + " bytes\n";
  }
  if (statistics.items < lint::kSampleItemsMin)
    out += "  fewer than " + std::to_string(lint::kSampleItemsMin) + " items: too few to tell much\n";
  if (has_traffic && !statistics.tells_heat)
    out += "  this endpoint does not tell its heat: throughput and throttling were not looked at\n";
  return out;
}

// A directory that a command has opened has no traffic, but it counts its collections.
Result<watch::Source> source_for(Database& database, const DatabaseChoice& choice) {
  if (choice.endpoint.empty()) return watch::source_of(database);
  const Endpoint endpoint = TRY(endpoint_of(choice));
  return source_behind(database, endpoint);
}

int lint_table(const LintTableArguments& arguments) {
  const Result<lint::Options> options = lint_options(arguments.choice);
  if (!options.ok()) return fail(options.error().message);
  const Result<std::unique_ptr<Database>> database = open_database(arguments.database);
  if (!database.ok()) return fail(database.error().message);
  const bool shows_progress = isatty(STDERR_FILENO) == 1;
  SampleOptions sampling{.items_max = static_cast<uint64_t>(arguments.items)};
  if (shows_progress)
    sampling.on_progress = [](uint64_t items) { std::cerr << "\r" << items << " items read" << std::flush; };
  LintTableItems items(**database);
  const Result<watch::Source> source = source_for(items, arguments.database);
  if (!source.ok()) return fail(source.error().message);
  Result<lint::TableStatistics> statistics =
      table_figures(*source, arguments.table, sampling, database->get());
  if (shows_progress) std::cerr << "\n";
  if (!statistics.ok()) return fail(statistics.error().message);
  statistics->shapes = items.figures();
  lint::Report report{.tool = "sheaf lint-table",
                      .subjects = {"table " + arguments.table},
                      .rules = lint::table_rules(),
                      .findings = lint::lint_table(*statistics, *options)};
  // Beside what is for programs.
  std::cerr << summary(*statistics, !arguments.database.endpoint.empty());
  return tell(std::move(report), arguments.choice);
}

}  // namespace

void add_lint_table_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<LintTableArguments>();
  CLI::App& command = *app.add_subcommand("lint-table", "Find anti-patterns in the items of a table");
  command.add_option("TABLE", arguments->table, "The table")->required();
  command.add_option("--items", arguments->items, "Read so many items at most, spread over the table")
      ->check(CLI::Range(int64_t{1}, int64_t{100'000'000}))
      ->capture_default_str();
  arguments->database.must_exist = true;
  add_database_options(command, arguments->database, DatabaseNeed::kRequired);
  add_lint_options(command, arguments->choice);
  command.callback([arguments, &status] { status = lint_table(*arguments); });
}

}  // namespace sheaf::cmd
