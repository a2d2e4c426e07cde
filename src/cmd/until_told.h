// Commands that go on until they are told to end.
#pragma once

#include <chrono>

namespace sheaf::cmd {

// From when it is made on, SIGINT and SIGTERM end waits instead of the program; a second one ends the program
// as ever. One at a time.
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
};

}  // namespace sheaf::cmd
