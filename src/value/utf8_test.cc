#include "value/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf {
namespace {

TEST(Utf8, TakesTextOfEveryLength) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8(std::string_view("a\0b", 3)));
  EXPECT_TRUE(is_utf8("plain text of more than eight bytes"));
  EXPECT_TRUE(is_utf8("h\xc3\xa9"));
  EXPECT_TRUE(is_utf8("\xe2\x82\xac"));
  EXPECT_TRUE(is_utf8("\xf0\x9f\x98\x80"));
}

TEST(Utf8, TakesTheEdgesOfEveryRange) {
  for (const auto* text : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RefusesWhatIsOverlongOrOutOfRange) {
  for (const auto* bytes : {"\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                            "\xf5\x80\x80\x80", "\xff", "\xfe"}) {
    EXPECT_FALSE(is_utf8(bytes));
  }
}

TEST(Utf8, RefusesSurrogates) {
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(is_utf8("\xed\xbf\xbf"));
}

TEST(Utf8, RefusesStrayAndMissingContinuations) {
  EXPECT_FALSE(is_utf8("\x80"));
  EXPECT_FALSE(is_utf8("abc\xbf"));
  EXPECT_FALSE(is_utf8("\xc3"));
  EXPECT_FALSE(is_utf8("\xc3("));
  EXPECT_FALSE(is_utf8("\xe2\x82"));
  EXPECT_FALSE(is_utf8("\xe2\x82("));
  EXPECT_FALSE(is_utf8("\xf0\x9f\x98"));
  EXPECT_FALSE(is_utf8("\xf0\x9f\x98("));
}

TEST(Utf8, FindsAWrongByteAtEveryPlace) {
  for (size_t length = 1; length < 40; ++length) {
    for (size_t place = 0; place < length; ++place) {
      std::string text(length, 'a');
      text[place] = '\xff';
      EXPECT_FALSE(is_utf8(text)) << length << " " << place;
    }
  }
}

}  // namespace
}  // namespace sheaf
