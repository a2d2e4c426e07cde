#include "value/base64.h"

#include <cstdint>

namespace sheaf {

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
