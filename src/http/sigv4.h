// Who may come in: AWS's Signature Version 4, verified in full. What the client is told when it may not, and
// the order in which things are looked at, are DynamoDB's own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "http/credentials.h"
#include "http/denial.h"
#include "http/exchange.h"

namespace sheaf::http {

// Somebody who was let in. Views into the request and the credentials.
struct Caller {
  std::string_view access_key_id;
  std::string_view name;  // of the credentials; empty in development mode
  Role role = Role::kAdmin;
};

using Verdict = std::variant<Caller, Denial>;

struct SignatureRules {
  std::string service = "dynamodb";
  std::string region;  // that signatures must be for; empty: any
};

inline constexpr int64_t kClockSkewMinutesMax = 15;  // both ways, inclusive

// Whether `request` was signed, whole and lately, by somebody in `credentials`.
// - The host and all x-amz-* headers must be signed. Two of the latter are let off, since SDKs leave them out
//   and nothing rests on it: x-amz-user-agent, and x-amz-content-sha256, which must be right anyway.
// - The hash of the body is always taken from the body, as it was sent. A client that signed something else
// in
//   its place, such as UNSIGNED-PAYLOAD or the marks of chunked uploads, does not match.
// - A credential with a session token needs that token, one without must come without.
// Takes two to three microseconds for a kilobyte. Thread-safe.
Verdict verify_signature(const Request& request, const CredentialSet& credentials,
                         const SignatureRules& rules, int64_t now_us);

// Development mode: any credentials will do, but there must be some, complete in form, as AWS demands; a
// program that forgot them would otherwise work here and fail there. Nothing of them is verified: neither
// date, nor scope, nor signature. The caller is an admin.
Verdict accept_any_credentials(const Request& request);

// What a caller is told whose role does not cover an operation. `resource` is the ARN it was about, or "*".
Denial not_authorized(const Caller& caller, std::string_view operation, std::string_view resource);

}  // namespace sheaf::http
