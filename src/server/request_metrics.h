// What was asked for, how long it took and what it consumed; by operation, table and index, never by key.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "server/latency_histogram.h"
#include "wire/operation.h"

namespace sheaf::server {

// Thread-safe. Recording takes a lock that hardly anybody else wants: each thread has its own part, and parts
// are put together when they are read.
class RequestMetrics {
 public:
  void record(const wire::Operation& operation, const wire::Answer& answer, uint64_t took_us);
  void count_denial() { denials_.fetch_add(1, std::memory_order_relaxed); }

  // In Prometheus' text form.
  void append_text(std::string& out) const;

 private:
  // Beyond so many tables, the rest is counted together: a metric must not grow without end.
  static constexpr size_t kTablesMax = 1000;

  using ByTable = std::map<std::string, LatencyHistogram, std::less<>>;
  struct Part {
    mutable std::mutex mutex;
    std::map<std::string_view, ByTable> latencies;                             // operation, table
    std::map<std::pair<std::string_view, std::string_view>, uint64_t> errors;  // operation, exception
    std::map<std::pair<std::string, std::string>, std::array<double, 2>>
        units;  // table, index: read, written
  };
  static constexpr size_t kParts = 16;

  Part& part_of_thread();
  static const std::string& label(const Part& part, const std::string& table);

  std::array<Part, kParts> parts_;
  std::atomic<uint64_t> denials_ = 0;
};

}  // namespace sheaf::server
