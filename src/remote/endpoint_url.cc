#include "remote/endpoint_url.h"

#include <algorithm>
#include <charconv>

namespace sheaf::remote {
namespace {

constexpr uint16_t kHttpPort = 80;
constexpr uint16_t kHttpsPort = 443;
constexpr size_t kHostBytesMax = 253;  // of a name in DNS

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
         c == '_';
}

bool is_address_character(char c) { return is_host_character(c) || c == ':' || c == '%'; }

bool is_path_character(char c) { return c > ' ' && c < 0x7f && c != '?' && c != '#'; }

template <typename Is>
bool consists_of(std::string_view text, Is is) {
  return std::all_of(text.begin(), text.end(), is);
}

// Takes the host off the front.
std::string_view take_host(std::string_view& text) {
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return consists_of(host, is_address_character) ? host : std::string_view();
  }
  const std::string_view host = text.substr(0, text.find(':'));
  text.remove_prefix(host.size());
  return consists_of(host, is_host_character) ? host : std::string_view();
}

bool parse_port(std::string_view text, uint16_t& port) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port != 0;
}

}  // namespace

std::string EndpointUrl::host_header() const {
  std::string text = host.find(':') == std::string::npos ? host : '[' + host + ']';
  if (port != (encrypted ? kHttpsPort : kHttpPort)) text += ':' + std::to_string(port);
  return text;
}

Result<EndpointUrl> parse_endpoint_url(std::string_view text) {
  const auto invalid = [whole = std::string(text)](std::string_view why) {
    return Error{Code::kInvalid, "the endpoint " + whole + ' ' + std::string(why)};
  };
  EndpointUrl url;
  if (text.starts_with("https://")) {
    url.encrypted = true;
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    text.remove_prefix(7);
  } else {
    return invalid("begins neither with http:// nor with https://");
  }
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) url.path = text.substr(slash);
  if (!consists_of(url.path, is_path_character)) return invalid("has more behind its path");
  std::string_view authority = text.substr(0, slash);
  url.host = take_host(authority);
  if (url.host.empty() || url.host.size() > kHostBytesMax) return invalid("has no host");
  url.port = url.encrypted ? kHttpsPort : kHttpPort;
  if (authority.empty()) return url;
  if (authority[0] != ':' || !parse_port(authority.substr(1), url.port))
    return invalid("has a port that is none");
  return url;
}

std::string aws_endpoint(std::string_view region) {
  return "https://dynamodb." + std::string(region) +
         (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
}

}  // namespace sheaf::remote
