// Bytes as tests write them down: "C1 2B 00".
#pragma once

#include <string>
#include <string_view>

namespace sheaf {

inline std::string hex(std::string_view bytes) {
  std::string out;
  for (const unsigned char byte : bytes) {
    if (!out.empty()) out += ' ';
    out += "0123456789ABCDEF"[byte >> 4];
    out += "0123456789ABCDEF"[byte & 15];
  }
  return out;
}

inline std::string from_hex(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i += 3)
    out += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
  return out;
}

}  // namespace sheaf
