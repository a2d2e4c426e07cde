// One thread that waits for sockets and runs what became possible.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sheaf/result.h"

#include "base/loop.h"
#include "http/deadlines.h"
#include "http/descriptor.h"
#include "http/worker_pool.h"

namespace sheaf::http {

// Told when its descriptor is ready.
class Watcher {
 public:
  // `events` as of epoll. May also be called once for what was ready just before unwatch: let tasks that are
  // posted after unwatch destroy the watcher.
  virtual void on_events(uint32_t events) = 0;

 protected:
  ~Watcher() = default;
};

// All but post, run_blocking, stop and iterations belong to the thread that calls run, or to whoever has the
// loop to itself before. Must outlive whatever may still post to it; what is posted after run has returned
// is destroyed with the loop, without being run.
class EventLoop final : public Loop {
 public:
  // Work that may block goes to `workers`, which must outlive the loop; without them it is done here.
  static Result<std::unique_ptr<EventLoop>> create(WorkerPool* workers = nullptr);

  // From the loop's own thread: `task` runs at the end of the present iteration, after all sockets that were
  // ready, or of the next one if tasks are being run already; in the order of posting, without a system call.
  // From others: wakes the loop if it sleeps.
  void post(Task task) override;
  bool may_block() const override { return false; }
  void run_blocking(Task task) override;

  // Until stop; what was posted before stop is run.
  void run();
  void stop();  // thread-safe

  // Edge-triggered, for reading and writing: the watcher is told once, and reads and writes until it cannot.
  Result<void> watch(int descriptor, Watcher& watcher);
  // Level-triggered, for reading: for listening sockets.
  Result<void> watch_accepting(int descriptor, Watcher& watcher);
  void unwatch(int descriptor);

  // Milliseconds of a clock that never jumps, as of this iteration.
  int64_t now_ms() const { return now_ms_; }
  Deadlines& deadlines() { return deadlines_; }
  bool is_current() const;

  uint64_t iterations() const { return iterations_.load(std::memory_order_relaxed); }

 private:
  EventLoop(Descriptor epoll, Descriptor wake, WorkerPool* workers);
  Result<void> add(int descriptor, uint32_t events, Watcher* watcher);
  void iterate();
  int sleep_ms();
  void run_tasks();

  const Descriptor epoll_;
  const Descriptor wake_;
  WorkerPool* const workers_;
  int64_t now_ms_;
  Deadlines deadlines_;
  bool stopping_ = false;
  std::atomic<uint64_t> iterations_{0};
  std::vector<Task> own_;      // posted from this thread
  std::vector<Task> running_;  // their buffers, swapped around

  std::mutex mutex_;
  std::vector<Task> foreign_;  // posted from others; guarded by mutex_
  std::atomic<bool> has_foreign_{false};
  std::atomic<bool> asleep_{false};
};

}  // namespace sheaf::http
