#include "http/acceptor.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sheaf::http {
namespace {

constexpr int kAcceptsMax = 64;     // then it is the connections' turn
constexpr int kBacklogMax = 65536;  // that many can wait to be accepted
constexpr int64_t kRetryMs = 100;   // when there was no descriptor left

std::string address_text(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text.data(), text.size());
    return text.data();
  }
  const in6_addr& ip = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&ip)) {
    ::inet_ntop(AF_INET, &ip.s6_addr[12], text.data(), text.size());
  } else {
    ::inet_ntop(AF_INET6, &ip, text.data(), text.size());
  }
  return text.data();
}

}  // namespace

Acceptor::Acceptor(const Parts& parts, Descriptor listener, size_t connections_max)
    : ConnectionHost(parts), listener_(std::move(listener)), connections_max_(connections_max) {}

Acceptor::~Acceptor() {
  close_all();
  stop_listening();
  if (budget != nullptr) budget->forget(loop);
}

void Acceptor::start(const std::vector<std::unique_ptr<Acceptor>>& all) {
  all_ = &all;
  listen();
}

void Acceptor::drain(Task emptied) {
  is_draining = true;
  drain_until_ms = loop.now_ms() + limits.drain_ms;
  accept_ready(kBacklogMax);  // who has connected already is still served
  stop_listening();
  emptied_ = std::move(emptied);
  // Backwards: one that closes leaves its place to the last.
  for (size_t i = connections_.size(); i-- > 0;) connections_[i]->drain();
  tell_if_emptied();
}

void Acceptor::close_all() {
  while (!connections_.empty()) connections_.back()->close();
}

void Acceptor::on_events(uint32_t) { accept_ready(kAcceptsMax); }

void Acceptor::on_deadline() { listen(); }

void Acceptor::listen() {
  if (!loop.watch_accepting(listener_.get(), *this).ok())
    loop.deadlines().set(*this, loop.now_ms() + kRetryMs);
}

void Acceptor::accept_ready(int count_max) {
  if (!listener_.is_open()) return;
  for (int i = 0; i < count_max; ++i) {
    sockaddr_storage address{};
    socklen_t address_bytes = sizeof address;
    Descriptor descriptor(::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&address), &address_bytes,
                                    SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (descriptor.is_open()) {
      place(std::move(descriptor), address_text(address));
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return;
    // No descriptor or no memory: the event would come again and again.
    counters.refused_connections.add();
    loop.unwatch(listener_.get());
    loop.deadlines().set(*this, loop.now_ms() + kRetryMs);
    return;
  }
}

// The kernel spreads connections by chance, and a few of them unevenly.
void Acceptor::place(Descriptor descriptor, std::string peer) {
  size_t total = 0;
  Acceptor* least = this;
  for (const auto& other : *all_) {
    total += other->load();
    // Not when this is about to stop: the other may have stopped already.
    if (!is_draining && other->load() < least->load()) least = other.get();
  }
  if (total >= connections_max_) {
    counters.refused_connections.add();
    return;
  }
  counters.accepted.add();
  least->load_.fetch_add(1, std::memory_order_relaxed);
  if (least == this) return adopt(std::move(descriptor), std::move(peer));
  least->loop.post([least, descriptor = std::move(descriptor), peer = std::move(peer)]() mutable {
    least->adopt(std::move(descriptor), std::move(peer));
  });
}

void Acceptor::adopt(Descriptor descriptor, std::string peer) {
  Connection& connection =
      *connections_.emplace_back(std::make_unique<Connection>(*this, std::move(descriptor), std::move(peer)));
  connection.index = connections_.size() - 1;
  connection.start();
}

void Acceptor::retire(Connection& connection) {
  const size_t index = connection.index;
  std::swap(connections_[index], connections_.back());
  connections_[index]->index = index;
  // Events of this iteration may still come for it; they do before tasks are run.
  loop.post([retired = std::move(connections_.back())] {});
  connections_.pop_back();
  load_.fetch_sub(1, std::memory_order_relaxed);
  tell_if_emptied();
}

void Acceptor::tell_if_emptied() {
  // Those that others have sent on their way to here count, too.
  if (load() == 0 && emptied_) std::exchange(emptied_, Task())();
}

void Acceptor::await_memory(Connection& connection) {
  connection.waiting = waiting_.insert(waiting_.end(), &connection);
  if (std::exchange(is_notified_, true)) return;
  budget->notify(loop, [this] { resume_waiting(); });
}

void Acceptor::forget_memory(Connection& connection) { waiting_.erase(connection.waiting); }

void Acceptor::cut_off_stalled() {
  cut_off_stalled_here();
  for (const auto& other : *all_) {
    if (other.get() != this) other->loop.post([raw = other.get()] { raw->cut_off_stalled_here(); });
  }
}

void Acceptor::cut_off_stalled_here() {
  // Backwards: one that closes leaves its place to the last.
  for (size_t i = connections_.size(); i-- > 0;) {
    if (connections_[i]->is_stalled()) connections_[i]->cut_off();
  }
}

void Acceptor::resume_waiting() {
  is_notified_ = false;
  // One at a time: each may take what there is.
  while (!waiting_.empty() && !budget->is_above_soft_line()) {
    Connection* const first = waiting_.front();
    waiting_.pop_front();
    first->resume();
  }
  if (waiting_.empty() || std::exchange(is_notified_, true)) return;
  budget->notify(loop, [this] { resume_waiting(); });
}

void Acceptor::stop_listening() {
  loop.deadlines().clear(*this);
  listener_.close();
}

}  // namespace sheaf::http
