// Why somebody may not come in, as a value: whoever answers turns it into the protocol's error.
#pragma once

#include <string>
#include <string_view>

namespace sheaf::http {

struct Denial {
  int status = 400;
  std::string_view type;  // AWS's name of the error, of static lifetime: "InvalidSignatureException"
  std::string message;    // AWS's words. May repeat what the client sent, never what it must not know

  bool operator==(const Denial&) const = default;
};

}  // namespace sheaf::http
