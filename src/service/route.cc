#include "service/route.h"

#include <simdjson.h>

#include <algorithm>

namespace sheaf::service {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size() || hex_value(text[i + 1]) < 0 || hex_value(text[i + 2]) < 0) return std::nullopt;
    out += static_cast<char>(hex_value(text[i + 1]) << 4 | hex_value(text[i + 2]));
    i += 2;
  }
  if (!simdjson::validate_utf8(out)) return std::nullopt;
  return out;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

}  // namespace

std::string_view Route::methods() const {
  switch (kind) {
    case Kind::kPattern:
      return "GET, HEAD, POST";
    case Kind::kOperation:
      return "POST";
    case Kind::kModels:
    case Kind::kModel:
    case Kind::kOpenApi:
      break;
  }
  return "GET, HEAD";
}

bool Route::takes(std::string_view method) const {
  if (method == "POST") return kind == Kind::kPattern || kind == Kind::kOperation;
  return (method == "GET" || method == "HEAD") && kind != Kind::kOperation;
}

bool is_below_models(std::string_view target) {
  const std::string_view path = path_of(target);
  return path == "/models" || path.starts_with("/models/");
}

std::optional<Route> find_route(std::string_view target) {
  std::string_view path = path_of(target);
  if (!is_below_models(path)) return std::nullopt;
  path.remove_prefix(std::string_view("/models").size());
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    std::optional<std::string> text = decoded(part, false);
    if (!text || text->empty()) return std::nullopt;
    parts.push_back(std::move(*text));
  }
  switch (parts.size()) {
    case 0:
      return Route{};
    case 1:
      return Route{.kind = Route::Kind::kModel, .model = parts[0]};
    case 2:
      if (parts[1] == "openapi.json") return Route{.kind = Route::Kind::kOpenApi, .model = parts[0]};
      return std::nullopt;
    case 3:
      if (parts[1] == "patterns")
        return Route{.kind = Route::Kind::kPattern, .model = parts[0], .name = parts[2]};
      if (parts[1] == "operations")
        return Route{.kind = Route::Kind::kOperation, .model = parts[0], .name = parts[2]};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<Query> query_of(std::string_view target) {
  Query query;
  std::string_view rest = target.substr(path_of(target).size());
  if (!rest.empty()) rest.remove_prefix(1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.empty()) continue;
    const size_t equals = std::min(part.find('='), part.size());
    std::optional<std::string> name = decoded(part.substr(0, equals), true);
    std::optional<std::string> value = decoded(part.substr(std::min(equals + 1, part.size())), true);
    if (!name || !value) return std::nullopt;
    if (name->starts_with("X-Amz-")) continue;
    query.emplace_back(std::move(*name), std::move(*value));
  }
  return query;
}

}  // namespace sheaf::service
