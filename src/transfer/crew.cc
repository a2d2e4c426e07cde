#include "transfer/crew.h"

#include <thread>
#include <vector>

namespace sheaf::transfer {
namespace {

constexpr std::chrono::milliseconds kEndLookedForEvery{50};
constexpr std::chrono::seconds kLookedEvery{1};
// Shorter silences are usual.
constexpr std::chrono::seconds kSilenceUntold{5};
// Most requests are answered sooner.
constexpr std::chrono::milliseconds kEndingUntold{500};

}  // namespace

void Crew::run(size_t threads, const std::function<void(size_t)>& work) {
  at_work_ = threads;
  looked_ = Clock::now();
  std::vector<std::thread> all;
  for (size_t i = 0; i < threads; ++i) {
    all.emplace_back([this, i, &work] {
      work(i);
      const std::lock_guard lock(mutex_);
      if (--at_work_ == 0) done_.notify_one();
    });
  }
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, kEndLookedForEvery, [this] { return at_work_ == 0; })) {
    lock.unlock();
    look_around();
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : all) thread.join();
}

void Crew::look_around() {
  const Clock::time_point now = Clock::now();
  const size_t under_way = under_way_;
  if (tellers_.is_ended && tellers_.is_ended() && !is_ending_told_) {
    if (ending_since_ == Clock::time_point()) ending_since_ = now;
    if (now - ending_since_ >= kEndingUntold && under_way > 0 && tellers_.ending) {
      is_ending_told_ = true;
      tellers_.ending(under_way);
    }
  }
  if (now - looked_ < kLookedEvery) return;
  looked_ = now;
  const Clock::duration silence = now - answered_.at();
  if (under_way > 0 && silence >= kSilenceUntold && tellers_.silence)
    tellers_.silence(std::chrono::duration_cast<std::chrono::milliseconds>(silence));
  if (tellers_.look) tellers_.look();
}

}  // namespace sheaf::transfer
