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

}  // namespace
}  // namespace sheaf
