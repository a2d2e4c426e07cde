#include "http/authorization_header.h"

#include <algorithm>
#include <array>
#include <string>

#include "http/canonical_request.h"
#include "http/header_name.h"
#include "http/query_signature.h"

namespace sheaf::http {
namespace {

bool is_separator(char c) { return c == ',' || c == ' ' || c == '\t'; }

// Removes the next piece from the front; empty at the end.
std::string_view take_token(std::string_view& text) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
  // One after the other, each for a single byte: the fastest way through a signature.
  std::string_view token = text;
  for (const char separator : {',', ' ', '\t'}) token = token.substr(0, token.find(separator));
  text.remove_prefix(token.size());
  return token;
}

// The headers that matter, found in one pass.
struct Found {
  std::optional<std::string_view> authorization;
  std::optional<std::string_view> amz_date;
  std::optional<std::string_view> date;
};

Found find_headers(const Request& request) {
  Found found;
  const auto keep_first = [](std::optional<std::string_view>& kept, const Header& header,
                             std::string_view name) {
    if (!kept && is_same_name(header.name, name)) kept = header.value;
  };
  for (const Header& header : request.headers) {
    keep_first(found.authorization, header, "authorization");
    keep_first(found.amz_date, header, "x-amz-date");
    keep_first(found.date, header, "date");
  }
  return found;
}

bool is_signed_in_query(std::string_view target) {
  return target.find('?') != std::string_view::npos && query_parameter(target, "X-Amz-Algorithm");
}

// Of "...&X-Amz-Credential=AKID%2F20150830%2F..." the first part: key ids need no escapes. Of the parameter
// that the signature is checked with: the first whose name, decoded, is this one.
std::string_view key_id_in_query(std::string_view target) {
  std::string_view query = target.substr(target.find('?') + 1);
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    const size_t equals = parameter.find('=');
    if (decode_query(parameter.substr(0, equals)) != "X-Amz-Credential") continue;
    if (equals == std::string_view::npos) return {};
    const std::string_view value = parameter.substr(equals + 1);
    return value.substr(0, value.find_first_of("%/"));
  }
  return {};
}

Denial incomplete(std::string message) {
  return Denial{.type = "IncompleteSignatureException", .message = std::move(message)};
}

// All that is missing, in AWS's order; empty if nothing is.
std::string missing_parts(const Authorization& parts, bool has_signed_headers) {
  std::string message;
  const auto require = [&](bool there, std::string_view name) {
    if (!there) message += "Authorization header requires '" + std::string(name) + "' parameter. ";
  };
  require(!parts.credential.empty(), "Credential");
  require(!parts.signature.empty(), "Signature");
  require(has_signed_headers, "SignedHeaders");
  if (parts.date.empty())
    message += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  return message;
}

}  // namespace

std::variant<Authorization, Denial> parse_authorization(const Request& request) {
  const Found found = find_headers(request);
  if (found.authorization && is_signed_in_query(request.target))
    return Denial{.type = "InvalidSignatureException",
                  .message =
                      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
                      "header."};
  if (!found.authorization) {
    if (auto signed_in_query = parse_query_signature(request.target)) return std::move(*signed_in_query);
  }
  std::string_view rest = found.authorization.value_or("");
  Authorization parts;
  parts.algorithm = take_token(rest);
  if (!parts.algorithm.starts_with("AWS4-"))
    return Denial{.type = "MissingAuthenticationTokenException",
                  .message = "Request is missing Authentication Token"};

  bool has_signed_headers = false;
  for (std::string_view token = take_token(rest); !token.empty(); token = take_token(rest)) {
    const size_t equals = token.find('=');
    if (equals == std::string_view::npos)
      return incomplete("'" + std::string(token) +
                        "' not a valid key=value pair (missing equal-sign) in Authorization header: '" +
                        std::string(*found.authorization) + "'.");
    const std::string_view name = token.substr(0, equals);
    const std::string_view value = token.substr(equals + 1);
    if (name == "Credential") parts.credential = value;
    if (name == "Signature") parts.signature = value;
    if (name == "SignedHeaders") {
      parts.signed_headers = value;
      has_signed_headers = true;
    }
  }
  parts.date = found.amz_date ? *found.amz_date : found.date.value_or("");

  std::string missing = missing_parts(parts, has_signed_headers);
  if (!missing.empty()) return incomplete(missing + "Authorization=" + std::string(*found.authorization));
  return parts;
}

std::optional<CredentialScope> parse_scope(std::string_view credential) {
  while (credential.ends_with('/')) credential.remove_suffix(1);
  std::array<std::string_view, 5> elements;
  std::string_view rest = credential;
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t slash = rest.find('/');
    if ((slash == std::string_view::npos) != (i + 1 == elements.size())) return std::nullopt;
    elements[i] = rest.substr(0, slash);
    rest.remove_prefix(i + 1 == elements.size() ? rest.size() : slash + 1);
  }
  return CredentialScope{.access_key_id = elements[0],
                         .date = elements[1],
                         .region = elements[2],
                         .service = elements[3],
                         .terminator = elements[4],
                         .text = credential.substr(std::min(elements[0].size() + 1, credential.size()))};
}

std::string_view claimed_access_key_id(const Request& request) {
  const auto parsed = parse_authorization(request);
  const auto* parts = std::get_if<Authorization>(&parsed);
  if (parts != nullptr && parts->is_in_query) return key_id_in_query(request.target);
  return parts == nullptr ? std::string_view() : parts->credential.substr(0, parts->credential.find('/'));
}

}  // namespace sheaf::http
