// Unsigned integers in seven-bit groups, lowest first, with the high bit set on all bytes but the last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf {

inline void append_varint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// Trusted bytes: returns the value and moves `position` behind it.
inline uint64_t read_varint(const char*& position) {
  uint64_t value = static_cast<unsigned char>(*position++);
  if (value < 0x80) [[likely]]
    return value;
  value &= 0x7f;
  for (int shift = 7;; shift += 7) {
    const uint64_t byte = static_cast<unsigned char>(*position++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

// Bytes from outside: takes the value from the front of `bytes`; nothing if they end too early, go beyond 64
// bits, or are longer than they need to be.
inline std::optional<uint64_t> take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const uint64_t byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (shift == 63 && byte > 1) return std::nullopt;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return byte == 0 && shift > 0 ? std::nullopt : std::optional(value);
  }
  return std::nullopt;
}

}  // namespace sheaf
