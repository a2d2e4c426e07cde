// A conversation with a client: bytes in, bytes out. What waits can be cancelled.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "lsp/message.h"
#include "lsp/server.h"

namespace sheaf::lsp {

class Session {
 public:
  explicit Session(ServerOptions options = {}) : server_(std::move(options)) {}

  // Takes what came, and does nothing with it yet but for finding messages, and what they cancel.
  void receive(std::string_view bytes);
  bool has_work() const { return !waiting_.empty(); }
  size_t waiting_count() const { return waiting_.size(); }
  // Handles one message that waits. What is to be sent, if anything.
  std::string step();
  // What is to be sent when nothing came for a moment.
  std::string idle() { return server_.publish(); }
  bool wants_idle() const { return server_.has_unpublished(); }

  // Nothing more is to be done: `exit` came, or what comes is no protocol.
  bool is_done() const { return server_.is_done() || (is_broken_ && waiting_.empty()); }
  int exit_status() const { return is_broken_ ? 1 : server_.exit_status(); }

 private:
  struct Waiting {
    Message message;
    bool is_cancelled = false;
    std::string refusal;  // what to answer in its place, if it is no message
  };

  void take(const std::string& body);

  MessageStream stream_;
  Server server_;
  std::deque<Waiting> waiting_;
  bool is_broken_ = false;
};

// Until the client says `exit` or closes `in`; returns the exit status. Diagnostics are published when
// the client is quiet for a moment. The descriptors stay open.
int serve(int in, int out, ServerOptions options);

}  // namespace sheaf::lsp
