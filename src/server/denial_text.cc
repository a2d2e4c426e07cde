#include "server/denial_text.h"

#include <simdjson.h>

namespace sheaf::server {

std::string as_utf8(std::string_view text) {
  if (simdjson::validate_utf8(text)) return std::string(text);
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      converted += c;
    } else {
      converted += static_cast<char>(0xc0 | byte >> 6);
      converted += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return converted;
}

}  // namespace sheaf::server
