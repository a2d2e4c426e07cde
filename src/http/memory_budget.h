// How many bytes the requests and answers that are under way may hold together.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/loop.h"

namespace sheaf::http {

struct MemoryBudgetOptions {
  // Above this, no new request is read.
  uint64_t soft_bytes = uint64_t{64} << 20;
  // Above this, requests are answered as throttled.
  uint64_t hard_bytes = uint64_t{96} << 20;
};

// Shared by all loops. Thread-safe. Who holds little (a connection's first buffer) is counted once and then
// reused, so that small requests do not come by here.
class MemoryBudget {
 public:
  explicit MemoryBudget(const MemoryBudgetOptions& options) : options_(options) {}

  // Counts bytes that exist or must exist in any case.
  void take(uint64_t bytes);
  // Counts them unless they would lead beyond the hard line: then false, and nothing is counted.
  [[nodiscard]] bool try_take(uint64_t bytes);
  void release(uint64_t bytes);
  // The same for answers that their clients leave lying.
  void take_for_answer(uint64_t bytes);
  void release_answer(uint64_t bytes);

  bool is_above_soft_line() const { return used_bytes() > options_.soft_bytes; }
  bool is_above_hard_line() const { return used_bytes() > options_.hard_bytes; }

  // Posts `task` to `loop` when no more than the soft line is used: at once, if that is so already.
  void notify(Loop& loop, Task task);
  // What waits to be posted to `loop` is dropped; nothing is posted to it after this.
  void forget(Loop& loop);

  const MemoryBudgetOptions& options() const { return options_; }
  uint64_t used_bytes() const { return used_bytes_.load(); }
  // Those among them.
  uint64_t answer_bytes() const { return answer_bytes_.load(std::memory_order_relaxed); }
  uint64_t used_bytes_peak() const { return peak_bytes_.load(std::memory_order_relaxed); }

 private:
  void note_peak(uint64_t used_bytes);
  void notify_waiting();

  const MemoryBudgetOptions options_;
  std::atomic<uint64_t> used_bytes_{0};
  std::atomic<uint64_t> answer_bytes_{0};
  std::atomic<uint64_t> peak_bytes_{0};
  std::atomic<bool> has_waiting_{false};
  std::mutex mutex_;
  std::vector<std::pair<Loop*, Task>> waiting_;  // guarded by mutex_
};

}  // namespace sheaf::http
