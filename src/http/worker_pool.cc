#include "http/worker_pool.h"

#include <utility>

namespace sheaf::http {

WorkerPool::WorkerPool(const WorkerPoolOptions& options) : queue_max_(options.queue_max) {
  threads_.reserve(options.threads);
  for (size_t i = 0; i < options.threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::try_submit(Task&& task) {
  {
    std::lock_guard lock(mutex_);
    if (stopped_ || queue_.size() >= queue_max_) {
      ++refused_;
      return false;
    }
    queue_.push_back(std::move(task));
  }
  arrived_.notify_one();
  return true;
}

void WorkerPool::submit(Task task) {
  {
    std::lock_guard lock(mutex_);
    if (stopped_) return;
    queue_.push_back(std::move(task));
  }
  arrived_.notify_one();
}

void WorkerPool::stop() {
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  arrived_.notify_all();
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

WorkerPoolFigures WorkerPool::figures() const {
  std::lock_guard lock(mutex_);
  return {.queued = queue_.size(), .running = running_, .finished = finished_, .refused = refused_};
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    arrived_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Task task = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    task();
    task = Task();  // what it holds may take locks of its own when it goes
    lock.lock();
    --running_;
    ++finished_;
  }
}

}  // namespace sheaf::http
