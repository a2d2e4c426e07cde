#include "http/socket.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>

namespace sheaf::http {
namespace {

constexpr size_t kDiscardBytes = 64 << 10;

bool is_blocked(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

// Calls again what a signal broke off.
template <typename Call>
ssize_t uninterrupted(Call call) {
  for (;;) {
    const ssize_t result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

void Socket::note_events(uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) is_ending_ = true;
  if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) may_read_ = true;
}

Io Socket::read(char* to, size_t bytes) {
  if (!may_read_) return {IoState::kBlocked};
  const ssize_t got = uninterrupted([&] { return ::recv(descriptor(), to, bytes, 0); });
  if (got > 0) {
    // The end comes behind the last bytes without an event of its own, if it was announced with them.
    if (static_cast<size_t>(got) < bytes && !is_ending_) may_read_ = false;
    return {IoState::kDone, static_cast<size_t>(got)};
  }
  if (got == 0) return {IoState::kEnded};
  if (!is_blocked(errno)) return {IoState::kFailed};
  may_read_ = false;
  return {IoState::kBlocked};
}

Io Socket::write(std::string_view first, std::string_view second) {
  ssize_t written;
  if (second.empty()) {
    written = uninterrupted([&] { return ::send(descriptor(), first.data(), first.size(), MSG_NOSIGNAL); });
  } else {
    iovec pieces[2] = {{const_cast<char*>(first.data()), first.size()},
                       {const_cast<char*>(second.data()), second.size()}};
    msghdr message{};
    message.msg_iov = pieces;
    message.msg_iovlen = 2;
    written = uninterrupted([&] { return ::sendmsg(descriptor(), &message, MSG_NOSIGNAL); });
  }
  if (written >= 0) return {IoState::kDone, static_cast<size_t>(written)};
  return {is_blocked(errno) ? IoState::kBlocked : IoState::kFailed};
}

Io Socket::discard() {
  if (!may_read_) return {IoState::kBlocked};
  // With MSG_TRUNC, TCP throws bytes away without copying them; the buffer is never touched.
  static thread_local std::array<char, kDiscardBytes> nowhere;
  const ssize_t got =
      uninterrupted([&] { return ::recv(descriptor(), nowhere.data(), nowhere.size(), MSG_TRUNC); });
  if (got > 0) return {IoState::kDone, static_cast<size_t>(got)};
  if (got == 0) return {IoState::kEnded};
  if (!is_blocked(errno)) return {IoState::kFailed};
  may_read_ = false;
  return {IoState::kBlocked};
}

void Socket::end_writing() { ::shutdown(descriptor(), SHUT_WR); }

void Socket::abort() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(descriptor(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

}  // namespace sheaf::http
