#include "value/base64.h"

#include <gtest/gtest.h>

namespace sheaf {
namespace {

std::string encoded(std::string_view bytes) {
  std::string out = "> ";
  append_base64(out, bytes);
  return out.substr(2);
}

TEST(Base64, PadsToGroupsOfFour) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, UsesTheWholeAlphabet) {
  EXPECT_EQ(encoded(std::string_view("\x00\x10\x83\x10\x51\x87\x20\x92\x8b", 9)), "ABCDEFGHIJKL");
  EXPECT_EQ(encoded("\xff\xff\xfe\xfb\xff"), "///++/8=");
}

std::string decoded(std::string_view text) {
  std::string out = "> ";
  return decode_base64(out, text) ? out.substr(2) : "refused";
}

TEST(Base64, DecodesWhatItEncodes) {
  EXPECT_EQ(decoded(""), "");
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(decoded(encoded(bytes)), bytes);
    bytes += static_cast<char>(i * 31 + i / 7);
  }
}

TEST(Base64, RefusesWhatNoEncoderWrites) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "Zm9", "Zm9v Zm9", "Zm-_", "Zg=a",
                           "=Zg=", "Zh==", "Zm9=", "Zg==Zg==", "\xff\xff\xff\xff"})
    EXPECT_EQ(decoded(text), "refused") << text;
  std::string out = "kept";
  EXPECT_FALSE(decode_base64(out, "Zm9vZm9*"));
  EXPECT_EQ(out, "kept");
}

}  // namespace
}  // namespace sheaf
