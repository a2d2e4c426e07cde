// What tells two requests apart without keeping either.
#pragma once

#include <string>
#include <string_view>

#include "base/varint.h"

namespace sheaf::api {

// With its length in front, so that parts cannot run into each other.
inline void append_part(std::string& text, std::string_view part) {
  append_varint(text, part.size());
  text.append(part);
}

// 16 bytes.
std::string fingerprint(std::string_view text);

}  // namespace sheaf::api
