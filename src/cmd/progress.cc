#include "cmd/progress.h"

#include <unistd.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string_view>
#include <utility>

#include "cmd/chosen_model.h"

namespace sheaf::cmd {
namespace {

constexpr std::chrono::milliseconds kTellEvery{200};
// Shorter waits are usual with what is busy.
constexpr std::chrono::seconds kWaitUntold{5};
constexpr std::chrono::seconds kTellWaitingEvery{15};

bool wants_lines() {
  const char* const wanted = std::getenv("SHEAF_PROGRESS");
  return wanted != nullptr && std::string_view(wanted) == "lines";
}

}  // namespace

Progress::Progress(std::string one, std::string many)
    : one_(std::move(one)), many_(std::move(many)), is_in_lines_(wants_lines()) {}

Progress::~Progress() {
  if (is_told_ && !is_in_lines_) std::cerr << "\n";
}

bool Progress::is_due() {
  const Clock::time_point now = Clock::now();
  if (now - told_ < kTellEvery || (!is_in_lines_ && isatty(STDERR_FILENO) != 1)) return false;
  told_ = now;
  is_told_ = true;
  return true;
}

// What a longer line before it has left is wiped out.
void Progress::write(const std::string& line) const {
  std::cerr << (is_in_lines_ ? "progress: " + line + "\n" : "\r" + line + "\033[K") << std::flush;
}

void Progress::tell(uint64_t done, std::optional<uint64_t> all) {
  if (!is_due()) return;
  const std::chrono::duration<double> since = told_ - begin_;
  std::ostringstream line;
  line << counted(done, one_, many_);
  if (all && *all > 0) line << " of " << *all << " (" << done * 100 / *all << " %)";
  if (since.count() > 0.5)
    line << ", " << static_cast<uint64_t>(static_cast<double>(done) / since.count()) << " a second";
  write(line.str());
}

void Progress::tell(const Amount& amount) {
  if (amount.part && !first_part_) first_part_ = *amount.part;
  if (!is_due()) return;
  const double seconds = std::chrono::duration<double>(told_ - begin_).count();
  std::ostringstream line;
  line << std::fixed << std::setprecision(1) << counted(amount.done, one_, many_);
  if (amount.part) line << " (" << static_cast<int>(*amount.part * 100) << " %)";
  if (seconds > 0.5) {
    line << ", " << static_cast<uint64_t>(static_cast<double>(amount.done) / seconds) << " a second";
    if (amount.bytes > 0) line << ", " << static_cast<double>(amount.bytes) / 1e6 / seconds << " MB/s";
    const double gained = amount.part ? *amount.part - *first_part_ : 0;
    if (gained > 0) line << ", " << duration_text(seconds * (1 - *amount.part) / gained) << " left";
  }
  write(line.str());
}

bool Progress::is_waiting_due(std::chrono::milliseconds since) {
  const Clock::time_point now = Clock::now();
  if (since < kWaitUntold || now - told_waiting_ < kTellWaitingEvery) return false;
  told_waiting_ = now;
  return true;
}

void Progress::tell_waiting(const std::string& why, std::chrono::milliseconds since) {
  if (!is_waiting_due(since)) return;
  tell_line("sheaf: nothing is done for " + duration_text(static_cast<double>(since.count()) / 1000) + ": " +
            why + "; asking again");
}

void Progress::tell_silence(std::chrono::milliseconds since) {
  if (!is_waiting_due(since)) return;
  tell_line("sheaf: no answer for " + duration_text(static_cast<double>(since.count()) / 1000));
}

void Progress::tell_ending(size_t requests) {
  tell_line("sheaf: waiting for " + counted(requests, "request", "requests") +
            " under way; Ctrl-C again ends at once");
}

void Progress::tell_line(const std::string& line) {
  if (std::exchange(is_told_, false) && !is_in_lines_) std::cerr << "\n";
  std::cerr << line << std::endl;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<uint64_t>(seconds < 0 ? 0 : seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace sheaf::cmd
