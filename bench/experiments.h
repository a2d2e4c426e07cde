// What is measured, and the results.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

#include "bench/fleet.h"
#include "bench/load_generator.h"

namespace sheaf::bench {

struct Plan {
  int rounds = 5;
  double seconds = 0.25;  // of each measurement
  std::vector<size_t> connections = {1, 16, 64};
  uint64_t bulk_items = 100'000;
  int cold_starts = 5;
};

// The number of connections that the goals are about.
inline constexpr size_t kGoalConnections = 16;

// One workload at one number of connections.
struct Row {
  struct Cell {
    std::string column;
    std::vector<Sample> rounds;

    double rate() const;  // the median; and of the processor time for one operation
    std::optional<double> cpu_us() const;
    double client_cpu_us() const;
  };

  std::string experiment;
  std::string name;  // for people
  size_t connections = 0;
  std::vector<Cell> cells;

  // Null if it is not there.
  Cell* find(std::string_view column);
  const Cell* find(std::string_view column) const;
};

struct Findings {
  std::vector<Row> rows;
  std::vector<Row> postgres;  // the order again: a cell for each form
  std::vector<ColdStart> cold_starts;

  // Null if it was not measured.
  const Row* find(std::string_view experiment, size_t connections = kGoalConnections) const;
};

// The names, in the order in which they run.
const std::vector<std::string>& experiment_names();

// One experiment; its figures are added to `findings`.
Result<void> run_experiment(const std::string& name, Fleet& fleet, const Plan& plan, Findings& findings);

}  // namespace sheaf::bench
