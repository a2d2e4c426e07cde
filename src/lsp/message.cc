#include "lsp/message.h"

#include <algorithm>
#include <charconv>

#include "base/try.h"

namespace sheaf::lsp {

using language::Json;

namespace {

// A header has a few dozen bytes.
constexpr size_t kHeaderBytesMax = 8192;

bool equals_ignoring_case(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

Result<size_t> content_length(std::string_view header) {
  while (!header.empty()) {
    const std::string_view line = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(line.size() + 2, header.size()));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !equals_ignoring_case(line.substr(0, colon), "Content-Length"))
      continue;
    std::string_view digits = line.substr(colon + 1);
    while (digits.starts_with(' ')) digits.remove_prefix(1);
    size_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (error != std::errc() || end != digits.data() + digits.size() || length > kMessageBytesMax)
      return Error{Code::kMalformed, "no length that a message can have: " + std::string(line)};
    return length;
  }
  return Error{Code::kMalformed, "a header without Content-Length"};
}

}  // namespace

Result<std::optional<std::string>> MessageStream::next() {
  const size_t end = buffer_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (buffer_.size() > kHeaderBytesMax) return Error{Code::kMalformed, "a header without an end"};
    return std::optional<std::string>();
  }
  const size_t length = TRY(content_length(std::string_view(buffer_).substr(0, end)));
  const size_t begin = end + 4;
  if (buffer_.size() - begin < length) return std::optional<std::string>();
  std::optional<std::string> body = buffer_.substr(begin, length);
  buffer_.erase(0, begin + length);
  return body;
}

std::string framed(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

Result<Message> read_message(std::string_view body) {
  Json json = TRY(language::read_json(body));
  if (json.kind != Json::Kind::kObject) return Error{Code::kInvalid, "a message is an object"};
  Message message;
  const Json& id = member(json, "id");
  if (id.kind == Json::Kind::kNumber) message.id = id.text;
  if (id.kind == Json::Kind::kString) {
    language::JsonWriter writer;
    writer.text(id.text);
    message.id = writer.take();
    message.id->pop_back();  // the end of the line
  }
  message.method = text_member(json, "method");
  for (size_t i = 0; i < json.names.size(); ++i) {
    if (json.names[i] == "params") message.params = std::move(json.items[i]);
  }
  return message;
}

const Json& member(const Json& object, std::string_view name) {
  static const Json kNull;
  if (object.kind != Json::Kind::kObject) return kNull;
  for (size_t i = 0; i < object.names.size(); ++i) {
    if (object.names[i] == name) return object.items[i];
  }
  return kNull;
}

const std::string& text_member(const Json& object, std::string_view name) {
  static const std::string kEmpty;
  const Json& found = member(object, name);
  return found.kind == Json::Kind::kString ? found.text : kEmpty;
}

bool flag_member(const Json& object, std::string_view name) {
  return member(object, name).kind == Json::Kind::kTrue;
}

uint32_t number_member(const Json& object, std::string_view name) {
  constexpr uint32_t kMax = 0x7FFFFFFF;
  const Json& found = member(object, name);
  if (found.kind != Json::Kind::kNumber || found.text.starts_with('-')) return 0;
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(found.text.data(), found.text.data() + found.text.size(), value);
  return error == std::errc() ? std::min(value, kMax) : kMax;
}

std::string error_answer(std::string_view id, ErrorCode code, std::string_view message) {
  language::JsonWriter writer;
  writer.object([&] {
    writer.member("jsonrpc");
    writer.text("2.0");
    writer.member("id");
    writer.word(id);
    writer.member("error");
    writer.object([&] {
      writer.member("code");
      writer.word(std::to_string(static_cast<int>(code)));
      writer.member("message");
      writer.text(message);
    });
  });
  return framed(writer.take());
}

}  // namespace sheaf::lsp
