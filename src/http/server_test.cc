#include "http/server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <set>

#include "http/gzip_fixture.h"
#include "http/server_fixture.h"

namespace sheaf::http {
namespace {

TEST(Server, AnswersARequest) {
  std::string seen;
  FunctionHandler handler([&](const Request& request, Loop& loop, Respond respond) {
    EXPECT_FALSE(loop.may_block());
    seen = std::string(request.method) + " " + std::string(request.target) + " " +
           std::string(request.find("x-test").value_or("-")) + " " + std::string(request.peer) +
           (request.encrypted ? " encrypted" : " plain");
    respond({.content_type = "text/plain", .headers = "X-Id: 7\r\n", .body = "fine"});
  });
  const auto server = start_server(handler);
  SocketClient client(*server);
  const Answer answer = client->ask("GET /a?b HTTP/1.1\r\nHost: test\r\nX-Test: yes\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "fine");
  EXPECT_TRUE(answer.has_header("X-Id: 7"));
  EXPECT_TRUE(answer.has_header("Content-Type: text/plain"));
  EXPECT_EQ(seen, "GET /a?b yes 127.0.0.1 plain");
}

TEST(Server, KeepsAConnectionForManyRequests) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  for (int i = 0; i < 200; ++i) {
    const std::string body = "request " + std::to_string(i);
    ASSERT_EQ(client->post(body).body, body);
  }
  const ServerFigures figures = server->figures();
  EXPECT_EQ(figures.connections_accepted, 1u);
  EXPECT_EQ(figures.connections_open, 1u);
  EXPECT_EQ(figures.requests, 200u);
  EXPECT_GT(figures.bytes_received, 200u * 50);
  EXPECT_GT(figures.bytes_sent, 200u * 50);
  EXPECT_GT(figures.loop_iterations, 0u);
}

// As a process has them all that is being started, until it is what it is to be.
TEST(Server, ForgetsAConnectionThoughOthersHaveItsSocket) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler, {.loops = 1});
  for (int i = 0; i < 20; ++i) {
    SocketClient client(*server);
    ASSERT_EQ(client->post("x").body, "x");
    std::vector<int> copies;
    for (int descriptor = 3; descriptor < 256; ++descriptor) {
      int type = 0;
      socklen_t length = sizeof type;
      if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0) copies.push_back(dup(descriptor));
    }
    EXPECT_EQ(client->ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").status, 200);
    ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 0; }));
    client->send("nobody is to be told of this");
    SocketClient other(*server);
    EXPECT_EQ(other->post("y").body, "y");
    for (const int copy : copies) ::close(copy);
    ASSERT_TRUE(eventually([&] { return server->figures().connections_open <= 1; }));
  }
}

TEST(Server, ClosesWhenItIsAskedTo) {
  FunctionHandler handler([](const Request& request, Loop&, Respond respond) {
    respond({.body = "x", .close = request.target == "/close"});
  });
  const auto server = start_server(handler);
  for (const std::string text : {"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                                 "GET /close HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}) {
    SocketClient client(*server);
    const Answer answer = client->ask(text);
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.has_header("Connection: close")) << text;
    EXPECT_TRUE(client->is_ended()) << text;
  }
}

TEST(Server, KeepsAnOldConnectionThatAsksForIt) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(
        client->ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").has_header("Connection: keep-alive"));
}

TEST(Server, SendsNoBodyWhereNoneBelongs) {
  FunctionHandler handler([](const Request& request, Loop&, Respond respond) {
    respond({.status = request.target == "/nothing" ? 204 : 200, .body = "body"});
  });
  const auto server = start_server(handler);
  SocketClient client(*server);
  client->expect_heads_only(true);
  EXPECT_TRUE(client->ask("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").has_header("Content-Length: 4"));
  EXPECT_EQ(client->ask("OPTIONS /nothing HTTP/1.1\r\nHost: a\r\n\r\n").status, 204);
  client->expect_heads_only(false);
  EXPECT_EQ(client->ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body, "body");
}

TEST(Server, AnswersRequestsInPipelineInTheirOrder) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += Client::post_text(i % 50 == 0 ? std::string(20'000, 'x') : std::to_string(i));
  // From another thread: nobody promises that all of it fits between the two.
  std::thread sender([&] { EXPECT_TRUE(client->send(text)); });
  for (int i = 0; i < 1000; ++i) {
    const Answer answer = client->read_answer();
    ASSERT_EQ(answer.body, i % 50 == 0 ? std::string(20'000, 'x') : std::to_string(i));
  }
  sender.join();
}

TEST(Server, AnswersLaterAndFromAWorker) {
  WorkerPool workers({.threads = 2});
  FunctionHandler handler([&](const Request& request, Loop& loop, Respond respond) {
    // The request is read on the worker, too.
    workers.submit([&request, &loop, respond = std::move(respond)]() mutable {
      Response response{.body = "worked on " + std::string(request.body)};
      loop.post([respond = std::move(respond), response = std::move(response)]() mutable {
        respond(std::move(response));
      });
    });
  });
  const auto server = start_server(handler);
  SocketClient client(*server);
  std::string text;
  for (int i = 0; i < 100; ++i) text += Client::post_text(std::to_string(i));
  ASSERT_TRUE(client->send(text));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(client->read_answer().body, "worked on " + std::to_string(i));
  workers.stop();
}

TEST(Server, AnswersTogetherWhatOneIterationBrought) {
  // Each waits for the end of the iteration, as writes wait for their group.
  FunctionHandler handler([&](const Request& request, Loop& loop, Respond respond) {
    loop.post(
        [&request, respond = std::move(respond)]() mutable { respond({.body = std::string(request.body)}); });
  });
  const auto server = start_server(handler, {.loops = 1});
  std::vector<std::unique_ptr<SocketClient>> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(std::make_unique<SocketClient>(*server));
  for (int round = 0; round < 20; ++round) {
    for (size_t i = 0; i < clients.size(); ++i)
      ASSERT_TRUE((*clients[i])->send(Client::post_text(std::to_string(i))));
    for (size_t i = 0; i < clients.size(); ++i)
      ASSERT_EQ((*clients[i])->read_answer().body, std::to_string(i));
  }
}

TEST(Server, OneRequestMayAnswerOthers) {
  std::mutex mutex;
  std::vector<Respond> held;
  FunctionHandler handler([&](const Request& request, Loop&, Respond respond) {
    if (request.body == "wait") return held.push_back(std::move(respond));
    for (Respond& other : held) other({.body = "released"});
    held.clear();
    respond({.body = "done"});
  });
  const auto server = start_server(handler, {.loops = 1});
  std::vector<std::unique_ptr<SocketClient>> clients;
  for (uint64_t i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<SocketClient>(*server));
    ASSERT_TRUE((*clients[i])->send(Client::post_text("wait") + Client::post_text("wait")));
    ASSERT_TRUE(eventually([&] { return server->figures().requests == i + 1; }));
  }
  SocketClient releaser(*server);
  EXPECT_EQ(releaser->post("go").body, "done");
  for (auto& client : clients) EXPECT_EQ((*client)->read_answer().body, "released");
  ASSERT_TRUE(eventually([&] { return server->figures().requests == 11; }));
  EXPECT_EQ(releaser->post("go").body, "done");
  for (auto& client : clients) EXPECT_EQ((*client)->read_answer().body, "released");
}

TEST(Server, TellsAClientToContinue) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n";
  ASSERT_TRUE(client->send(head));
  EXPECT_EQ(client->read_answer().status, 100);
  ASSERT_TRUE(client->send("body"));
  EXPECT_EQ(client->read_answer().body, "body");
  // Who does not wait for it does not get it.
  EXPECT_EQ(client->ask(head + "more").body, "more");
}

TEST(Server, DoesNotLetAClientContinueWithTooMuch) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  EXPECT_EQ(
      client->ask("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 16777217\r\n\r\n")
          .status,
      413);
  EXPECT_TRUE(client->is_ended());
}

TEST(Server, ReadsChunkedBodies) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(client->ask(head + "3\r\nabc\r\n2;x\r\nde\r\n0\r\n\r\n").body, "abcde");
  std::string large;
  std::string chunks;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(1000, static_cast<char>('a' + i % 26));
    large += piece;
    chunks += "3e8\r\n" + piece + "\r\n";
  }
  EXPECT_EQ(client->ask(head + chunks + "0\r\n\r\n").body, large);
  EXPECT_EQ(client->post("and on").body, "and on");
}

TEST(Server, TakesBodiesUpToTheLimit) {
  FunctionHandler handler([](const Request& request, Loop&, Respond respond) {
    // What lies behind the body may be read.
    EXPECT_GE(request.body.data()[request.body.size() + kPadding - 1], -128);
    respond({.body = std::to_string(request.body.size()) + " " + std::to_string(crc32(request.body))});
  });
  const auto server = start_server(handler);
  SocketClient client(*server);
  std::string body(kBodyBytesMax, 'x');
  for (size_t i = 0; i < body.size(); i += 1000) body[i] = static_cast<char>(i >> 8);
  const std::string expected = std::to_string(body.size()) + " " + std::to_string(crc32(body));
  EXPECT_EQ(client->post(body).body, expected);
  EXPECT_EQ(client->post(body).body, expected);
  EXPECT_EQ(client->post("small").body, "5 " + std::to_string(crc32("small")));
  client->send(Client::post_text(body + "x"));
  EXPECT_EQ(client->read_answer().status, 413) << "although much of it was never read";
}

TEST(Server, SendsLargeAnswers) {
  const std::string large(20 << 20, 'y');
  FunctionHandler handler([&](const Request&, Loop&, Respond respond) { respond({.body = large}); });
  const auto server = start_server(handler);
  SocketClient client(*server);
  EXPECT_EQ(client->post("a").body, large);
  EXPECT_EQ(client->post("b").body, large);
}

TEST(Server, InflatesGzip) {
  WorkerPool workers({.threads = 1});
  std::string raw;
  FunctionHandler handler([&](const Request& request, Loop&, Respond respond) {
    raw = request.raw_body;
    respond({.body = std::string(request.body)});
  });
  const auto server = start_server(handler, {.loops = 1, .workers = &workers});
  SocketClient client(*server);
  std::string large(3 << 20, 'z');
  for (size_t i = 0; i < large.size(); i += 7) large[i] = static_cast<char>(i * i >> 5);
  for (const std::string& text : {std::string("short"), large}) {
    const std::string compressed = gzip(text);
    EXPECT_EQ(client->post(compressed, "Content-Encoding: gzip\r\n").body, text);
    EXPECT_EQ(raw, compressed);
  }
  EXPECT_EQ(client->post("plain", "Content-Encoding: identity\r\n").body, "plain");
  EXPECT_EQ(client->post("", "Content-Encoding: gzip\r\n").body, "") << "nothing is nothing";
}

TEST(Server, HoldsInflatedBodiesToTheLimit) {
  WorkerPool workers({.threads = 1});
  FunctionHandler handler([](const Request& request, Loop&, Respond respond) {
    respond({.body = std::to_string(request.body.size())});
  });
  const auto server = start_server(handler, {.workers = &workers});
  {
    SocketClient client(*server);
    EXPECT_EQ(client->post(gzip(std::string(kBodyBytesMax, 'x')), "Content-Encoding: gzip\r\n").body,
              "16777216");
  }
  SocketClient client(*server);
  EXPECT_EQ(client->post(gzip(std::string(kBodyBytesMax + 1, 'x')), "Content-Encoding: gzip\r\n").status,
            413);
}

TEST(Server, RefusesCodingsThatItDoesNotKnowOrCannotUndo) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  {
    SocketClient client(*server);
    EXPECT_EQ(client->post("x", "Content-Encoding: br\r\n").status, 415);
    EXPECT_TRUE(client->is_ended());
  }
  SocketClient client(*server);
  EXPECT_EQ(client->post("not gzip", "Content-Encoding: gzip\r\n").status, 400);
  EXPECT_TRUE(client->is_ended());
}

TEST(Server, RefusesWhatIsNoRequestAndCloses) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  const std::vector<std::pair<std::string, int>> cases = {
      {std::string("\x16\x03\x01\x02\x00\x01\x00\x01", 8), 400},
      {"{}\r\n\r\n", 400},
      {std::string(100'000, 'A'), 400},
      {std::string(100'000, '\0'), 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n", 413},
      {"GET / HTTP/1.1\r\nHost: a\r\nLong: " + std::string(100'000, 'x') + "\r\n\r\n", 431},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
  };
  for (const auto& [text, status] : cases) {
    SocketClient client(*server);
    client->send(text);
    const Answer answer = client->read_answer();
    EXPECT_EQ(answer.status, status) << text.substr(0, 60);
    EXPECT_TRUE(answer.has_header("Connection: close"));
    EXPECT_FALSE(answer.body.empty());
    EXPECT_TRUE(client->is_ended());
  }
  EXPECT_EQ(server->figures().requests_refused, cases.size());
  EXPECT_EQ(server->figures().requests, 0u);
}

TEST(Server, ServesWhatCameBeforeGarbage) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  SocketClient client(*server);
  ASSERT_TRUE(client->send(Client::post_text("good") + "\x01garbage"));
  EXPECT_EQ(client->read_answer().body, "good");
  EXPECT_EQ(client->read_answer().status, 400);
  EXPECT_TRUE(client->is_ended());
}

TEST(Server, LetsTheHandlerSayWhyItRefuses) {
  struct Polite final : Handler {
    void handle(const Request&, Loop&, Respond respond) override { respond({}); }
    Response refuse(Refusal reason) override {
      return {.status = status_of(reason), .content_type = "application/json", .body = "{\"why\":\"so\"}"};
    }
  } handler;
  const auto server = start_server(handler);
  SocketClient client(*server);
  const Answer answer = client->ask("?\r\n\r\n");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body, "{\"why\":\"so\"}");
}

TEST(Server, AnswersAClientThatHasEndedItsSide) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  {
    SocketClient client(*server);
    ASSERT_TRUE(client->send(Client::post_text("last words")));
    client.socket.end_writing();
    EXPECT_EQ(client->read_answer().body, "last words");
    EXPECT_TRUE(client->is_ended());
  }
  SocketClient client(*server);
  ASSERT_TRUE(client->send("POST / HTTP/1.1\r\nHos"));
  client.socket.end_writing();
  EXPECT_EQ(client->read_answer().status, 400);
  EXPECT_TRUE(client->is_ended());
}

TEST(Server, DoesNotMindAClientThatGoesAway) {
  std::mutex mutex;
  std::vector<std::pair<const Request*, Respond>> held;
  Loop* its_loop = nullptr;
  FunctionHandler handler([&](const Request& request, Loop& loop, Respond respond) {
    if (request.body == "stay") return respond({.body = "here"});
    std::lock_guard lock(mutex);
    its_loop = &loop;
    held.emplace_back(&request, std::move(respond));
  });
  const auto server = start_server(handler, {.loops = 1});
  for (const bool vanishes : {true, false}) {
    SocketClient client(*server);
    ASSERT_TRUE(client->send(Client::post_text("who is still there?")));
    ASSERT_TRUE(eventually([&] {
      std::lock_guard lock(mutex);
      return held.size() == 1;
    }));
    vanishes ? client.socket.vanish() : client.socket.close();
    ASSERT_TRUE(eventually([&] { return !vanishes || server->figures().connections_open == 0; }));
    EXPECT_EQ(held[0].first->body, "who is still there?") << "the request stays until it is answered";
    std::promise<void> answered;
    its_loop->post([&] {
      held[0].second({.body = std::string(1 << 20, 'x')});
      held.clear();
      answered.set_value();
    });
    answered.get_future().wait();
    ASSERT_TRUE(eventually([&] { return server->figures().connections_open == 0; }));
  }
  SocketClient client(*server);
  EXPECT_EQ(client->post("stay").body, "here");
}

TEST(Server, AnAnswerMayBeForgottenOnAnotherThread) {
  std::mutex mutex;
  std::vector<Respond> held;
  FunctionHandler handler([&](const Request&, Loop&, Respond respond) {
    std::lock_guard lock(mutex);
    held.push_back(std::move(respond));
  });
  MemoryBudget budget({});
  auto server = start_server(handler, {.budget = &budget});
  SocketClient client(*server);
  ASSERT_TRUE(client->send(Client::post_text(std::string(100'000, 'x'))));
  ASSERT_TRUE(eventually([&] {
    std::lock_guard lock(mutex);
    return held.size() == 1;
  }));
  server.reset();
  EXPECT_GT(budget.used_bytes(), 100'000u);
  held.clear();
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(Server, SpreadsItsConnectionsEvenly) {
  std::mutex mutex;
  std::map<Loop*, int> connections;
  FunctionHandler handler([&](const Request&, Loop& loop, Respond respond) {
    {
      std::lock_guard lock(mutex);
      ++connections[&loop];
    }
    respond({});
  });
  const auto server = start_server(handler, {.loops = 4});
  std::vector<std::unique_ptr<SocketClient>> clients;
  for (int i = 0; i < 32; ++i) {
    clients.push_back(std::make_unique<SocketClient>(*server));
    ASSERT_EQ((*clients.back())->post("").status, 200);
  }
  ASSERT_EQ(connections.size(), 4u);
  for (const auto& [loop, count] : connections) EXPECT_EQ(count, 8);
}

TEST(Server, ServesManyClientsAtOnce) {
  FunctionHandler handler = echo_handler();
  const auto server = start_server(handler);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&server, i] {
      for (int round = 0; round < 20; ++round) {
        SocketClient client(*server);
        for (int j = 0; j < 10; ++j) {
          const std::string body(static_cast<size_t>(i * 977 + round * 131 + j), static_cast<char>('a' + i));
          ASSERT_EQ(client->post(body).body, body);
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server->figures().requests, 8u * 20 * 10);
}

TEST(Server, RefusesAPortThatIsTaken) {
  FunctionHandler handler = echo_handler();
  const auto first = start_server(handler);
  const auto second = Server::start({.port = first->port()}, handler);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, Code::kIo);
  EXPECT_NE(second.error().message.find(std::to_string(first->port())), std::string::npos);
}

TEST(Server, TakesAPortAloneWhenSeveralStartAtOnce) {
  FunctionHandler handler = echo_handler();
  for (int round = 0; round < 50; ++round) {
    const uint16_t port = start_server(handler)->port();  // free again
    std::vector<std::unique_ptr<Server>> started(4);
    std::vector<std::thread> threads;
    for (auto& each : started) {
      threads.emplace_back([&] {
        if (auto server = Server::start({.port = port, .loops = 2}, handler); server.ok())
          each = std::move(*server);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_LE(std::count_if(started.begin(), started.end(), [](const auto& each) { return each != nullptr; }),
              1);
  }
}

TEST(Server, RefusesAnAddressThatIsNone) {
  FunctionHandler handler = echo_handler();
  const auto server = Server::start({.address = "no such address"}, handler);
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().code, Code::kInvalid);
}

TEST(Server, ListensOnIpv6) {
  FunctionHandler handler(
      [](const Request& request, Loop&, Respond respond) { respond({.body = std::string(request.peer)}); });
  // Takes clients of both families, and shows each by its own address.
  const auto server = Server::start({.address = "::", .loops = 1}, handler);
  if (!server.ok()) GTEST_SKIP() << "no IPv6 here: " << server.error().message;
  SocketClient client(**server);
  EXPECT_EQ(client->post("").body, "127.0.0.1");
}

}  // namespace
}  // namespace sheaf::http
