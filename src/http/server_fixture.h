// A server and a client of it in one process, over a real socket.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "http/server.h"

namespace sheaf::http {

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(const Request&, Loop&, Respond)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}

  void handle(const Request& request, Loop& loop, Respond respond) override {
    function_(request, loop, std::move(respond));
  }
  void handle_overloaded(const Request& request, Loop&, Respond respond) override {
    respond({.status = 400, .body = "throttled " + std::string(request.target)});
  }

 private:
  const Function function_;
};

// Answers with what it was sent.
inline FunctionHandler echo_handler() {
  return FunctionHandler([](const Request& request, Loop&, Respond respond) {
    respond({.content_type = "text/plain", .body = std::string(request.body)});
  });
}

inline std::unique_ptr<Server> start_server(Handler& handler, ServerOptions options = {}) {
  if (options.loops == 0) options.loops = 2;
  Result<std::unique_ptr<Server>> server = Server::start(options, handler);
  EXPECT_TRUE(server.ok()) << (server.ok() ? "" : server.error().message);
  return server.ok() ? std::move(*server) : nullptr;
}

// For what happens sooner or later. The time is only there so that a broken test ends.
template <typename Condition>
bool eventually(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

struct Answer {
  int status = 0;  // 0: the connection ended instead
  std::string head;
  std::string body;

  bool has_header(std::string_view line) const {
    return head.find("\r\n" + std::string(line) + "\r\n") != std::string::npos;
  }
};

// Where bytes come from and go to: a socket, or TLS over one.
class ClientStream {
 public:
  virtual ~ClientStream() = default;
  // Less than 1 at the end or if it failed.
  virtual ssize_t read(char* to, size_t bytes) = 0;
  virtual bool write(std::string_view bytes) = 0;
};

class SocketStream final : public ClientStream {
 public:
  explicit SocketStream(uint16_t port, int receive_buffer_bytes = 0)
      : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(descriptor_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(descriptor_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (receive_buffer_bytes > 0)
      ::setsockopt(descriptor_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(int));
    const int one = 1;
    ::setsockopt(descriptor_.get(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ =
        ::connect(descriptor_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  bool is_connected() const { return is_connected_; }
  int descriptor() const { return descriptor_.get(); }

  ssize_t read(char* to, size_t bytes) override { return ::recv(descriptor_.get(), to, bytes, 0); }
  bool write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::send(descriptor_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return true;
  }

  void end_writing() { ::shutdown(descriptor_.get(), SHUT_WR); }
  void close() { descriptor_.close(); }
  // With a reset, as when a machine goes down.
  void vanish() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(descriptor_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    descriptor_.close();
  }

 private:
  Descriptor descriptor_;
  bool is_connected_ = false;
};

// Speaks HTTP over a stream.
class Client {
 public:
  explicit Client(ClientStream& stream) : stream_(stream) {}

  bool send(std::string_view bytes) { return stream_.write(bytes); }

  Answer read_answer() {
    Answer answer;
    size_t head_end;
    while ((head_end = pending_.find("\r\n\r\n")) == std::string::npos)
      if (!read_more()) return {};
    answer.head = pending_.substr(0, head_end + 2);
    pending_.erase(0, head_end + 4);
    answer.status = std::stoi(answer.head.substr(9, 3));
    size_t body_bytes = 0;
    if (const size_t found = answer.head.find("Content-Length: "); found != std::string::npos && !is_head_)
      body_bytes = std::stoul(answer.head.substr(found + 16));
    while (pending_.size() < body_bytes)
      if (!read_more()) return {};
    answer.body = pending_.substr(0, body_bytes);
    pending_.erase(0, body_bytes);
    return answer;
  }

  Answer ask(std::string_view bytes) { return send(bytes) ? read_answer() : Answer{}; }
  Answer post(std::string_view body, std::string_view headers = "") { return ask(post_text(body, headers)); }

  static std::string post_text(std::string_view body, std::string_view headers = "") {
    return "POST / HTTP/1.1\r\nHost: test\r\n" + std::string(headers) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  }

  // Answers to HEAD have a length and no body.
  void expect_heads_only(bool is_head) { is_head_ = is_head; }

  // Whether the other side has ended the connection, when all that was sent before is read.
  bool is_ended() { return pending_.empty() && !read_more(); }

 private:
  bool read_more() {
    const size_t size = pending_.size();
    pending_.resize(size + (64 << 10));
    const ssize_t got = stream_.read(pending_.data() + size, 64 << 10);
    pending_.resize(size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    return got > 0;
  }

  ClientStream& stream_;
  std::string pending_;
  bool is_head_ = false;
};

// A client over a socket of its own.
struct SocketClient {
  explicit SocketClient(const Server& server, int receive_buffer_bytes = 0)
      : socket(server.port(), receive_buffer_bytes) {
    EXPECT_TRUE(socket.is_connected());
  }
  Client* operator->() { return &client; }

  SocketStream socket;
  Client client{socket};
};

}  // namespace sheaf::http
