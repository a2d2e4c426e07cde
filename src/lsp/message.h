// Messages of the Language Server Protocol: JSON-RPC, each behind a header with its length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "language/json_tree.h"
#include "language/json_writer.h"

namespace sheaf::lsp {

// A longer one is refused, and ends the conversation: what follows it cannot be found.
inline constexpr size_t kMessageBytesMax = 64u << 20;

// Finds the messages in a stream of bytes.
class MessageStream {
 public:
  void add(std::string_view bytes) { buffer_ += bytes; }
  // The body of the next one, if it is there. An error if what comes is no header.
  Result<std::optional<std::string>> next();

 private:
  std::string buffer_;
};

// With its header.
std::string framed(std::string_view body);

// Error codes that clients act on.
enum class ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kNotInitialized = -32002,
  kRequestCancelled = -32800,
  kRequestFailed = -32803,
};

struct Message {
  // As it is written in JSON; a notification has none.
  std::optional<std::string> id;
  std::string method;  // empty: an answer to something that nobody asked
  language::Json params;
};

// kInvalid for what is no message.
Result<Message> read_message(std::string_view body);

// --- Params. What is not there, or of another type, is null, empty or 0.

const language::Json& member(const language::Json& object, std::string_view name);
const std::string& text_member(const language::Json& object, std::string_view name);
bool flag_member(const language::Json& object, std::string_view name);
// A whole number from 0 to 2^31 - 1; others are the nearest of these.
uint32_t number_member(const language::Json& object, std::string_view name);

// --- Answers

// `fill(writer)` writes the result.
template <typename Fill>
std::string answer(std::string_view id, Fill fill) {
  language::JsonWriter writer;
  writer.object([&] {
    writer.member("jsonrpc");
    writer.text("2.0");
    writer.member("id");
    writer.word(id);
    writer.member("result");
    fill(writer);
  });
  return framed(writer.take());
}

template <typename Fill>
std::string notification(std::string_view method, Fill fill) {
  language::JsonWriter writer;
  writer.object([&] {
    writer.member("jsonrpc");
    writer.text("2.0");
    writer.member("method");
    writer.text(method);
    writer.member("params");
    fill(writer);
  });
  return framed(writer.take());
}

std::string error_answer(std::string_view id, ErrorCode code, std::string_view message);

}  // namespace sheaf::lsp
