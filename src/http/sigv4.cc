#include "http/sigv4.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <optional>

#include "http/amz_date.h"
#include "http/authorization_header.h"
#include "http/canonical_request.h"
#include "http/header_name.h"
#include "http/signing_key.h"

namespace sheaf::http {
namespace {

constexpr int64_t kClockSkewSecondsMax = kClockSkewMinutesMax * 60;
constexpr std::string_view kTerminator = "aws4_request";
// Each is looked for among all headers, before anybody knows who is asking.
constexpr size_t kSignedHeadersMax = 100;

Denial incomplete_signature(std::string message) {
  return Denial{.type = "IncompleteSignatureException", .message = std::move(message)};
}

Denial invalid_signature(std::string message) {
  return Denial{.type = "InvalidSignatureException", .message = std::move(message)};
}

Denial unrecognized(std::string_view message) {
  return Denial{.type = "UnrecognizedClientException", .message = std::string(message)};
}

Denial mismatch() {
  return invalid_signature(
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
      "Access Key and signing method. Consult the service documentation for details.");
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// `valid_seconds`: how long a signature in the query says that it is good for.
std::optional<Denial> check_date(std::string_view date, std::optional<int64_t> valid_seconds,
                                 int64_t now_us) {
  const std::optional<int64_t> signed_at = parse_amz_date(date);
  if (!signed_at)
    return incomplete_signature("Date must be in ISO-8601 'basic format'. Got " + quoted(date) +
                                ". See http://en.wikipedia.org/wiki/ISO_8601");
  const int64_t now = now_us / 1'000'000;
  const int64_t earliest = now - valid_seconds.value_or(kClockSkewSecondsMax);
  const int64_t latest = now + kClockSkewSecondsMax;
  if (*signed_at >= earliest && *signed_at <= latest) return std::nullopt;

  const std::string server_time = format_amz_date(now);
  const std::string skew = std::to_string(kClockSkewMinutesMax) + " min.)";
  if (*signed_at < earliest)
    return invalid_signature("Signature expired: " + std::string(date) + " is now earlier than " +
                             format_amz_date(earliest) + " (" + server_time + " - " +
                             (valid_seconds ? std::to_string(*valid_seconds) + " sec.)" : skew));
  return invalid_signature("Signature not yet current: " + std::string(date) + " is still later than " +
                           format_amz_date(latest) + " (" + server_time + " + " + skew);
}

bool may_be_unsigned(std::string_view name) {
  return is_same_name(name, "x-amz-user-agent") || is_same_name(name, "x-amz-content-sha256");
}

std::optional<Denial> check_signed_headers(const Request& request, const SignedHeaders& headers) {
  if (headers.names().size() > kSignedHeadersMax) return mismatch();
  if (!headers.contains("host"))
    return invalid_signature("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  constexpr std::string_view kPrefix = "x-amz-";
  for (const Header& header : request.headers) {
    if (!is_same_name(header.name.substr(0, kPrefix.size()), kPrefix) || may_be_unsigned(header.name))
      continue;
    const auto is_this = [&](std::string_view name) { return is_same_name(header.name, name); };
    if (std::none_of(headers.names().begin(), headers.names().end(), is_this))
      return invalid_signature(quoted(header.name) + " must be a 'SignedHeader' in the AWS Authorization.");
  }
  for (const std::string_view name : headers.names()) {
    const auto is_this = [&](const Header& header) { return is_same_name(header.name, name); };
    if (std::none_of(request.headers.begin(), request.headers.end(), is_this))
      return incomplete_signature(quoted(name) +
                                  " is named as a SignedHeader, but it does not exist in the HTTP request.");
  }
  return std::nullopt;
}

// All that is wrong at once, as AWS says it, blanks included.
std::optional<Denial> check_scope(const CredentialScope& scope, std::string_view date,
                                  const SignatureRules& rules) {
  std::string message;
  if (scope.region.empty() || (!rules.region.empty() && scope.region != rules.region))
    message += "Credential should be scoped to a valid region, not " + quoted(scope.region) + ". ";
  if (scope.service != rules.service)
    message += "Credential should be scoped to correct service: " + quoted(rules.service) + ". ";
  if (scope.terminator != kTerminator)
    message += "Credential should be scoped with a valid terminator: " + quoted(kTerminator) + ", not " +
               quoted(scope.terminator) + ". ";
  const std::string_view day = date.substr(0, 8);
  if (scope.date != day)
    message += "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: " +
               quoted(scope.date) + " != " + quoted(day) + ", from " + quoted(date) + ".";
  if (message.empty()) return std::nullopt;
  return invalid_signature(std::move(message));
}

std::optional<Denial> check_signature(const Request& request, const Authorization& parts,
                                      const SignedHeaders& headers, const CredentialScope& scope,
                                      const Credential& credential) {
  const HexDigest payload_hash = hex_of(sha256(request.raw_body));
  for (const Header& header : request.headers) {
    if (is_same_name(header.name, "x-amz-content-sha256") && header.value != hex_text(payload_hash))
      return mismatch();
  }
  const Digest canonical_hash =
      sha256(canonical_request(request, headers, hex_text(payload_hash),
                               parts.is_in_query ? SignaturePlace::kQuery : SignaturePlace::kHeader));
  const Digest key =
      signing_key(credential, {.date = scope.date, .region = scope.region, .service = scope.service});
  const HexDigest expected =
      hex_of(hmac_sha256(bytes_of(key), string_to_sign(parts.date, scope.text, canonical_hash)));
  if (parts.signature.size() != expected.size() ||
      CRYPTO_memcmp(parts.signature.data(), expected.data(), expected.size()) != 0)
    return mismatch();
  return std::nullopt;
}

std::optional<Denial> check_token(const Request& request, const Authorization& parts,
                                  const Credential& credential) {
  bool given = !parts.token.empty();
  if (given && !credential.session_token().equals(parts.token))
    return unrecognized("The security token included in the request is invalid");
  for (const Header& header : request.headers) {
    if (header.value.empty() || !is_same_name(header.name, "x-amz-security-token")) continue;
    if (!credential.session_token().equals(header.value))
      return unrecognized("The security token included in the request is invalid");
    given = true;
  }
  if (!given && !credential.session_token().empty())
    return unrecognized("The security token included in the request is invalid.");
  return std::nullopt;
}

}  // namespace

Verdict verify_signature(const Request& request, const CredentialSet& credentials,
                         const SignatureRules& rules, int64_t now_us) {
  auto parsed = parse_authorization(request);
  if (Denial* denial = std::get_if<Denial>(&parsed)) return std::move(*denial);
  const Authorization& parts = *std::get_if<Authorization>(&parsed);
  const SignedHeaders headers(parts.signed_headers);
  if (auto denial = check_date(parts.date, parts.valid_seconds, now_us)) return *std::move(denial);
  if (auto denial = check_signed_headers(request, headers)) return *std::move(denial);
  if (parts.algorithm != kSignatureAlgorithm)
    return incomplete_signature("Unsupported AWS 'algorithm': " + quoted(parts.algorithm) + " (only " +
                                std::string(kSignatureAlgorithm) + " for now). ");
  const std::optional<CredentialScope> scope = parse_scope(parts.credential);
  if (!scope)
    return incomplete_signature(
        "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got " +
        quoted(parts.credential));
  if (auto denial = check_scope(*scope, parts.date, rules)) return *std::move(denial);
  const Credential* credential = credentials.find(scope->access_key_id);
  if (credential == nullptr) return unrecognized("The security token included in the request is invalid.");
  if (auto denial = check_signature(request, parts, headers, *scope, *credential)) return *std::move(denial);
  // Last: only who has the secret may learn anything about the token.
  if (auto denial = check_token(request, parts, *credential)) return *std::move(denial);
  return Caller{
      .access_key_id = credential->access_key_id(), .name = credential->name(), .role = credential->role()};
}

Verdict accept_any_credentials(const Request& request) {
  auto parsed = parse_authorization(request);
  if (Denial* denial = std::get_if<Denial>(&parsed)) return std::move(*denial);
  return Caller{.access_key_id = claimed_access_key_id(request)};
}

Denial not_authorized(const Caller& caller, std::string_view operation, std::string_view resource) {
  const std::string action = "dynamodb:" + std::string(operation);
  return Denial{.type = "AccessDeniedException",
                .message = "User: arn:aws:iam::000000000000:user/" + std::string(caller.name) +
                           " is not authorized to perform: " + action +
                           " on resource: " + std::string(resource) +
                           " because no identity-based policy allows the " + action + " action"};
}

}  // namespace sheaf::http
