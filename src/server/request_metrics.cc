#include "server/request_metrics.h"

#include "server/prometheus_text.h"

namespace sheaf::server {
namespace {

const std::string kOtherTables = "(other)";

bool writes(const wire::Operation& operation) { return operation.effect == wire::Effect::kWrite; }

}  // namespace

RequestMetrics::Part& RequestMetrics::part_of_thread() {
  static std::atomic<size_t> threads = 0;
  static thread_local const size_t thread = threads.fetch_add(1);
  return parts_[thread % kParts];
}

const std::string& RequestMetrics::label(const Part& part, const std::string& table) {
  return part.units.size() < kTablesMax || part.units.contains({table, ""}) ? table : kOtherTables;
}

void RequestMetrics::record(const wire::Operation& operation, const wire::Answer& answer, uint64_t took_us) {
  Part& part = part_of_thread();
  std::lock_guard lock(part.mutex);
  // A request for several tables counts once, for the first of them.
  const std::string& table =
      answer.consumed.empty() ? answer.table : label(part, answer.consumed.front().first);
  part.latencies[operation.name][table].add(took_us);
  if (!answer.error.empty()) ++part.errors[{operation.name, answer.error}];
  const size_t direction = writes(operation) ? 1 : 0;
  for (const auto& [name, capacity] : answer.consumed) {
    const std::string& named = label(part, name);
    part.units[{named, ""}][direction] += capacity.table;
    for (const auto& [index, units] : capacity.indexes) part.units[{named, index}][direction] += units;
  }
}

void RequestMetrics::append_text(std::string& out) const {
  std::map<std::string_view, ByTable> latencies;
  std::map<std::pair<std::string_view, std::string_view>, uint64_t> errors;
  std::map<std::pair<std::string, std::string>, std::array<double, 2>> units;
  for (const Part& part : parts_) {
    std::lock_guard lock(part.mutex);
    for (const auto& [operation, tables] : part.latencies) {
      for (const auto& [table, latency] : tables) latencies[operation][table].add(latency);
    }
    for (const auto& [of, count] : part.errors) errors[of] += count;
    for (const auto& [of, both] : part.units) {
      units[of][0] += both[0];
      units[of][1] += both[1];
    }
  }

  PrometheusText text(out);
  text.begin("sheaf_request_seconds", "histogram", "Time from a whole request to its answer");
  for (const auto& [operation, tables] : latencies) {
    for (const auto& [table, latency] : tables)
      latency.append_to(text, {{"operation", operation}, {"table", table}});
  }
  text.begin("sheaf_errors_total", "counter", "Requests that were answered with an exception");
  for (const auto& [of, count] : errors)
    text.value({{"operation", of.first}, {"exception", of.second}}, static_cast<double>(count));
  for (const size_t direction : {0u, 1u}) {
    text.begin(direction == 0 ? "sheaf_read_units_total" : "sheaf_write_units_total", "counter",
               direction == 0 ? "Read capacity units consumed" : "Write capacity units consumed");
    for (const auto& [of, both] : units) {
      if (both[direction] == 0) continue;
      text.value({{"table", of.first}, {"index", of.second}}, both[direction]);
    }
  }
  text.single("sheaf_denials_total", "counter", "Requests that were turned away",
              static_cast<double>(denials_.load(std::memory_order_relaxed)));
}

}  // namespace sheaf::server
