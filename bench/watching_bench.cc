// What it costs to watch the traffic and to hold it to limits: servers that differ in one option, over
// loopback, in turns.
//   watching_bench [--json FILE] [--quick] [--sheaf PROGRAM]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
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
  double cost_max;  // of the processor's time, beyond the first's
  std::unique_ptr<Server> server;
  std::vector<double> cpu_us, rates;  // for each round
};

std::vector<Contestant> contestants() {
  std::vector<Contestant> all;
  all.push_back({.name = "nothing", .arguments = {"--no-heat"}, .cost_max = 0});
  all.push_back({.name = "nothing again", .arguments = {"--no-heat"}, .cost_max = 0});
  all.push_back({.name = "heat", .arguments = {}, .cost_max = 0.02});
  all.push_back({.name = "throttle", .arguments = {"--no-heat", "--throttle"}, .cost_max = 0});
  all.push_back({.name = "partitions", .arguments = {"--no-heat", "--throttle-partitions"}, .cost_max = 0});
  return all;
}

struct Task {
  std::string name;
  Data data;
  Workload (*workload)(std::string_view table, const DataSizes& sizes);
};

Workload put(std::string_view table, const DataSizes&) { return put_item(table); }

void compare(const Task& task, std::vector<Contestant>& all, int rounds, double seconds, Figures& figures) {
  for (Contestant& each : all) {
    expect(each.server->fill(task.data, kSizes));
    each.cpu_us.clear();
    each.rates.clear();
  }
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < all.size(); ++i) {
      Contestant& each = all[(i + static_cast<size_t>(round)) % all.size()];
      const Workload workload = task.workload(each.server->table(), kSizes);
      const auto source = each.server->source(workload);
      const Sample sample =
          expect(run_load(each.server->target(), *source, {.connections = kConnections, .seconds = seconds}));
      each.cpu_us.push_back(*sample.cpu_us / sample.operations);
      each.rates.push_back(sample.rate());
    }
    std::fprintf(stderr, "\r%s: round %d of %d ", task.name.c_str(), round + 1, rounds);
  }
  std::fprintf(stderr, "\n");
  // Round by round against the first: what disturbs the machine disturbs neighbours alike.
  for (size_t i = 1; i < all.size(); ++i) {
    std::vector<double> cpu, rate;
    for (size_t round = 0; round < all[i].cpu_us.size(); ++round) {
      cpu.push_back(all[i].cpu_us[round] / all[0].cpu_us[round]);
      rate.push_back(all[i].rates[round] / all[0].rates[round]);
    }
    const std::string name = task.name + ", " + all[i].name;
    if (all[i].cost_max > 0) {
      figures.at_least(name + ": throughput / without", median(rate), "ratio", 1 - all[i].cost_max);
    } else {
      figures.note(name + ": throughput / without", median(rate), "ratio");
    }
    figures.note(name + ": processor time / without", median(cpu), "ratio");
  }
  figures.note(task.name + ": processor time without", median(all[0].cpu_us), "us");
}

int run(int argc, char** argv) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::string program = here / "sheaf";
  bool is_quick = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) is_quick = true;
    if (std::strcmp(argv[i], "--sheaf") == 0 && i + 1 < argc) program = argv[i + 1];
  }
  const TempDirectory directory;
  std::vector<Contestant> all = contestants();
  for (Contestant& each : all) {
    const std::string place = directory.path(each.name);
    std::filesystem::create_directory(place);
    std::vector<std::string> arguments = each.arguments;
    arguments.insert(arguments.begin(), "--in-memory");
    each.server = expect(start_sheaf({.program = program,
                                      .directory = place,
                                      .name = each.name,
                                      .durability = "none",
                                      .arguments = std::move(arguments),
                                      .credential = nullptr}));
    // As many partitions as bear the load, so that nothing is refused.
    const HttpAnswer warmed = expect(each.server->call(
        "UpdateTable",
        R"({"TableName":"bench","WarmThroughput":{"ReadUnitsPerSecond":900000,"WriteUnitsPerSecond":300000}})"));
    if (warmed.status != 200) fail({Code::kInvalid, "the table cannot be warmed"});
  }
  Figures figures;
  const int rounds = is_quick ? 5 : 41;
  const double seconds = is_quick ? 0.15 : 0.3;
  const Task tasks[] = {{"GetItem 1 KB", Data::kItems, get_item},
                        {"Query of 6 items", Data::kOrders, query_order},
                        {"Query of 100 items", Data::kCollections, query_collection},
                        {"PutItem 1 KB", Data::kItems, put}};
  for (const Task& task : tasks) compare(task, all, rounds, seconds, figures);
  return figures.report(argc, argv);
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) { return sheaf::bench::run(argc, argv); }
