// Where completions run. A caller hands its loop along with what it starts; the answer comes back on it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/function.h"

namespace sheaf {

using Task = UniqueFunction<void()>;

class Loop {
 public:
  virtual ~Loop() = default;
  // Runs `task` on this loop, later. Thread-safe.
  virtual void post(Task task) = 0;
  // Whether work may be done on the calling thread that waits for the disk.
  virtual bool may_block() const = 0;
  // Whether what is submitted may be written at once on the calling thread: not while more is about to come,
  // which is to be written with it.
  virtual bool may_lead() const { return may_block(); }
  virtual void expect_more(bool) {}
  // Runs `task` where it may wait for the disk: here, if this loop may; otherwise on another thread.
  virtual void run_blocking(Task task) { task(); }
};

// The loop of a thread that has nothing to do but wait for its answer.
class BlockingLoop final : public Loop {
 public:
  void post(Task task) override {
    // Notified under the lock: the waiter may destroy the loop as soon as it has run the task.
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
    arrived_.notify_one();
  }

  bool may_block() const override { return true; }
  bool may_lead() const override { return !expects_more_; }
  void expect_more(bool more) override { expects_more_ = more; }

  // Runs what is posted until `finished()` holds.
  template <typename Finished>
  void run_until(Finished finished) {
    while (!finished()) {
      std::vector<Task> tasks;
      {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !posted_.empty(); });
        tasks.swap(posted_);
      }
      for (Task& task : tasks) task();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Task> posted_;
  bool expects_more_ = false;  // of the thread that waits
};

// Starts something that answers on a loop, and waits for the answer.
template <typename Answer, typename Start>
Answer await(Start start) {
  BlockingLoop loop;
  std::optional<Answer> answer;
  start(loop, [&answer](Answer given) { answer = std::move(given); });
  loop.run_until([&answer] { return answer.has_value(); });
  return std::move(*answer);
}

}  // namespace sheaf
