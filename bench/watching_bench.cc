// What it costs to watch the traffic and to hold it to limits: servers that differ in one option, over
// loopback, in turns. Two processes of one program differ by more than what is looked for (where their memory
// lies, which core they got), so all of them are started anew for each repetition, and what is told is the
// median over the repetitions, with its standard error.
//   watching_bench [--json FILE] [--quick] [--sheaf PROGRAM] [--repetitions N] [--only
//   heat|throttle|partitions]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/temp_directory.h"
#include "bench/expect.h"
#include "bench/figures.h"
#include "bench/load_generator.h"
#include "bench/servers.h"

namespace sheaf::bench {
namespace {

constexpr size_t kConnections = 16;
constexpr DataSizes kSizes{.items = 10'000, .collections = 100, .orders = 2'000};

struct Contestant {
  std::string name;
  std::vector<std::string> arguments;
  double cost_max;  // of the throughput of the first
};

const Contestant kContestants[] = {
    {.name = "nothing", .arguments = {"--no-heat"}, .cost_max = 0},
    {.name = "nothing again", .arguments = {"--no-heat"}, .cost_max = 0},
    {.name = "heat", .arguments = {}, .cost_max = 0.02},
    {.name = "throttle", .arguments = {"--no-heat", "--throttle"}, .cost_max = 0},
    {.name = "partitions", .arguments = {"--no-heat", "--throttle-partitions"}, .cost_max = 0},
};

using Contestants = std::vector<const Contestant*>;

// The first is what the others are compared with; with `only`, one other.
Contestants contestants(const std::string& only) {
  Contestants chosen{&kContestants[0]};
  for (size_t i = 1; i < std::size(kContestants); ++i) {
    if (only.empty() || kContestants[i].name == only) chosen.push_back(&kContestants[i]);
  }
  return chosen;
}

struct Task {
  std::string name;
  Data data;
  Workload (*workload)(std::string_view table, const DataSizes& sizes);
};

Workload put(std::string_view table, const DataSizes&) { return put_item(table); }

const Task kTasks[] = {{"GetItem 1 KB", Data::kItems, get_item},
                       {"Query of 6 items", Data::kOrders, query_order},
                       {"Query of 100 items", Data::kCollections, query_collection},
                       {"PutItem 1 KB", Data::kItems, put}};

using Fleet = std::vector<std::unique_ptr<Server>>;  // one a contestant

Fleet start_all(const std::string& program, const Contestants& chosen, const TempDirectory& directory) {
  Fleet fleet;
  for (const Contestant* const each : chosen) {
    const std::string place = directory.path(each->name);
    std::filesystem::create_directory(place);
    std::vector<std::string> arguments = each->arguments;
    arguments.insert(arguments.begin(), "--in-memory");
    fleet.push_back(expect(start_sheaf({.program = program,
                                        .directory = place,
                                        .name = each->name,
                                        .durability = "none",
                                        .arguments = std::move(arguments),
                                        .credential = nullptr})));
    // As many partitions as bear the load, so that nothing is refused.
    const HttpAnswer warmed = expect(fleet.back()->call(
        "UpdateTable",
        R"({"TableName":"bench","WarmThroughput":{"ReadUnitsPerSecond":900000,"WriteUnitsPerSecond":300000}})"));
    if (warmed.status != 200) fail({Code::kInvalid, "the table cannot be warmed"});
  }
  return fleet;
}

// Of one contestant and task, against the first: one for each repetition.
struct Ratios {
  std::vector<double> rate, cpu;
};
using Results = std::map<std::pair<const Task*, const Contestant*>, Ratios>;

struct Rounds {
  size_t count;
  double seconds;
};

void compare(const Task& task, const Contestants& chosen, Fleet& fleet, const Rounds& rounds, size_t first,
             Results& results) {
  std::vector<std::vector<double>> cpu(fleet.size()), rate(fleet.size());
  for (const auto& server : fleet) expect(server->fill(task.data, kSizes));
  for (size_t round = 0; round < rounds.count; ++round) {
    for (size_t i = 0; i < fleet.size(); ++i) {
      const size_t which = (first + i + round) % fleet.size();
      const auto source = fleet[which]->source(task.workload(fleet[which]->table(), kSizes));
      const Sample sample = expect(run_load(fleet[which]->target(), *source,
                                            {.connections = kConnections, .seconds = rounds.seconds}));
      cpu[which].push_back(*sample.cpu_us / sample.operations);
      rate[which].push_back(sample.rate());
    }
  }
  // Round by round against the first: what disturbs the machine disturbs neighbours alike.
  for (size_t which = 1; which < fleet.size(); ++which) {
    std::vector<double> cpu_ratio, rate_ratio;
    for (size_t round = 0; round < rounds.count; ++round) {
      cpu_ratio.push_back(cpu[which][round] / cpu[0][round]);
      rate_ratio.push_back(rate[which][round] / rate[0][round]);
    }
    Ratios& ratios = results[{&task, chosen[which]}];
    ratios.cpu.push_back(median(cpu_ratio));
    ratios.rate.push_back(median(rate_ratio));
  }
}

// Of the median, as if what was seen were normally distributed.
double standard_error(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double variance = squares / static_cast<double>(values.size() - 1);
  return 1.2533 * std::sqrt(variance / static_cast<double>(values.size()));
}

// Of all tasks, for each repetition: the geometric mean, so that chance counts for less than in one task.
Ratios all_tasks(const Results& results, const Contestant* contestant) {
  Ratios all;
  const size_t repetitions = results.at({&kTasks[0], contestant}).rate.size();
  all.rate.assign(repetitions, 1);
  all.cpu.assign(repetitions, 1);
  for (const Task& task : kTasks) {
    const Ratios& ratios = results.at({&task, contestant});
    for (size_t i = 0; i < repetitions; ++i) {
      all.rate[i] *= std::pow(ratios.rate[i], 1.0 / std::size(kTasks));
      all.cpu[i] *= std::pow(ratios.cpu[i], 1.0 / std::size(kTasks));
    }
  }
  return all;
}

void tell(const std::string& task, const Contestant& contestant, const Ratios& ratios, Figures& figures) {
  const std::string name = task + ", " + contestant.name;
  if (contestant.cost_max > 0) {
    figures.at_least(name + ": throughput / without", median(ratios.rate), "ratio", 1 - contestant.cost_max);
  } else {
    figures.note(name + ": throughput / without", median(ratios.rate), "ratio");
  }
  figures.note(name + ": its standard error", standard_error(ratios.rate), "ratio");
  figures.note(name + ": processor time / without", median(ratios.cpu), "ratio");
  figures.note(name + ": its standard error", standard_error(ratios.cpu), "ratio");
}

void tell(const Results& results, const Contestants& chosen, Figures& figures) {
  for (const Task& task : kTasks) {
    for (size_t i = 1; i < chosen.size(); ++i)
      tell(task.name, *chosen[i], results.at({&task, chosen[i]}), figures);
  }
  for (size_t i = 1; i < chosen.size(); ++i)
    tell("all of these", *chosen[i], all_tasks(results, chosen[i]), figures);
}

int run(int argc, char** argv) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::string program = here / "sheaf";
  Rounds rounds{.count = 9, .seconds = 0.2};
  size_t repetitions = 25;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      rounds = {.count = 3, .seconds = 0.1};
      repetitions = 2;
    }
    if (std::strcmp(argv[i], "--sheaf") == 0 && i + 1 < argc) program = argv[i + 1];
    if (std::strcmp(argv[i], "--repetitions") == 0 && i + 1 < argc)
      repetitions = std::max<size_t>(1, std::strtoul(argv[i + 1], nullptr, 10));
    if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[i + 1];
  }
  const Contestants chosen = contestants(only);
  if (chosen.size() < 2) {
    std::fprintf(stderr, "watching_bench: there is no contestant %s\n", only.c_str());
    return 2;
  }
  Results results;
  for (size_t repetition = 0; repetition < repetitions; ++repetition) {
    const TempDirectory directory;
    Fleet fleet = start_all(program, chosen, directory);
    for (const Task& task : kTasks) {
      std::fprintf(stderr, "\rrepetition %zu of %zu: %-20s", repetition + 1, repetitions, task.name.c_str());
      compare(task, chosen, fleet, rounds, repetition, results);
    }
  }
  std::fprintf(stderr, "\n");
  Figures figures;
  tell(results, chosen, figures);
  return figures.report(argc, argv);
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) { return sheaf::bench::run(argc, argv); }
