#include "http/event_loop.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::http {
namespace {

std::unique_ptr<EventLoop> make_loop(WorkerPool* workers = nullptr) {
  auto loop = EventLoop::create(workers);
  EXPECT_TRUE(loop.ok());
  return std::move(*loop);
}

class SocketPair final : public Watcher {
 public:
  SocketPair() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    here = Descriptor(ends[0]);
    there = Descriptor(ends[1]);
  }
  void on_events(uint32_t events) override {
    if ((events & EPOLLIN) && on_input) on_input();
  }
  void send(std::string_view text) {
    EXPECT_EQ(::write(there.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  Descriptor here;
  Descriptor there;
  std::function<void()> on_input;
};

TEST(EventLoop, RunsWhatOtherThreadsPostInTheirOrder) {
  const auto loop = make_loop();
  std::thread thread([&] { loop->run(); });
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) loop->post([&order, i] { order.push_back(i); });
  loop->stop();
  thread.join();
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(order[i], i);
}

TEST(EventLoop, WakesForEveryPostHoweverItSleeps) {
  const auto loop = make_loop();
  std::thread thread([&] { loop->run(); });
  // Each waits for the one before: most find the loop asleep, or about to be.
  for (int i = 0; i < 3000; ++i) {
    std::promise<void> ran;
    loop->post([&ran] { ran.set_value(); });
    ran.get_future().wait();
  }
  loop->stop();
  thread.join();
}

TEST(EventLoop, LosesNoPostOfManyThreads) {
  const auto loop = make_loop();
  std::thread thread([&] { loop->run(); });
  int ran = 0;
  std::vector<std::thread> posters;
  for (int i = 0; i < 4; ++i)
    posters.emplace_back([&] {
      for (int j = 0; j < 5000; ++j) loop->post([&ran] { ++ran; });
    });
  for (std::thread& poster : posters) poster.join();
  loop->stop();
  thread.join();
  EXPECT_EQ(ran, 20'000);
}

TEST(EventLoop, RunsItsOwnPostsAfterAllSocketsThatAreReady) {
  const auto loop = make_loop();
  SocketPair first;
  SocketPair second;
  std::string order;
  const auto serve = [&](char name) {
    order += name;
    loop->post([&order] { order += 't'; });
  };
  first.on_input = [&] { serve('s'); };
  second.on_input = [&] { serve('s'); };
  first.send("x");
  second.send("x");
  ASSERT_TRUE(loop->watch(first.here.get(), first).ok());
  ASSERT_TRUE(loop->watch(second.here.get(), second).ok());
  std::thread thread([&] { loop->run(); });
  while (true) {
    std::promise<std::string> seen;
    loop->post([&] { seen.set_value(order); });
    if (seen.get_future().get().size() == 4) break;
  }
  loop->stop();
  thread.join();
  EXPECT_EQ(order, "sstt");
}

TEST(EventLoop, PostsFromATaskRunInTheNextIteration) {
  const auto loop = make_loop();
  uint64_t first = 0;
  uint64_t second = 0;
  loop->post([&] {
    loop->post([&] {  // its own now
      first = loop->iterations();
      loop->post([&] {
        second = loop->iterations();
        loop->stop();
      });
    });
  });
  loop->run();
  EXPECT_GT(second, first);
}

TEST(EventLoop, DoesNotRunWhatIsPostedAfterItsEnd) {
  bool ran = false;
  const auto held = std::make_shared<int>(1);
  {
    const auto loop = make_loop();
    loop->stop();
    loop->run();
    loop->post([&ran, held] { ran = true; });
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_FALSE(ran);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(EventLoop, KnowsItsThread) {
  const auto loop = make_loop();
  EXPECT_FALSE(loop->is_current());
  bool inside = false;
  loop->post([&] { inside = loop->is_current(); });
  loop->stop();
  loop->run();
  EXPECT_TRUE(inside);
  EXPECT_FALSE(loop->is_current());
  EXPECT_FALSE(loop->may_block());
}

TEST(EventLoop, TellsOfInputOnce) {
  const auto loop = make_loop();
  SocketPair pair;
  int told = 0;
  pair.on_input = [&] { ++told; };
  ASSERT_TRUE(loop->watch(pair.here.get(), pair).ok());
  pair.send("not read by anybody");
  // Enough iterations for a level-triggered loop to tell again.
  std::function<void(int)> spin = [&](int left) {
    loop->post([&, left] { left == 0 ? loop->stop() : spin(left - 1); });
  };
  spin(20);
  loop->run();
  EXPECT_EQ(told, 1);
}

TEST(EventLoop, StopsTellingWhenItNoLongerWatches) {
  const auto loop = make_loop();
  SocketPair pair;
  int told = 0;
  pair.on_input = [&] { ++told; };
  ASSERT_TRUE(loop->watch(pair.here.get(), pair).ok());
  loop->unwatch(pair.here.get());
  pair.send("x");
  loop->stop();
  loop->run();
  EXPECT_EQ(told, 0);
}

TEST(EventLoop, RefusesToWatchWhatIsNoSocket) {
  const auto loop = make_loop();
  SocketPair pair;
  EXPECT_FALSE(loop->watch(-1, pair).ok());
}

struct LoopAlarm final : Timed {
  explicit LoopAlarm(EventLoop& its_loop) : loop(its_loop) {}
  void on_deadline() override {
    rang_ms = loop.now_ms();
    loop.stop();
  }
  EventLoop& loop;
  int64_t rang_ms = 0;
};

TEST(EventLoop, WakesForADeadline) {
  const auto loop = make_loop();
  LoopAlarm alarm(*loop);
  const int64_t due_ms = loop->now_ms() + 50;
  loop->deadlines().set(alarm, due_ms);
  loop->run();
  EXPECT_GE(alarm.rang_ms, due_ms);
}

TEST(EventLoop, GivesBlockingWorkToItsWorkers) {
  WorkerPool workers({.threads = 1});
  const auto loop = make_loop(&workers);
  std::thread::id worker;
  loop->post([&] {
    loop->run_blocking([&] {
      worker = std::this_thread::get_id();
      loop->stop();
    });
  });
  loop->run();
  EXPECT_NE(worker, std::thread::id());
  EXPECT_NE(worker, std::this_thread::get_id());
}

}  // namespace
}  // namespace sheaf::http
