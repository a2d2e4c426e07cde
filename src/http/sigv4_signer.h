// The client's side of Signature Version 4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/credentials.h"
#include "http/exchange.h"

namespace sheaf::http {

struct SigningOptions {
  int64_t now_us = 0;
  std::string_view region = "us-east-1";
  std::string_view service = "dynamodb";
};

// The header lines, each with its end, that must be added to `request` to sign it: X-Amz-Date and
// X-Amz-Security-Token, unless it has them, and Authorization. It needs a Host. Signs the raw body and all
// headers but those that may change on the way. Thread-safe.
std::string sign_request(const Request& request, const Credential& credential, const SigningOptions& options);

}  // namespace sheaf::http
