#include "bench/raw_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.h"
#include "bench/raw_rocksdb.h"
#include "bench/raw_rows.h"

namespace sheaf::bench {
namespace {

constexpr size_t kRowsAhead = 20'000;  // prepared before the clock runs; a measurement ends with them

// What goes through the pipes.
struct Order {
  RawWork work;
  size_t threads;
  double seconds;
};
struct Outcome {
  double operations;
  double seconds;
  double cpu_us;
};

double own_cpu_us() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

template <typename T>
bool read_whole(int descriptor, T& value) {
  ssize_t count = 0;
  while ((count = ::read(descriptor, &value, sizeof(value))) < 0 && errno == EINTR && !interrupted()) {
  }
  return count == static_cast<ssize_t>(sizeof(value));
}

// Works on the data of the workloads. In the child process.
class RawData {
 public:
  explicit RawData(const RawProcess::Options& options)
      : sizes_(options.sizes), raw_(options.directory, options.memory_bytes) {}

  Outcome run(const Order& order) {
    switch (order.work) {
      case RawWork::kGet:
        if (keys_.empty()) fill_items();
        return timed(order, [this](size_t, uint64_t i) { get(keys_[scattered(i) % keys_.size()]); });
      case RawWork::kCollection:
        if (collections_.empty()) fill_collections();
        return timed(order, [this](size_t, uint64_t i) { iterate(collections_, i, kCollectionItems); });
      case RawWork::kOrder:
        if (orders_.empty()) fill_orders();
        return timed(order, [this](size_t, uint64_t i) { iterate(orders_, i, kOrderItems); });
      case RawWork::kPut:
      case RawWork::kSyncedPut:
        break;
    }
    return run_puts(order);
  }

 private:
  using Bounds = std::vector<std::pair<std::string, std::string>>;

  // When they are first needed, as the servers have it: a larger memtable is a slower one.
  void fill_items() {
    for (uint64_t i = 0; i < sizes_.items; ++i) {
      const std::string id = "C#" + text_of(i, 8);
      keys_.push_back(write(make_item(id, id, kItemBytes)));
    }
  }

  void fill_collections() {
    for (uint64_t i = 0; i < sizes_.collections; ++i) {
      const std::string partition = "Q#" + text_of(i, 8);
      for (uint64_t k = 0; k < kCollectionItems; ++k)
        write(make_item(partition, "O#" + text_of(i * kCollectionItems + k, 8), kCollectionItemBytes));
      collections_.push_back(collection_bounds(partition));
    }
  }

  void fill_orders() {
    for (uint64_t i = 0; i < sizes_.orders; ++i) {
      const std::string partition = "ORDER#" + text_of(i, 8);
      for (uint64_t k = 0; k < kOrderItems; ++k)
        write(make_item(partition, "LINE#" + text_of(k, 8), kOrderItemBytes));
      orders_.push_back(collection_bounds(partition));
    }
  }

  std::string write(const Item& item) {
    Rows rows = rows_of(item);
    rocksdb::WriteBatch batch;
    put_rows(raw_, batch, rows);
    check(raw_.db().Write({}, &batch));
    return rows.key;
  }

  static uint64_t scattered(uint64_t i) { return i * 0x9e3779b97f4a7c15 >> 20; }

  void get(const std::string& key) {
    rocksdb::PinnableSlice value;
    check(raw_.db().Get({}, raw_.family(store::Space::kItems), key, &value));
  }

  void iterate(const Bounds& all, uint64_t i, size_t rows) {
    const auto& [begin, end] = all[scattered(i) % all.size()];
    const rocksdb::Slice upper(end);
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &upper;
    const std::unique_ptr<rocksdb::Iterator> at(
        raw_.db().NewIterator(options, raw_.family(store::Space::kItems)));
    size_t count = 0;
    for (at->Seek(begin); at->Valid(); at->Next()) count += at->value().size() > 0 ? 1 : 0;
    if (count != rows) std::_Exit(1);
  }

  Outcome run_puts(Order order) {
    const size_t each = kRowsAhead / order.threads;
    std::vector<Rows> ahead;
    for (size_t i = 0; i < each * order.threads; ++i, ++next_put_) {
      ahead.push_back(
          rows_of(make_item("P#" + text_of(next_put_ / 10, 8), "O#" + text_of(next_put_, 8), kItemBytes)));
    }
    operations_max_ = each;
    const Outcome outcome = timed(order, [&](size_t thread, uint64_t i) {
      const Rows& rows = ahead[thread * each + i];
      if (order.work == RawWork::kSyncedPut) {
        rocksdb::WriteOptions options;
        options.sync = true;
        return check(raw_.db().Put(options, raw_.family(store::Space::kItems), rows.key, rows.record));
      }
      rocksdb::PinnableSlice before;
      if (raw_.db().Get({}, raw_.family(store::Space::kItems), rows.key, &before).ok()) std::_Exit(1);
      rocksdb::WriteBatch batch;
      put_rows(raw_, batch, rows);
      check(raw_.db().Write({}, &batch));
    });
    operations_max_ = UINT64_MAX;
    return outcome;
  }

  Outcome timed(const Order& order, const std::function<void(size_t, uint64_t)>& work) {
    std::atomic<uint64_t> operations = 0;
    const double begin = now_seconds(), cpu_begin = own_cpu_us();
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < order.threads; ++thread) {
      threads.emplace_back([&, thread] {
        uint64_t done = 0;
        while (done < operations_max_ && now_seconds() < begin + order.seconds) work(thread, done++);
        operations += done;
      });
    }
    for (std::thread& thread : threads) thread.join();
    return {static_cast<double>(operations), now_seconds() - begin, own_cpu_us() - cpu_begin};
  }

  DataSizes sizes_;
  RawRocksdb raw_;
  std::vector<std::string> keys_;
  Bounds collections_, orders_;
  uint64_t next_put_ = 0;
  uint64_t operations_max_ = UINT64_MAX;  // of each thread
};

}  // namespace

Result<RawProcess> RawProcess::start(const Options& options) {
  int orders[2], results[2];
  if (::pipe2(orders, O_CLOEXEC) != 0 || ::pipe2(results, O_CLOEXEC) != 0)
    return Error{Code::kIo, std::string("pipe: ") + std::strerror(errno)};
  ChildProcess process = TRY(ChildProcess::fork([&] {
    ::close(orders[1]);
    ::close(results[0]);
    RawData data(options);
    Order order{};
    while (read_whole(orders[0], order)) {
      const Outcome outcome = data.run(order);
      if (::write(results[1], &outcome, sizeof(outcome)) < 0) break;
    }
    std::_Exit(0);  // the directory goes with the benchmark's
  }));
  ::close(orders[0]);
  ::close(results[1]);
  return RawProcess(std::move(process), orders[1], results[0]);
}

RawProcess::RawProcess(RawProcess&& other) noexcept
    : process_(std::move(other.process_)),
      orders_(std::exchange(other.orders_, -1)),
      results_(std::exchange(other.results_, -1)) {}

RawProcess::~RawProcess() {
  if (orders_ < 0) return;
  ::close(orders_);
  ::close(results_);
}

Result<Sample> RawProcess::measure(RawWork work, size_t threads, double seconds) {
  const Order order{work, threads, seconds};
  Outcome outcome{};
  if (::write(orders_, &order, sizeof(order)) < 0 || !read_whole(results_, outcome))
    return interrupted() ? interruption() : Error{Code::kIo, "RocksDB's process ended"};
  return Sample{.operations = outcome.operations, .seconds = outcome.seconds, .cpu_us = outcome.cpu_us};
}

}  // namespace sheaf::bench
