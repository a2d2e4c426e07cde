#include "remote/connection.h"

#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/try.h"

namespace sheaf::remote {
namespace {

using http::Descriptor;
using http::Io;
using http::IoState;
using Outcome = Connection::Outcome;

struct FreeAddresses {
  void operator()(addrinfo* addresses) const { ::freeaddrinfo(addresses); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Error unavailable(const EndpointUrl& url, const std::string& why) {
  return {Code::kUnavailable, "cannot connect to " + url.host_header() + ": " + why};
}

Result<Addresses> resolve(const EndpointUrl& url) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int result = ::getaddrinfo(url.host.c_str(), std::to_string(url.port).c_str(), &hints, &found);
  if (result != 0) return unavailable(url, ::gai_strerror(result));
  return Addresses(found);
}

int milliseconds_until(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, INT_MAX));
}

// False if that did not happen in time.
bool wait_for(int descriptor, short events, Deadline deadline) {
  pollfd watched{.fd = descriptor, .events = events, .revents = 0};
  for (;;) {
    const int count = ::poll(&watched, 1, milliseconds_until(deadline));
    if (count > 0) return true;
    if (count == 0 || errno != EINTR) return false;
  }
}

Result<Descriptor> connect_to(const EndpointUrl& url, const addrinfo& address, Deadline deadline) {
  Descriptor descriptor(
      ::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol));
  if (!descriptor.is_open()) return unavailable(url, std::strerror(errno));
  const int one = 1;
  ::setsockopt(descriptor.get(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (::connect(descriptor.get(), address.ai_addr, address.ai_addrlen) == 0) return descriptor;
  if (errno != EINPROGRESS) return unavailable(url, std::strerror(errno));
  if (!wait_for(descriptor.get(), POLLOUT, deadline)) return unavailable(url, "no answer in time");
  int error = 0;
  socklen_t bytes = sizeof error;
  ::getsockopt(descriptor.get(), SOL_SOCKET, SO_ERROR, &error, &bytes);
  if (error != 0) return unavailable(url, std::strerror(error));
  return descriptor;
}

// Of a name's addresses, the first on which somebody listens.
Result<Descriptor> connect_to(const EndpointUrl& url, Deadline deadline) {
  const Addresses addresses = TRY(resolve(url));
  Result<Descriptor> connected = unavailable(url, "it has no address");
  for (const addrinfo* each = addresses.get(); each != nullptr && !connected.ok(); each = each->ai_next)
    connected = connect_to(url, *each, deadline);
  return connected;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const EndpointUrl& url, const http::TlsContext* tls,
                                                     Deadline deadline) {
  Descriptor descriptor = TRY(connect_to(url, deadline));
  std::unique_ptr<Connection> connection(new Connection(std::move(descriptor)));
  if (tls == nullptr) return connection;
  const Result<void> shaken = connection->shake_hands(*tls, url.host, deadline);
  if (shaken.ok()) return connection;
  if (shaken.error().code == Code::kUnavailable) return unavailable(url, shaken.error().message);
  return shaken.error();
}

Connection::~Connection() {
  if (session_) session_->end_writing();
}

Result<void> Connection::shake_hands(const http::TlsContext& tls, const std::string& host,
                                     Deadline deadline) {
  session_.emplace(tls, socket_, host);
  for (;;) {
    const Io io = session_->shake_hands();
    if (io.state == IoState::kDone) return {};
    if (io.state != IoState::kBlocked) {
      const std::string distrust = session_->distrust();
      if (distrust.empty()) return Error{Code::kUnavailable, "the TLS handshake failed"};
      return Error{Code::kInvalid, "the certificate of " + host + " is not trusted: " + distrust};
    }
    if (!wait_for(socket_.descriptor(), POLLIN, deadline))
      return Error{Code::kUnavailable, "the TLS handshake was not finished in time"};
    socket_.note_events(EPOLLIN);
  }
}

Outcome Connection::send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const Io io = session_ ? session_->write(bytes) : socket_.write(bytes);
    if (io.state == IoState::kDone) {
      bytes.remove_prefix(io.bytes);
      continue;
    }
    if (io.state != IoState::kBlocked) return Outcome::kFailed;
    if (!wait_for(socket_.descriptor(), POLLOUT, deadline)) return Outcome::kTooLate;
  }
  return Outcome::kDone;
}

Outcome Connection::receive(char* to, size_t bytes_max, size_t& bytes, Deadline deadline) {
  for (;;) {
    const Io io = session_ ? session_->read(to, bytes_max) : socket_.read(to, bytes_max);
    bytes = io.bytes;
    switch (io.state) {
      case IoState::kDone:
        return Outcome::kDone;
      case IoState::kEnded:
        return Outcome::kEnded;
      case IoState::kFailed:
        return Outcome::kFailed;
      case IoState::kBlocked:
        break;
    }
    if (!wait_for(socket_.descriptor(), POLLIN, deadline)) return Outcome::kTooLate;
    socket_.note_events(EPOLLIN);
  }
}

bool Connection::is_quiet() const {
  char byte;
  const ssize_t got = ::recv(socket_.descriptor(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace sheaf::remote
