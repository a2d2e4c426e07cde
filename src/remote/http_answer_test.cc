#include "remote/http_answer.h"

#include <gtest/gtest.h>

namespace sheaf::remote {
namespace {

using State = HttpAnswerParser::State;

constexpr size_t kBodyBytesMax = 1000;

// Parses it whole, byte by byte, and cut in two at every place; all must come out the same.
class Parsed {
 public:
  explicit Parsed(const std::string& text, bool ends = false) {
    taken = whole.feed(text);
    if (ends) whole.end();
    for (size_t cut = 0; cut <= text.size(); ++cut) {
      HttpAnswerParser parser(kBodyBytesMax);
      size_t fed = parser.feed(std::string_view(text).substr(0, cut));
      if (fed == cut) fed += parser.feed(std::string_view(text).substr(cut));
      if (ends) parser.end();
      expect_same(parser, fed);
    }
    HttpAnswerParser slow(kBodyBytesMax);
    size_t fed = 0;
    while (fed < text.size() && slow.feed({&text[fed], 1}) == 1) ++fed;
    if (ends) slow.end();
    expect_same(slow, fed);
  }
  const HttpAnswerParser* operator->() const { return &whole; }

  HttpAnswerParser whole{kBodyBytesMax};
  size_t taken = 0;

 private:
  void expect_same(const HttpAnswerParser& other, size_t fed) const {
    EXPECT_EQ(other.state(), whole.state());
    EXPECT_EQ(other.problem(), whole.problem());
    if (whole.state() != State::kDone) return;
    EXPECT_EQ(other.status(), whole.status());
    EXPECT_EQ(other.body(), whole.body());
    EXPECT_EQ(other.keeps_alive(), whole.keeps_alive());
    EXPECT_EQ(fed, taken);
  }
};

TEST(HttpAnswer, EndsWithItsLength) {
  const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Amz-Crc32:  907060870 \r\n\r\nhello";
  const Parsed parsed(text + "HTTP/1.1");
  ASSERT_EQ(parsed->state(), State::kDone);
  EXPECT_EQ(parsed->status(), 200);
  EXPECT_EQ(parsed->body(), "hello");
  EXPECT_EQ(parsed->find("x-amz-crc32"), "907060870");
  EXPECT_EQ(parsed->find("absent"), std::nullopt);
  EXPECT_TRUE(parsed->keeps_alive());
  EXPECT_EQ(parsed.taken, text.size()) << "what follows is not of this answer";
}

TEST(HttpAnswer, ChunksAreTakenOut) {
  const std::string head = "HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n";
  const Parsed parsed(head +
                      "5;name=value\r\nhello\r\n1 \r\n \r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n");
  ASSERT_EQ(parsed->state(), State::kDone);
  EXPECT_EQ(parsed->status(), 400);
  EXPECT_EQ(parsed->body(), "hello 0123456789");
  EXPECT_TRUE(parsed->keeps_alive());
  for (const char* broken : {"x\r\n", "-1\r\n", "\r\n", "5\r\nhelloX\r\n", "fffffffffffffffff\r\n"})
    EXPECT_EQ(Parsed(head + broken)->state(), State::kFailed) << broken;
}

TEST(HttpAnswer, WithoutALengthItEndsWithTheConnection) {
  const std::string text = "HTTP/1.0 200 OK\r\n\r\nall of this";
  EXPECT_EQ(Parsed(text)->state(), State::kBody);
  const Parsed ended(text, true);
  ASSERT_EQ(ended->state(), State::kDone);
  EXPECT_EQ(ended->body(), "all of this");
  EXPECT_FALSE(ended->keeps_alive());
}

TEST(HttpAnswer, MayHaveNoBody) {
  EXPECT_EQ(Parsed("HTTP/1.1 204 No Content\r\n\r\n")->state(), State::kDone);
  EXPECT_EQ(Parsed("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")->state(), State::kDone);
  EXPECT_EQ(Parsed("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n")->status(), 200);
}

TEST(HttpAnswer, SomeAnnounceThemselves) {
  const Parsed parsed(
      "HTTP/1.1 100 Continue\r\nX: 1\r\n\r\nHTTP/1.1 500 Error\r\nContent-Length: 2\r\n\r\n{}");
  ASSERT_EQ(parsed->state(), State::kDone);
  EXPECT_EQ(parsed->status(), 500);
  EXPECT_EQ(parsed->find("x"), std::nullopt);
}

TEST(HttpAnswer, SaysWhetherTheConnectionStays) {
  const auto keeps = [](const std::string& version, const std::string& header) {
    return Parsed("HTTP/" + version + " 200 OK\r\n" + header + "Content-Length: 0\r\n\r\n")->keeps_alive();
  };
  EXPECT_TRUE(keeps("1.1", ""));
  EXPECT_FALSE(keeps("1.1", "Connection: close\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: upgrade, Close\r\n"));
  EXPECT_FALSE(keeps("1.0", ""));
  EXPECT_TRUE(keeps("1.0", "connection: Keep-Alive\r\n"));
}

TEST(HttpAnswer, WhatIsCutOffFails) {
  const std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  for (size_t bytes = 0; bytes < text.size(); ++bytes) {
    const Parsed parsed(text.substr(0, bytes), true);
    ASSERT_EQ(parsed->state(), State::kFailed) << bytes;
    EXPECT_EQ(parsed->problem(), "it was cut off");
  }
}

TEST(HttpAnswer, WhatIsNoneFails) {
  for (const char* text :
       {"HTTP/2 200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 099 No\r\n", "HTTP/1.1 2000\r\n", "220 smtp\r\n",
        "HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\n: value\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"})
    EXPECT_EQ(Parsed(text)->state(), State::kFailed) << text;
}

TEST(HttpAnswer, IsBounded) {
  const auto with_length = [](size_t bytes) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n";
  };
  EXPECT_EQ(Parsed(with_length(kBodyBytesMax))->state(), State::kBody);
  EXPECT_EQ(Parsed(with_length(kBodyBytesMax + 1))->problem(), "it is too large");
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string half = "200\r\n" + std::string(0x200, 'x') + "\r\n";
  EXPECT_EQ(Parsed(chunked + half)->state(), State::kBody);
  EXPECT_EQ(Parsed(chunked + half + half)->problem(), "it is too large");
  EXPECT_EQ(Parsed("HTTP/1.1 200 OK\r\n\r\n" + std::string(kBodyBytesMax + 1, 'x'))->problem(),
            "it is too large");

  HttpAnswerParser endless(kBodyBytesMax);
  size_t bytes = 0;
  for (endless.feed("HTTP/1.1 200 OK\r\n"); endless.state() == State::kHead; ++bytes)
    endless.feed("A: b\r\n");
  EXPECT_EQ(endless.problem(), "its head is too large");
  EXPECT_LE(bytes * 6, kAnswerHeadBytesMax + 6);
  HttpAnswerParser long_line(kBodyBytesMax);
  long_line.feed(std::string(kAnswerLineBytesMax + 1, 'H'));
  EXPECT_EQ(long_line.problem(), "its head is too large");
}

}  // namespace
}  // namespace sheaf::remote
