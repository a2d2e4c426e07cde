#include "cmd/quick_bench.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "base/try.h"
#include "run/system_table.h"
#include "traffic/zipf.h"

namespace sheaf::cmd {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kFilledTogether = 25;
constexpr std::chrono::milliseconds kRetryAfter{100};
constexpr int kRetriesMax = 300;

// In an order that has nothing to do with how often they are used.
std::string key_of(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(number * 0x9e3779b97f4a7c15u));
  return text;
}

Item item_of(uint64_t number, uint32_t size_bytes, uint64_t version) {
  Item item{{"pk", key_of(number)}, {"version", static_cast<int64_t>(version)}};
  const uint32_t used = item.view().size_bytes() + 4;
  item.set("body", Value(std::string(size_bytes > used ? size_bytes - used : 0, 'x')));
  return item;
}

class Bench {
 public:
  Bench(Database& database, const BenchOptions& options)
      : database_(database), options_(options), popular_(static_cast<size_t>(options.items), options.zipf) {}

  Result<BenchFigures> run() {
    BenchFigures figures;
    Clock::time_point begin = Clock::now();
    TRY(fill());
    figures.fill_seconds = seconds_since(begin);
    begin = Clock::now();
    const Clock::time_point end =
        begin + std::chrono::microseconds(static_cast<int64_t>(options_.seconds * 1e6));
    std::mutex mutex;
    in_threads([&](uint32_t number) {
      BenchFigures mine;
      std::mt19937_64 random(number + 1);
      while (Clock::now() < end && !is_ended()) one(mine, random);
      const std::lock_guard lock(mutex);
      add(figures.reads, mine.reads);
      add(figures.writes, mine.writes);
    });
    figures.seconds = seconds_since(begin);
    return figures;
  }

 private:
  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }
  bool is_ended() const { return options_.is_ended && options_.is_ended(); }

  static void add(Direction& all, const Direction& mine) {
    all.latencies.add(mine.latencies);
    all.failed += mine.failed;
    if (all.first_error.empty()) all.first_error = mine.first_error;
  }

  template <typename Work>
  void in_threads(Work work) {
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < options_.threads; ++i) threads.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : threads) thread.join();
  }

  Result<void> fill() {
    std::atomic<uint64_t> next = 0;
    std::mutex mutex;
    std::optional<Error> failure;
    in_threads([&](uint32_t) {
      while (!is_ended()) {
        const uint64_t from = next.fetch_add(kFilledTogether);
        if (from >= options_.items) return;
        const Result<void> put = fill_some(from, std::min(from + kFilledTogether, options_.items));
        const std::lock_guard lock(mutex);
        if (!put.ok()) failure = put.error();
        if (failure) return;
        if (options_.filling) options_.filling(from);
      }
    });
    if (failure) return *failure;
    if (is_ended()) return Error{Code::kUnavailable, "it was ended before the table was filled"};
    return {};
  }

  Result<void> fill_some(uint64_t from, uint64_t to) {
    BatchWriteItems request;
    for (uint64_t i = from; i < to; ++i)
      request.tables[options_.table].push_back({.put = true, .item = item_of(i, options_.size_bytes, 0)});
    for (int attempt = 0; attempt < kRetriesMax; ++attempt) {
      Result<BatchWritten> written = database_.batch_write_items(request);
      if (written.ok() && written->unprocessed.empty()) return {};
      if (written.ok()) request.tables = std::move(written->unprocessed);
      const bool may_wait = written.ok() || written.error().code == Code::kThroughputExceeded ||
                            written.error().code == Code::kThrottled ||
                            written.error().code == Code::kLimitExceeded;
      if (!may_wait) return written.error();
      std::this_thread::sleep_for(kRetryAfter);
    }
    return Error{Code::kThrottled, "the table could not be filled: the database takes no more"};
  }

  void one(BenchFigures& figures, std::mt19937_64& random) {
    const uint64_t number = popular_.next(random);
    const bool is_read = random() % 100 < options_.reads_percent;
    Direction& direction = is_read ? figures.reads : figures.writes;
    const Clock::time_point begin = Clock::now();
    std::optional<Error> failed;
    if (is_read) {
      const Result<Got> got = database_.get_item(
          {.table = options_.table, .key = {{"pk", key_of(number)}}, .consistent = options_.is_consistent});
      if (!got.ok()) failed = got.error();
      if (got.ok() && !got->item) failed = Error{Code::kCorrupt, "an item that was put is not there"};
    } else {
      const Result<Written> written = database_.put_item(
          {.table = options_.table, .item = item_of(number, options_.size_bytes, random() >> 1)});
      if (!written.ok()) failed = written.error();
    }
    if (failed) {
      ++direction.failed;
      if (direction.first_error.empty()) direction.first_error = failed->message;
      return;
    }
    const auto duration = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    direction.latencies.add(static_cast<uint64_t>(duration.count()));
  }

  Database& database_;
  const BenchOptions& options_;
  const traffic::Zipf popular_;
};

}  // namespace

size_t Latencies::bucket_of(uint64_t duration_us) {
  const int bits = std::bit_width(duration_us);
  if (bits <= kBitsInside) return static_cast<size_t>(duration_us);
  const uint64_t inside = (duration_us >> (bits - 1 - kBitsInside)) & ((1 << kBitsInside) - 1);
  return (static_cast<size_t>(bits - kBitsInside) << kBitsInside) + static_cast<size_t>(inside);
}

void Latencies::add(uint64_t duration_us) {
  ++counts_[bucket_of(duration_us)];
  ++count_;
  max_us_ = std::max(max_us_, duration_us);
}

void Latencies::add(const Latencies& others) {
  for (size_t i = 0; i < kBuckets; ++i) counts_[i] += others.counts_[i];
  count_ += others.count_;
  max_us_ = std::max(max_us_, others.max_us_);
}

uint64_t Latencies::percentile_us(double part) const {
  const auto wanted = static_cast<uint64_t>(part * static_cast<double>(count_) + 0.5);
  uint64_t seen = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    seen += counts_[i];
    if (seen < wanted || counts_[i] == 0) continue;
    const size_t above = i >> kBitsInside;
    if (above == 0) return i;
    const uint64_t inside = (i & ((1 << kBitsInside) - 1)) + (1 << kBitsInside);
    return std::min(max_us_, ((inside + 1) << (above - 1)) - 1);
  }
  return max_us_;
}

Result<BenchFigures> run_bench(Database& database, const BenchOptions& options) {
  TRY(database.create_table({.table = options.table, .key = {.partition = {{.name = "pk"}}}}));
  Result<BenchFigures> figures = Error{Code::kUnavailable, ""};
  if (const Result<void> active = run::wait_until_active(database, options.table); !active.ok())
    figures = active.error();
  else
    figures = Bench(database, options).run();
  const Result<TableDescription> deleted = database.delete_table(options.table);
  if (figures.ok() && !deleted.ok())
    return Error{deleted.error().code,
                 "the table " + options.table + " could not be removed: " + deleted.error().message};
  return figures;
}

}  // namespace sheaf::cmd
