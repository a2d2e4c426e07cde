#include "cmd/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "draw/shown_text.h"
#include "draw/text_width.h"

namespace sheaf::cmd {
namespace {

constexpr std::string_view kTake = "\033[?1049h\033[?25l";  // another screen, no cursor
constexpr std::string_view kGiveBack = "\033[?25h\033[?1049l";
constexpr char kControlC = 3;

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

std::string cut(std::string_view line, int columns_max) {
  std::string out;
  int columns = 0;
  while (!line.empty()) {
    if (line.starts_with("\033[")) {
      const size_t length = std::min(line.find('m'), line.size() - 1) + 1;
      out += line.substr(0, length);
      line.remove_prefix(length);
      continue;
    }
    const char32_t next = draw::take_code_point(line);
    columns += draw::columns(next);
    if (columns > columns_max) break;
    draw::append_utf8(out, next);
  }
  if (columns > columns_max && out.find('\033') != std::string::npos) out += "\033[0m";
  return out;
}

}  // namespace

bool Screen::is_possible() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

Screen::Screen() {
  tcgetattr(STDIN_FILENO, &before_);
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  write_out(kTake);
}

Screen::~Screen() {
  write_out(kGiveBack);
  tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

size_t Screen::rows() const {
  winsize size{};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  return size.ws_row > 0 ? size.ws_row : 24;
}

void Screen::draw(const std::string& text) const {
  winsize size{};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  const int columns = size.ws_col > 0 ? size.ws_col : 80;
  size_t lines = rows();
  std::string out = "\033[H";
  std::string_view rest = text;
  while (!rest.empty() && lines > 0) {
    --lines;
    const size_t end = std::min(rest.find('\n'), rest.size());
    out += cut(rest.substr(0, end), columns) + "\033[K";
    if (lines > 0) out += "\r\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  write_out(out + "\033[J");
}

bool Screen::is_left_within(std::chrono::milliseconds time) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, static_cast<int>(left));
    if (ready < 0) return true;  // a signal
    if (ready == 0) return false;
    char key = 0;
    if (::read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q' || key == kControlC) return true;
  }
}

}  // namespace sheaf::cmd
