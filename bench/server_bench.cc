// The server over loopback against its peers and against the limit, interleaved in one run.
//   server_bench [--json FILE] [--quick] [--only NAME]... [--peers] [--endpoint NAME=URL]... [--sheaf
//   PROGRAM]
#include <sys/statfs.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/temp_directory.h"
#include "base/try.h"
#include "bench/child_process.h"
#include "bench/experiments.h"
#include "bench/figures.h"
#include "bench/fleet.h"
#include "bench/peers.h"
#include "bench/server_report.h"

namespace sheaf::bench {
namespace {

constexpr const char* kUsage =
    "script/bench server [--json FILE] [--quick] [--only NAME]... [--peers] [--endpoint NAME=URL]...\n"
    "  --json FILE          also write the figures for programs\n"
    "  --quick              fewer rounds, 16 connections alone, less data: 40 seconds instead of 5 minutes\n"
    "  --only NAME          only this experiment (may be repeated):\n"
    "                      %s\n"
    "  --peers              install the peers from npm, Dynoxide and dynalite, unless they are there\n"
    "  --endpoint NAME=URL  also measure this server; it gets a table, which is deleted in the end\n"
    "  --sheaf PROGRAM      instead of the one that was built with this benchmark\n";

struct Options {
  bool quick = false;
  bool peers = false;
  std::vector<std::string> only;
  std::vector<std::string> endpoints;
  std::string sheaf_program;
};

std::string usage() {
  std::string names;
  for (const std::string& name : experiment_names()) names += " " + name;
  std::vector<char> text(4096);
  std::snprintf(text.data(), text.size(), kUsage, names.c_str());
  return text.data();
}

Result<Options> parse(int argc, char** argv) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  Options options{.sheaf_program = here / "sheaf"};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--peers") {
      options.peers = true;
    } else if (word == "--only" && has_value) {
      options.only.emplace_back(argv[++i]);
    } else if (word == "--endpoint" && has_value) {
      options.endpoints.emplace_back(argv[++i]);
    } else if (word == "--sheaf" && has_value) {
      options.sheaf_program = argv[++i];
    } else if (word == "--json" && has_value) {
      ++i;  // Figures::report looks for it
    } else {
      return Error{Code::kInvalid, usage()};
    }
  }
  const std::vector<std::string>& names = experiment_names();
  for (const std::string& name : options.only)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return Error{Code::kInvalid, "there is no experiment " + name + "\n" + usage()};
  return options;
}

Plan plan_of(const Options& options) {
  if (!options.quick) return {};
  return {.rounds = 3,
          .seconds = 0.12,
          .connections = {kGoalConnections},
          .bulk_items = 10'000,
          .cold_starts = 3};
}

// What makes figures worth less than they look.
void note_circumstances(Fleet& fleet) {
  double load = 0;
  const unsigned processors = std::thread::hardware_concurrency();
  if (::getloadavg(&load, 1) == 1 && load > 0.3 * processors) {
    char text[128];
    std::snprintf(text, sizeof(text), "the machine is busy: a load of %.1f on %u processors before the start",
                  load, processors);
    fleet.note(text);
  }
  constexpr long kTmpfs = 0x01021994;
  struct statfs file_system {};
  if (::statfs(fleet.options().directory.c_str(), &file_system) == 0 && file_system.f_type == kTmpfs)
    fleet.note(fleet.options().directory + " is in memory: durable figures mean nothing; set TMPDIR");
}

Result<void> run(const Options& options, Fleet& fleet, Findings& findings) {
  if (options.peers) {
    const Result<void> installed = install_peers(fleet.options().peers_directory);
    if (!installed.ok()) fleet.note("the peers could not be installed: " + installed.error().message);
  }
  note_circumstances(fleet);
  TRY(fleet.endpoints());
  for (const std::string& name : experiment_names()) {
    if (!options.only.empty() &&
        std::find(options.only.begin(), options.only.end(), name) == options.only.end())
      continue;
    TRY(run_experiment(name, fleet, plan_of(options), findings));
  }
  return {};
}

int run_and_report(const Options& options, int argc, char** argv) {
  const TempDirectory directory;
  const std::filesystem::path build =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  FleetOptions fleet_options{.sheaf_program = options.sheaf_program,
                             .directory = directory.path(),
                             .peers_directory = build / "peers",
                             .endpoints = options.endpoints};
  if (options.quick) fleet_options.sizes = {.items = 2'000, .collections = 20, .orders = 500};
  Fleet fleet(std::move(fleet_options));
  Findings findings;
  const Result<void> done = run(options, fleet, findings);
  if (!done.ok()) {
    std::fprintf(stderr, "server_bench: %s\n", done.error().message.c_str());
    return 1;
  }
  Figures figures;
  add_figures(findings, figures);
  print_tables(findings, fleet);
  return figures.report(argc, argv);
}

}  // namespace
}  // namespace sheaf::bench

int main(int argc, char** argv) {
  using namespace sheaf::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (std::find(words.begin(), words.end(), "--help") != words.end()) {
    std::fputs(usage().c_str(), stdout);
    return 0;
  }
  const sheaf::Result<Options> options = parse(argc, argv);
  if (!options.ok()) {
    std::fputs(options.error().message.c_str(), stderr);
    return 2;
  }
  watch_for_interruption();
  return run_and_report(*options, argc, argv);
}
