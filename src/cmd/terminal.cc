#include "cmd/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace sheaf::cmd {
namespace {

std::string_view environment_text(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

bool has_colour(int descriptor) {
  return isatty(descriptor) == 1 && environment_text("NO_COLOR").empty() &&
         environment_text("TERM") != "dumb";
}

// Of a screen, for all that are no items.
constexpr size_t kOtherLines = 6;
constexpr size_t kItemLinesMin = 3;

}  // namespace

size_t Terminal::item_lines() const {
  return rows > kOtherLines + kItemLinesMin ? rows - kOtherLines : kItemLinesMin;
}

Terminal standard_terminal() {
  Terminal terminal;
  terminal.is_one = isatty(STDOUT_FILENO) == 1;
  if (!terminal.is_one) return terminal;
  winsize size{};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  if (size.ws_col > 0) terminal.look.columns = size.ws_col;
  if (size.ws_row > 0) terminal.rows = size.ws_row;
  terminal.look.has_colour = has_colour(STDOUT_FILENO);
  return terminal;
}

bool errors_have_colour() { return has_colour(STDERR_FILENO); }

}  // namespace sheaf::cmd
