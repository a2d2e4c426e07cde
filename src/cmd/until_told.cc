#include "cmd/until_told.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <thread>

namespace sheaf::cmd {
namespace {

constexpr int64_t kNotTold = -1;
// When the first signal came, in milliseconds.
std::atomic<int64_t> told_at_ms = kNotTold;
static_assert(std::atomic<int64_t>::is_always_lock_free, "a signal handler writes it");

// A wait looks so often whether it was told to end.
constexpr std::chrono::milliseconds kLookEvery{50};
// GNU timeout, as others do, signals a process and then its group, which is the same again at the same
// moment.
constexpr int64_t kSameMomentMs = 1000;

extern "C" void note_signal(int signal) {
  const int before = errno;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t now_ms = int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  int64_t told = kNotTold;
  if (!told_at_ms.compare_exchange_strong(told, now_ms) && now_ms - told > kSameMomentMs) {
    // Whoever says it again means it. It comes when this returns.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  errno = before;
}

}  // namespace

UntilTold::UntilTold() {
  told_at_ms = kNotTold;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    // What nohup has told it to live through is not for it.
    const bool is_for_nobody = kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN;
    if (!is_for_nobody) sigaction(kSignals[i], &action, nullptr);
  }
}

UntilTold::~UntilTold() {
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool UntilTold::is_told() { return told_at_ms != kNotTold; }

bool UntilTold::wait(std::chrono::milliseconds time) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  while (!is_told() && Clock::now() < end)
    std::this_thread::sleep_for(std::min<Clock::duration>(kLookEvery, end - Clock::now()));
  return is_told();
}

}  // namespace sheaf::cmd
