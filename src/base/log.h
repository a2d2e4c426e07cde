// What the program tells its operator: one line an event, for people or for programs.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

namespace sheaf {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError };
enum class LogFormat : uint8_t { kText, kJson };

// Set before other threads log. Text, and kInfo and above, unless set.
void set_log_format(LogFormat format);
void set_log_level(LogLevel level);

using LogFields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// Writes one line to standard error, whole. `event` is a few words without figures; those are fields. Never
// secrets or items. Thread-safe.
void log(LogLevel level, std::string_view event, LogFields fields = {});

}  // namespace sheaf
