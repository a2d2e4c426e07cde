#include "run/time_text.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <random>

#include "model/value_type.h"

namespace sheaf::run {
namespace {

uint64_t random_bits() {
  thread_local std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

}  // namespace

int64_t epoch_milliseconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::string time_text(std::chrono::system_clock::time_point time) {
  const int64_t ms = epoch_milliseconds(time);
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<int>(ms % 1000));
  return text.data();
}

std::optional<int64_t> epoch_seconds(std::string_view text) {
  if (!model::is_time(text) && !model::is_date(text)) return std::nullopt;
  const auto digits = [&](size_t at, size_t count) {
    int value = 0;
    for (size_t i = at; i < at + count; ++i) value = value * 10 + (text[i] - '0');
    return value;
  };
  std::tm parts{};
  parts.tm_year = digits(0, 4) - 1900;
  parts.tm_mon = digits(5, 2) - 1;
  parts.tm_mday = digits(8, 2);
  if (text.size() > 10) {
    parts.tm_hour = digits(11, 2);
    parts.tm_min = digits(14, 2);
    parts.tm_sec = digits(17, 2);
  }
  return static_cast<int64_t>(timegm(&parts));
}

std::string new_ulid(std::chrono::system_clock::time_point time) {
  static constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  static std::mutex mutex;
  static uint64_t last_ms = 0;
  static uint64_t high = 0;  // 16 bits
  static uint64_t low = 0;   // 64 bits
  uint64_t ms, first, second;
  {
    const std::lock_guard lock(mutex);
    const auto now = static_cast<uint64_t>(epoch_milliseconds(time));
    if (now > last_ms) {
      last_ms = now;
      high = random_bits() & 0x7fff;  // with room to count up
      low = random_bits();
    } else if (++low == 0) {
      ++high;
    }
    ms = last_ms, first = high, second = low;
  }
  std::string text(26, '0');
  for (size_t i = 0; i < 10; ++i) text[9 - i] = kDigits[(ms >> (5 * i)) & 31];
  // 80 bits in 16 digits: five bits at a time, from the right.
  unsigned __int128 rest = (static_cast<unsigned __int128>(first & 0xffff) << 64) | second;
  for (size_t i = 0; i < 16; ++i) {
    text[25 - i] = kDigits[static_cast<size_t>(rest & 31)];
    rest >>= 5;
  }
  return text;
}

std::string new_uuid() {
  const uint64_t a = (random_bits() & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t b = (random_bits() & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(a >> 32),
                static_cast<unsigned>((a >> 16) & 0xffff), static_cast<unsigned>(a & 0xffff),
                static_cast<unsigned>(b >> 48), static_cast<unsigned long long>(b & 0xffffffffffffULL));
  return text.data();
}

}  // namespace sheaf::run
