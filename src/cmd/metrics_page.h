// A page of metrics in Prometheus' text form, as a server's admin port has it, and what is told of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::cmd {

struct Metric {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;

  // Empty if there is none.
  std::string label(const std::string& of) const;
};

// Lines that are no metrics are left out.
std::vector<Metric> read_metrics(std::string_view text);

// How long requests of one operation took.
struct OperationLatency {
  std::string operation;
  double requests = 0;
  // In seconds: so many took no longer than this. Nothing: longer than the last class.
  std::optional<double> half;
  std::optional<double> ninety_nine;
};

// By requests, most first. Of the time between the two pages; with an empty `before`, since the server began.
std::vector<OperationLatency> latencies(const std::vector<Metric>& before, const std::vector<Metric>& now);

// The growth of a counter between two pages, by the values of these labels; what did not grow is left out.
std::map<std::vector<std::string>, double> growth_of(std::string_view name,
                                                     const std::vector<std::string>& labels,
                                                     const std::vector<Metric>& before,
                                                     const std::vector<Metric>& now);

// "25 us", "2.5 ms", "1 s"
std::string latency_text(std::optional<double> seconds);

}  // namespace sheaf::cmd
