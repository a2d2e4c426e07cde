#include <gtest/gtest.h>

#include "sheaf/value.h"

#include "value/hex_text.h"

namespace sheaf {
namespace {

bool value_decodes(std::string_view bytes) {
  const auto value = Value::decode(from_hex(bytes));
  if (!value.ok()) {
    EXPECT_EQ(value.error().code, Code::kCorrupt);
  }
  return value.ok();
}

bool item_decodes(std::string_view bytes) { return Item::decode(from_hex(bytes)).ok(); }

TEST(ValueDecode, TakesWhatWasWritten) {
  const Value value(Item{{"a", Value::list({1, "two", Value(), true})},
                         {"b", Value::number_set({1, 2})},
                         {"c", Value::binary_set({"x", "y"})},
                         {"d", Value::string_set({"x", "y"})},
                         {"e", Value::binary("\xff")}});
  const auto decoded = Value::decode(std::string(value.view().encoded()));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, value);
}

TEST(ValueDecode, EveryShorterOrLongerFormIsRefused) {
  const Value value(
      Item{{"a", Value::list({1, "two", Value::string_set({"x", "y"})})}, {"b", Value::number_set({1, 2})}});
  const std::string whole(value.view().encoded());
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(Value::decode(whole.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(Value::decode(whole + '\0').ok());
  const std::string item(Item{{"a", 1}, {"b", "x"}}.encoded());
  for (size_t length = 0; length < item.size(); ++length) {
    EXPECT_FALSE(Item::decode(item.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(Item::decode(item + '\0').ok());
}

TEST(ValueDecode, UnknownTypesAreRefused) {
  EXPECT_TRUE(value_decodes("01"));
  EXPECT_FALSE(value_decodes("00"));
  EXPECT_FALSE(value_decodes("0B"));
  EXPECT_FALSE(value_decodes("FF"));
}

TEST(ValueDecode, BooleansAreZeroOrOne) {
  EXPECT_TRUE(value_decodes("02 00"));
  EXPECT_TRUE(value_decodes("02 01"));
  EXPECT_FALSE(value_decodes("02 02"));
}

TEST(ValueDecode, NumbersAreWholeAndCanonical) {
  EXPECT_TRUE(value_decodes("03 03 C1 2B 00"));
  EXPECT_FALSE(value_decodes("03 04 C1 2B 00 00"));
  EXPECT_FALSE(value_decodes("03 04 C1 2B 01 00"));
  EXPECT_FALSE(value_decodes("03 02 C1 2B"));
  EXPECT_FALSE(value_decodes("03 00"));
}

TEST(ValueDecode, StringsAreUtf8AndBinariesNeedNotBe) {
  EXPECT_TRUE(value_decodes("04 02 C3 A9"));
  EXPECT_FALSE(value_decodes("04 01 C3"));
  EXPECT_FALSE(value_decodes("04 01 FF"));
  EXPECT_TRUE(value_decodes("05 01 FF"));
}

TEST(ValueDecode, LengthsAreTheShortestAndLeadNowhereElse) {
  EXPECT_TRUE(value_decodes("04 00"));
  EXPECT_FALSE(value_decodes("04 80 00"));
  EXPECT_FALSE(value_decodes("04 FF FF FF FF FF FF FF FF FF 01"));
  EXPECT_FALSE(value_decodes("06 FF FF FF FF 00"));
  EXPECT_FALSE(value_decodes("07 02 00 00 00 00 01"));        // a body that goes on behind its last entry
  EXPECT_FALSE(value_decodes("07 01 00 00 00 01 01"));        // an entry outside of the body
  EXPECT_FALSE(value_decodes("07 01 00 00 00 FF"));           // a count without end
  EXPECT_FALSE(value_decodes("07 03 00 00 00 03 01 01"));     // more counted than present
  EXPECT_FALSE(value_decodes("07 04 00 00 00 02 01 01 01"));  // fewer counted than present
}

TEST(ValueDecode, NamesAscend) {
  EXPECT_TRUE(item_decodes("02 01 61 01 01 62 01"));
  EXPECT_FALSE(item_decodes("02 01 62 01 01 61 01"));
  EXPECT_FALSE(item_decodes("02 01 61 01 01 61 01"));
  EXPECT_FALSE(item_decodes("01 01 FF 01"));
}

TEST(ValueDecode, SetElementsAscend) {
  EXPECT_TRUE(value_decodes("08 05 00 00 00 02 01 61 01 62"));
  EXPECT_FALSE(value_decodes("08 05 00 00 00 02 01 62 01 61"));
  EXPECT_FALSE(value_decodes("08 05 00 00 00 02 01 61 01 61"));
  EXPECT_FALSE(value_decodes("08 03 00 00 00 01 01 FF"));
  EXPECT_TRUE(value_decodes("0A 03 00 00 00 01 01 FF"));
  EXPECT_TRUE(value_decodes("09 09 00 00 00 02 03 3E FD FF 03 C1 02 00"));
  EXPECT_FALSE(value_decodes("09 09 00 00 00 02 03 C1 02 00 03 3E FD FF"));
  EXPECT_FALSE(value_decodes("09 03 00 00 00 01 01 61"));
}

TEST(ValueDecode, SetsAreNotEmpty) {
  EXPECT_FALSE(value_decodes("08 01 00 00 00 00"));
  EXPECT_FALSE(value_decodes("09 01 00 00 00 00"));
  EXPECT_FALSE(value_decodes("0A 01 00 00 00 00"));
  EXPECT_TRUE(value_decodes("06 01 00 00 00 00"));
  EXPECT_TRUE(value_decodes("07 01 00 00 00 00"));
}

// A null inside `levels` lists.
std::string nested(int levels) {
  std::string value = "\x01";
  for (int i = 0; i < levels; ++i) {
    const auto length = static_cast<uint32_t>(value.size() + 1);
    value = std::string("\x07") + std::string(reinterpret_cast<const char*>(&length), 4) + "\x01" + value;
  }
  return value;
}

TEST(ValueDecode, NestingIsBounded) {
  EXPECT_TRUE(Value::decode(nested(kNestingMax - 1)).ok());
  EXPECT_FALSE(Value::decode(nested(kNestingMax)).ok());
  EXPECT_FALSE(Value::decode(nested(10000)).ok());
  const std::string attribute = std::string("\x01\x01") + "a";
  EXPECT_TRUE(Item::decode(attribute + nested(kNestingMax - 1)).ok());
  EXPECT_FALSE(Item::decode(attribute + nested(kNestingMax)).ok());
}

}  // namespace
}  // namespace sheaf
