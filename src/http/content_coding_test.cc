#include "http/content_coding.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <memory>
#include <random>
#include <string>

#include "http/gzip_fixture.h"

namespace sheaf::http {
namespace {

constexpr GzipDecoder::Limits kLimits{.bytes_max = 1 << 20, .padding_bytes = 64};

struct Outcome {
  Inflated inflated;
  std::string bytes;
};

Outcome decode(std::string_view compressed, const GzipDecoder::Limits& limits = kLimits,
               MemoryBudget* budget = nullptr) {
  GzipDecoder decoder;
  Buffer buffer(budget);
  size_t bytes = 0;
  const Inflated inflated = decoder.decode(compressed, limits, buffer, bytes);
  if (inflated != Inflated::kDone) return {inflated, ""};
  EXPECT_GE(buffer.capacity(), bytes + limits.padding_bytes);
  return {inflated, std::string(buffer.data(), bytes)};
}

TEST(ContentCoding, KnowsGzipAndNothingElse) {
  EXPECT_EQ(parse_content_coding(""), ContentCoding::kIdentity);
  EXPECT_EQ(parse_content_coding("identity"), ContentCoding::kIdentity);
  EXPECT_EQ(parse_content_coding("gzip"), ContentCoding::kGzip);
  EXPECT_EQ(parse_content_coding("GZip"), ContentCoding::kGzip);
  EXPECT_EQ(parse_content_coding("x-gzip"), ContentCoding::kGzip);
  EXPECT_EQ(parse_content_coding(" identity , gzip "), ContentCoding::kGzip);
  EXPECT_EQ(parse_content_coding("gzip, gzip"), ContentCoding::kUnsupported);
  EXPECT_EQ(parse_content_coding("br"), ContentCoding::kUnsupported);
  EXPECT_EQ(parse_content_coding("gzip, deflate"), ContentCoding::kUnsupported);
}

TEST(Crc32, IsTheOneOfTheStandard) {
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("123456789"), 0xcbf43926u);
}

TEST(Crc32, IsTheSameForEveryLengthAsBitByBit) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    uint32_t expected = 0xffffffff;
    for (const char c : text) {
      expected ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) expected = (expected >> 1) ^ (expected & 1 ? 0xedb88320 : 0);
    }
    ASSERT_EQ(crc32(text), ~expected) << i;
    text += static_cast<char>(i * 37);
  }
}

TEST(GzipDecoder, GivesBackWhatWasCompressed) {
  std::mt19937 random(1);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{100'000}, size_t{1 << 20}}) {
    std::string text(size, 'x');
    for (size_t i = 0; i < size; i += 3) text[i] = static_cast<char>(random());
    const Outcome outcome = decode(gzip(text));
    EXPECT_EQ(outcome.inflated, Inflated::kDone) << size;
    EXPECT_EQ(outcome.bytes, text) << size;
  }
}

TEST(GzipDecoder, AcceptsExactlyTheMaximum) {
  EXPECT_EQ(decode(gzip(std::string(kLimits.bytes_max, 'a'))).inflated, Inflated::kDone);
  EXPECT_EQ(decode(gzip(std::string(kLimits.bytes_max + 1, 'a'))).inflated, Inflated::kTooLarge);
}

TEST(GzipDecoder, SeveralMembersAreOneBody) {
  const std::string first(5000, 'a');
  const std::string second = "b";
  EXPECT_EQ(decode(gzip(first) + gzip(second)).bytes, first + second);
}

TEST(GzipDecoder, SeveralMembersCountTogether) {
  const std::string half = gzip(std::string(kLimits.bytes_max / 2, 'a'));
  EXPECT_EQ(decode(half + half).inflated, Inflated::kDone);
  EXPECT_EQ(decode(half + half + gzip("b")).inflated, Inflated::kTooLarge);
}

TEST(GzipDecoder, DoesNotBelieveTheSizeThatIsClaimed) {
  std::string compressed = gzip(std::string(500'000, 'a'));
  // Claims 2 GB, and then nothing: both are found out, and little is allocated for the first.
  std::string boasting = compressed;
  boasting.replace(boasting.size() - 4, 4, std::string("\xff\xff\xff\x7f", 4));
  EXPECT_EQ(decode(boasting).inflated, Inflated::kMalformed);
  std::string modest = compressed;
  modest.replace(modest.size() - 4, 4, std::string(4, '\0'));
  EXPECT_EQ(decode(modest).inflated, Inflated::kMalformed);

  std::string tiny = gzip("tiny");
  tiny.replace(tiny.size() - 4, 4, std::string("\xff\xff\xff\x7f", 4));
  MemoryBudget budget({.soft_bytes = 100'000, .hard_bytes = 100'000});
  EXPECT_EQ(decode(tiny, kLimits, &budget).inflated, Inflated::kMalformed) << "not kNoMemory";
}

TEST(GzipDecoder, RefusesWhatIsNotGzip) {
  EXPECT_EQ(decode("").inflated, Inflated::kMalformed);
  EXPECT_EQ(decode("x").inflated, Inflated::kMalformed);
  EXPECT_EQ(decode("{\"TableName\": \"table\"}").inflated, Inflated::kMalformed);
  EXPECT_EQ(decode(gzip("text") + "something else").inflated, Inflated::kMalformed);
}

TEST(GzipDecoder, RefusesEveryBeginningOfAFile) {
  const std::string compressed = gzip("a text that is long enough to have a few blocks of something");
  for (size_t size = 0; size < compressed.size(); ++size)
    EXPECT_EQ(decode(compressed.substr(0, size)).inflated, Inflated::kMalformed) << size;
}

TEST(GzipDecoder, NoticesDamage) {
  const std::string text(1000, 'q');
  const std::string compressed = gzip(text);
  for (size_t i = 0; i < compressed.size(); ++i) {
    std::string damaged = compressed;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    const Outcome outcome = decode(damaged);
    // A few bytes of the header (time, system) mean nothing to the contents.
    EXPECT_TRUE(outcome.inflated != Inflated::kDone || outcome.bytes == text) << i;
  }
}

TEST(GzipDecoder, StopsAtTheBudget) {
  const std::string compressed = gzip(std::string(500'000, 'a'));
  MemoryBudget small({.soft_bytes = 100'000, .hard_bytes = 100'000});
  EXPECT_EQ(decode(compressed, kLimits, &small).inflated, Inflated::kNoMemory);
  EXPECT_EQ(small.used_bytes(), 0u);
  MemoryBudget large({.soft_bytes = 600'000, .hard_bytes = 600'000});
  EXPECT_EQ(decode(compressed, kLimits, &large).inflated, Inflated::kDone);
}

}  // namespace
}  // namespace sheaf::http
