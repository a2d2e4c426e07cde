#include "value/base64.h"

#include <cstdint>

namespace sheaf {
namespace {

constexpr uint8_t kNoDigit = 0xff;

struct Digits {
  uint8_t values[256];

  constexpr Digits() : values() {
    for (uint8_t& value : values) value = kNoDigit;
    for (int i = 0; i < 26; ++i) {
      values['A' + i] = static_cast<uint8_t>(i);
      values['a' + i] = static_cast<uint8_t>(26 + i);
    }
    for (int i = 0; i < 10; ++i) values['0' + i] = static_cast<uint8_t>(52 + i);
    values[size_t{'+'}] = 62;
    values[size_t{'/'}] = 63;
  }
};
constexpr Digits kDigits;

uint32_t digit(char c) { return kDigits.values[static_cast<unsigned char>(c)]; }

// Two or three digits and the '=' that fill their group.
bool decode_last(char*& out, const char* group, size_t digits) {
  const uint32_t a = digit(group[0]), b = digit(group[1]), c = digits == 3 ? digit(group[2]) : 0;
  if ((a | b | c) > 63) return false;
  const uint32_t bits = a << 18 | b << 12 | c << 6;
  if (bits & (digits == 3 ? 0xff : 0xffff)) return false;
  *out++ = static_cast<char>(bits >> 16);
  if (digits == 3) *out++ = static_cast<char>(bits >> 8);
  return true;
}

}  // namespace

bool decode_base64(std::string& out, std::string_view text) {
  if (text.size() % 4 != 0) return false;
  const size_t start = out.size();
  out.resize(start + text.size() / 4 * 3);
  char* position = out.data() + start;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const char* group = text.data();
  const char* const end = text.data() + text.size() - (padding > 0 ? 4 : 0);
  bool valid = true;
  for (; group != end && valid; group += 4) {
    const uint32_t a = digit(group[0]), b = digit(group[1]), c = digit(group[2]), d = digit(group[3]);
    valid = (a | b | c | d) <= 63;
    const uint32_t bits = a << 18 | b << 12 | c << 6 | d;
    *position++ = static_cast<char>(bits >> 16);
    *position++ = static_cast<char>(bits >> 8);
    *position++ = static_cast<char>(bits);
  }
  valid = valid && (padding == 0 || decode_last(position, group, 4 - padding));
  out.resize(valid ? static_cast<size_t>(position - out.data()) : start);
  return valid;
}

void append_base64(std::string& out, std::string_view bytes) {
  const size_t start = out.size();
  out.resize(start + base64_bytes(bytes.size()));
  print_base64(out.data() + start, bytes);
}

char* print_base64(char* out, std::string_view bytes) {
  static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* in = reinterpret_cast<const unsigned char*>(bytes.data());
  size_t left = bytes.size();
  for (; left >= 3; left -= 3, in += 3) {
    const uint32_t group = uint32_t{in[0]} << 16 | uint32_t{in[1]} << 8 | in[2];
    *out++ = kAlphabet[group >> 18];
    *out++ = kAlphabet[group >> 12 & 63];
    *out++ = kAlphabet[group >> 6 & 63];
    *out++ = kAlphabet[group & 63];
  }
  if (left == 0) return out;
  const uint32_t group = uint32_t{in[0]} << 16 | (left == 2 ? uint32_t{in[1]} << 8 : 0);
  *out++ = kAlphabet[group >> 18];
  *out++ = kAlphabet[group >> 12 & 63];
  *out++ = left == 2 ? kAlphabet[group >> 6 & 63] : '=';
  *out++ = '=';
  return out;
}

}  // namespace sheaf
