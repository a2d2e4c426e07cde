#include "http/server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <system_error>

#include "base/try.h"
#include "http/descriptor.h"

namespace sheaf::http {
namespace {

constexpr int kBacklog = 4096;
constexpr int kPortsTried = 10;

struct Address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;
  std::string host;
  std::string text;  // for messages

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  uint16_t port() const {
    return ntohs(storage.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(storage).sin_port
                                              : reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
  }
};

Result<Address> resolve(const std::string& name, uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(name.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0)
    return Error{Code::kInvalid, "cannot resolve the address " + name + ": " + ::gai_strerror(failure)};
  Address address;
  std::copy_n(reinterpret_cast<const char*>(found->ai_addr), found->ai_addrlen,
              reinterpret_cast<char*>(&address.storage));
  address.bytes = found->ai_addrlen;
  address.host = name;
  address.text = name + " port " + std::to_string(port);
  ::freeaddrinfo(found);
  return address;
}

Error listen_error(const Address& address) {
  return Error{Code::kIo, "cannot listen on " + address.text + ": " + std::system_category().message(errno)};
}

// A socket bound to `address`, in which the port that was chosen is filled in.
Result<Descriptor> bind_socket(Address& address, bool shares_port) {
  Descriptor descriptor(
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  if (!descriptor.is_open()) return listen_error(address);
  const auto set = [&descriptor](int level, int option, int value) {
    return ::setsockopt(descriptor.get(), level, option, &value, sizeof value) == 0;
  };
  if (!set(SOL_SOCKET, SO_REUSEADDR, 1)) return listen_error(address);
  if (shares_port && !set(SOL_SOCKET, SO_REUSEPORT, 1)) return listen_error(address);
  if (!set(IPPROTO_TCP, TCP_NODELAY, 1)) return listen_error(address);  // accepted sockets inherit it
  if (::bind(descriptor.get(), address.get(), address.bytes) != 0) return listen_error(address);
  if (::getsockname(descriptor.get(), address.get(), &address.bytes) != 0) return listen_error(address);
  return descriptor;
}

// Takes the port for one server alone, until what is returned is closed. Another server on it must be
// noticed, not joined: also one that starts at the same moment, and has looked but does not share it among
// its loops yet. So it is looked at without sharing, and a name of its own is held.
Result<Descriptor> take_port(Address& address) {
  const Descriptor alone = TRY(bind_socket(address, false));
  Descriptor held(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!held.is_open()) return listen_error(address);
  const std::string text = "sheaf listens on " + address.host + " port " + std::to_string(address.port());
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  // Behind a zero it is no file, and gone with the process.
  const size_t bytes = std::min(text.size(), sizeof name.sun_path - 1);
  std::copy_n(text.data(), bytes, name.sun_path + 1);
  const auto whole = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bytes);
  if (::bind(held.get(), reinterpret_cast<const sockaddr*>(&name), whole) != 0) return listen_error(address);
  return held;
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Handler& handler) {
  std::unique_ptr<Server> server(new Server(options, handler));
  if (options.tls) server->tls_ = TRY(TlsContext::load(*options.tls));
  TRY(server->listen());
  for (const auto& acceptor : server->acceptors_) acceptor->start(server->acceptors_);
  for (size_t i = 0; i < server->loops_.size(); ++i) {
    std::thread& thread = server->threads_.emplace_back([loop = server->loops_[i].get()] { loop->run(); });
    ::pthread_setname_np(thread.native_handle(), ("http-" + std::to_string(i)).c_str());
  }
  return server;
}

Result<void> Server::listen() {
  const Address wanted = TRY(resolve(options_.address, options_.port));
  Address address = wanted;
  Result<Descriptor> held = take_port(address);
  // Any port will do: not the one that another server has looked at.
  for (int tried = 1; !held.ok() && options_.port == 0 && tried < kPortsTried; ++tried) {
    address = wanted;
    held = take_port(address);
  }
  held_port_ = TRY(std::move(held));
  const size_t count =
      options_.loops != 0 ? options_.loops : std::max<size_t>(std::thread::hardware_concurrency(), 1);
  for (size_t i = 0; i < count; ++i) {
    Descriptor listener = TRY(bind_socket(address, true));
    if (::listen(listener.get(), kBacklog) != 0) return listen_error(address);
    loops_.push_back(TRY(EventLoop::create(options_.workers)));
    const Acceptor::Parts parts{.loop = *loops_.back(),
                                .handler = handler_,
                                .limits = options_.limits,
                                .budget = options_.budget,
                                .tls = tls_.get(),
                                .clock = options_.clock != nullptr ? *options_.clock : system_clock_};
    acceptors_.push_back(std::make_unique<Acceptor>(parts, std::move(listener), options_.connections_max));
  }
  port_ = address.port();
  return {};
}

Server::~Server() { shutdown(0); }

bool Server::shutdown(int64_t grace_ms) {
  if (std::exchange(is_shut_down_, true)) return true;
  struct Progress {
    std::mutex mutex;
    std::condition_variable changed;
    size_t emptied = 0;
  };
  // Shared with the tasks, which may be run or dropped after this has returned.
  const auto progress = std::make_shared<Progress>();
  for (const auto& acceptor : acceptors_) {
    acceptor->loop.post([progress, raw = acceptor.get()] {
      raw->drain([progress] {
        const std::lock_guard lock(progress->mutex);
        ++progress->emptied;
        progress->changed.notify_one();
      });
    });
  }
  bool is_finished = threads_.empty();
  if (!is_finished) {
    std::unique_lock lock(progress->mutex);
    is_finished = progress->changed.wait_for(lock, std::chrono::milliseconds(grace_ms),
                                             [&] { return progress->emptied == acceptors_.size(); });
  }
  for (const auto& acceptor : acceptors_) {
    acceptor->loop.post([raw = acceptor.get()] { raw->close_all(); });
    acceptor->loop.stop();
  }
  for (std::thread& thread : threads_) thread.join();
  held_port_.close();
  return is_finished;
}

ServerFigures Server::figures() const {
  ServerFigures sum;
  for (const auto& acceptor : acceptors_) {
    const LoopCounters& counters = acceptor->counters;
    sum.connections_open += acceptor->load();
    sum.connections_accepted += counters.accepted.value();
    sum.connections_refused += counters.refused_connections.value();
    sum.requests += counters.requests.value();
    sum.requests_refused += counters.refused_requests.value();
    sum.cut_off += counters.cut_off.value();
    sum.throttled += counters.throttled.value();
    sum.waited_for_memory += counters.waited_for_memory.value();
    sum.bytes_received += counters.bytes_received.value();
    sum.bytes_sent += counters.bytes_sent.value();
  }
  for (const auto& loop : loops_) sum.loop_iterations += loop->iterations();
  return sum;
}

uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace sheaf::http
