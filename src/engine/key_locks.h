// Locks on items within one process. They only save retries: what makes writers safe are the store's guards.
// A locked key queues the request, never the thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/loop.h"

namespace sheaf::engine {

// Thread-safe. Keys that share a stripe wait for each other, which costs time and nothing else.
class KeyLocks {
 public:
  using Stripe = uint16_t;

  // The stripes to lock for these keys: ascending, each once, so that no two requests wait for each other.
  static void add_stripe(std::vector<Stripe>& stripes, std::string_view key);
  static void sort_stripes(std::vector<Stripe>& stripes);

  // Takes all of `stripes` (sorted). If they are free: true, and they are taken. Otherwise false, and
  // `granted` runs on `loop` once they are.
  bool acquire(const std::vector<Stripe>& stripes, Loop& loop, Task granted);
  void release(const std::vector<Stripe>& stripes);

 private:
  static constexpr size_t kStripes = 1 << 16;
  enum State : uint8_t { kFree, kHeld, kAwaited };

  struct Request {
    const std::vector<Stripe>* stripes;
    size_t next;  // the stripe that it waits for
    Loop* loop;
    Task granted;
  };

  bool try_take(Stripe stripe);
  bool take_or_queue(Stripe stripe, std::unique_ptr<Request>& request);
  bool proceed(std::unique_ptr<Request> request);
  void release_one(Stripe stripe);

  std::vector<std::atomic<uint8_t>> states_ = std::vector<std::atomic<uint8_t>>(kStripes);
  std::mutex mutex_;
  std::unordered_map<Stripe, std::deque<std::unique_ptr<Request>>> waiting_;
};

}  // namespace sheaf::engine
