// Threads that ask a database for something, and somebody who tells what they wait for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

#include "transfer/patience.h"

namespace sheaf::transfer {

// Whom to tell what, on the thread that called `run`. All may be empty.
struct CrewTellers {
  std::function<void()> look;                              // now and then, about once a second
  std::function<void(std::chrono::milliseconds)> silence;  // no request was answered for so long
  std::function<bool()> is_ended;                          // whether they are to end; asked more often
  std::function<void(size_t)> ending;  // they are, and so many requests are still under way; once
};

class Crew {
 public:
  explicit Crew(CrewTellers tellers) : tellers_(std::move(tellers)) {}

  // Does `work(number)` in so many threads; returns when all have done.
  void run(size_t threads, const std::function<void(size_t)>& work);

  // What one of the threads asks the database, by `ask()`.
  template <typename Ask>
  auto request(Ask ask) {
    // Whoever waits for a pipe to give something has not waited for an answer.
    if (under_way_++ == 0) answered_.note();
    auto answer = ask();
    --under_way_;
    answered_.note();
    return answer;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void look_around();

  const CrewTellers tellers_;
  std::atomic<size_t> under_way_ = 0;  // requests
  LastTime answered_;
  std::mutex mutex_;
  std::condition_variable done_;
  size_t at_work_ = 0;  // threads
  Clock::time_point looked_{};
  Clock::time_point ending_since_{};
  bool is_ending_told_ = false;
};

}  // namespace sheaf::transfer
