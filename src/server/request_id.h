// What tells one request from another, in answers and in the audit log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sheaf::server {

inline constexpr size_t kRequestIdLength = 52;

// 52 capital letters and digits, as AWS's. Not a secret.
void append_request_id(std::string& out);

// For how long something took.
uint64_t steady_us();

}  // namespace sheaf::server
