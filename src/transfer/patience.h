// Asking again, later and later, while an endpoint has too much to do.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <thread>

#include "sheaf/result.h"

namespace sheaf::transfer {

// Whether the same request may succeed later. What a request for puts or for pages may be asked for twice.
inline bool is_worth_asking_again(Code code) {
  return code == Code::kThroughputExceeded || code == Code::kThrottled || code == Code::kLimitExceeded ||
         code == Code::kConflict || code == Code::kUnknown || code == Code::kUnavailable;
}

// When something last happened, to any of several threads. Thread-safe.
class LastTime {
 public:
  using Clock = std::chrono::steady_clock;

  void note() { at_ = Clock::now().time_since_epoch().count(); }
  Clock::time_point at() const { return Clock::time_point(Clock::duration(at_.load())); }

 private:
  std::atomic<Clock::rep> at_ = Clock::now().time_since_epoch().count();
};

// For one thread.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;
  // Waits end early if `is_over` says so; empty: they do not. `taken` is when any of those who work together
  // was last successful, and must outlive this: as long as one of them is, nobody gives up. An endpoint that
  // takes little may refuse one of many all the time.
  explicit Patience(std::chrono::milliseconds longest, std::function<bool()> is_over, LastTime& taken)
      : longest_(longest), is_over_(std::move(is_over)), taken_(taken) {}

  // Something succeeded.
  void renew() {
    taken_.note();
    since_.reset();
    wait_ms_ = kFirstMs;
  }
  // Waits a while; false if nothing has succeeded for too long, or if it is over.
  bool wait() {
    const Clock::time_point now = Clock::now();
    if (!since_) since_ = now;
    if (waited() >= longest_) return false;
    // A random part, so that those who were refused together do not come back together.
    const int64_t waited_ms = std::uniform_int_distribution<int64_t>(wait_ms_ / 2, wait_ms_)(random_);
    wait_ms_ = std::min(wait_ms_ * 2, kLongestMs);
    for (const Clock::time_point end = now + std::chrono::milliseconds(waited_ms); Clock::now() < end;) {
      if (is_over_ && is_over_()) return false;
      std::this_thread::sleep_for(std::min<Clock::duration>(kLookEvery, end - Clock::now()));
    }
    return true;
  }
  // For how long nothing has succeeded, and this one waits.
  std::chrono::milliseconds waited() const {
    if (!since_) return {};
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() -
                                                                 std::max(*since_, taken_.at()));
  }

 private:
  static constexpr int64_t kFirstMs = 20;
  static constexpr int64_t kLongestMs = 5'000;
  static constexpr std::chrono::milliseconds kLookEvery{50};

  const std::chrono::milliseconds longest_;
  const std::function<bool()> is_over_;
  LastTime& taken_;
  std::optional<Clock::time_point> since_;
  int64_t wait_ms_ = kFirstMs;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace sheaf::transfer
