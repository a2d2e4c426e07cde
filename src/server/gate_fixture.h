// For tests of what stands behind the gate: requests of people with different roles, and what was written
// down about them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/loop.h"
#include "http/amz_date.h"
#include "http/canonical_request.h"
#include "http/request_fixture.h"
#include "http/signing_key.h"
#include "http/sigv4_signer.h"
#include "server/gate.h"

namespace sheaf::server {

using http::OwnedRequest;
using http::Response;

inline constexpr int64_t kNowUs = int64_t{1'800'000'000} * 1'000'000;
inline constexpr std::string_view kSecret = "a secret of many characters";

class GateTest : public testing::Test {
 protected:
  // BOSS, READER and METER, each of whom may do what the name says.
  static http::CredentialSet everybody() {
    std::vector<http::Credential> all;
    const auto add = [&](std::string_view name, std::string_view id, http::Role role) {
      all.emplace_back(http::Credential::Parts{
          .name = name, .access_key_id = id, .secret_access_key = kSecret, .role = role});
    };
    add("boss", "BOSS", http::Role::kAdmin);
    add("reader", "READER", http::Role::kReadonly);
    add("meter", "METER", http::Role::kMetrics);
    return http::CredentialSet(std::move(all));
  }

  // Without credentials: in development mode.
  Gate gate(const http::Credentials* credentials) {
    return Gate({.guard = *http::OriginGuard::create(
                     {.development = credentials == nullptr, .allowed_origins = {"https://allowed.example"}}),
                 .credentials = credentials,
                 .signatures = {},
                 .audit = &audit_,
                 .denials = denials_,
                 .clock = clock_});
  }

  static Response ask_of(http::Handler& handler, const OwnedRequest& request, bool is_overloaded = false) {
    OwnedRequest padded = request;
    padded.body.reserve(request.body.size() + http::kPadding);
    const http::Request view = padded.view();
    return await<Response>([&](Loop& loop, auto done) {
      http::Respond respond = [done = std::move(done)](Response response) mutable {
        done(std::move(response));
      };
      if (is_overloaded) return handler.handle_overloaded(view, loop, std::move(respond));
      handler.handle(view, loop, std::move(respond));
    });
  }

  static OwnedRequest request(const std::string& method, const std::string& target,
                              const std::string& body = "") {
    OwnedRequest made;
    made.method = method;
    made.target = target;
    made.headers = {{"Host", "localhost:8000"}};
    if (!body.empty()) made.headers.emplace_back("Content-Type", "application/json");
    made.body = body;
    return made;
  }

  static OwnedRequest with_signature(OwnedRequest made, const std::string& id) {
    const http::Credential signer({.name = "", .access_key_id = id, .secret_access_key = kSecret});
    made.add_lines(http::sign_request(made.view(), signer, {.now_us = kNowUs}));
    return made;
  }

  // Signed in its query, which begins with `first`.
  static OwnedRequest presigned(OwnedRequest made, const std::string& id, const std::string& first = "") {
    const http::Credential signer({.name = "", .access_key_id = id, .secret_access_key = kSecret});
    const std::string date = http::format_amz_date(kNowUs / 1'000'000);
    const std::string day = date.substr(0, 8);
    const http::KeyScope scope{.date = day, .region = "us-east-1", .service = "dynamodb"};
    const std::string rest = day + "/us-east-1/dynamodb/aws4_request";
    made.target += "?" + first + "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + id + "/" + rest +
                   "&X-Amz-Date=" + date + "&X-Amz-SignedHeaders=host";
    const http::Request view = made.view();
    const HexDigest payload = hex_of(sha256(view.raw_body));
    const Digest canonical = sha256(http::canonical_request(view, http::SignedHeaders("host"),
                                                            hex_text(payload), http::SignaturePlace::kQuery));
    const HexDigest signature = hex_of(
        hmac_sha256(bytes_of(http::signing_key(signer, scope)), http::string_to_sign(date, rest, canonical)));
    made.target += "&X-Amz-Signature=" + std::string(hex_text(signature));
    return made;
  }

  static bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  }

  ManualClock clock_{kNowUs};
  std::vector<std::string> audited_;
  http::AuditLog audit_{clock_, [this](std::string_view line) { audited_.emplace_back(line); }};
  RequestMetrics denials_;
};

}  // namespace sheaf::server
