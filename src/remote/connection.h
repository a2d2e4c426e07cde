// One connection to an endpoint, encrypted or not, on which every wait has an end.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "http/socket.h"
#include "http/tls.h"
#include "remote/endpoint_url.h"

namespace sheaf::remote {

using Deadline = std::chrono::steady_clock::time_point;

class Connection {
 public:
  // Resolves, connects, and shakes hands if `tls` is given, which must outlive it. kUnavailable, with the
  // reason, if nobody is there or hands were not shaken in time; kInvalid if the server is not who it should
  // be.
  static Result<std::unique_ptr<Connection>> open(const EndpointUrl& url, const http::TlsContext* tls,
                                                  Deadline deadline);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  enum class Outcome : uint8_t { kDone, kEnded, kFailed, kTooLate };

  // Everything, or kFailed or kTooLate: then the other side has not got all of it.
  Outcome send(std::string_view bytes, Deadline deadline);
  // Some bytes, at least one.
  Outcome receive(char* to, size_t bytes_max, size_t& bytes, Deadline deadline);
  // Whether it is still open and silent, as far as can be seen without asking.
  bool is_quiet() const;

 private:
  explicit Connection(http::Descriptor descriptor) : socket_(std::move(descriptor)) {}
  Result<void> shake_hands(const http::TlsContext& tls, const std::string& host, Deadline deadline);

  http::Socket socket_;
  std::optional<http::TlsSession> session_;  // of socket_
};

}  // namespace sheaf::remote
