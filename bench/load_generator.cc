#include "bench/load_generator.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/try.h"
#include "bench/child_process.h"

namespace sheaf::bench {
namespace {

constexpr size_t kBufferBytes = 64 << 10;
constexpr double kWarmUpShare = 0.2;  // of the time that is measured
constexpr int kSilenceMsMax = 30'000;

double own_cpu_us() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

// The state of the clocks at one moment.
struct Moment {
  double seconds = 0;
  double client_cpu_us = 0;
  std::optional<double> server_cpu_us;
  uint64_t answered = 0;
};

class Load {
 public:
  Load(const LoadTarget& target, Source& source, const LoadOptions& options)
      : target_(target), source_(source), options_(options), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}
  ~Load() { ::close(epoll_); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  Result<Sample> run() {
    source_.prepare(options_.connections);
    for (size_t i = 0; i < options_.connections; ++i) TRY(open());
    begin_ = moment();
    if (options_.requests == 0) warm_until_ = begin_.seconds + options_.seconds * kWarmUpShare;
    for (size_t i = 0; i < connections_.size(); ++i) TRY(send_next(i));
    while (in_flight_ > 0) TRY(turn());
    if (!end_) end_ = moment();
    return result();
  }

 private:
  struct Connection {
    ClientSocket socket;
    AnswerFraming framing;
    std::vector<char> received = std::vector<char>(kBufferBytes);
    size_t filled = 0;
  };

  Moment moment() const {
    Moment now{.seconds = now_seconds(), .client_cpu_us = own_cpu_us(), .answered = answered_};
    if (target_.server_cpu_us) now.server_cpu_us = target_.server_cpu_us();
    return now;
  }

  Result<void> open() {
    connections_.push_back(
        {.socket = TRY(ClientSocket::connect(target_.address)), .framing = AnswerFraming(target_.protocol)});
    Connection& connection = connections_.back();
    for (const std::string& words : target_.greeting) {
      TRY(connection.socket.send(words));
      bool whole = false;
      while (!whole) {
        if (!connection.socket.wait(kSilenceMsMax)) return silence();
        whole = TRY(receive(connection));
      }
      if (connection.framing.status() != 200) return Error{Code::kIo, "the greeting was refused"};
      start_answer(connection);
    }
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = connections_.size() - 1;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket.descriptor(), &event) != 0)
      return Error{Code::kIo, std::string("epoll_ctl: ") + std::strerror(errno)};
    return {};
  }

  // Whether the answer is whole now.
  Result<bool> receive(Connection& connection) {
    if (connection.filled == connection.received.size())
      connection.received.resize(connection.received.size() * 2);
    connection.filled += TRY(connection.socket.receive(connection.received.data() + connection.filled,
                                                       connection.received.size() - connection.filled));
    return connection.framing.is_whole({connection.received.data(), connection.filled});
  }

  void start_answer(Connection& connection) {
    connection.filled = 0;
    connection.framing.reset();
  }

  Result<void> send_next(size_t index) {
    if (options_.requests != 0 && sent_ == options_.requests) return {};
    ++sent_;
    ++in_flight_;
    return connections_[index].socket.send(source_.next(index));
  }

  Result<void> turn() {
    std::array<epoll_event, 64> events;
    const int count = ::epoll_wait(epoll_, events.data(), events.size(), kSilenceMsMax);
    if (count == 0 || interrupted()) return silence();
    for (int i = 0; i < count; ++i) TRY(serve(events[static_cast<size_t>(i)].data.u64));
    if (options_.requests != 0) return {};
    const double now = now_seconds();
    if (!measuring_ && now >= warm_until_) {
      measuring_ = true;
      begin_ = moment();
    } else if (measuring_ && !end_ && now >= begin_.seconds + options_.seconds) {
      end_ = moment();  // what is under way is still received, so that the server is idle for the next
    }
    return {};
  }

  Result<void> serve(size_t index) {
    Connection& connection = connections_[index];
    if (!TRY(receive(connection))) return {};
    --in_flight_;
    const std::string_view answer(connection.received.data(), connection.filled);
    if (connection.framing.status() != 200) return wrong("not a success", answer);
    if (++answered_ % options_.checked_each == 0 && !source_.is_right(index, answer))
      return wrong("a wrong answer", answer);
    start_answer(connection);
    if (!end_) return send_next(index);
    return {};
  }

  Error silence() const {
    return interrupted() ? interruption() : Error{Code::kIo, target_.address.text() + " does not answer"};
  }

  Error wrong(const std::string& what, std::string_view answer) const {
    return {Code::kCorrupt,
            target_.address.text() + ": " + what + ": " + std::string(answer.substr(0, 1000))};
  }

  Sample result() const {
    Sample sample{.operations = static_cast<double>(end_->answered - begin_.answered),
                  .seconds = end_->seconds - begin_.seconds,
                  .client_cpu_us = end_->client_cpu_us - begin_.client_cpu_us};
    if (end_->server_cpu_us) sample.cpu_us = *end_->server_cpu_us - *begin_.server_cpu_us;
    return sample;
  }

  const LoadTarget& target_;
  Source& source_;
  const LoadOptions& options_;
  int epoll_;
  std::vector<Connection> connections_;
  uint64_t sent_ = 0, in_flight_ = 0, answered_ = 0;
  double warm_until_ = 0;
  bool measuring_ = false;
  Moment begin_;
  std::optional<Moment> end_;
};

}  // namespace

Result<Sample> run_load(const LoadTarget& target, Source& source, const LoadOptions& options) {
  return Load(target, source, options).run();
}

}  // namespace sheaf::bench
