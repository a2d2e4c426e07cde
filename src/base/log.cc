#include "base/log.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>

namespace sheaf {
namespace {

std::atomic<LogFormat> format_set = LogFormat::kText;
std::atomic<LogLevel> level_set = LogLevel::kInfo;

std::string_view level_name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      break;
  }
  return "error";
}

std::string time_text() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  char text[40];
  const size_t length = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text + length, sizeof(text) - length, ".%03ldZ", now.tv_nsec / 1'000'000);
  return text;
}

// Quoted; a line stays one line whatever it tells.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_text_value(std::string& out, std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(" \"=\\") == std::string_view::npos &&
                     text.find_first_of(std::string_view("\0\n\r\t", 4)) == std::string_view::npos;
  if (plain) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

}  // namespace

void set_log_format(LogFormat format) { format_set = format; }
void set_log_level(LogLevel level) { level_set = level; }

void log(LogLevel level, std::string_view event, LogFields fields) {
  if (level < level_set.load(std::memory_order_relaxed)) return;
  std::string line;
  if (format_set.load(std::memory_order_relaxed) == LogFormat::kJson) {
    line += "{\"time\":\"" + time_text() + "\",\"level\":\"";
    line += level_name(level);
    line += "\",\"event\":";
    append_quoted(line, event);
    for (const auto& [name, value] : fields) {
      line += ',';
      append_quoted(line, name);
      line += ':';
      append_quoted(line, value);
    }
    line += '}';
  } else {
    line += time_text();
    line += ' ';
    line += level_name(level);
    line += ' ';
    line += event;
    for (const auto& [name, value] : fields) {
      line += ' ';
      line += name;
      line += '=';
      append_text_value(line, value);
    }
  }
  line += '\n';
  // One call, so that lines of several threads do not mix. If it cannot be told, nobody is there to be told.
  static_cast<void>(::write(STDERR_FILENO, line.data(), line.size()) < 0);
}

}  // namespace sheaf
