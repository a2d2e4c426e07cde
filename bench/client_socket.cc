#include "bench/client_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/try.h"
#include "bench/answer_framing.h"
#include "bench/child_process.h"

namespace sheaf::bench {
namespace {

constexpr int kAnswerMs = 60'000;  // a peer may take its time for a table

Error system_error(const std::string& what) { return {Code::kIo, what + ": " + std::strerror(errno)}; }

Result<int> connect_unix(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path)) return Error{Code::kInvalid, path + ": too long for a socket"};
  std::memcpy(name.sun_path, path.data(), path.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return system_error("socket");
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0) return descriptor;
  ::close(descriptor);
  return system_error(path);
}

Result<int> connect_tcp(const Address& address) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted, &found) != 0)
    return Error{Code::kNotFound, address.text() + ": no such host"};
  int descriptor = -1;
  for (const addrinfo* each = found; each != nullptr && descriptor < 0; each = each->ai_next) {
    descriptor = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || ::connect(descriptor, each->ai_addr, each->ai_addrlen) == 0) continue;
    ::close(descriptor);
    descriptor = -1;
  }
  ::freeaddrinfo(found);
  if (descriptor < 0) return system_error(address.text());
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return descriptor;
}

}  // namespace

Result<uint16_t> free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(name);
  const bool ok = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&name), size) == 0 &&
                  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size) == 0;
  ::close(descriptor);
  if (!ok) return system_error("no free port");
  return ntohs(name.sin_port);
}

Result<ClientSocket> ClientSocket::connect(const Address& address) {
  const int descriptor =
      TRY(address.unix_path.empty() ? connect_tcp(address) : connect_unix(address.unix_path));
  const timeval patience{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  return ClientSocket(descriptor);
}

ClientSocket::~ClientSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> ClientSocket::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
    } else if (errno != EINTR) {
      return system_error("send");
    } else if (interrupted()) {
      return interruption();
    }
  }
  return {};
}

Result<size_t> ClientSocket::receive(char* bytes, size_t size) const {
  const ssize_t received = ::recv(descriptor_, bytes, size, MSG_DONTWAIT);
  if (received > 0) return static_cast<size_t>(received);
  if (received == 0) return Error{Code::kIo, "the server closed the connection"};
  if (errno == EAGAIN || errno == EINTR) return size_t{0};
  return system_error("receive");
}

bool ClientSocket::wait(int timeout_ms) const {
  pollfd what{.fd = descriptor_, .events = POLLIN, .revents = 0};
  return ::poll(&what, 1, timeout_ms) > 0;
}

Result<HttpAnswer> request_once(const Address& address, std::string_view request) {
  const ClientSocket socket = TRY(ClientSocket::connect(address));
  TRY(socket.send(request));
  std::string received;
  AnswerFraming framing(Protocol::kHttp);
  char piece[16384];
  while (true) {
    if (!socket.wait(kAnswerMs)) return interrupted() ? interruption() : Error{Code::kIo, "no answer"};
    received.append(piece, TRY(socket.receive(piece, sizeof(piece))));
    if (framing.is_whole(received)) break;
  }
  return HttpAnswer{
      .status = framing.status(), .body = received.substr(framing.body_offset()), .bytes = received.size()};
}

}  // namespace sheaf::bench
