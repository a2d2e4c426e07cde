// A language server for models: one message in, any number out. No I/O; session.h feeds it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lsp/message.h"
#include "lsp/open_document.h"

namespace sheaf::lsp {

struct ServerOptions {
  // Where the pages of doc/errors are, for links from mistakes to them: file:///usr/share/doc/sheaf/errors/.
  // Nothing: no links.
  std::string pages_url;
};

class Server {
 public:
  explicit Server(ServerOptions options = {}) : options_(std::move(options)) {}

  // Framed answers, in order. Whatever the message is, a request has exactly one.
  std::string handle(const Message& message);
  // What is wrong in the documents that were changed since: when the client is quiet for a moment.
  std::string publish();
  bool has_unpublished() const;

  // `exit` came.
  bool is_done() const { return is_done_; }
  // As the protocol has it: 0 if `shutdown` came before `exit`, else 1.
  int exit_status() const { return is_shut_down_ ? 0 : 1; }

 private:
  std::string notice(const Message& message);
  std::string request(const Message& message, const std::string& id);
  std::string initialize(const std::string& id);
  // Of a document that is open, by its method.
  std::string query(const Message& message, const std::string& id, OpenDocument& open);
  std::string rename(const Message& message, const std::string& id, OpenDocument& open, uint32_t offset);
  OpenDocument* find(const Message& message);
  std::string publish(OpenDocument& open);

  ServerOptions options_;
  std::map<std::string, OpenDocument> documents_;
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  bool is_done_ = false;
};

}  // namespace sheaf::lsp
