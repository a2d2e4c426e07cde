#include "base/varint.h"

#include <gtest/gtest.h>

namespace sheaf {
namespace {

std::string encoded(uint64_t value) {
  std::string out;
  append_varint(out, value);
  return out;
}

TEST(Varint, ValuesBelow128TakeOneByte) {
  EXPECT_EQ(encoded(0), std::string(1, '\0'));
  EXPECT_EQ(encoded(0x7f), "\x7f");
}

TEST(Varint, LaterBytesHoldHigherBits) {
  EXPECT_EQ(encoded(0x80), std::string("\x80\x01"));
  EXPECT_EQ(encoded(300), std::string("\xac\x02"));
}

TEST(Varint, EveryLengthReadsBackBothWays) {
  for (int bits = 0; bits < 64; ++bits) {
    for (const uint64_t value : {(uint64_t{1} << bits) - 1, uint64_t{1} << bits, ~uint64_t{0} >> bits}) {
      const std::string bytes = encoded(value);
      const char* position = bytes.data();
      EXPECT_EQ(read_varint(position), value);
      EXPECT_EQ(position, bytes.data() + bytes.size());
      const std::string followed = bytes + "rest";
      std::string_view rest = followed;
      EXPECT_EQ(take_varint(rest), value);
      EXPECT_EQ(rest, "rest");
    }
  }
}

TEST(Varint, BytesThatEndTooEarlyAreRefused) {
  std::string_view none = "";
  EXPECT_EQ(take_varint(none), std::nullopt);
  std::string_view open = "\xff\xff";
  EXPECT_EQ(take_varint(open), std::nullopt);
}

TEST(Varint, ValuesBeyond64BitsAreRefused) {
  const std::string largest = encoded(~uint64_t{0});
  ASSERT_EQ(largest.size(), 10u);
  std::string larger = largest;
  larger.back() = 2;
  std::string_view bytes = larger;
  EXPECT_EQ(take_varint(bytes), std::nullopt);
  const std::string longer = std::string(10, '\xff') + "\x01";
  bytes = longer;
  EXPECT_EQ(take_varint(bytes), std::nullopt);
}

TEST(Varint, FormsLongerThanNeededAreRefused) {
  const std::string padded_zero("\x80\x00", 2);
  std::string_view bytes = padded_zero;
  EXPECT_EQ(take_varint(bytes), std::nullopt);
}

}  // namespace
}  // namespace sheaf
