#include "http/origin_guard.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/try.h"
#include "http/header_name.h"

namespace sheaf::http {
namespace {

// What the AWS SDK for JavaScript sends from a browser, and what it reads.
constexpr std::string_view kAllowedMethods = "POST, GET, OPTIONS";
constexpr std::string_view kAllowedHeaders =
    "amz-sdk-invocation-id, amz-sdk-request, authorization, content-encoding, content-type, "
    "x-amz-content-sha256, x-amz-date, x-amz-security-token, x-amz-target, x-amz-user-agent, x-amzn-trace-id";
constexpr std::string_view kExposedHeaders =
    "date, x-amz-crc32, x-amzn-errormessage, x-amzn-errortype, x-amzn-requestid";
constexpr std::string_view kPreflightSecondsMax = "7200";

template <typename Address>
std::optional<Address> parse_address(int family, std::string_view text) {
  std::array<char, INET6_ADDRSTRLEN> terminated{};
  if (text.size() >= terminated.size()) return std::nullopt;
  std::copy(text.begin(), text.end(), terminated.begin());
  Address address;
  if (::inet_pton(family, terminated.data(), &address) != 1) return std::nullopt;
  return address;
}

bool is_loopback_v4(std::string_view text) {
  const auto address = parse_address<in_addr>(AF_INET, text);
  return address && (ntohl(address->s_addr) >> 24) == 127;
}

bool is_loopback_v6(std::string_view text) {
  const auto address = parse_address<in6_addr>(AF_INET6, text);
  if (!address) return false;
  if (IN6_IS_ADDR_LOOPBACK(&*address)) return true;
  return IN6_IS_ADDR_V4MAPPED(&*address) && address->s6_addr[12] == 127;
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port <= 65535;
}

// Host and port of "localhost:8000", "[::1]:8000"; nothing if it is no such thing. The host keeps its
// brackets.
struct HostAndPort {
  std::string_view host;
  std::string_view port;  // empty if there is none
};

std::optional<HostAndPort> split_host(std::string_view text) {
  const size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == std::string_view::npos) return std::nullopt;
  const size_t colon = text.find(':', bracket);
  HostAndPort parts{.host = text.substr(0, colon), .port = {}};
  if (parts.host.empty() || (text.starts_with('[') && !parts.host.ends_with(']'))) return std::nullopt;
  if (colon != std::string_view::npos) {
    parts.port = text.substr(colon + 1);
    if (!is_port(parts.port)) return std::nullopt;
  }
  return parts;
}

bool is_host_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    c = lower_case(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  });
}

// The form in which browsers send it: in lower case, without the port that its scheme has anyway.
Result<std::string> parse_origin(std::string_view text) {
  const Error none{Code::kInvalid,
                   "'" + std::string(text) +
                       "' is not an origin. An origin is a scheme, a host and perhaps a port, such as "
                       "https://console.example.com or http://localhost:3000"};
  std::string origin(text);
  std::transform(origin.begin(), origin.end(), origin.begin(), lower_case);
  const size_t scheme_end = origin.find("://");
  if (scheme_end == std::string::npos) return none;
  const std::string_view scheme = std::string_view(origin).substr(0, scheme_end);
  if (scheme != "http" && scheme != "https") return none;
  const auto parts = split_host(std::string_view(origin).substr(scheme_end + 3));
  if (!parts) return none;
  const std::string_view host = parts->host;
  const bool is_valid = host.starts_with('[')
                            ? parse_address<in6_addr>(AF_INET6, host.substr(1, host.size() - 2)).has_value()
                            : is_host_name(host);
  if (!is_valid) return none;
  if (parts->port == (scheme == "http" ? "80" : "443")) origin.resize(origin.rfind(':'));
  return origin;
}

// Empty if there is none; nothing if there are several.
std::optional<std::string_view> only_value(const Request& request, std::string_view lower_case_name) {
  std::optional<std::string_view> value;
  for (const Header& header : request.headers) {
    if (!is_same_name(header.name, lower_case_name)) continue;
    if (value) return std::nullopt;
    value = header.value;
  }
  return value.value_or("");
}

// Whether the page came from here: from the very name and port that it now asks for.
bool is_own_origin(std::string_view origin, std::string_view host, bool encrypted) {
  const std::string_view scheme = encrypted ? "https://" : "http://";
  if (!origin.starts_with(scheme)) return false;
  origin.remove_prefix(scheme.size());
  return std::equal(origin.begin(), origin.end(), host.begin(), host.end(),
                    [](char a, char b) { return lower_case(a) == lower_case(b); });
}

Denial refused(std::string message) {
  return Denial{.status = 403, .type = "AccessDeniedException", .message = std::move(message)};
}

std::string cors_headers(std::string_view origin) {
  std::string lines = "Access-Control-Allow-Origin: ";
  lines += origin;
  lines += "\r\nAccess-Control-Expose-Headers: ";
  lines += kExposedHeaders;
  lines += "\r\nVary: Origin\r\n";
  return lines;
}

}  // namespace

bool is_loopback_host(std::string_view host) {
  const auto parts = split_host(host);
  if (!parts) return false;
  std::string_view name = parts->host;
  if (name.starts_with('[')) return is_loopback_v6(name.substr(1, name.size() - 2));
  if (is_loopback_v4(name)) return true;
  if (name.ends_with('.')) name.remove_suffix(1);
  constexpr std::string_view kLocalhost = "localhost";
  if (name.size() < kLocalhost.size() || !is_host_name(name)) return false;
  const size_t rest = name.size() - kLocalhost.size();
  return is_same_name(name.substr(rest), kLocalhost) && (rest == 0 || name[rest - 1] == '.');
}

bool is_loopback_address(std::string_view address) {
  return is_loopback_v4(address) || is_loopback_v6(address);
}

Result<OriginGuard> OriginGuard::create(const OriginRules& rules) {
  std::vector<Allowed> allowed;
  for (const std::string& text : rules.allowed_origins) {
    std::string origin = TRY(parse_origin(text));
    std::string headers = cors_headers(origin);
    allowed.push_back({std::move(origin), std::move(headers)});
  }
  return OriginGuard(rules.development, std::move(allowed));
}

const OriginGuard::Allowed* OriginGuard::find(std::string_view origin) const {
  for (const Allowed& allowed : allowed_)
    if (allowed.origin == origin) return &allowed;
  return nullptr;
}

std::optional<Denial> OriginGuard::check(const Request& request) const {
  // With credentials, a page that cannot sign gets nowhere, and one that can may.
  if (!development_) return std::nullopt;
  const auto host = only_value(request, "host");
  if (!host || !is_loopback_host(*host))
    return refused(
        "This server asks for no credentials and therefore answers only requests to localhost. Use an "
        "address "
        "such as http://localhost:8000, or start it with credentials.");
  const auto origin = only_value(request, "origin");
  if (origin && (origin->empty() || is_own_origin(*origin, *host, request.encrypted) || find(*origin)))
    return std::nullopt;
  return refused(
      "This server asks for no credentials and therefore answers no web pages but those of allowed origins. "
      "Add "
      "the page's origin to them, or start the server with credentials.");
}

std::optional<Response> OriginGuard::answer_preflight(const Request& request) const {
  if (request.method != "OPTIONS") return std::nullopt;
  const auto origin = only_value(request, "origin");
  const auto method = only_value(request, "access-control-request-method");
  if (!origin || origin->empty() || !method || method->empty()) return std::nullopt;
  Response response;
  const Allowed* const allowed = find(*origin);
  if (allowed == nullptr) {
    response.status = 403;
    return response;
  }
  response.headers = allowed->headers;
  response.headers += "Access-Control-Allow-Methods: ";
  response.headers += kAllowedMethods;
  response.headers += "\r\nAccess-Control-Allow-Headers: ";
  response.headers += kAllowedHeaders;
  response.headers += "\r\nAccess-Control-Max-Age: ";
  response.headers += kPreflightSecondsMax;
  response.headers += "\r\n";
  // Asked by browsers when a page from the internet turns to a machine that is not on it.
  if (only_value(request, "access-control-request-private-network") == "true")
    response.headers += "Access-Control-Allow-Private-Network: true\r\n";
  return response;
}

std::string_view OriginGuard::headers_for(const Request& request) const {
  if (allowed_.empty()) return {};
  const auto origin = only_value(request, "origin");
  const Allowed* const allowed = origin ? find(*origin) : nullptr;
  return allowed == nullptr ? std::string_view() : std::string_view(allowed->headers);
}

}  // namespace sheaf::http
