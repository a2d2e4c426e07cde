#include "base/loop.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>

#include "base/clock.h"

namespace sheaf {
namespace {

TEST(BlockingLoop, RunsWhatOtherThreadsPostOnTheThreadThatWaits) {
  BlockingLoop loop;
  EXPECT_TRUE(loop.may_block());
  std::vector<int> order;
  std::thread poster([&] {
    for (int i = 0; i < 100; ++i) loop.post([&, i] { order.push_back(i); });
  });
  loop.run_until([&] { return order.size() == 100; });
  poster.join();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(BlockingLoop, DoesNotWaitForWhatHasHappened) {
  BlockingLoop loop;
  loop.run_until([] { return true; });
}

TEST(BlockingLoop, TasksMayPostTasks) {
  BlockingLoop loop;
  int left = 10;
  std::function<void()> next = [&] {
    if (--left > 0) loop.post(next);
  };
  loop.post(next);
  loop.run_until([&] { return left == 0; });
}

TEST(BlockingLoop, MayGoAsSoonAsItsAnswerIsThere) {
  for (int round = 0; round < 500; ++round) {
    auto loop = std::make_unique<BlockingLoop>();
    bool answered = false;
    std::thread poster([&answered, &loop = *loop] { loop.post([&answered] { answered = true; }); });
    loop->run_until([&] { return answered; });
    loop.reset();
    poster.join();
  }
}

TEST(Clock, AManualClockStandsStillUntilItIsMoved) {
  ManualClock clock(1000);
  EXPECT_EQ(clock.now_us(), 1000);
  EXPECT_EQ(clock.now_us(), 1000);
  clock.advance_us(5);
  EXPECT_EQ(clock.now_us(), 1005);
  clock.advance_us(-2000);
  EXPECT_EQ(clock.now_us(), -995);
}

TEST(Clock, TheSystemClockShowsMicrosecondsSince1970) {
  const SystemClock clock;
  EXPECT_GT(clock.now_us(), int64_t{1'600'000'000} * 1'000'000);
  EXPECT_LT(clock.now_us(), int64_t{10'000'000'000} * 1'000'000);
}

}  // namespace
}  // namespace sheaf
