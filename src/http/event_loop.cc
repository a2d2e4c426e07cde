#include "http/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sheaf::http {
namespace {

constexpr int kEventsMax = 256;
thread_local const EventLoop* current_loop = nullptr;

// Not Clock: deadlines must not move when somebody sets the time. Coarse is a few nanoseconds to read.
int64_t steady_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

Error system_error(const char* what) {
  return Error{Code::kIo, std::string(what) + ": " + std::system_category().message(errno)};
}

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::create(WorkerPool* workers) {
  Descriptor epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.is_open()) return system_error("cannot create an epoll descriptor");
  Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.is_open()) return system_error("cannot create an event descriptor");
  std::unique_ptr<EventLoop> loop(new EventLoop(std::move(epoll), std::move(wake), workers));
  // Edge-triggered: every write to it wakes the loop, and nobody needs to read it back.
  const Result<void> added = loop->add(loop->wake_.get(), EPOLLIN | EPOLLET, nullptr);
  if (!added.ok()) return added.error();
  return loop;
}

EventLoop::EventLoop(Descriptor epoll, Descriptor wake, WorkerPool* workers)
    : epoll_(std::move(epoll)),
      wake_(std::move(wake)),
      workers_(workers),
      now_ms_(steady_ms()),
      deadlines_(now_ms_) {}

bool EventLoop::is_current() const { return current_loop == this; }

void EventLoop::post(Task task) {
  if (is_current()) {
    own_.push_back(std::move(task));
    return;
  }
  // All under the lock: as soon as the task was run, somebody may destroy the loop.
  std::lock_guard lock(mutex_);
  foreign_.push_back(std::move(task));
  has_foreign_.store(true);
  // Either this sees that the loop sleeps, or the loop sees the task before it goes to sleep: each flag is
  // written before the other is read, in one order that all threads agree on.
  if (asleep_.load() && asleep_.exchange(false)) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
  }
}

void EventLoop::run_blocking(Task task) {
  if (workers_ == nullptr) return task();
  workers_->submit(std::move(task));
}

void EventLoop::run() {
  assert(current_loop == nullptr);
  current_loop = this;
  while (!stopping_) iterate();
  run_tasks();
  current_loop = nullptr;
}

void EventLoop::stop() {
  post([this] { stopping_ = true; });
}

Result<void> EventLoop::watch(int descriptor, Watcher& watcher) {
  return add(descriptor, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, &watcher);
}

Result<void> EventLoop::watch_accepting(int descriptor, Watcher& watcher) {
  return add(descriptor, EPOLLIN, &watcher);
}

Result<void> EventLoop::add(int descriptor, uint32_t events, Watcher* watcher) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = watcher;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    return system_error("cannot watch a descriptor");
  return {};
}

void EventLoop::unwatch(int descriptor) { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr); }

// How long the loop may wait for sockets. If it may wait at all, it counts as asleep.
int EventLoop::sleep_ms() {
  if (!own_.empty() || stopping_) return 0;
  asleep_.store(true);
  if (has_foreign_.load()) return 0;
  const int64_t next_ms = deadlines_.next_ms();
  if (next_ms == Deadlines::kNever) return -1;
  return static_cast<int>(std::max<int64_t>(next_ms - now_ms_, 0)) + 1;
}

void EventLoop::iterate() {
  std::array<epoll_event, kEventsMax> events;
  const int count = ::epoll_wait(epoll_.get(), events.data(), kEventsMax, sleep_ms());
  asleep_.store(false, std::memory_order_relaxed);
  now_ms_ = steady_ms();
  iterations_.store(iterations_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  for (int i = 0; i < count; ++i) {
    if (events[i].data.ptr == nullptr) continue;  // woken for what was posted
    static_cast<Watcher*>(events[i].data.ptr)->on_events(events[i].events);
  }
  deadlines_.run(now_ms_);
  run_tasks();
}

void EventLoop::run_tasks() {
  // Those of others first: what they post here can still run in this iteration.
  if (has_foreign_.load(std::memory_order_relaxed)) {
    {
      std::lock_guard lock(mutex_);
      has_foreign_.store(false, std::memory_order_relaxed);
      running_.swap(foreign_);
    }
    for (Task& task : running_) task();
    running_.clear();
  }
  if (own_.empty()) return;
  running_.swap(own_);
  for (Task& task : running_) task();
  running_.clear();
}

}  // namespace sheaf::http
