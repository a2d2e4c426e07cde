// A few threads for work that may wait for the disk, so that no event loop has to.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/loop.h"

namespace sheaf::http {

struct WorkerPoolOptions {
  size_t threads = 4;
  size_t queue_max = 1024;
};

struct WorkerPoolFigures {
  size_t queued = 0;
  size_t running = 0;
  uint64_t finished = 0;
  uint64_t refused = 0;
};

// Thread-safe. Tasks start in the order in which they came.
class WorkerPool {
 public:
  explicit WorkerPool(const WorkerPoolOptions& options);
  // As stop.
  ~WorkerPool();

  // False, and `task` stays as it is, if queue_max tasks are waiting already or the pool was stopped.
  [[nodiscard]] bool try_submit(Task&& task);
  // For the rest of work that was begun, which is bounded by who began it: queued in any case, and run unless
  // the pool was stopped.
  void submit(Task task);
  // Runs what was submitted before, then ends the threads. Not from a task.
  void stop();

  WorkerPoolFigures figures() const;

 private:
  void work();

  const size_t queue_max_;
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Task> queue_;
  bool stopped_ = false;
  size_t running_ = 0;
  uint64_t finished_ = 0;
  uint64_t refused_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace sheaf::http
