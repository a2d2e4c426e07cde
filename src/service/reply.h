// What a request about a model is answered with: a status of HTTP and JSON.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::service {

struct Reply {
  int status = 200;
  std::string body;
  std::string_view error;  // the code in the body; empty: it went well. Of static lifetime
  std::string_view allow;  // with 405: the methods there are
  double units = 0;        // consumed
  std::string model;       // that was to be offered or taken away; empty: none
};

// {"error":{"code":"not_found","message":"there is no pattern teams"}}. `code` has static lifetime.
Reply problem(int status, std::string_view code, std::string_view message, std::string_view fix = {});

// By its code: invalid and malformed 400, not_found 404, in_use and conflict 409, throttled 429, unknown and
// internal 500, unavailable 503.
Reply problem(const Error& error);

}  // namespace sheaf::service
