#include "cmd/progress.h"

#include <unistd.h>

#include <iostream>

#include "cmd/chosen_model.h"

namespace sheaf::cmd {
namespace {

constexpr std::chrono::milliseconds kTellEvery{200};

}  // namespace

Progress::~Progress() {
  if (is_told_) std::cerr << "\n";
}

void Progress::tell(uint64_t done, std::optional<uint64_t> all) {
  const Clock::time_point now = Clock::now();
  if (now - told_ < kTellEvery || isatty(STDERR_FILENO) != 1) return;
  told_ = now;
  is_told_ = true;
  const std::chrono::duration<double> since = now - begin_;
  std::cerr << "\r" << counted(done, one_, many_);
  if (all && *all > 0) std::cerr << " of " << *all << " (" << done * 100 / *all << " %)";
  if (since.count() > 0.5)
    std::cerr << ", " << static_cast<uint64_t>(static_cast<double>(done) / since.count()) << " a second";
  std::cerr << "   " << std::flush;
}

}  // namespace sheaf::cmd
