#include "remote/http_transport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "http/content_coding.h"
#include "http/request_fixture.h"
#include "http/server_fixture.h"
#include "http/sigv4.h"
#include "remote/identity_fixture.h"

namespace sheaf::remote {
namespace {

const AccessKey kKey{.id = std::string(http::kTestKeyId), .secret = std::string(http::kTestSecret)};

std::string body_of(const Exchanged& exchanged) {
  if (const Reply* reply = std::get_if<Reply>(&exchanged)) return reply->body;
  return "silence: " + std::get<Silence>(exchanged).why;
}

std::unique_ptr<HttpTransport> transport_to(const std::string& url, HttpOptions options = {}) {
  const Result<EndpointUrl> parsed = parse_endpoint_url(url);
  EXPECT_TRUE(parsed.ok()) << url;
  options.url = *parsed;
  if (options.access_key.id.empty()) options.access_key = kKey;
  Result<std::unique_ptr<HttpTransport>> transport = HttpTransport::create(std::move(options));
  EXPECT_TRUE(transport.ok()) << transport.error().message;
  return std::move(*transport);
}

std::unique_ptr<HttpTransport> transport_to(const http::Server& server, HttpOptions options = {}) {
  return transport_to("http://127.0.0.1:" + std::to_string(server.port()), std::move(options));
}

TEST(HttpTransport, CarriesQuestionsAndAnswers) {
  http::FunctionHandler handler([](const http::Request& request, Loop&, http::Respond respond) {
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/");
    EXPECT_EQ(request.find("content-type"), "application/x-amz-json-1.0");
    respond({.status = request.body.empty() ? 400 : 200,
             .body = std::string(*request.find("x-amz-target")) + ' ' + std::string(request.body)});
  });
  const auto server = http::start_server(handler);
  const auto transport = transport_to(*server);
  EXPECT_EQ(body_of(transport->exchange({"DynamoDB_20120810.PutItem", "{}"})),
            "DynamoDB_20120810.PutItem {}");
  const Exchanged refused = transport->exchange({"x", ""});
  ASSERT_TRUE(std::holds_alternative<Reply>(refused));
  EXPECT_EQ(std::get<Reply>(refused).status, 400);
}

TEST(HttpTransport, KeepsItsConnections) {
  http::FunctionHandler echo = http::echo_handler();
  const auto server = http::start_server(echo);
  const auto transport = transport_to(*server);
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(body_of(transport->exchange({"x", std::to_string(i)})), std::to_string(i));
  EXPECT_EQ(server->figures().connections_accepted, 1u);
}

TEST(HttpTransport, CarriesLargeBodiesBothWays) {
  http::FunctionHandler echo = http::echo_handler();
  const auto server = http::start_server(echo);
  std::string body(15 << 20, 'x');
  for (size_t i = 0; i < body.size(); i += 999) body[i] = static_cast<char>(i >> 7);
  const auto transport = transport_to(*server);
  EXPECT_TRUE(body_of(transport->exchange({"x", body})) == body);
  EXPECT_EQ(body_of(transport->exchange({"x", "small"})), "small");
  const auto limited = transport_to(*server, {.answer_bytes_max = 1000});
  EXPECT_EQ(body_of(limited->exchange({"x", std::string(1000, 'y')})), std::string(1000, 'y'));
  EXPECT_EQ(body_of(limited->exchange({"x", std::string(1001, 'y')})),
            "silence: the answer was lost: it is too large");
}

TEST(HttpTransport, ManyThreadsShareAFewConnections) {
  http::FunctionHandler echo = http::echo_handler();
  const auto server = http::start_server(echo);
  const auto transport = transport_to(*server, {.connections = {.connections_max = 3}});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        const std::string body = std::to_string(t) + "-" + std::to_string(i);
        if (body_of(transport->exchange({"x", body})) != body) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(server->figures().connections_accepted, 3u);
}

TEST(HttpTransport, AConnectionThatWasClosedMeanwhileIsReplaced) {
  http::FunctionHandler echo = http::echo_handler();
  http::ServerOptions options;
  options.limits.idle_ms = 20;
  const auto server = http::start_server(echo, options);
  const auto transport = transport_to(*server);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(body_of(transport->exchange({"x", "hello"})), "hello");
    ASSERT_TRUE(http::eventually([&] { return server->figures().connections_open == 0; }));
    EXPECT_EQ(server->figures().connections_accepted, static_cast<uint64_t>(i));
  }
  // And one that was not used for long is not tried.
  const auto patient_server = http::start_server(echo);
  const auto forgetful = transport_to(*patient_server, {.connections = {.idle_ms = 0}});
  EXPECT_EQ(body_of(forgetful->exchange({"x", "1"})), "1");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(body_of(forgetful->exchange({"x", "2"})), "2");
  EXPECT_EQ(patient_server->figures().connections_accepted, 2u);
}

// The server's own verification takes what is signed here, and nothing that is not.
TEST(HttpTransport, SignsWhatItSends) {
  const http::CredentialSet credentials = http::test_credentials();
  const http::CredentialSet with_token = http::test_credentials("token/+=");
  const SystemClock clock;
  http::FunctionHandler handler([&](const http::Request& request, Loop&, http::Respond respond) {
    const http::CredentialSet& set = request.find("x-amz-security-token") ? with_token : credentials;
    const http::Verdict verdict =
        http::verify_signature(request, set, {.region = "eu-west-1"}, clock.now_us());
    const auto* const denial = std::get_if<http::Denial>(&verdict);
    respond({.body = denial == nullptr ? "welcome" : std::string(denial->type)});
  });
  const auto server = http::start_server(handler);
  const auto verdict = [&](HttpOptions options) {
    return body_of(
        transport_to(*server, std::move(options))->exchange({"DynamoDB_20120810.PutItem", "{\"a\": 1}"}));
  };
  EXPECT_EQ(verdict({.region = "eu-west-1"}), "welcome");
  AccessKey key = kKey;
  key.session_token = "token/+=";
  EXPECT_EQ(verdict({.region = "eu-west-1", .access_key = key}), "welcome");
  EXPECT_NE(verdict({.region = "us-east-1"}), "welcome");
  key = kKey;
  key.secret += "x";
  EXPECT_EQ(verdict({.region = "eu-west-1", .access_key = key}), "InvalidSignatureException");
  const ManualClock stopped(clock.now_us() - int64_t{3600} * 1'000'000);
  EXPECT_EQ(verdict({.region = "eu-west-1", .clock = &stopped}), "InvalidSignatureException");
}

TEST(HttpTransport, NeedsAKeyAndAuthorities) {
  HttpOptions options{.url = *parse_endpoint_url("https://localhost")};
  EXPECT_EQ(HttpTransport::create(options).error().code, Code::kInvalid);
  options.access_key = kKey;
  EXPECT_TRUE(HttpTransport::create(options).ok());
  options.authorities_path = "/nowhere/to/be/found.pem";
  EXPECT_EQ(HttpTransport::create(options).error().code, Code::kInvalid);
}

TEST(HttpTransport, VerifiesTheChecksum) {
  std::string sum;
  http::FunctionHandler handler([&](const http::Request&, Loop&, http::Respond respond) {
    respond({.headers = "X-Amz-Crc32: " + sum + "\r\n", .body = "{}"});
  });
  const auto server = http::start_server(handler);
  const auto transport = transport_to(*server);
  sum = std::to_string(http::crc32("{}"));
  EXPECT_EQ(body_of(transport->exchange({"x", ""})), "{}");
  for (const char* wrong : {"1", "-1", "x", ""}) {
    sum = wrong;
    const Exchanged exchanged = transport->exchange({"x", ""});
    ASSERT_TRUE(std::holds_alternative<Silence>(exchanged)) << wrong;
    EXPECT_TRUE(std::get<Silence>(exchanged).may_be_heard);
  }
}

TEST(HttpTransport, NobodyThereIsNotHeard) {
  uint16_t port = 0;
  {
    http::FunctionHandler echo = http::echo_handler();
    port = http::start_server(echo)->port();
  }
  const Exchanged refused = transport_to("http://127.0.0.1:" + std::to_string(port))->exchange({"x", ""});
  ASSERT_TRUE(std::holds_alternative<Silence>(refused));
  EXPECT_FALSE(std::get<Silence>(refused).may_be_heard);
  EXPECT_FALSE(std::get<Silence>(refused).is_final);
  EXPECT_NE(std::get<Silence>(refused).why.find("127.0.0.1:" + std::to_string(port)), std::string::npos);
  const Exchanged unnamed = transport_to("http://no-such-host.invalid:1")->exchange({"x", ""});
  ASSERT_TRUE(std::holds_alternative<Silence>(unnamed));
  EXPECT_FALSE(std::get<Silence>(unnamed).may_be_heard);
}

TEST(HttpTransport, WhoDoesNotAnswerInTimeMayHaveHeard) {
  std::vector<http::Respond> waiting;
  std::mutex mutex;
  http::FunctionHandler silent([&](const http::Request&, Loop&, http::Respond respond) {
    std::lock_guard lock(mutex);
    waiting.push_back(std::move(respond));
  });
  const auto server = http::start_server(silent);
  const auto transport = transport_to(*server, {.answer_ms = 50});
  const Exchanged exchanged = transport->exchange({"x", "{}"});
  ASSERT_TRUE(std::holds_alternative<Silence>(exchanged));
  EXPECT_TRUE(std::get<Silence>(exchanged).may_be_heard);
  EXPECT_EQ(std::get<Silence>(exchanged).why, "the answer was lost: it did not come in time");
  EXPECT_TRUE(std::holds_alternative<Silence>(transport->exchange({"x", "{}"})));
  EXPECT_EQ(server->figures().connections_accepted, 2u) << "the first is not used again";
  server->shutdown(0);
}

// A server that says what it was told to, whatever it is asked, and then ends the connection.
class CannedServer {
 public:
  explicit CannedServer(std::string answer)
      : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), bytes), 0);
    EXPECT_EQ(::listen(listener_.get(), 10), 0);
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &bytes);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~CannedServer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void serve() {
    for (;;) {
      const http::Descriptor client(::accept(listener_.get(), nullptr, nullptr));
      if (!client.is_open()) return;
      std::string request;
      char buffer[4096];
      while (request.find("\r\n\r\n{}") == std::string::npos) {
        const ssize_t got = ::recv(client.get(), buffer, sizeof buffer, 0);
        if (got <= 0) break;
        request.append(buffer, static_cast<size_t>(got));
      }
      // In pieces, as a network brings them.
      for (std::string_view rest = answer_; !rest.empty();) {
        const ssize_t sent =
            ::send(client.get(), rest.data(), std::min<size_t>(rest.size(), 7), MSG_NOSIGNAL);
        if (sent <= 0) break;
        rest.remove_prefix(static_cast<size_t>(sent));
      }
    }
  }

  const std::string answer_;
  const http::Descriptor listener_;
  uint16_t port_ = 0;
  std::thread thread_;
};

TEST(HttpTransport, UnderstandsChunksAndAnswersThatEndWithTheConnection) {
  const CannedServer chunked(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
      "2\r\n{\"\r\n4\r\na\":1\r\n1\r\n}\r\n0\r\n\r\n");
  const auto transport = transport_to(chunked.url());
  EXPECT_EQ(body_of(transport->exchange({"x", "{}"})), "{\"a\":1}");
  EXPECT_EQ(body_of(transport->exchange({"x", "{}"})), "{\"a\":1}") << "on a new connection";
  const CannedServer endless("HTTP/1.0 200 OK\r\n\r\n{\"b\":2}");
  EXPECT_EQ(body_of(transport_to(endless.url())->exchange({"x", "{}"})), "{\"b\":2}");
}

TEST(HttpTransport, AnAnswerThatBreaksOffMayHaveBeenHeard) {
  for (const char* answer :
       {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", "SSH-2.0\r\n"}) {
    const CannedServer server(answer);
    const Exchanged exchanged = transport_to(server.url())->exchange({"x", "{}"});
    ASSERT_TRUE(std::holds_alternative<Silence>(exchanged)) << answer;
    EXPECT_TRUE(std::get<Silence>(exchanged).may_be_heard) << answer;
  }
}

class EncryptedTransport : public ::testing::Test {
 protected:
  std::string url(const std::string& host) const {
    return "https://" + host + ":" + std::to_string(server_->port());
  }

  TempDirectory directory_;
  TestIdentity identity_{directory_, "server", "DNS:localhost,IP:127.0.0.1"};
  http::FunctionHandler handler_{[](const http::Request& request, Loop&, http::Respond respond) {
    respond({.body = (request.encrypted ? "encrypted " : "plain ") + std::string(request.body)});
  }};
  std::unique_ptr<http::Server> server_ = http::start_server(handler_, {.tls = identity_.files});
};

TEST_F(EncryptedTransport, TrustsWhomItIsToldTo) {
  const HttpOptions options{.authorities_path = identity_.files.certificate_path};
  const auto by_name = transport_to(url("localhost"), options);
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(body_of(by_name->exchange({"x", std::to_string(i)})), "encrypted " + std::to_string(i));
  EXPECT_EQ(server_->figures().connections_accepted, 1u) << "also encrypted ones are kept";
  EXPECT_EQ(body_of(transport_to(url("127.0.0.1"), options)->exchange({"x", "a"})), "encrypted a");
  const std::string large(5 << 20, 'x');
  EXPECT_TRUE(body_of(by_name->exchange({"x", large})) == "encrypted " + large);
}

TEST_F(EncryptedTransport, TrustsNobodyElse) {
  const TestIdentity other(directory_, "other", "DNS:localhost");
  const auto why = [&](const std::string& to, const std::string& authorities) {
    const Exchanged exchanged = transport_to(to, {.authorities_path = authorities})->exchange({"x", "{}"});
    const Silence* const silence = std::get_if<Silence>(&exchanged);
    EXPECT_NE(silence, nullptr);
    if (silence == nullptr) return std::string("trusted");
    EXPECT_FALSE(silence->may_be_heard);
    EXPECT_TRUE(silence->is_final);
    return silence->why;
  };
  EXPECT_EQ(why(url("localhost"), other.files.certificate_path),
            "the certificate of localhost is not trusted: self-signed certificate");
  EXPECT_NE(why(url("localhost"), ""), "trusted") << "not by the system's authorities";
  const TestIdentity elsewhere(directory_, "elsewhere", "DNS:db.example");
  const auto server = http::start_server(handler_, {.tls = elsewhere.files});
  EXPECT_EQ(why("https://localhost:" + std::to_string(server->port()), elsewhere.files.certificate_path),
            "the certificate of localhost is not trusted: hostname mismatch");
  EXPECT_EQ(why("https://127.0.0.1:" + std::to_string(server->port()), elsewhere.files.certificate_path),
            "the certificate of 127.0.0.1 is not trusted: IP address mismatch");
}

TEST_F(EncryptedTransport, DoesNotSpeakWithWhomDoesNotEncrypt) {
  const auto plain = http::start_server(handler_);
  const auto transport =
      transport_to("https://localhost:" + std::to_string(plain->port()),
                   {.authorities_path = identity_.files.certificate_path, .connect_ms = 2000});
  const Exchanged exchanged = transport->exchange({"x", "{}"});
  ASSERT_TRUE(std::holds_alternative<Silence>(exchanged));
  EXPECT_FALSE(std::get<Silence>(exchanged).may_be_heard);
  EXPECT_EQ(plain->figures().requests, 0u);
}

}  // namespace
}  // namespace sheaf::remote
