#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "http/server_fixture.h"

namespace sheaf::http {
namespace {

constexpr int64_t kLong = 60'000;

// Keeps the answers to "/hold" back.
class Holding {
 public:
  FunctionHandler handler() {
    return FunctionHandler([this](const Request& request, Loop& loop, Respond respond) {
      if (request.target != "/hold") return respond({.body = std::string(request.body)});
      std::lock_guard lock(mutex_);
      loop_ = &loop;
      held_ = std::move(respond);
    });
  }
  bool has_one() {
    std::lock_guard lock(mutex_);
    return static_cast<bool>(held_);
  }
  void answer() {
    std::lock_guard lock(mutex_);
    loop_->post([respond = std::move(held_)]() mutable { respond({.body = "finished"}); });
  }

 private:
  std::mutex mutex_;
  Loop* loop_ = nullptr;
  Respond held_;
};

constexpr std::string_view kHold = "GET /hold HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(ServerShutdown, ClosesIdleConnectionsAtOnce) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient used(*server);
  EXPECT_EQ(used->post("x").body, "x");
  SocketClient fresh(*server);
  ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 2; }));
  EXPECT_TRUE(server->shutdown(kLong));
  EXPECT_TRUE(used->is_ended());
  EXPECT_TRUE(fresh->is_ended());
  EXPECT_EQ(server->figures().connections_open, 0u);
}

TEST(ServerShutdown, FinishesWhatIsBeingHandled) {
  Holding holding;
  FunctionHandler handler = holding.handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  ASSERT_TRUE(client->send(kHold));
  ASSERT_TRUE(eventually([&] { return holding.has_one(); }));
  std::atomic<bool> is_down = false;
  std::thread stopper([&] {
    EXPECT_TRUE(server->shutdown(kLong));
    is_down = true;
  });
  ASSERT_TRUE(eventually([&] { return !SocketStream(server->port()).is_connected(); })) << "accepts no more";
  EXPECT_FALSE(is_down);
  holding.answer();
  const Answer answer = client->read_answer();
  EXPECT_EQ(answer.body, "finished");
  EXPECT_TRUE(answer.has_header("Connection: close"));
  EXPECT_TRUE(client->is_ended());
  stopper.join();
}

TEST(ServerShutdown, LetsAHalfSentRequestBeFinished) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  ASSERT_TRUE(client->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf"));
  ASSERT_TRUE(eventually([&] { return server->figures().bytes_received > 0; }));
  std::thread stopper([&] { EXPECT_TRUE(server->shutdown(kLong)); });
  ASSERT_TRUE(eventually([&] { return !SocketStream(server->port()).is_connected(); }));
  ASSERT_TRUE(client->send("half"));
  EXPECT_EQ(client->read_answer().body, "halfhalf");
  EXPECT_TRUE(client->is_ended());
  stopper.join();
}

TEST(ServerShutdown, DoesNotWaitLongForAHalfSentRequest) {
  FunctionHandler handler = echo_handler();
  ConnectionLimits limits;
  limits.drain_ms = 20;
  const auto server = start_server(handler, {.limits = limits});
  SocketClient client(*server);
  ASSERT_TRUE(client->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf"));
  ASSERT_TRUE(eventually([&] { return server->figures().bytes_received > 0; }));
  EXPECT_TRUE(server->shutdown(kLong));
  EXPECT_EQ(client->read_answer().status, 408);
  EXPECT_TRUE(client->is_ended());
}

TEST(ServerShutdown, ServesWhatArrivedJustBefore) {
  Holding holding;
  FunctionHandler handler = holding.handler();
  for (int round = 0; round < 20; ++round) {
    const auto server = start_server(handler);
    SocketClient client(*server);
    ASSERT_EQ(client->post("x").body, "x");
    SocketClient fresh(*server);
    // Sent before the shutdown begins, whether or not the loop has seen it by then.
    ASSERT_TRUE(client->send(Client::post_text("just in time")));
    ASSERT_TRUE(fresh->send(Client::post_text("new here")));
    EXPECT_TRUE(server->shutdown(kLong));
    EXPECT_EQ(client->read_answer().body, "just in time");
    EXPECT_EQ(fresh->read_answer().body, "new here");
  }
}

TEST(ServerShutdown, EndsWhatTakesLongerThanItsGrace) {
  Holding holding;
  FunctionHandler handler = holding.handler();
  const auto server = start_server(handler);
  SocketClient held(*server);
  ASSERT_TRUE(held->send(kHold));
  SocketClient half(*server);
  ASSERT_TRUE(half->send("POST / HT"));
  ASSERT_TRUE(
      eventually([&] { return holding.has_one() && server->figures().bytes_received > kHold.size(); }));
  EXPECT_FALSE(server->shutdown(50));
  EXPECT_TRUE(held->is_ended());
  EXPECT_TRUE(half->is_ended());
  holding.answer();  // to a loop that does not run any more
  EXPECT_TRUE(server->shutdown(kLong)) << "nothing is left to do";
}

TEST(ServerShutdown, EndsAClientThatDoesNotRead) {
  FunctionHandler handler(
      [](const Request&, Loop&, Respond respond) { respond({.body = std::string(20 << 20, 'x')}); });
  MemoryBudget budget({});
  auto server = start_server(handler, {.budget = &budget});
  SocketClient client(*server, 4096);
  ASSERT_TRUE(client->send(Client::post_text("x")));
  ASSERT_TRUE(eventually([&] { return budget.used_bytes() > 20 << 20; }));
  EXPECT_FALSE(server->shutdown(50));
  server.reset();
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(ServerShutdown, TheDestructorEndsEverything) {
  Holding holding;
  FunctionHandler handler = holding.handler();
  MemoryBudget budget({});
  {
    const auto server = start_server(handler, {.budget = &budget});
    SocketClient idle(*server);
    SocketClient held(*server);
    ASSERT_TRUE(held->send(kHold));
    ASSERT_TRUE(eventually([&] { return holding.has_one() && server->figures().connections_open == 2; }));
    holding.answer();
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
}

}  // namespace
}  // namespace sheaf::http
