#include "http/response_coding.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <random>

namespace sheaf::http {
namespace {

std::string chosen(std::string_view accepted) { return std::string(coding_name(choose_coding(accepted))); }

TEST(ResponseCoding, TheBestLikedIsChosen) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"", ""},
      {"identity", ""},
      {"br, zstd, x-gzip", ""},
      {"gzip", "gzip"},
      {"GZip", "gzip"},
      {"deflate", "deflate"},
      {"gzip, deflate", "gzip"},
      {"br, identity, deflate, gzip", "deflate"},
      {"*", "gzip"},
      {"*, deflate", "deflate"},
      {"*, deflate;q=0.5", "gzip"},
      {"*, gzip;q=0.5", "deflate"},
      {"gzip;q=0", ""},
      {"gzip;q=0, *", "deflate"},
      {"gzip;q=0.2, deflate;q=0.3", "deflate"},
      {"gzip;q=7, deflate", "gzip"},
      {"gzip;q=0.5, deflate;q=0.6, gzip", "deflate"},
      {"gzip ; q=0.1 , deflate ; Q=0.2", "deflate"},
  };
  for (const auto& [accepted, coding] : kCases) EXPECT_EQ(chosen(accepted), coding) << accepted;
}

std::string inflated(const std::string& bytes, ResponseCoding coding, size_t size) {
  std::string out(size, '\0');
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  const auto run = coding == ResponseCoding::kGzip ? libdeflate_gzip_decompress : libdeflate_zlib_decompress;
  size_t given = 0;
  EXPECT_EQ(run(decompressor, bytes.data(), bytes.size(), out.data(), out.size(), &given),
            LIBDEFLATE_SUCCESS);
  libdeflate_free_decompressor(decompressor);
  EXPECT_EQ(given, size);
  return out;
}

TEST(ResponseCoding, WhatIsCompressedComesBack) {
  std::string text;
  for (int i = 0; text.size() < 100'000; ++i) text += "{\"pk\":{\"S\":\"item-" + std::to_string(i) + "\"}},";
  for (const ResponseCoding coding : {ResponseCoding::kGzip, ResponseCoding::kDeflate}) {
    std::string body = text;
    ASSERT_TRUE(compress(body, coding));
    EXPECT_LT(body.size(), text.size() / 4);
    EXPECT_EQ(inflated(body, coding, text.size()), text);
  }
}

TEST(ResponseCoding, SmallAnswersAndThoseThatDoNotShrinkStay) {
  std::string small(kPlainBytesMax, 'x');
  EXPECT_FALSE(compress(small, ResponseCoding::kGzip));
  EXPECT_EQ(small, std::string(kPlainBytesMax, 'x'));
  std::string just(kPlainBytesMax + 1, 'x');
  EXPECT_TRUE(compress(just, ResponseCoding::kGzip));
  std::mt19937 random(1);
  std::string noise;
  for (int i = 0; i < 10'000; ++i) noise += static_cast<char>(random());
  const std::string before = noise;
  EXPECT_FALSE(compress(noise, ResponseCoding::kDeflate));
  EXPECT_EQ(noise, before);
  std::string plain(10'000, 'x');
  EXPECT_FALSE(compress(plain, ResponseCoding::kIdentity));
}

}  // namespace
}  // namespace sheaf::http
