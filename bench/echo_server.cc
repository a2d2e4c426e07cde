#include "bench/echo_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace sheaf::bench {
namespace {

constexpr size_t kBufferBytes = 128 << 10;

struct Connection {
  int descriptor;
  std::vector<char> received = std::vector<char>(kBufferBytes);
  size_t filled = 0;
};

void require(bool fine, const char* what) {
  if (fine) return;
  std::perror(what);
  std::_Exit(1);
}

int listen_on(uint16_t port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  name.sin_port = htons(port);
  require(::bind(listener, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0, "bind");
  require(::listen(listener, 1024) == 0, "listen");
  return listener;
}

class EchoLoop {
 public:
  explicit EchoLoop(int listener) : listener_(listener), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    watch(listener_, nullptr);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, 64> events;
    while (true) {
      const int count = ::epoll_wait(epoll_, events.data(), events.size(), -1);
      for (int i = 0; i < count; ++i) {
        auto* const connection = static_cast<Connection*>(events[static_cast<size_t>(i)].data.ptr);
        if (connection == nullptr) {
          accept_all();
        } else if (!serve(*connection)) {
          ::close(connection->descriptor);
          delete connection;
        }
      }
    }
  }

 private:
  void watch(int descriptor, Connection* connection) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = connection;
    require(::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl");
  }

  void accept_all() {
    const int on = 1;
    for (int descriptor = 0;
         (descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
      ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      watch(descriptor, new Connection{.descriptor = descriptor});  // goes when the client does
    }
  }

  // False when the client is gone.
  bool serve(Connection& connection) {
    std::vector<char>& received = connection.received;
    if (connection.filled == received.size()) received.resize(received.size() * 2);
    const ssize_t count = ::recv(connection.descriptor, received.data() + connection.filled,
                                 received.size() - connection.filled, 0);
    if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EINTR);
    connection.filled += static_cast<size_t>(count);
    const size_t answer_bytes = whole_request({received.data(), connection.filled});
    if (answer_bytes == 0) return true;
    connection.filled = 0;
    return send(connection.descriptor, answer_of(answer_bytes));
  }

  // The size of the answer that it asks for; 0 if it is not whole.
  static size_t whole_request(std::string_view received) {
    constexpr std::string_view kHeadEnd = "\r\n\r\n", kLength = "\r\nContent-Length: ";
    const auto find = [received](std::string_view text) {
      const void* const at = ::memmem(received.data(), received.size(), text.data(), text.size());
      return at == nullptr ? std::string_view::npos
                           : static_cast<size_t>(static_cast<const char*>(at) - received.data());
    };
    const size_t head_end = find(kHeadEnd), length = find(kLength);
    if (head_end == std::string_view::npos || length == std::string_view::npos) return 0;
    const size_t body_bytes = number_at(received, length + kLength.size());
    if (received.size() < head_end + kHeadEnd.size() + body_bytes) return 0;
    return number_at(received, received.find('/') + 1);
  }

  static size_t number_at(std::string_view text, size_t place) {
    size_t number = 0;
    for (; text[place] >= '0' && text[place] <= '9'; ++place)
      number = number * 10 + static_cast<size_t>(text[place] - '0');
    return number;
  }

  const std::string& answer_of(size_t bytes) {
    std::string& answer = answers_[bytes];
    if (answer.empty()) {
      const auto head = [](size_t body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: " +
               std::to_string(body) + "\r\n\r\n";
      };
      const size_t head_bytes = head(bytes).size();
      const size_t body_bytes = std::max(bytes, head_bytes) - head_bytes;
      answer = head(body_bytes) + std::string(body_bytes, 'x');
    }
    return answer;
  }

  static bool send(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<size_t>(sent));
      } else if (errno == EAGAIN) {
        pollfd what{.fd = descriptor, .events = POLLOUT, .revents = 0};
        ::poll(&what, 1, -1);
      } else {
        return false;
      }
    }
    return true;
  }

  int listener_;
  int epoll_;
  std::unordered_map<size_t, std::string> answers_;
};

}  // namespace

void serve_echo(uint16_t port) {
  const unsigned loops = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < loops; ++i)
    threads.emplace_back([listener = listen_on(port)] { EchoLoop(listener).run(); });
  for (std::thread& thread : threads) thread.join();
  std::_Exit(0);
}

}  // namespace sheaf::bench
