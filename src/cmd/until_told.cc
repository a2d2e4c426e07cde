#include "cmd/until_told.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

namespace sheaf::cmd {
namespace {

std::atomic<bool> was_told = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

// A wait looks so often whether it was told to end.
constexpr std::chrono::milliseconds kLookEvery{50};

extern "C" void note_signal(int) { was_told = true; }

}  // namespace

UntilTold::UntilTold() {
  was_told = false;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

UntilTold::~UntilTold() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool UntilTold::is_told() { return was_told; }

bool UntilTold::wait(std::chrono::milliseconds time) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  while (!was_told && Clock::now() < end)
    std::this_thread::sleep_for(std::min<Clock::duration>(kLookEvery, end - Clock::now()));
  return was_told;
}

}  // namespace sheaf::cmd
