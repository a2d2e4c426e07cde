// Clients that are slow, silent, greedy or many.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "http/gzip_fixture.h"
#include "http/server_fixture.h"

namespace sheaf::http {
namespace {

ConnectionLimits short_limits() {
  ConnectionLimits limits;
  limits.idle_ms = 60;
  limits.head_ms = 60;
  limits.transfer_ms = 60;
  limits.transfer_bytes_per_s_min = 1 << 30;
  limits.linger_ms = 60;
  return limits;
}

TEST(ServerLimits, ATransferMayTakeWhatItsBytesTakeAtTheLowestRate) {
  ConnectionLimits limits;
  limits.transfer_ms = 5000;
  limits.transfer_bytes_per_s_min = 1000;
  EXPECT_EQ(transfer_deadline_ms(limits, 100, 0), 5100);
  EXPECT_EQ(transfer_deadline_ms(limits, 100, 2500), 7600);
  EXPECT_EQ(transfer_deadline_ms(limits, 100, uint64_t{16} << 20), 100 + 5000 + 16'777'216);
}

TEST(ServerLimits, CutsOffAHeadThatDoesNotEnd) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler, {.limits = short_limits()});
  for (const std::string text : {"P", "POST / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: a\r\n\r"}) {
    SocketClient client(*server);
    ASSERT_TRUE(client->send(text));
    EXPECT_EQ(client->read_answer().status, 408) << text;
    EXPECT_TRUE(client->is_ended());
  }
  EXPECT_EQ(server->figures().cut_off, 3u);
  EXPECT_EQ(server->figures().requests_refused, 0u);
}

TEST(ServerLimits, CutsOffABodyThatDoesNotCome) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler, {.limits = short_limits()});
  for (const std::string text :
       {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n123"}) {
    SocketClient client(*server);
    ASSERT_TRUE(client->send(text));
    EXPECT_EQ(client->read_answer().status, 408) << text;
    EXPECT_TRUE(client->is_ended());
  }
}

TEST(ServerLimits, CutsOffWhoSendsByteByByte) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler, {.limits = short_limits()});
  SocketClient client(*server);
  ASSERT_TRUE(client->send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"));
  // However quick this is, a million bytes are not sent before the end.
  while (server->figures().cut_off == 0 && client->send("x"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 0; }));
  EXPECT_EQ(server->figures().cut_off, 1u);
  EXPECT_EQ(server->figures().requests, 0u);
}

TEST(ServerLimits, ClosesIdleConnectionsWithoutAWord) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler, {.limits = short_limits()});
  SocketClient fresh(*server);
  SocketClient used(*server);
  EXPECT_EQ(used->post("x").body, "x");
  EXPECT_TRUE(fresh->is_ended());
  EXPECT_TRUE(used->is_ended());
  EXPECT_EQ(server->figures().cut_off, 0u);
}

TEST(ServerLimits, DoesNotHurryTheHandler) {
  WorkerPool workers({.threads = 1});
  FunctionHandler handler([&](const Request&, Loop& loop, Respond respond) {
    workers.submit([&loop, respond = std::move(respond)]() mutable {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));  // all of the limits several times over
      loop.post([respond = std::move(respond)]() mutable { respond({.body = "at last"}); });
    });
  });
  const auto server = start_server(handler, {.limits = short_limits()});
  SocketClient client(*server);
  EXPECT_EQ(client->post("x").body, "at last");
  workers.stop();
}

constexpr size_t kMegabyte = 1 << 20;

TEST(ServerLimits, AClientThatDoesNotReadIsNotReadFrom) {
  std::atomic<int> handled = 0;
  FunctionHandler handler([&](const Request&, Loop&, Respond respond) {
    ++handled;
    respond({.body = std::string(kMegabyte, 'x')});
  });
  MemoryBudget budget({});
  const auto server = start_server(handler, {.budget = &budget});
  SocketClient client(*server, 64 << 10);
  constexpr int kRequests = 100;
  std::string text;
  for (int i = 0; i < kRequests; ++i) text += Client::post_text("more");
  std::thread sender([&] { EXPECT_TRUE(client->send(text)); });
  // One answer lies there, and is counted; those before it are in the buffers of the sockets.
  ASSERT_TRUE(eventually([&] { return budget.used_bytes() > kMegabyte; }));
  EXPECT_LT(handled, kRequests / 2);
  EXPECT_LT(budget.used_bytes(), 3 * kMegabyte);
  for (int i = 0; i < kRequests; ++i) ASSERT_EQ(client->read_answer().body.size(), kMegabyte) << i;
  sender.join();
  ASSERT_TRUE(eventually([&] { return budget.used_bytes() < kMegabyte; }));
}

TEST(ServerLimits, CutsOffWhoNeverReadsItsAnswer) {
  FunctionHandler handler(
      [&](const Request&, Loop&, Respond respond) { respond({.body = std::string(20 * kMegabyte, 'x')}); });
  MemoryBudget budget({});
  const auto server = start_server(handler, {.limits = short_limits(), .budget = &budget});
  SocketClient client(*server, 4096);
  ASSERT_TRUE(client->send(Client::post_text("x")));
  ASSERT_TRUE(eventually([&] { return server->figures().cut_off == 1; }));
  ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 0; }));
  EXPECT_GT(budget.used_bytes_peak(), 20 * kMegabyte);
  EXPECT_LT(budget.used_bytes(), kMegabyte);
}

TEST(ServerLimits, RefusesConnectionsBeyondTheMaximum) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler, {.connections_max = 3});
  std::vector<std::unique_ptr<SocketClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<SocketClient>(*server));
    ASSERT_EQ((*clients[i])->post("x").body, "x");
  }
  SocketClient refused(*server);
  EXPECT_TRUE(refused->is_ended());
  EXPECT_EQ(server->figures().connections_refused, 1u);
  clients.pop_back();
  ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 2; }));
  SocketClient next(*server);
  EXPECT_EQ(next->post("x").body, "x");
}

TEST(ServerLimits, IdleConnectionsHoldNoBuffer) {
  constexpr size_t kConnections = 1000;
  if (raise_descriptor_limit() < 3 * kConnections) GTEST_SKIP() << "too few descriptors";
  FunctionHandler handler = echo_handler();
  MemoryBudget budget({});
  const auto server = start_server(handler, {.budget = &budget});
  std::vector<std::unique_ptr<SocketClient>> clients;
  for (size_t i = 0; i < kConnections; ++i) {
    clients.push_back(std::make_unique<SocketClient>(*server));
    ASSERT_EQ((*clients.back())->post("x").body, "x");
  }
  EXPECT_EQ(server->figures().connections_open, kConnections);
  // They came one after the other, so one buffer a loop was enough for all.
  EXPECT_LE(budget.used_bytes(), 2 * Input::kCapacityFirst);
  for (auto& client : clients) ASSERT_EQ((*client)->post("again").body, "again");
  EXPECT_LE(budget.used_bytes(), 2 * Input::kCapacityFirst);
}

TEST(ServerLimits, AnAnnouncedBodyCostsNothing) {
  FunctionHandler handler = echo_handler();
  MemoryBudget budget({});
  const auto server = start_server(handler, {.budget = &budget});
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16000000\r\n\r\n";
  constexpr size_t kClients = 20;
  std::vector<std::unique_ptr<SocketClient>> clients;
  for (size_t i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<SocketClient>(*server));
    ASSERT_TRUE((*clients.back())->send(head));
  }
  ASSERT_TRUE(eventually([&] { return server->figures().bytes_received == kClients * head.size(); }));
  EXPECT_LE(budget.used_bytes(), kClients * Input::kCapacityFirst);
}

// Holds every request with the body "hold" until it is told to let go.
class HoldingHandler final : public Handler {
 public:
  void handle(const Request& request, Loop& loop, Respond respond) override {
    if (!request.body.starts_with("hold")) return respond({.body = std::string(request.body)});
    std::lock_guard lock(mutex_);
    held_.emplace_back(&loop, std::move(respond));
  }
  void handle_overloaded(const Request& request, Loop&, Respond respond) override {
    respond({.status = 400,
             .body = "throttled " + std::string(request.target) + " " + std::to_string(request.body.size())});
  }
  size_t held() {
    std::lock_guard lock(mutex_);
    return held_.size();
  }
  void let_go() {
    std::lock_guard lock(mutex_);
    for (auto& [loop, respond] : held_)
      loop->post([respond = std::move(respond)]() mutable { respond({.body = "let go"}); });
    held_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<Loop*, Respond>> held_;
};

std::string large_hold() { return "hold" + std::string(300'000, 'x'); }

TEST(ServerMemory, AboveTheSoftLineNoNewRequestIsRead) {
  HoldingHandler handler;
  MemoryBudget budget({.soft_bytes = 200'000, .hard_bytes = 2'000'000});
  ConnectionLimits limits;
  limits.memory_wait_ms = 3'600'000;
  const auto server = start_server(handler, {.limits = limits, .budget = &budget});
  std::vector<std::unique_ptr<SocketClient>> waiting;
  for (int i = 0; i < 6; ++i) {
    waiting.push_back(std::make_unique<SocketClient>(*server));
    ASSERT_EQ((*waiting[i])->post("before").body, "before");
  }
  SocketClient holder(*server);
  ASSERT_TRUE(holder->send(Client::post_text(large_hold())));
  ASSERT_TRUE(eventually([&] { return handler.held() == 1; }));
  for (auto& client : waiting) ASSERT_TRUE((*client)->send(Client::post_text("after")));
  ASSERT_TRUE(eventually([&] { return server->figures().waited_for_memory == 6; }));
  EXPECT_EQ(server->figures().requests, 7u);

  waiting.pop_back();  // one gives up while it waits
  handler.let_go();
  EXPECT_EQ(holder->read_answer().body, "let go");
  for (auto& client : waiting) EXPECT_EQ((*client)->read_answer().body, "after");
  EXPECT_EQ(server->figures().throttled, 0u);
}

TEST(ServerMemory, WhoWaitsTooLongIsThrottled) {
  HoldingHandler handler;
  MemoryBudget budget({.soft_bytes = 200'000, .hard_bytes = 2'000'000});
  ConnectionLimits limits;
  limits.memory_wait_ms = 40;
  const auto server = start_server(handler, {.limits = limits, .budget = &budget});
  SocketClient holder(*server);
  ASSERT_TRUE(holder->send(Client::post_text(large_hold())));
  ASSERT_TRUE(eventually([&] { return handler.held() == 1; }));
  SocketClient client(*server);
  for (int i = 0; i < 3; ++i) {
    const Answer answer = client->ask("POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body, "throttled /health 4");
  }
  EXPECT_EQ(server->figures().throttled, 3u);
  handler.let_go();
  EXPECT_EQ(holder->read_answer().body, "let go");
  EXPECT_EQ(client->post("fine again").body, "fine again");
}

TEST(ServerMemory, WhoLeavesAnAnswerLyingIsCutOffBeforeOthersAreThrottled) {
  FunctionHandler handler([&](const Request& request, Loop&, Respond respond) {
    respond({.body = request.body == "large" ? std::string(20 * kMegabyte, 'x') : "small"});
  });
  MemoryBudget budget({.soft_bytes = 2 * kMegabyte, .hard_bytes = 100 * kMegabyte});
  ConnectionLimits limits;
  limits.memory_wait_ms = 100;
  for (const size_t loops : {1, 2}) {
    const auto server = start_server(handler, {.loops = loops, .limits = limits, .budget = &budget});
    SocketClient other(*server);  // on whichever loop
    SocketClient lazy(*server, 4096);
    ASSERT_TRUE(lazy->send(Client::post_text("large")));
    ASSERT_TRUE(eventually([&] { return budget.answer_bytes() > 20 * kMegabyte; }));
    // The answer that lies on another loop may go after the first one was throttled for it.
    ASSERT_TRUE(eventually([&] { return other->post("x").body == "small"; }));
    EXPECT_EQ(server->figures().cut_off, 1u);
    EXPECT_LE(server->figures().throttled, loops - 1);
    EXPECT_EQ(budget.answer_bytes(), 0u);
  }
}

TEST(ServerMemory, AboveTheHardLineRequestsAreThrottledAtOnce) {
  HoldingHandler handler;
  MemoryBudget budget({.soft_bytes = 500'000, .hard_bytes = 1'000'000});
  ConnectionLimits limits;
  limits.memory_wait_ms = 3'600'000;
  const auto server = start_server(handler, {.limits = limits, .budget = &budget});
  SocketClient client(*server);
  budget.take(1'000'001);  // by somebody else
  EXPECT_EQ(client->post("x").body, "throttled / 1");
  // Large bodies and halves of requests are not waited for.
  {
    SocketClient large(*server);
    large->send(Client::post_text(std::string(100'000, 'x')));
    EXPECT_EQ(large->read_answer().body, "throttled / 0");
    EXPECT_TRUE(large->is_ended());
    SocketClient half(*server);
    ASSERT_TRUE(half->send("POST /half HTTP/1.1\r\nHo"));
    EXPECT_EQ(half->read_answer().status, 503);
    EXPECT_TRUE(half->is_ended());
    SocketClient without_body(*server);
    ASSERT_TRUE(without_body->send("POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n"));
    EXPECT_EQ(without_body->read_answer().body, "throttled /half 0");
    EXPECT_TRUE(without_body->is_ended());
  }
  EXPECT_EQ(server->figures().throttled, 4u);
  budget.release(1'000'001);
  EXPECT_EQ(client->post("x").body, "x");
}

TEST(ServerMemory, ABodyThatWouldLeadBeyondTheHardLineIsThrottled) {
  HoldingHandler handler;
  MemoryBudget budget({.soft_bytes = 900'000, .hard_bytes = 1'000'000});
  const auto server = start_server(handler, {.budget = &budget});
  SocketClient client(*server);
  client->send(Client::post_text(std::string(3'000'000, 'x')));
  EXPECT_EQ(client->read_answer().body, "throttled / 0");
  EXPECT_TRUE(client->is_ended());
  EXPECT_LE(budget.used_bytes_peak(), 1'000'000u);
  ASSERT_TRUE(eventually([&] { return budget.used_bytes() < 100'000; }));
  SocketClient next(*server);
  EXPECT_EQ(next->post("x").body, "x");
}

TEST(ServerMemory, InflatedBodiesCount) {
  HoldingHandler handler;
  MemoryBudget budget({.soft_bytes = 900'000, .hard_bytes = 1'000'000});
  const auto server = start_server(handler, {.budget = &budget});
  SocketClient client(*server);
  EXPECT_EQ(client->post(gzip(std::string(3'000'000, 'x')), "Content-Encoding: gzip\r\n").body,
            "throttled / 0");
  EXPECT_LE(budget.used_bytes_peak(), 1'000'000u);
}

TEST(ServerMemory, MemoryOfABodyIsGivenBack) {
  FunctionHandler handler = echo_handler();
  MemoryBudget budget({});
  const auto server = start_server(handler, {.budget = &budget});
  SocketClient client(*server);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(client->post(std::string(5 * kMegabyte, 'x')).body.size(), 5 * kMegabyte);
    ASSERT_EQ(client->post(gzip(std::string(5 * kMegabyte, 'x')), "Content-Encoding: gzip\r\n").body.size(),
              5 * kMegabyte);
  }
  EXPECT_GT(budget.used_bytes_peak(), 5 * kMegabyte);
  EXPECT_TRUE(eventually([&] { return budget.used_bytes() <= 2 * Input::kCapacityFirst; }));
}

}  // namespace
}  // namespace sheaf::http
