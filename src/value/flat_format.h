// Reading the flat form of values (doc/item-format.md) where the bytes are trusted.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sheaf/value.h"

#include "base/varint.h"

namespace sheaf {

static_assert(std::endian::native == std::endian::little);

inline constexpr size_t kTagBytes = 1;
inline constexpr size_t kBodyLengthBytes = 4;  // in front of the body of a map, list or set

inline uint32_t read_body_length(const char* position) {
  uint32_t length;
  std::memcpy(&length, position, sizeof(length));
  return length;
}

inline void write_body_length(char* position, uint32_t length) {
  std::memcpy(position, &length, sizeof(length));
}

inline constexpr size_t kVarintBytesMax = 10;

// Writes `value` as append_varint does and returns the end.
inline char* put_varint(char* out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(value | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

// Writes a length and as many bytes; `out` has room for both.
inline char* put_sized(char* out, std::string_view bytes) {
  out = put_varint(out, bytes.size());
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  return out + bytes.size();
}

// A length and as many bytes; moves `position` behind them.
inline std::string_view read_sized(const char*& position) {
  const size_t length = read_varint(position);
  const char* const bytes = position;
  position += length;
  return {bytes, length};
}

// Behind the value that begins at `position`.
inline const char* skip_value(const char* position) {
  switch (static_cast<Type>(*position++)) {
    case Type::kNull:
      return position;
    case Type::kBool:
      return position + 1;
    case Type::kNumber:
      return position + 1 + static_cast<unsigned char>(*position);
    case Type::kString:
    case Type::kBinary: {
      const size_t length = read_varint(position);
      return position + length;
    }
    case Type::kMap:
    case Type::kList:
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      break;
  }
  return position + kBodyLengthBytes + read_body_length(position);
}

inline bool is_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

}  // namespace sheaf
