#include "http/query_signature.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "http/canonical_request.h"

namespace sheaf::http {
namespace {

Denial denied(std::string_view type, std::string message) {
  return Denial{.type = type, .message = std::move(message)};
}

// In the order in which AWS tells which are missing.
constexpr std::array<std::string_view, 5> kRequired = {
    "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"};

std::optional<int64_t> seconds_of(const std::string& text) {
  int64_t seconds = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  if (!is_number || seconds < 1 || seconds > kPresignedSecondsMax) return std::nullopt;
  return seconds;
}

}  // namespace

std::optional<std::string> query_parameter(std::string_view target, std::string_view name) {
  const size_t question = target.find('?');
  std::string_view query =
      question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    const size_t equals = parameter.find('=');
    if (decode_query(parameter.substr(0, equals)) != name) continue;
    return equals == std::string_view::npos ? std::string() : decode_query(parameter.substr(equals + 1));
  }
  return std::nullopt;
}

std::optional<std::variant<Authorization, Denial>> parse_query_signature(std::string_view target) {
  if (target.find('?') == std::string_view::npos || !query_parameter(target, kRequired[0]))
    return std::nullopt;
  std::array<std::string, kRequired.size()> values;
  std::string missing;
  for (size_t i = 0; i < kRequired.size(); ++i) {
    values[i] = query_parameter(target, kRequired[i]).value_or("");
    if (values[i].empty())
      missing += "AWS query-string parameters must include '" + std::string(kRequired[i]) + "'. ";
  }
  if (!missing.empty())
    return denied("IncompleteSignatureException", missing + "Re-examine the query-string parameters.");
  Authorization parts;
  parts.is_in_query = true;
  if (const std::optional<std::string> expires = query_parameter(target, "X-Amz-Expires")) {
    parts.valid_seconds = seconds_of(*expires);
    if (!parts.valid_seconds) {
      return denied("IncompleteSignatureException",
                    "X-Amz-Expires must be a number of seconds between 1 and " +
                        std::to_string(kPresignedSecondsMax) + ", not '" + *expires + "'.");
    }
  }
  const std::string token = query_parameter(target, "X-Amz-Security-Token").value_or("");
  // One text for all, so that the views stay where they are when it is moved.
  auto text = std::make_unique<std::string>();
  std::array<std::pair<size_t, size_t>, kRequired.size() + 1> places;
  for (size_t i = 0; i < places.size(); ++i) {
    const std::string& value = i < values.size() ? values[i] : token;
    places[i] = {text->size(), value.size()};
    *text += value;
  }
  const auto view = [&](size_t i) {
    return std::string_view(*text).substr(places[i].first, places[i].second);
  };
  parts.algorithm = view(0);
  parts.credential = view(1);
  parts.signature = view(2);
  parts.signed_headers = view(3);
  parts.date = view(4);
  parts.token = view(5);
  parts.text = std::move(text);
  return parts;
}

}  // namespace sheaf::http
