#include "http/response_head.h"

#include <gtest/gtest.h>

namespace sheaf::http {
namespace {

constexpr int64_t kNow = 784'111'777'000'000;  // Sun, 06 Nov 1994 08:49:37 GMT

std::string head_of(const Response& response, const ResponseHeads::Framing& framing = {}) {
  const ManualClock clock(kNow);
  ResponseHeads heads(clock);
  std::string out;
  heads.append(out, response, framing);
  return out;
}

TEST(ResponseHead, HasWhatAClientNeeds) {
  EXPECT_EQ(
      head_of({.content_type = "application/x-amz-json-1.0", .headers = "A: 1\r\nB: 2\r\n", .body = "{}"}),
      "HTTP/1.1 200 OK\r\n"
      "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
      "Content-Type: application/x-amz-json-1.0\r\n"
      "Content-Length: 2\r\n"
      "A: 1\r\nB: 2\r\n"
      "\r\n");
}

TEST(ResponseHead, SaysWhetherTheConnectionCloses) {
  EXPECT_NE(head_of({}, {.keeps_alive = false}).find("Connection: close\r\n\r\n"), std::string::npos);
  EXPECT_NE(head_of({}, {.minor_version = 0}).find("Connection: keep-alive\r\n\r\n"), std::string::npos);
  EXPECT_EQ(head_of({}, {}).find("Connection"), std::string::npos);
}

TEST(ResponseHead, NamesTheStatus) {
  EXPECT_TRUE(head_of({.status = 400}).starts_with("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_TRUE(head_of({.status = 599}).starts_with("HTTP/1.1 599 Error\r\n"));
}

TEST(ResponseHead, HasNoLengthWhereThereIsNoBody) {
  EXPECT_EQ(head_of({.status = 204}).find("Content-Length"), std::string::npos);
  EXPECT_NE(head_of({.status = 200}).find("Content-Length: 0\r\n"), std::string::npos);
}

TEST(ResponseHead, FormatsDates) {
  EXPECT_EQ(format_http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(format_http_date(951'782'400'000'000), "Tue, 29 Feb 2000 00:00:00 GMT");
}

TEST(ResponseHead, TheDateMovesOnWithTheSecond) {
  ManualClock clock(kNow + 900'000);
  ResponseHeads heads(clock);
  const auto date_at = [&](int64_t steady_now_ms) {
    std::string out;
    heads.append(out, {}, {.steady_now_ms = steady_now_ms});
    return out.substr(out.find("Date: ") + 6, 29);
  };
  EXPECT_EQ(date_at(5000), "Sun, 06 Nov 1994 08:49:37 GMT");
  clock.advance_us(99'000);
  EXPECT_EQ(date_at(5099), "Sun, 06 Nov 1994 08:49:37 GMT");
  clock.advance_us(1'000);
  EXPECT_EQ(date_at(5100), "Sun, 06 Nov 1994 08:49:38 GMT");
}

TEST(Request, FindsHeadersWithoutRegardToCase) {
  Request request;
  request.headers = {{"Content-Type", "first"}, {"content-type", "second"}, {"X", ""}};
  EXPECT_EQ(request.find("content-type"), "first");
  EXPECT_EQ(request.find("x"), "");
  EXPECT_EQ(request.find("y"), std::nullopt);
}

}  // namespace
}  // namespace sheaf::http
