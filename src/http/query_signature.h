// Requests that are signed in their query: presigned URLs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "http/authorization_header.h"
#include "http/denial.h"

namespace sheaf::http {

inline constexpr int64_t kPresignedSecondsMax = int64_t{7} * 24 * 3600;

// The value of a query's parameter, decoded; nothing if there is none.
std::optional<std::string> query_parameter(std::string_view target, std::string_view name);

// What X-Amz-Algorithm, X-Amz-Credential, X-Amz-SignedHeaders, X-Amz-Date, X-Amz-Expires,
// X-Amz-Security-Token and X-Amz-Signature say. Nothing without the first of them. Denied as AWS denies them:
// without one of the others (IncompleteSignatureException), or valid for longer than a week.
std::optional<std::variant<Authorization, Denial>> parse_query_signature(std::string_view target);

}  // namespace sheaf::http
