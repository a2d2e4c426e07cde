#include "cmd/until_told.h"

#include <algorithm>
#include <csignal>
#include <thread>

namespace sheaf::cmd {
namespace {

volatile std::sig_atomic_t is_told = 0;

// A wait looks so often whether it was told to end.
constexpr std::chrono::milliseconds kLookEvery{50};

extern "C" void note_signal(int) { is_told = 1; }

}  // namespace

UntilTold::UntilTold() {
  is_told = 0;
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

UntilTold::~UntilTold() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool UntilTold::wait(std::chrono::milliseconds time) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  while (is_told == 0 && Clock::now() < end)
    std::this_thread::sleep_for(std::min<Clock::duration>(kLookEvery, end - Clock::now()));
  return is_told != 0;
}

}  // namespace sheaf::cmd
