// Fixed-width integers whose bytes compare as the numbers do.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace sheaf {

static_assert(std::endian::native == std::endian::little);

inline void append_u16(std::string& out, uint16_t value) {
  value = __builtin_bswap16(value);
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline void append_u32(std::string& out, uint32_t value) {
  value = __builtin_bswap32(value);
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline void append_u64(std::string& out, uint64_t value) {
  value = __builtin_bswap64(value);
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline uint16_t read_u16(const char* bytes) {
  uint16_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return __builtin_bswap16(value);
}

inline uint32_t read_u32(const char* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return __builtin_bswap32(value);
}

inline uint64_t read_u64(const char* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return __builtin_bswap64(value);
}

}  // namespace sheaf
