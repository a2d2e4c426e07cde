#include "cmd/bench_command.h"

#include <CLI/CLI.hpp>
#include <array>
#include <iomanip>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>

#include "base/text_table.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/progress.h"
#include "cmd/quick_bench.h"
#include "cmd/until_told.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

constexpr int kSomeFailed = 1;
constexpr std::array<std::pair<std::string_view, double>, 4> kPercentiles{
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}}};

struct BenchArguments {
  DatabaseChoice database;
  bool is_in_memory = false;
  bool is_in_json = false;
  BenchOptions options;
};

std::string milliseconds(uint64_t duration_us) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << static_cast<double>(duration_us) / 1000;
  return text.str();
}

double rate_of(const Direction& direction, double seconds) {
  return seconds > 0 ? static_cast<double>(direction.latencies.count()) / seconds : 0;
}

void tell_direction_in_json(wire::JsonObject& object, std::string_view name, const Direction& direction,
                            double seconds) {
  wire::JsonObject each(object.member(name));
  each.integer("count", static_cast<int64_t>(direction.latencies.count()));
  each.integer("failed", static_cast<int64_t>(direction.failed));
  each.integer("per_second", static_cast<int64_t>(rate_of(direction, seconds)));
  for (const auto& [percentile, part] : kPercentiles)
    each.integer(std::string(percentile) + "_us",
                 static_cast<int64_t>(direction.latencies.percentile_us(part)));
  each.integer("max_us", static_cast<int64_t>(direction.latencies.max_us()));
}

void tell_bench(const BenchArguments& arguments, const BenchFigures& figures) {
  if (arguments.is_in_json) {
    std::string out;
    {
      wire::JsonObject object(out);
      object.integer("items", static_cast<int64_t>(arguments.options.items));
      object.integer("size_bytes", arguments.options.size_bytes);
      object.integer("threads", arguments.options.threads);
      object.integer("milliseconds", static_cast<int64_t>(figures.seconds * 1000));
      object.integer("fill_milliseconds", static_cast<int64_t>(figures.fill_seconds * 1000));
      tell_direction_in_json(object, "reads", figures.reads, figures.seconds);
      tell_direction_in_json(object, "writes", figures.writes, figures.seconds);
    }
    std::cout << out << "\n";
    return;
  }
  TextTable table = TextTable::with_heads(
      {"", "count", "a second", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "max ms", "failed"});
  for (const auto& [name, direction] :
       {std::pair("GetItem", &figures.reads), std::pair("PutItem", &figures.writes)}) {
    std::vector<std::string> row{name, std::to_string(direction->latencies.count()),
                                 std::to_string(static_cast<uint64_t>(rate_of(*direction, figures.seconds)))};
    for (const auto& [percentile, part] : kPercentiles)
      row.push_back(milliseconds(direction->latencies.percentile_us(part)));
    row.push_back(milliseconds(direction->latencies.max_us()));
    row.push_back(std::to_string(direction->failed));
    table.add(std::move(row));
  }
  const double fill_rate =
      static_cast<double>(arguments.options.items) / std::max(figures.fill_seconds, 1e-3);
  std::cout << counted(arguments.options.items, "item", "items") << " of " << arguments.options.size_bytes
            << " bytes, put by BatchWriteItem at " << static_cast<uint64_t>(fill_rate) << " a second; then "
            << arguments.options.reads_percent << " % reads for " << std::fixed << std::setprecision(1)
            << figures.seconds << " s from " << counted(arguments.options.threads, "thread", "threads")
            << "\n"
            << table.text()
            << "Figures of one run on one machine: on a machine that does other work too they say little. "
               "Compare runs\n"
               "that were made side by side, several times.\n";
}

int run_bench_command(BenchArguments& arguments) {
  if (arguments.options.size_bytes > kItemBytesMax) return fail("an item has 409600 bytes at most");
  const Result<std::unique_ptr<Database>> database =
      open_database(arguments.is_in_memory ? DatabaseChoice{} : arguments.database);
  if (!database.ok()) return fail(database.error().message);
  std::ostringstream name;
  name << "sheaf-bench-" << std::hex << std::random_device{}();
  arguments.options.table = name.str();
  // The table must go even if somebody has seen enough.
  const UntilTold until_told;
  arguments.options.is_ended = [&] { return until_told.wait(std::chrono::milliseconds(0)); };
  Result<BenchFigures> figures = Error{Code::kInvalid, ""};
  {
    Progress progress("item", "items");
    arguments.options.filling = [&](uint64_t items) { progress.tell(items, arguments.options.items); };
    figures = run_bench(**database, arguments.options);
  }
  if (!figures.ok()) return fail(figures.error().message);
  // What was made is cleared away before this ends, where that is up to us.
  while (true) {
    const Result<bool> has_more = (*database)->run_background_work();
    if (!has_more.ok() || !*has_more) break;
  }
  tell_bench(arguments, *figures);
  for (const Direction* direction : {&figures->reads, &figures->writes}) {
    if (direction->failed > 0) complain("some failed: " + direction->first_error);
  }
  return figures->reads.failed + figures->writes.failed == 0 ? 0 : kSomeFailed;
}

}  // namespace

void add_bench_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<BenchArguments>();
  BenchOptions& options = arguments->options;
  CLI::App& command = *app.add_subcommand(
      "bench", "Measure a database with a mix of reads and writes, on a table that is removed again");
  add_database_options(command, arguments->database, DatabaseNeed::kUsual);
  command
      .add_flag("--in-memory", arguments->is_in_memory,
                "Measure a database in memory, whatever SHEAF_DATA and SHEAF_ENDPOINT have")
      ->excludes("--data", "--endpoint");
  command.add_option("--reads", options.reads_percent, "So many of a hundred requests read")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command.add_option("--items", options.items, "In the table")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command.add_option("--size", options.size_bytes, "Bytes of an item")->capture_default_str();
  command.add_option("--seconds", options.seconds, "How long")
      ->check(CLI::Range(0.1, 86'400.0))
      ->capture_default_str();
  command.add_option("--threads", options.threads, "That ask at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      .add_option("--zipf", options.zipf,
                  "How unevenly items are used: the k-th as often as 1/k^N; 0 is evenly")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  command.add_flag("--consistent", options.is_consistent, "Read what was written last");
  command.add_flag("--json", arguments->is_in_json, "Tell the figures in JSON");
  command.footer("sheaf bench --reads 50 --items 20000 --data ./data");
  command.callback([arguments, &status] { status = run_bench_command(*arguments); });
}

}  // namespace sheaf::cmd
