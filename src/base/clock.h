// Where time comes from. Nothing else in the project asks the system for it, so that tests can turn the
// hands.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace sheaf {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Microseconds since 1970-01-01 UTC. May jump, also backwards.
  virtual int64_t now_us() const = 0;
};

class SystemClock final : public Clock {
 public:
  int64_t now_us() const override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  }
};

// Stands still until it is moved.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t now_us) : now_us_(now_us) {}
  int64_t now_us() const override { return now_us_.load(std::memory_order_relaxed); }
  void advance_us(int64_t by_us) { now_us_.fetch_add(by_us, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> now_us_;
};

}  // namespace sheaf
