#include "http/request_parser.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "http/parser_outcome.h"

namespace sheaf::http {
namespace {

using State = RequestParser::State;

// What comes out, whichever way the bytes come in.
ParserOutcome parse(const std::string& bytes, size_t body_bytes_max = kBodyBytesMax) {
  const ParserOutcome outcome = feed_at_once(bytes, body_bytes_max);
  EXPECT_EQ(outcome, feed_byte_by_byte(bytes, body_bytes_max)) << "byte by byte: " << bytes.substr(0, 200);
  return outcome;
}

std::optional<Refusal> refusal_of(const std::string& bytes, size_t body_bytes_max = kBodyBytesMax) {
  return parse(bytes, body_bytes_max).refusal;
}

ParsedRequest parse_one(const std::string& bytes) {
  const ParserOutcome outcome = parse(bytes);
  EXPECT_FALSE(outcome.refusal.has_value()) << bytes;
  EXPECT_EQ(outcome.requests.size(), 1u) << bytes;
  return outcome.requests.empty() ? ParsedRequest{} : outcome.requests[0];
}

std::string with_headers(const std::string& headers, const std::string& body = "") {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n" + body;
}

std::string chunked(const std::string& chunks) {
  return with_headers("Transfer-Encoding: chunked\r\n", chunks);
}

TEST(RequestParser, ReadsARequestOfAnSdk) {
  const ParsedRequest request = parse_one(
      "POST /path?query=1 HTTP/1.1\r\n"
      "Host: localhost:8000\r\n"
      "X-Amz-Target: DynamoDB_20120810.GetItem\r\n"
      "Content-Type:application/x-amz-json-1.0\r\n"
      "Empty:\r\n"
      "Content-Length: 13\r\n"
      "Blanks: \t a  b \t\r\n"
      "\r\n"
      "{\"Key\": null}");
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/path?query=1");
  EXPECT_EQ(request.body, "{\"Key\": null}");
  EXPECT_TRUE(request.keeps_alive);
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"Host", "localhost:8000"},
      {"X-Amz-Target", "DynamoDB_20120810.GetItem"},
      {"Content-Type", "application/x-amz-json-1.0"},
      {"Empty", ""},
      {"Content-Length", "13"},
      {"Blanks", "a  b"}};
  EXPECT_EQ(request.headers, headers);
}

TEST(RequestParser, ReadsRequestsInPipeline) {
  const ParserOutcome outcome =
      parse(with_headers("Content-Length: 3\r\n", "one") + chunked("3\r\ntwo\r\n0\r\n\r\n") +
            "GET /three HTTP/1.1\r\nHost: a\r\n\r\n" + "GET /four HTTP/1.1\r\n");
  ASSERT_EQ(outcome.requests.size(), 3u);
  EXPECT_EQ(outcome.requests[0].body, "one");
  EXPECT_EQ(outcome.requests[1].body, "two");
  EXPECT_EQ(outcome.requests[2].target, "/three");
  EXPECT_EQ(outcome.state, State::kHead);
}

TEST(RequestParser, SkipsEmptyLinesBeforeARequest) {
  EXPECT_EQ(parse_one("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n").method, "GET");
}

TEST(RequestParser, WaitsForTheRest) {
  const std::string whole = with_headers("Content-Length: 4\r\n", "body");
  const size_t head_bytes = whole.size() - 4;
  for (size_t size = 1; size < whole.size(); ++size) {
    const ParserOutcome outcome = feed_at_once(whole.substr(0, size));
    EXPECT_TRUE(outcome.requests.empty());
    EXPECT_FALSE(outcome.refusal.has_value());
    EXPECT_EQ(outcome.state, size < head_bytes ? State::kHead : State::kBody) << size;
  }
}

TEST(RequestParser, KnowsHowLongARequestWillBe) {
  std::string bytes = with_headers("Content-Length: 1000000\r\n");
  size_t size = bytes.size();
  RequestParser parser;
  EXPECT_EQ(parser.advance(bytes.data(), size), State::kBody);
  EXPECT_EQ(parser.bytes_expected(), bytes.size() + 1'000'000);
}

TEST(RequestParser, TellsWhetherTheConnectionStays) {
  struct Case {
    const char* version;
    const char* headers;
    bool keeps_alive;
  };
  const std::vector<Case> cases = {
      {"1.1", "", true},
      {"1.1", "Connection: close\r\n", false},
      {"1.1", "connection: CLOSE\r\n", false},
      {"1.1", "Connection: keep-alive\r\n", true},
      {"1.1", "Connection: upgrade, close\r\n", false},
      {"1.1", "Connection: keep-alive\r\nConnection: close\r\n", false},
      {"1.1", "Connection: closed\r\n", true},
      {"1.0", "", false},
      {"1.0", "Connection: Keep-Alive\r\n", true},
      {"1.0", "Connection: keep-alive, close\r\n", false},
      {"1.9", "", true},
  };
  for (const Case& c : cases) {
    const std::string bytes = std::string("GET / HTTP/") + c.version + "\r\nHost: a\r\n" + c.headers + "\r\n";
    EXPECT_EQ(parse_one(bytes).keeps_alive, c.keeps_alive) << bytes;
  }
}

TEST(RequestParser, KnowsWhoExpectsToBeToldToContinue) {
  EXPECT_TRUE(parse_one(with_headers("Expect: 100-Continue\r\n")).expects_continue);
  EXPECT_FALSE(parse_one(with_headers("Expect: miracles\r\n")).expects_continue);
  EXPECT_FALSE(parse_one("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").expects_continue);
}

TEST(RequestParser, RefusesWhatIsNotARequestLine) {
  for (const std::string line :
       {"GET", "GET /", "GET  HTTP/1.1", "GET / HTTP/1.1 ", "GET  / HTTP/1.1", "GET / / HTTP/1.1",
        " GET / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1", "GET / HTTP/1.10", "GET / HTTP/x.1",
        "GET / HTTP/11.1", "GE(T / HTTP/1.1", "GET /\t HTTP/1.1", "GET /\xc3\xa4 HTTP/1.1", "GET\t/ HTTP/1.1",
        "{\"json\": 1}", "/ HTTP/1.1", "GET /\x7f HTTP/1.1"})
    EXPECT_EQ(refusal_of(line + "\r\nHost: a\r\n\r\n"), Refusal::kMalformed) << line;
}

TEST(RequestParser, RefusesOtherVersions) {
  for (const std::string version : {"HTTP/2.0", "HTTP/0.9", "HTTP/3.1"})
    EXPECT_EQ(refusal_of("GET / " + version + "\r\nHost: a\r\n\r\n"), Refusal::kUnsupportedVersion)
        << version;
  EXPECT_EQ(refusal_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Refusal::kUnsupportedVersion);
}

TEST(RequestParser, RefusesGarbageWithoutWaitingForALineToEnd) {
  EXPECT_EQ(refusal_of("\x16\x03\x01"), Refusal::kMalformed);
  EXPECT_EQ(refusal_of(std::string("\0", 1)), Refusal::kMalformed);
  EXPECT_EQ(refusal_of("\n"), Refusal::kMalformed);
  EXPECT_EQ(refusal_of("GET\x01"), Refusal::kMalformed);
  EXPECT_FALSE(refusal_of(std::string(kMethodBytesMax, 'A')).has_value());
  EXPECT_EQ(refusal_of(std::string(kMethodBytesMax + 1, 'A')), Refusal::kMalformed);
  const std::string rest = " / HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_FALSE(refusal_of(std::string(kMethodBytesMax, 'A') + rest).has_value());
  EXPECT_EQ(refusal_of(std::string(kMethodBytesMax + 1, 'A') + rest), Refusal::kMalformed);
}

TEST(RequestParser, RefusesWrongHeaders) {
  for (const std::string header : {"NoColon", ": no name", "Blank : before colon", "Tab\t: before colon",
                                   " folded: line", "\tfolded", "Na(me: 1", "N\xc3\xa4me: 1"})
    EXPECT_EQ(refusal_of(with_headers(header + "\r\n")), Refusal::kMalformed) << header;
  EXPECT_EQ(refusal_of(with_headers("A: 1\r\n continued\r\n")), Refusal::kMalformed);
}

TEST(RequestParser, RefusesControlCharactersAndBareLineEnds) {
  for (int c = 0; c < 256; ++c) {
    const std::string header = std::string("A: x") + static_cast<char>(c) + "y\r\n";
    const bool is_allowed = c == '\t' || (c >= 0x20 && c != 0x7f);
    EXPECT_EQ(refusal_of(with_headers(header)).has_value(), !is_allowed) << c;
  }
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\nHost: a\n\n"), Refusal::kMalformed);
  EXPECT_EQ(refusal_of(with_headers("A: 1\n")), Refusal::kMalformed);
  EXPECT_EQ(refusal_of(with_headers("A: 1\r\r\n")), Refusal::kMalformed);
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\r\n\rX"), Refusal::kMalformed);
}

TEST(RequestParser, NeedsOneHost) {
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n\r\n"), Refusal::kMalformed);
  EXPECT_EQ(refusal_of(with_headers("host: b\r\n")), Refusal::kMalformed);
  EXPECT_EQ(parse_one("GET / HTTP/1.0\r\n\r\n").minor_version, 0);
}

TEST(RequestParser, RefusesLengthsThatCouldBeReadDifferently) {
  for (const std::string length : {"", "-1", "+1", "1 1", "0x1", "1,1", "1.0", "1e1", "one"})
    EXPECT_EQ(refusal_of(with_headers("Content-Length: " + length + "\r\n", "x")), Refusal::kMalformed)
        << length;
  EXPECT_EQ(refusal_of(with_headers("Content-Length: 1\r\nContent-Length: 2\r\n", "xx")),
            Refusal::kMalformed);
  EXPECT_EQ(refusal_of(with_headers("Content-Length: 1\r\ncontent-length: 1\r\n", "x")), Refusal::kMalformed);
  EXPECT_EQ(parse_one(with_headers("Content-Length: 0003\r\n", "abc")).body, "abc");
}

TEST(RequestParser, RefusesLengthTogetherWithChunks) {
  const std::string chunks = "0\r\n\r\n";
  EXPECT_EQ(refusal_of(with_headers("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", chunks)),
            Refusal::kMalformed);
  EXPECT_EQ(refusal_of(with_headers("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", chunks)),
            Refusal::kMalformed);
  EXPECT_EQ(refusal_of(with_headers("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunks)),
            Refusal::kMalformed);
  EXPECT_EQ(refusal_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks),
            Refusal::kMalformed);
}

TEST(RequestParser, RefusesOtherTransferCodings) {
  for (const std::string coding : {"gzip", "gzip, chunked", "identity", "chunked, chunked", "xchunked", ""})
    EXPECT_EQ(refusal_of(with_headers("Transfer-Encoding: " + coding + "\r\n")),
              Refusal::kUnsupportedTransferCoding)
        << coding;
  EXPECT_FALSE(refusal_of(with_headers("Transfer-Encoding: CHUNKED\r\n", "0\r\n\r\n")).has_value());
}

TEST(RequestParser, HoldsTheBodyToItsLimit) {
  EXPECT_FALSE(refusal_of(with_headers("Content-Length: 10\r\n", std::string(10, 'x')), 10).has_value());
  EXPECT_EQ(refusal_of(with_headers("Content-Length: 11\r\n"), 10), Refusal::kBodyTooLarge);
  EXPECT_EQ(refusal_of(with_headers("Content-Length: 99999999999999999999999999\r\n")),
            Refusal::kBodyTooLarge);
  const std::string at_limit = "5\r\nabcde\r\n5\r\nfghij\r\n";
  EXPECT_FALSE(refusal_of(chunked(at_limit + "0\r\n\r\n"), 10).has_value());
  EXPECT_EQ(refusal_of(chunked(at_limit + "1\r\n"), 10), Refusal::kBodyTooLarge);
  EXPECT_EQ(refusal_of(chunked("fffffffffffffffffffffffffffffff\r\n")), Refusal::kBodyTooLarge);
  EXPECT_FALSE(refusal_of(with_headers("Content-Length: 16777216\r\n")).has_value());
  EXPECT_EQ(refusal_of(with_headers("Content-Length: 16777217\r\n")), Refusal::kBodyTooLarge);
}

TEST(RequestParser, HoldsTheHeadToItsLimit) {
  const std::string begin = "GET / HTTP/1.1\r\nHost: a\r\nLong: ";
  const std::string end = "\r\n\r\n";
  const size_t room = kHeadBytesMax - begin.size() - end.size();
  EXPECT_EQ(parse_one(begin + std::string(room, 'x') + end).headers[1].second.size(), room);
  EXPECT_EQ(refusal_of(begin + std::string(room + 1, 'x') + end), Refusal::kHeadTooLarge);
  EXPECT_EQ(refusal_of(begin + std::string(2 * kHeadBytesMax, 'x')), Refusal::kHeadTooLarge);
  EXPECT_EQ(refusal_of("GET /" + std::string(kHeadBytesMax, 'x')), Refusal::kHeadTooLarge);
  std::string empty_lines;
  while (empty_lines.size() < kHeadBytesMax) empty_lines += "\r\n";
  EXPECT_EQ(refusal_of(empty_lines), Refusal::kHeadTooLarge);
}

TEST(RequestParser, HoldsTheHeadersToTheirNumber) {
  std::string headers;
  for (size_t i = 1; i < kHeadersMax; ++i) headers += "A: 1\r\n";  // Host is the first
  EXPECT_EQ(parse_one(with_headers(headers)).headers.size(), kHeadersMax);
  EXPECT_EQ(refusal_of(with_headers(headers + "A: 1\r\n")), Refusal::kHeadTooLarge);
}

TEST(RequestParser, PutsChunksTogether) {
  EXPECT_EQ(parse_one(chunked("0\r\n\r\n")).body, "");
  EXPECT_EQ(parse_one(chunked("1\r\na\r\n1\r\nb\r\n0\r\n\r\n")).body, "ab");
  EXPECT_EQ(parse_one(chunked("a\r\n0123456789\r\n0A\r\nabcdefghij\r\n000\r\n\r\n")).body,
            "0123456789abcdefghij");
  EXPECT_EQ(parse_one(chunked("3;name=value\r\n\r\n\r\r\n0 ; x\r\n\r\n")).body, "\r\n\r");
  EXPECT_EQ(parse_one(chunked("1\r\na\r\n0\r\nTrailer: 1\r\nOther:\r\n\r\n")).body, "a");
}

TEST(RequestParser, RefusesWrongChunks) {
  for (const std::string chunks :
       {"\r\n", "x\r\n", "-1\r\n", "0x1\r\n", "1 a\r\n", "1\r\nabc", "1\r\na\n", "1\na\r\n", " 1\r\n",
        "1\r\na\rb", "0\r\nno colon\r\n", "0\r\nname : x\r\n", "0\r\n\rx", "0\r\n folded\r\n"})
    EXPECT_EQ(refusal_of(chunked(chunks)), Refusal::kMalformed) << chunks;
}

TEST(RequestParser, HoldsChunkLinesAndTrailersToTheirLimits) {
  const std::string longest(kChunkLineBytesMax - 4, 'x');
  EXPECT_EQ(parse_one(chunked("1;" + longest + "\r\na\r\n0\r\n\r\n")).body, "a");
  EXPECT_EQ(refusal_of(chunked("1;" + longest + "x\r\na\r\n0\r\n\r\n")), Refusal::kMalformed);
  const std::string trailer = "Name: " + std::string(kHeadBytesMax - 10, 'x');
  EXPECT_FALSE(refusal_of(chunked("0\r\n" + trailer + "\r\n\r\n")).has_value());
  EXPECT_EQ(refusal_of(chunked("0\r\n" + trailer + "x\r\n\r\n")), Refusal::kHeadTooLarge);
}

TEST(RequestParser, ChunkFramingTakesNoRoom) {
  RequestParser parser;
  std::string buffer = chunked("");
  size_t size = buffer.size();
  const size_t head_bytes = size;
  EXPECT_EQ(parser.advance(buffer.data(), size), State::kBody);
  for (int i = 0; i < 1000; ++i) {
    buffer += "1;extension\r\nx\r\n";
    size = buffer.size();
    EXPECT_EQ(parser.advance(buffer.data(), size), State::kBody);
    buffer.resize(size);
  }
  EXPECT_EQ(buffer.size(), head_bytes + 1000);
}

// Random requests, right and damaged, in random pieces.
TEST(RequestParser, TheOutcomeDoesNotDependOnThePieces) {
  const char* const variable = std::getenv("SHEAF_TEST_SEED");
  const uint64_t seed = variable == nullptr ? 20240601 : std::strtoull(variable, nullptr, 10);
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % n); };
  const std::vector<std::string> headers = {
      "Connection: close\r\n", "Expect: 100-continue\r\n",       "X-Amz-Date: now\r\n",        "A:\t\tb \r\n",
      "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 200000\r\n", " folded\r\n"};
  size_t whole = 0;
  size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (size_t n = 1 + below(4); n-- > 0;) {
      std::string head;
      for (size_t i = below(4); i-- > 0;) head += headers[below(4)];
      const std::string body(below(40), 'b');
      if (below(2) == 0) {
        bytes += with_headers(head + "Content-Length: " + std::to_string(body.size()) + "\r\n", body);
      } else {
        std::string chunks;
        for (size_t i = below(4); i-- > 0;) chunks += "a;x\r\n0123456789\r\n";
        bytes += with_headers(head + "Transfer-Encoding: chunked\r\n", chunks + "0\r\nT: x\r\n\r\n");
      }
    }
    if (below(2) == 0) bytes.insert(below(bytes.size()), headers[below(headers.size())]);
    if (below(2) == 0) bytes[below(bytes.size())] = static_cast<char>(random());
    const ParserOutcome at_once = feed_at_once(bytes, 100);
    ASSERT_EQ(at_once, feed_byte_by_byte(bytes, 100)) << bytes;
    ASSERT_EQ(at_once, feed(bytes, 100, [&] { return 1 + below(50); })) << bytes;
    whole += at_once.requests.size();
    refused += at_once.refusal.has_value();
  }
  EXPECT_GT(whole, 3000u);
  EXPECT_GT(refused, 500u);
}

}  // namespace
}  // namespace sheaf::http
