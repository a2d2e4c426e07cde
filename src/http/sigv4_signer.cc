#include "http/sigv4_signer.h"

#include <array>

#include "http/amz_date.h"
#include "http/canonical_request.h"
#include "http/header_name.h"
#include "http/signing_key.h"

namespace sheaf::http {
namespace {

constexpr std::string_view kDateName = "X-Amz-Date";
constexpr std::string_view kTokenName = "X-Amz-Security-Token";

// What proxies and HTTP libraries add, change or drop.
constexpr std::array<std::string_view, 8> kUnsignedNames = {
    "authorization",     "connection", "expect",         "keep-alive", "te",
    "transfer-encoding", "user-agent", "x-amzn-trace-id"};

bool is_left_out(std::string_view name) {
  for (const std::string_view left_out : kUnsignedNames)
    if (is_same_name(name, left_out)) return true;
  return false;
}

void append_line(std::string& lines, std::string_view name, std::string_view value) {
  lines += name;
  lines += ": ";
  lines += value;
  lines += "\r\n";
}

std::string names_to_sign(const Request& request) {
  std::string names;
  for (const Header& header : request.headers) {
    if (is_left_out(header.name)) continue;
    names += header.name;
    names += ';';
  }
  return names;
}

}  // namespace

std::string sign_request(const Request& request, const Credential& credential,
                         const SigningOptions& options) {
  std::string lines;
  Request whole = request;
  const std::string now = format_amz_date(options.now_us / 1'000'000);
  std::string_view date = now;
  if (const auto given = request.find("x-amz-date")) {
    date = *given;
  } else {
    whole.headers.push_back({kDateName, now});
    append_line(lines, kDateName, now);
  }
  const std::string_view token = credential.session_token().reveal();
  if (!token.empty() && !request.find("x-amz-security-token")) {
    whole.headers.push_back({kTokenName, token});
    append_line(lines, kTokenName, token);
  }

  const SignedHeaders headers(names_to_sign(whole));
  const HexDigest payload_hash = hex_of(sha256(request.raw_body));
  const Digest canonical_hash = sha256(canonical_request(whole, headers, hex_text(payload_hash)));
  const KeyScope scope{.date = date.substr(0, 8), .region = options.region, .service = options.service};
  std::string scope_text(scope.date);
  ((scope_text += '/') += scope.region) += '/';
  (scope_text += scope.service) += "/aws4_request";
  const Digest key = signing_key(credential, scope);
  const HexDigest signature =
      hex_of(hmac_sha256(bytes_of(key), string_to_sign(date, scope_text, canonical_hash)));

  lines += "Authorization: ";
  lines += kSignatureAlgorithm;
  ((lines += " Credential=") += credential.access_key_id()) += '/';
  lines += scope_text;
  lines += ", SignedHeaders=";
  for (const std::string_view name : headers.names()) (lines += name) += ';';
  if (lines.back() == ';') lines.pop_back();
  ((lines += ", Signature=") += hex_text(signature)) += "\r\n";
  return lines;
}

}  // namespace sheaf::http
