#include "http/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

namespace sheaf::http {
namespace {

// Keeps a worker busy until it is opened.
class Gate {
 public:
  Task task() {
    return [this] {
      reached_.set_value();
      opened_.get_future().wait();
    };
  }
  void wait_until_reached() { reached_.get_future().wait(); }
  void open() { opened_.set_value(); }

 private:
  std::promise<void> reached_;
  std::promise<void> opened_;
};

TEST(WorkerPool, RunsWhatIsSubmittedInItsOrder) {
  std::vector<int> order;
  {
    WorkerPool pool({.threads = 1, .queue_max = 1000});
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.try_submit([&order, i] { order.push_back(i); }));
  }
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST(WorkerPool, WorksOnAsManyTasksAsItHasThreads) {
  WorkerPool pool({.threads = 3});
  std::vector<Gate> gates(3);
  for (Gate& gate : gates) pool.submit(gate.task());
  for (Gate& gate : gates) gate.wait_until_reached();
  EXPECT_EQ(pool.figures().running, 3u);
  for (Gate& gate : gates) gate.open();
  pool.stop();
  EXPECT_EQ(pool.figures().running, 0u);
  EXPECT_EQ(pool.figures().finished, 3u);
}

TEST(WorkerPool, RefusesWhatTheQueueHasNoRoomFor) {
  WorkerPool pool({.threads = 1, .queue_max = 2});
  Gate gate;
  pool.submit(gate.task());
  gate.wait_until_reached();
  int ran = 0;
  const auto count = [&ran] { ++ran; };
  EXPECT_TRUE(pool.try_submit(count));
  EXPECT_TRUE(pool.try_submit(count));
  Task third = count;
  EXPECT_FALSE(pool.try_submit(std::move(third)));
  EXPECT_TRUE(static_cast<bool>(third)) << "a refused task stays with the caller";
  pool.submit(count);  // the rest of what was begun is never refused
  EXPECT_EQ(pool.figures().queued, 3u);
  EXPECT_EQ(pool.figures().refused, 1u);
  gate.open();
  pool.stop();
  EXPECT_EQ(ran, 3);
}

TEST(WorkerPool, TakesNothingAfterItWasStopped) {
  WorkerPool pool({.threads = 1});
  pool.stop();
  bool ran = false;
  EXPECT_FALSE(pool.try_submit([&ran] { ran = true; }));
  pool.submit([&ran] { ran = true; });
  pool.stop();
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace sheaf::http
