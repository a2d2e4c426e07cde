#include "engine/key_locks.h"

#include <xxhash.h>

#include <algorithm>
#include <cassert>

namespace sheaf::engine {

void KeyLocks::add_stripe(std::vector<Stripe>& stripes, std::string_view key) {
  stripes.push_back(static_cast<Stripe>(XXH3_64bits(key.data(), key.size())));
}

void KeyLocks::sort_stripes(std::vector<Stripe>& stripes) {
  if (stripes.size() < 2) return;
  std::sort(stripes.begin(), stripes.end());
  stripes.erase(std::unique(stripes.begin(), stripes.end()), stripes.end());
}

bool KeyLocks::try_take(Stripe stripe) {
  uint8_t expected = kFree;
  return states_[stripe].compare_exchange_strong(expected, kHeld, std::memory_order_acquire,
                                                 std::memory_order_relaxed);
}

bool KeyLocks::acquire(const std::vector<Stripe>& stripes, Loop& loop, Task granted) {
  for (size_t i = 0; i < stripes.size(); ++i) {
    if (try_take(stripes[i])) continue;
    return proceed(std::make_unique<Request>(
        Request{.stripes = &stripes, .next = i, .loop = &loop, .granted = std::move(granted)}));
  }
  return true;
}

// Takes the stripe, or marks it as awaited and queues the request.
bool KeyLocks::take_or_queue(Stripe stripe, std::unique_ptr<Request>& request) {
  std::lock_guard lock(mutex_);
  uint8_t state = states_[stripe].load(std::memory_order_relaxed);
  for (;;) {
    const uint8_t next = state == kFree ? kHeld : kAwaited;
    if (!states_[stripe].compare_exchange_weak(state, next, std::memory_order_acquire,
                                               std::memory_order_relaxed))
      continue;
    if (state == kFree) return true;
    waiting_[stripe].push_back(std::move(request));
    return false;
  }
}

// Takes the stripes from `next` on. True: all are taken.
bool KeyLocks::proceed(std::unique_ptr<Request> request) {
  const std::vector<Stripe>& stripes = *request->stripes;
  while (request->next < stripes.size()) {
    if (!take_or_queue(stripes[request->next], request)) return false;
    ++request->next;
  }
  return true;
}

void KeyLocks::release(const std::vector<Stripe>& stripes) {
  for (const Stripe stripe : stripes) release_one(stripe);
}

void KeyLocks::release_one(Stripe stripe) {
  uint8_t expected = kHeld;
  if (states_[stripe].compare_exchange_strong(expected, kFree, std::memory_order_release,
                                              std::memory_order_relaxed))
    return;
  assert(expected == kAwaited);

  // The stripe passes to the first in its queue without becoming free: nobody overtakes.
  std::unique_ptr<Request> next;
  {
    std::lock_guard lock(mutex_);
    const auto queue = waiting_.find(stripe);
    next = std::move(queue->second.front());
    queue->second.pop_front();
    if (queue->second.empty()) {
      waiting_.erase(queue);
      states_[stripe].store(kHeld, std::memory_order_release);
    }
  }
  ++next->next;
  while (next->next < next->stripes->size()) {
    if (!take_or_queue((*next->stripes)[next->next], next)) return;
    ++next->next;
  }
  next->loop->post(std::move(next->granted));
}

}  // namespace sheaf::engine
