// What a client is told when it is turned away.
#pragma once

#include <string>
#include <string_view>

namespace sheaf::server {

// A denial may repeat a header, and that may hold any bytes: those that are no UTF-8 are Latin-1, as HTTP
// once had it. An answer is JSON in any case.
std::string as_utf8(std::string_view text);

}  // namespace sheaf::server
