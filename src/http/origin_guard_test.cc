#include "http/origin_guard.h"

#include <gtest/gtest.h>

#include "http/request_fixture.h"

namespace sheaf::http {
namespace {

OriginGuard guard_of(const OriginRules& rules) {
  auto guard = OriginGuard::create(rules);
  EXPECT_TRUE(guard.ok());
  return *std::move(guard);
}

OwnedRequest post(std::vector<std::pair<std::string, std::string>> headers) {
  return {.method = "POST", .headers = std::move(headers)};
}

TEST(LoopbackHost, IsThisMachineUnderAnyOfItsNames) {
  for (const char* host :
       {"localhost", "localhost:8000", "LOCALHOST:8000", "localhost.", "localhost.:80", "tables.localhost",
        "a.b.localhost:1", "127.0.0.1", "127.0.0.1:8000", "127.255.255.254", "[::1]", "[::1]:8000",
        "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]:80"})
    EXPECT_TRUE(is_loopback_host(host)) << host;
}

TEST(LoopbackHost, IsNothingElse) {
  for (const char* host : {"",
                           ":",
                           ":8000",
                           "example.com",
                           "evil.example:8000",
                           "localhost.evil.example",
                           "notlocalhost",
                           "localhostx",
                           "127.0.0.1.evil.example",
                           "128.0.0.1",
                           "126.255.255.255",
                           "0.0.0.0",
                           "10.0.0.1",
                           "192.168.1.1:8000",
                           "127.1",
                           "2130706433",
                           "0x7f.0.0.1",
                           "127.0.0.1:",
                           "localhost:",
                           "localhost:x",
                           "localhost:80:80",
                           "localhost:65536",
                           "localhost:-1",
                           "[::1",
                           "::1",
                           "[::1]x",
                           "[::1]:",
                           "[]",
                           "[::]",
                           "[::2]",
                           "[::ffff:8.8.8.8]",
                           "[127.0.0.1]",
                           "user@localhost",
                           "localhost/",
                           "evil.example/.localhost",
                           "evil.example#.localhost",
                           "local host",
                           "localhost\t",
                           "[fe80::1%lo]"})
    EXPECT_FALSE(is_loopback_host(host)) << host;
}

TEST(LoopbackAddress, IsOneThatOnlyThisMachineReaches) {
  for (const char* address : {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback_address(address)) << address;
  for (const char* address : {"0.0.0.0", "::", "192.168.0.1", "localhost", "", "[::1]", "fe80::1"})
    EXPECT_FALSE(is_loopback_address(address)) << address;
}

TEST(OriginGuard, LetsProgramsOnThisMachineIn) {
  const OriginGuard guard = guard_of({.development = true});
  EXPECT_EQ(guard.check(post({{"Host", "localhost:8000"}}).view()), std::nullopt);
  EXPECT_EQ(guard.check(post({{"host", "[::1]:8000"}}).view()), std::nullopt);
}

// A name that a page made point to 127.0.0.1 is still the page's name.
TEST(OriginGuard, RefusesHostsThatAreNotLoopbackInDevelopment) {
  const OriginGuard guard = guard_of({.development = true});
  for (const OwnedRequest& request :
       {post({{"Host", "rebound.evil.example:8000"}}), post({}), post({{"Host", ""}}),
        post({{"Host", "localhost:8000"}, {"Host", "evil.example"}})}) {
    const auto denial = guard.check(request.view());
    ASSERT_TRUE(denial);
    EXPECT_EQ(denial->status, 403);
    EXPECT_EQ(denial->type, "AccessDeniedException");
  }
}

TEST(OriginGuard, RefusesPagesOfOthersInDevelopment) {
  const OriginGuard guard = guard_of({.development = true, .allowed_origins = {"http://localhost:3000"}});
  for (const char* origin :
       {"https://evil.example", "null", "http://localhost", "http://localhost:3001", "https://localhost:3000",
        "http://localhost:3000.evil.example", "http://evil.example/http://localhost:3000",
        "HTTP://LOCALHOST:3000", "https://localhost:8000", "http://127.0.0.1:8000", "file://",
        "http://localhost:80000"}) {
    const auto denial = guard.check(post({{"Host", "localhost:8000"}, {"Origin", origin}}).view());
    ASSERT_TRUE(denial) << origin;
    EXPECT_EQ(denial->status, 403);
  }
  EXPECT_TRUE(guard.check(post({{"Host", "localhost:8000"},
                                {"Origin", "http://localhost:3000"},
                                {"Origin", "http://evil.example"}})
                              .view()));
}

TEST(OriginGuard, LetsAllowedPagesAndItsOwnIn) {
  const OriginGuard guard = guard_of({.development = true, .allowed_origins = {"http://localhost:3000"}});
  EXPECT_EQ(guard.check(post({{"Host", "localhost:8000"}, {"Origin", "http://localhost:3000"}}).view()),
            std::nullopt);
  EXPECT_EQ(guard.check(post({{"Host", "LOCALHOST:8000"}, {"Origin", "http://localhost:8000"}}).view()),
            std::nullopt);
  OwnedRequest encrypted = post({{"Host", "localhost:8000"}, {"Origin", "https://localhost:8000"}});
  EXPECT_TRUE(guard.check(encrypted.view()));
  encrypted.encrypted = true;
  EXPECT_EQ(guard.check(encrypted.view()), std::nullopt);
}

TEST(OriginGuard, LeavesTheDecisionToSignaturesWhereThereAreCredentials) {
  const OriginGuard guard = guard_of({});
  EXPECT_EQ(guard.check(post({{"Host", "db.example"}, {"Origin", "https://evil.example"}}).view()),
            std::nullopt);
  EXPECT_EQ(guard.headers_for(post({{"Host", "db.example"}, {"Origin", "https://evil.example"}}).view()), "");
}

TEST(OriginGuard, LetsAllowedPagesReadTheAnswer) {
  for (const bool development : {false, true}) {
    const OriginGuard guard = guard_of(
        {.development = development, .allowed_origins = {"https://a.example", "http://localhost:3000"}});
    EXPECT_EQ(guard.headers_for(post({{"Origin", "http://localhost:3000"}}).view()),
              "Access-Control-Allow-Origin: http://localhost:3000\r\n"
              "Access-Control-Expose-Headers: date, x-amz-crc32, x-amzn-errormessage, x-amzn-errortype, "
              "x-amzn-requestid\r\n"
              "Vary: Origin\r\n");
    EXPECT_EQ(guard.headers_for(post({{"Origin", "https://b.example"}}).view()), "");
    EXPECT_EQ(guard.headers_for(post({}).view()), "");
    EXPECT_EQ(
        guard.headers_for(post({{"Origin", "https://a.example"}, {"Origin", "https://a.example"}}).view()),
        "");
  }
}

OwnedRequest preflight(std::string origin) {
  return {.method = "OPTIONS",
          .headers = {{"Host", "localhost:8000"},
                      {"Origin", std::move(origin)},
                      {"Access-Control-Request-Method", "POST"},
                      {"Access-Control-Request-Headers", "authorization,x-amz-date,x-amz-target"}}};
}

TEST(OriginGuard, TellsBrowsersWhatAllowedPagesMaySend) {
  const OriginGuard guard = guard_of({.allowed_origins = {"https://a.example"}});
  const auto response = guard.answer_preflight(preflight("https://a.example").view());
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_TRUE(response->body.empty());
  EXPECT_NE(response->headers.find("Access-Control-Allow-Origin: https://a.example\r\n"), std::string::npos);
  EXPECT_NE(response->headers.find("Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"),
            std::string::npos);
  EXPECT_NE(response->headers.find("Vary: Origin\r\n"), std::string::npos);
  const size_t at = response->headers.find("Access-Control-Allow-Headers: ");
  ASSERT_NE(at, std::string::npos);
  const std::string allowed = response->headers.substr(at, response->headers.find("\r\n", at) - at);
  for (const char* name :
       {"authorization", "content-type", "x-amz-date", "x-amz-target", "x-amz-security-token",
        "x-amz-content-sha256", "x-amz-user-agent", "amz-sdk-invocation-id", "amz-sdk-request"})
    EXPECT_NE(allowed.find(name), std::string::npos) << name;
  EXPECT_EQ(response->headers.find("Private-Network"), std::string::npos);
}

TEST(OriginGuard, TellsBrowsersThatAllowedPagesMayTurnToAPrivateMachine) {
  const OriginGuard guard = guard_of({.allowed_origins = {"https://a.example"}});
  OwnedRequest request = preflight("https://a.example");
  request.headers.emplace_back("Access-Control-Request-Private-Network", "true");
  const auto response = guard.answer_preflight(request.view());
  ASSERT_TRUE(response);
  EXPECT_NE(response->headers.find("Access-Control-Allow-Private-Network: true\r\n"), std::string::npos);
}

TEST(OriginGuard, TellsBrowsersNothingAboutOtherPages) {
  const OriginGuard guard = guard_of({.allowed_origins = {"https://a.example"}});
  const auto response = guard.answer_preflight(preflight("https://b.example").view());
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 403);
  EXPECT_EQ(response->headers, "");
}

TEST(OriginGuard, OtherRequestsAreNoPreflight) {
  const OriginGuard guard = guard_of({.allowed_origins = {"https://a.example"}});
  OwnedRequest request = preflight("https://a.example");
  request.method = "POST";
  EXPECT_FALSE(guard.answer_preflight(request.view()));
  request = preflight("https://a.example");
  request.remove("Access-Control-Request-Method");
  EXPECT_FALSE(guard.answer_preflight(request.view()));
  request = preflight("https://a.example");
  request.remove("Origin");
  EXPECT_FALSE(guard.answer_preflight(request.view()));
}

TEST(OriginGuard, TakesOriginsInAnySpellingThatBrowsersDoNotUse) {
  const OriginGuard guard =
      guard_of({.development = true,
                .allowed_origins = {"HTTPS://Console.Example:443", "http://localhost:80", "http://[::1]:3000",
                                    "http://a.example:443"}});
  for (const char* origin :
       {"https://console.example", "http://localhost", "http://[::1]:3000", "http://a.example:443"})
    EXPECT_EQ(guard.check(post({{"Host", "127.0.0.1:8000"}, {"Origin", origin}}).view()), std::nullopt)
        << origin;
}

TEST(OriginGuard, RefusesToBeSetUpWithWhatIsNoOrigin) {
  for (const char* text : {"", "*", "null", "localhost:3000", "https://", "https://a.example/",
                           "https://a.example/x", "https://*.example", "file://a", "https://a.example:x",
                           "https://a.example:99999", "https://user@a.example", "https://a.example\r\nX: y",
                           "https://[::1", "https://[x]", "http://a.example:80:80"}) {
    const auto guard = OriginGuard::create({.allowed_origins = {text}});
    ASSERT_FALSE(guard.ok()) << text;
    EXPECT_EQ(guard.error().code, Code::kInvalid);
  }
}

}  // namespace
}  // namespace sheaf::http
