// What the tests of the store contract share: every store under its own name, and short words for what they
// do with it.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "base/clock.h"
#include "base/temp_directory.h"
#include "store/memory_store.h"
#include "store/rocks_store.h"
#include "store/store.h"

namespace sheaf::store {

// RocksDB is not built for the thread sanitizer, which then sees races where there are none.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kRocksCanRun = false;
#else
inline constexpr bool kRocksCanRun = true;
#endif

enum class StoreKind { kMemory, kRocksDurable, kRocksRelaxed };

inline std::string kind_name(const testing::TestParamInfo<StoreKind>& info) {
  switch (info.param) {
    case StoreKind::kMemory:
      return "Memory";
    case StoreKind::kRocksDurable:
      return "RocksDurable";
    case StoreKind::kRocksRelaxed:
      return "RocksRelaxed";
  }
  std::abort();
}

#define SHEAF_FOR_ALL_STORES(Suite) \
  INSTANTIATE_TEST_SUITE_P(         \
      Stores, Suite,                \
      testing::Values(StoreKind::kMemory, StoreKind::kRocksDurable, StoreKind::kRocksRelaxed), kind_name)

// A loop with a thread of its own. Runs what was posted before it goes.
class ThreadLoop final : public Loop {
 public:
  explicit ThreadLoop(bool may_block) : may_block_(may_block), thread_([this] { run(); }) {}
  ~ThreadLoop() override {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      arrived_.notify_one();
    }
    thread_.join();
  }

  void post(Task task) override {
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
    arrived_.notify_one();
  }
  bool may_block() const override { return may_block_; }
  std::thread::id thread() const { return thread_.get_id(); }

 private:
  void run() {
    for (;;) {
      Task task;
      {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return stopping_ || !posted_.empty(); });
        if (posted_.empty()) return;
        task = std::move(posted_.front());
        posted_.pop_front();
      }
      task();
    }
  }

  const bool may_block_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Task> posted_;
  bool stopping_ = false;
  std::thread thread_;
};

// Collects the answers of batches that nobody waits for one by one.
class Answers {
 public:
  Done next() {
    std::lock_guard lock(mutex_);
    ++expected_;
    return [this](Outcome outcome) {
      std::lock_guard held(mutex_);
      outcomes_.push_back(std::move(outcome));
      arrived_.notify_all();
    };
  }

  // Waits until every `next` was called, and takes what they were told.
  std::vector<Outcome> wait() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return outcomes_.size() >= expected_; });
    return outcomes_;
  }

  size_t arrived() {
    std::lock_guard lock(mutex_);
    return outcomes_.size();
  }

  size_t count(Outcome::Kind kind) {
    size_t found = 0;
    for (const Outcome& outcome : wait()) found += outcome.kind == kind;
    return found;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  size_t expected_ = 0;
  std::vector<Outcome> outcomes_;
};

using Rows = std::vector<std::pair<std::string, std::string>>;

inline std::string in_space(Space space, std::string_view rest) {
  return std::string(1, static_cast<char>(space)).append(rest);
}
inline std::string item_key(std::string_view rest) { return in_space(Space::kItems, rest); }
inline std::string counter_key(std::string_view rest) { return in_space(Space::kCounters, rest); }
inline std::string log_key(std::string_view rest) { return in_space(Space::kLog, rest); }

// The whole of a space.
inline Range all_of(Space space) {
  return {.begin = in_space(space, ""),
          .end = std::string(1, static_cast<char>(static_cast<int>(space) + 1))};
}

// One slice of `range`, in the order it came.
inline Rows scan_slice(View& view, const Range& range, const ScanOptions& options = {},
                       ScanEnd* end = nullptr) {
  Rows rows;
  const Result<ScanEnd> scanned =
      view.scan(range, options, [&](std::string_view key, std::string_view value) {
        rows.emplace_back(key, value);
        return true;
      });
  EXPECT_TRUE(scanned.ok()) << scanned.error().message;
  if (end != nullptr && scanned.ok()) *end = *scanned;
  return rows;
}

// All of `range`, slice by slice, each in a view of its own.
inline Rows scan_all(Store& store, Range range, const ScanOptions& options = {}) {
  Rows rows;
  for (;;) {
    ScanEnd end;
    for (auto& row : scan_slice(*store.view({}), range, options, &end)) rows.push_back(std::move(row));
    if (!end.more) return rows;
    (options.direction == Direction::kForward ? range.begin : range.end) = end.resume;
  }
}

inline Read read_of(Store& store, std::string_view key, const ViewOptions& options = {}) {
  Result<Read> read = store.view(options)->read(key);
  EXPECT_TRUE(read.ok()) << read.error().message;
  return read.ok() ? *std::move(read) : Read{};
}

inline std::optional<std::string> value_of(Store& store, std::string_view key) {
  return read_of(store, key).value;
}

inline Version version_of(Store& store, std::string_view key) { return read_of(store, key).version; }

// Sums of a counter; those that were never added to are zero.
inline std::vector<int64_t> sums_of(Store& store, std::string_view key, size_t count = kSumsMax) {
  std::vector<int64_t> sums = decode_sums(value_of(store, key).value_or(""));
  sums.resize(count);
  return sums;
}

inline Batch put_batch(std::string_view key, std::string_view value) {
  Batch batch;
  batch.put(key, value);
  return batch;
}

inline Stamp put(Store& store, std::string_view key, std::string_view value) {
  const Outcome outcome = commit(store, put_batch(key, value));
  EXPECT_EQ(outcome.kind, Outcome::Kind::kApplied) << outcome.reason;
  return outcome.stamp;
}

inline Stamp erase(Store& store, std::string_view key) {
  Batch batch;
  batch.erase(key);
  const Outcome outcome = commit(store, std::move(batch));
  EXPECT_EQ(outcome.kind, Outcome::Kind::kApplied) << outcome.reason;
  return outcome.stamp;
}

inline Stamp add(Store& store, std::string_view key, std::vector<int64_t> deltas) {
  Batch batch;
  batch.add(key, deltas);
  const Outcome outcome = commit(store, std::move(batch));
  EXPECT_EQ(outcome.kind, Outcome::Kind::kApplied) << outcome.reason;
  return outcome.stamp;
}

// One store, empty, with a clock that stands still until it is moved.
class StoreContract : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    if (!kRocksCanRun && GetParam() != StoreKind::kMemory)
      GTEST_SKIP() << "RocksDB under the thread sanitizer";
    open();
  }

  Store& store() { return *store_; }
  ManualClock& clock() { return clock_; }
  bool syncs() const { return GetParam() == StoreKind::kRocksDurable; }

  void close() { store_.reset(); }

  // Brings what was written to where it is read from files, for stores that have files.
  void settle() {
    if (GetParam() == StoreKind::kMemory) return;
    close();
    open();
  }

 private:
  void open() {
    if (GetParam() == StoreKind::kMemory) {
      store_ = open_memory_store(clock_);
      return;
    }
    Result<std::unique_ptr<Store>> opened =
        open_rocks_store({.directory = directory_.path("store"),
                          .durable = GetParam() == StoreKind::kRocksDurable,
                          .memory_bytes = 16u << 20},
                         clock_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store_ = *std::move(opened);
  }

  TempDirectory directory_;
  ManualClock clock_{1'700'000'000'000'000};
  std::unique_ptr<Store> store_;
};

}  // namespace sheaf::store
