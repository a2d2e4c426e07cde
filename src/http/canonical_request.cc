#include "http/canonical_request.h"

#include <algorithm>
#include <utility>

#include "http/header_list.h"
#include "http/header_name.h"

namespace sheaf::http {
namespace {

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

void append_encoded(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += "0123456789ABCDEF"[byte >> 4];
    out += "0123456789ABCDEF"[byte & 15];
  }
}

std::string canonical_text(std::string_view text) {
  std::string out;
  append_encoded(out, decode_query(text));
  return out;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Blanks at the ends are dropped, those in between become one.
void append_canonical_value(std::string& out, std::string_view value) {
  value = trim_blanks(value);
  if (value.find('\t') == std::string_view::npos && value.find("  ") == std::string_view::npos) {
    out += value;
    return;
  }
  for (size_t i = 0; i < value.size(); ++i) {
    if (!is_blank(value[i])) {
      out += value[i];
    } else if (!is_blank(value[i - 1])) {
      out += ' ';
    }
  }
}

void append_canonical_header(std::string& out, const Request& request, std::string_view name) {
  out += name;
  out += ':';
  bool first = true;
  for (const Header& header : request.headers) {
    if (!is_same_name(header.name, name)) continue;
    if (!first) out += ',';
    first = false;
    append_canonical_value(out, header.value);
  }
  out += '\n';
}

}  // namespace

SignedHeaders::SignedHeaders(std::string_view list) : list_(list) {
  std::transform(list_.begin(), list_.end(), list_.begin(), lower_case);
  names_.reserve(16);
  std::string_view rest = list_;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(';'));
    if (!name.empty()) names_.push_back(name);
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  // As SDKs send them, they already are.
  const auto is_unordered = [](std::string_view a, std::string_view b) { return a >= b; };
  if (std::adjacent_find(names_.begin(), names_.end(), is_unordered) == names_.end()) return;
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

bool SignedHeaders::contains(std::string_view name) const {
  return std::binary_search(names_.begin(), names_.end(), name);
}

void append_canonical_path(std::string& out, std::string_view path) {
  std::vector<std::string_view> segments;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string_view segment = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(segment.size() + 1, rest.size()));
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  }
  for (const std::string_view segment : segments) {
    out += '/';
    append_encoded(out, segment);
  }
  if (segments.empty() || path.ends_with('/')) out += '/';
}

std::string decode_query(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) << 4 | hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

void append_canonical_query(std::string& out, std::string_view query, std::string_view left_out) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    if (parameter.empty()) continue;
    const size_t equals = parameter.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : parameter.substr(equals + 1);
    std::string name = canonical_text(parameter.substr(0, equals));
    if (!left_out.empty() && name == left_out) continue;
    parameters.emplace_back(std::move(name), canonical_text(value));
  }
  std::sort(parameters.begin(), parameters.end());
  bool first = true;
  for (const auto& [name, value] : parameters) {
    if (!first) out += '&';
    first = false;
    out += name;
    out += '=';
    out += value;
  }
}

std::string canonical_request(const Request& request, const SignedHeaders& headers,
                              std::string_view payload_hash, SignaturePlace place) {
  std::string text;
  text.reserve(1024);
  text += request.method;
  text += '\n';
  const size_t question = request.target.find('?');
  const std::string_view path = request.target.substr(0, question);
  if (path == "/") {
    text += '/';
  } else {
    append_canonical_path(text, path);
  }
  text += '\n';
  if (question != std::string_view::npos) {
    append_canonical_query(text, request.target.substr(question + 1),
                           place == SignaturePlace::kQuery ? "X-Amz-Signature" : "");
  }
  text += '\n';
  for (const std::string_view name : headers.names()) append_canonical_header(text, request, name);
  text += '\n';
  for (const std::string_view name : headers.names()) {
    text += name;
    text += ';';
  }
  if (text.back() == ';') text.pop_back();
  text += '\n';
  text += payload_hash;
  return text;
}

std::string string_to_sign(std::string_view date, std::string_view scope, const Digest& canonical_hash) {
  std::string text;
  text.reserve(kSignatureAlgorithm.size() + date.size() + scope.size() + sizeof(HexDigest) + 3);
  text += kSignatureAlgorithm;
  text += '\n';
  text += date;
  text += '\n';
  text += scope;
  text += '\n';
  text += hex_text(hex_of(canonical_hash));
  return text;
}

}  // namespace sheaf::http
