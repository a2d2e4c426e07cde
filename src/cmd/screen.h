// The whole terminal, for what is drawn again and again.
#pragma once

#include <termios.h>

#include <chrono>
#include <cstddef>
#include <string>

namespace sheaf::cmd {

// Takes the terminal when it is made, and gives it back as it was. Both the standard input and output must be
// terminals. One at a time.
class Screen {
 public:
  static bool is_possible();

  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  size_t rows() const;
  // As many lines of it as there is room for, each cut at the right. What colours it takes no room.
  void draw(const std::string& text) const;
  // Whether q was pressed, or the program told to end, in this time.
  bool is_left_within(std::chrono::milliseconds time) const;

 private:
  termios before_{};
};

}  // namespace sheaf::cmd
