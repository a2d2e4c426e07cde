// Moments as the model writes them: 24 characters in UTC, so that they sort as texts.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::run {

// Since 1970, as records of leases and jobs have it.
int64_t epoch_milliseconds(std::chrono::system_clock::time_point time);

// 2026-11-15T08:30:00.000Z
std::string time_text(std::chrono::system_clock::time_point time);

// Of a time or a date; nothing if it is neither.
std::optional<int64_t> epoch_seconds(std::string_view text);

// 26 characters in Crockford's base 32 that sort by the millisecond in which they were made; made in one
// process, each is greater than the one before.
std::string new_ulid(std::chrono::system_clock::time_point time);
// Version 4.
std::string new_uuid();

}  // namespace sheaf::run
