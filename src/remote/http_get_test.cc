#include "remote/http_get.h"

#include <gtest/gtest.h>

#include "http/request_fixture.h"
#include "http/server_fixture.h"
#include "http/sigv4.h"

namespace sheaf::remote {
namespace {

Endpoint endpoint_at(const http::Server& server) {
  Endpoint endpoint;
  endpoint.url = "http://127.0.0.1:" + std::to_string(server.port());
  return endpoint;
}

TEST(HttpGet, AsksForAPageAndTellsWhatWasSaid) {
  http::FunctionHandler handler([](const http::Request& request, Loop&, http::Respond respond) {
    respond({.status = request.find("authorization") ? 500 : 404,
             .body = std::string(request.method) + " " + std::string(request.target)});
  });
  const auto server = http::start_server(handler);
  const Result<Reply> reply = http_get(endpoint_at(*server), "/heat?table=a%20b");
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->status, 404) << "nothing is signed without a key";
  EXPECT_EQ(reply->body, "GET /heat?table=a%20b");
}

TEST(HttpGet, SignsWithTheKey) {
  const http::CredentialSet credentials = http::test_credentials();
  const SystemClock clock;
  http::FunctionHandler handler([&](const http::Request& request, Loop&, http::Respond respond) {
    const http::Verdict verdict =
        http::verify_signature(request, credentials, {.region = "eu-west-1"}, clock.now_us());
    respond({.body = std::holds_alternative<http::Denial>(verdict) ? "go away" : "welcome"});
  });
  const auto server = http::start_server(handler);
  Endpoint endpoint = endpoint_at(*server);
  endpoint.region = "eu-west-1";
  EXPECT_EQ(http_get(endpoint, "/heat")->body, "go away");
  endpoint.access_key =
      AccessKey{.id = std::string(http::kTestKeyId), .secret = std::string(http::kTestSecret)};
  EXPECT_EQ(http_get(endpoint, "/heat?table=" + escaped("a b&c=d/e") + "&seconds=60")->body, "welcome");
  endpoint.access_key->secret += "x";
  EXPECT_EQ(http_get(endpoint, "/heat")->body, "go away");
}

TEST(HttpGet, WhereNobodyIsThereIsNoAnswer) {
  Endpoint endpoint;
  {
    http::FunctionHandler echo = http::echo_handler();
    endpoint = endpoint_at(*http::start_server(echo));
  }
  EXPECT_EQ(http_get(endpoint, "/").error().code, Code::kUnavailable);
  endpoint.url = "ftp://nowhere";
  EXPECT_EQ(http_get(endpoint, "/").error().code, Code::kInvalid);
}

TEST(HttpGet, EscapesWhatAQueryCannotHold) {
  EXPECT_EQ(escaped("aZ09-_.~"), "aZ09-_.~");
  EXPECT_EQ(escaped("a b&c=%/\xc3\xa9"), "a%20b%26c%3D%25%2F%C3%A9");
}

}  // namespace
}  // namespace sheaf::remote
