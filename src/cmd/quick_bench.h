// A mix of reads and writes on a table of its own, for a while.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "sheaf/database.h"

namespace sheaf::cmd {

// Durations in buckets that are at most 1/16 wide of what they hold. One thread, or none.
class Latencies {
 public:
  void add(uint64_t duration_us);
  void add(const Latencies& others);
  uint64_t count() const { return count_; }
  uint64_t max_us() const { return max_us_; }
  // Below which so much lies, from 0 to 1: the upper end of its bucket.
  uint64_t percentile_us(double part) const;

 private:
  static constexpr int kBitsInside = 4;
  static constexpr size_t kBuckets = 64 << kBitsInside;
  static size_t bucket_of(uint64_t duration_us);

  std::array<uint64_t, kBuckets> counts_{};
  uint64_t count_ = 0;
  uint64_t max_us_ = 0;
};

struct BenchOptions {
  uint32_t reads_percent = 90;
  uint64_t items = 100'000;
  uint32_t size_bytes = 500;
  double seconds = 10;
  uint32_t threads = 16;
  double zipf = 0.99;  // 0: all items alike
  bool is_consistent = false;
  std::string table;                            // must not be there; removed in the end, whatever happens
  std::function<void(uint64_t items)> filling;  // progress; one thread at a time
  std::function<bool()> is_ended;               // somebody wants no more
};

struct Direction {
  Latencies latencies;
  uint64_t failed = 0;  // throttled, or without an answer
  std::string first_error;
};

struct BenchFigures {
  double fill_seconds = 0;
  double seconds = 0;
  Direction reads, writes;
};

// Errors are those of making and filling the table.
Result<BenchFigures> run_bench(Database& database, const BenchOptions& options);

}  // namespace sheaf::cmd
