// Commands that go on until they are told to end.
#pragma once

#include <array>
#include <chrono>
#include <csignal>

namespace sheaf::cmd {

// From when it is made on, SIGINT, SIGTERM and SIGHUP end waits instead of the program; one that comes more
// than a second after the first ends the program as ever. One at a time.
class UntilTold {
 public:
  UntilTold();
  ~UntilTold();
  UntilTold(const UntilTold&) = delete;
  UntilTold& operator=(const UntilTold&) = delete;

  // Whether it was told to end, then or before.
  bool wait(std::chrono::milliseconds time) const;
  // The same without waiting, of the one that there is. Thread-safe.
  static bool is_told();

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace sheaf::cmd
