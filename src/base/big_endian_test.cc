#include "base/big_endian.h"

#include <gtest/gtest.h>

namespace sheaf {
namespace {

TEST(BigEndian, TheHighestByteComesFirst) {
  std::string out;
  append_u16(out, 0x0102);
  append_u32(out, 0x03040506);
  append_u64(out, 0x0708090a0b0c0d0e);
  EXPECT_EQ(out, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e");
}

TEST(BigEndian, ReadsBackWhatWasAppended) {
  std::string out;
  append_u16(out, 0xfffe);
  append_u32(out, 0xfffffffd);
  append_u64(out, 0xfffffffffffffffc);
  EXPECT_EQ(read_u16(out.data()), 0xfffe);
  EXPECT_EQ(read_u32(out.data() + 2), 0xfffffffd);
  EXPECT_EQ(read_u64(out.data() + 6), 0xfffffffffffffffc);
}

TEST(BigEndian, BytesCompareAsTheNumbersDo) {
  std::string before;
  for (const uint64_t value :
       {uint64_t{0}, uint64_t{1}, uint64_t{0xff}, uint64_t{0x100}, uint64_t{1} << 63}) {
    std::string bytes;
    append_u64(bytes, value);
    EXPECT_TRUE(before.empty() || before < bytes) << value;
    before = bytes;
  }
}

}  // namespace
}  // namespace sheaf
