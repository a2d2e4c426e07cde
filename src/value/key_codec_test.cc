#include "value/key_codec.h"

#include <gtest/gtest.h>

#include "value/hex_text.h"
#include "value/random_value.h"

namespace sheaf {
namespace {

constexpr int kRounds = 20000;

std::string component(const Value& value) {
  std::string out;
  append_key_component(out, value);
  return out;
}

std::string prefix(std::string_view bytes) {
  std::string out;
  append_key_prefix(out, bytes);
  return out;
}

// The worked examples of doc/key-format.md.
TEST(KeyCodec, EncodesAsDocumented) {
  EXPECT_EQ(hex(component("")), "00 01");
  EXPECT_EQ(hex(component("a")), "61 00 01");
  EXPECT_EQ(hex(component(std::string_view("a\0b", 3))), "61 00 FF 62 00 01");
  EXPECT_EQ(hex(component(Value::binary("\xff"))), "FF 00 01");
  EXPECT_EQ(hex(component(42)), "C1 2B 00");
  EXPECT_EQ(hex(prefix("a")), "61");
  EXPECT_EQ(hex(prefix(std::string_view("a\0", 2))), "61 00 FF");
  EXPECT_EQ(hex(component("ORG#1") + component(7)), "4F 52 47 23 31 00 01 C1 08 00");
}

TEST(KeyCodec, NegativeNumbersSortBeforeZero) {
  EXPECT_LT(component(-1), component(0));
  EXPECT_LT(component(*Number::parse("-1e-130")), component(0));
}

TEST(KeyCodec, AStringSortsBeforeThoseThatItBegins) {
  const std::vector<std::string> ascending = {"",
                                              std::string(1, '\0'),
                                              std::string(2, '\0'),
                                              std::string("\0\x01", 2),
                                              std::string("\0\xff", 2),
                                              "\x01",
                                              "a",
                                              std::string("a\0", 2),
                                              std::string("a\0\0", 3),
                                              "a\x01",
                                              "aa",
                                              "b",
                                              "\xff",
                                              std::string("\xff\0", 2),
                                              "\xff\xff"};
  for (size_t i = 0; i + 1 < ascending.size(); ++i) {
    EXPECT_LT(component(ascending[i]), component(ascending[i + 1])) << i;
  }
}

TEST(KeyCodec, ComponentsReadBackOneAfterTheOther) {
  std::string key =
      component("pk") + component(-12) + component(Value::binary(std::string_view("\0\0", 2))) + "rest";
  std::string_view left = key;
  EXPECT_EQ(*take_key_component(left, Type::kString), Value("pk"));
  EXPECT_EQ(*take_key_component(left, Type::kNumber), Value(-12));
  EXPECT_EQ(*take_key_component(left, Type::kBinary), Value::binary(std::string_view("\0\0", 2)));
  EXPECT_EQ(left, "rest");
}

TEST(KeyCodec, MalformedComponentsAreRefused) {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("a\0", 2), std::string("a\0\x02", 3),
        std::string("a\0\0", 3), std::string("\0\xff", 2)}) {
    std::string_view left = bytes;
    EXPECT_FALSE(take_key_component(left, Type::kString).ok()) << hex(bytes);
    left = bytes;
    EXPECT_FALSE(take_key_component(left, Type::kBinary).ok()) << hex(bytes);
    left = bytes;
    EXPECT_FALSE(take_key_component(left, Type::kNumber).ok()) << hex(bytes);
    for (const Type type : {Type::kString, Type::kBinary, Type::kNumber}) {
      left = bytes;
      EXPECT_FALSE(skip_key_component(left, type)) << hex(bytes);
    }
  }
}

TEST(KeyCodec, PrefixEndIsTheNextKeyBehindThePrefix) {
  EXPECT_EQ(prefix_end("abc"), "abd");
  EXPECT_EQ(prefix_end("ab\xff"), "ac");
  EXPECT_EQ(prefix_end("a\xff\xff"), "b");
  EXPECT_EQ(prefix_end("\x7f"), "\x80");
  EXPECT_EQ(prefix_end("\xff\xff"), "");
  EXPECT_EQ(prefix_end(""), "");
}

TEST(KeyCodec, HashOfAPartitionNeverChanges) {
  EXPECT_EQ(partition_hash(""), 0x2d06800538d394c2u);
  EXPECT_EQ(partition_hash(component("ORG#1")), 0x62b816fdbcdb6e39u);
  EXPECT_EQ(partition_hash(component(std::string(300, 'x'))), 0xa34fa9a017cd26c8u);
}

TEST(KeyCodecProperty, KeysCompareAsTheirComponentsDo) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const std::string a = random.bytes(6);
    const std::string b = random.one_in(2) ? a + random.bytes(2) : random.bytes(6);
    const Number second_a = random.number();
    const Number second_b = random.number();
    const std::string key_a = component(Value::binary(a)) + component(second_a);
    const std::string key_b = component(Value::binary(b)) + component(second_b);
    ASSERT_EQ(key_a <=> key_b, a == b ? second_a <=> second_b : a <=> b) << hex(a) << " | " << hex(b);
    const std::string turned_a = component(second_a) + component(Value::binary(a));
    const std::string turned_b = component(second_b) + component(Value::binary(b));
    ASSERT_EQ(turned_a <=> turned_b, second_a == second_b ? a <=> b : second_a <=> second_b);
  }
}

TEST(KeyCodecProperty, ComponentsReadBack) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const Value text(random.text(6));
    const Value binary = Value::binary(random.bytes(6));
    const Value number(random.number());
    const std::string key = component(text) + component(number) + component(binary);
    std::string_view left = key;
    ASSERT_EQ(*take_key_component(left, Type::kString), text);
    ASSERT_EQ(*take_key_component(left, Type::kNumber), number);
    ASSERT_EQ(*take_key_component(left, Type::kBinary), binary);
    ASSERT_TRUE(left.empty());
    left = key;
    ASSERT_TRUE(skip_key_component(left, Type::kString));
    ASSERT_TRUE(skip_key_component(left, Type::kNumber));
    ASSERT_EQ(left, component(binary));
    ASSERT_TRUE(skip_key_component(left, Type::kBinary));
    ASSERT_TRUE(left.empty());
  }
}

TEST(KeyCodecProperty, PrefixesBoundExactlyWhatBeginsWithThem) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const std::string begin = random.bytes(3);
    const std::string bytes = random.one_in(2) ? begin + random.bytes(3) : random.bytes(5);
    const std::string key = component(Value::binary(bytes));
    const std::string from = prefix(begin);
    const std::string to = prefix_end(from);
    const bool inside = key >= from && (to.empty() || key < to);
    ASSERT_EQ(inside, bytes.starts_with(begin)) << hex(begin) << " | " << hex(bytes);
  }
}

}  // namespace
}  // namespace sheaf
