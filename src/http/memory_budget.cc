#include "http/memory_budget.h"

#include <cassert>

namespace sheaf::http {

void MemoryBudget::take(uint64_t bytes) { note_peak(used_bytes_.fetch_add(bytes) + bytes); }

bool MemoryBudget::try_take(uint64_t bytes) {
  uint64_t used = used_bytes_.load(std::memory_order_relaxed);
  do {
    if (used + bytes > options_.hard_bytes) return false;
  } while (!used_bytes_.compare_exchange_weak(used, used + bytes));
  note_peak(used + bytes);
  return true;
}

void MemoryBudget::release(uint64_t bytes) {
  const uint64_t before = used_bytes_.fetch_sub(bytes);
  assert(before >= bytes);
  if (before - bytes <= options_.soft_bytes && has_waiting_.load()) notify_waiting();
}

void MemoryBudget::take_for_answer(uint64_t bytes) {
  answer_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  take(bytes);
}

void MemoryBudget::release_answer(uint64_t bytes) {
  answer_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  release(bytes);
}

// Either release sees who waits, or this sees what was released: each is written before the other is read.
void MemoryBudget::notify(Loop& loop, Task task) {
  {
    std::lock_guard lock(mutex_);
    waiting_.emplace_back(&loop, std::move(task));
    has_waiting_.store(true);
  }
  if (!is_above_soft_line()) notify_waiting();
}

void MemoryBudget::forget(Loop& loop) {
  std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&loop](const auto& waiting) { return waiting.first == &loop; });
}

// Posts under the lock, so that a loop that was forgotten can go.
void MemoryBudget::notify_waiting() {
  std::lock_guard lock(mutex_);
  has_waiting_.store(false);
  for (auto& [loop, task] : waiting_) loop->post(std::move(task));
  waiting_.clear();
}

void MemoryBudget::note_peak(uint64_t used_bytes) {
  uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (peak < used_bytes &&
         !peak_bytes_.compare_exchange_weak(peak, used_bytes, std::memory_order_relaxed)) {
  }
}

}  // namespace sheaf::http
