// The client's end of a connection, and single exchanges that nobody measures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sheaf/result.h"

namespace sheaf::bench {

// Where a server listens.
struct Address {
  std::string host = "127.0.0.1";
  uint16_t port = 0;
  std::string unix_path;  // instead of host and port

  std::string text() const { return unix_path.empty() ? host + ":" + std::to_string(port) : unix_path; }
};

// Nobody listens there yet. Another process may take it before the caller's does, which is rare enough.
Result<uint16_t> free_port();

// Sends wait, for a while; receives do not.
class ClientSocket {
 public:
  static Result<ClientSocket> connect(const Address& address);
  ClientSocket(ClientSocket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ClientSocket& operator=(ClientSocket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~ClientSocket();

  int descriptor() const { return descriptor_; }
  Result<void> send(std::string_view bytes) const;
  // Into `bytes`; how many there were: none if nothing has come yet. That the server closed the connection is
  // an error.
  Result<size_t> receive(char* bytes, size_t size) const;
  // Until there is something to receive; false if there is nothing for so long.
  bool wait(int timeout_ms) const;

 private:
  explicit ClientSocket(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

struct HttpAnswer {
  int status = 0;
  std::string body;
  size_t bytes = 0;  // with its head
};

// One HTTP request on a connection of its own.
Result<HttpAnswer> request_once(const Address& address, std::string_view request);

}  // namespace sheaf::bench
