#include "value/value_json.h"

#include <gtest/gtest.h>

namespace sheaf {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(ValueJson, EveryTypeHasDynamoDBsForm) {
  EXPECT_EQ(Value().to_json(), R"({"NULL":true})");
  EXPECT_EQ(Value(false).to_json(), R"({"BOOL":false})");
  EXPECT_EQ(Value(*Number::parse("-1.50")).to_json(), R"({"N":"-1.5"})");
  EXPECT_EQ(Value("x").to_json(), R"({"S":"x"})");
  EXPECT_EQ(Value::binary(std::string_view("\0\x01\xff", 3)).to_json(), R"({"B":"AAH/"})");
  EXPECT_EQ(Value(Item{{"a", 1}}).to_json(), R"({"M":{"a":{"N":"1"}}})");
  EXPECT_EQ(Value(Item()).to_json(), R"({"M":{}})");
  EXPECT_EQ(Value::list({1, "x"}).to_json(), R"({"L":[{"N":"1"},{"S":"x"}]})");
  EXPECT_EQ(Value::list({}).to_json(), R"({"L":[]})");
  EXPECT_EQ(Value::string_set({"b", "a"}).to_json(), R"({"SS":["a","b"]})");
  EXPECT_EQ(Value::number_set({2, 1}).to_json(), R"({"NS":["1","2"]})");
  EXPECT_EQ(Value::binary_set({"b", "a"}).to_json(), R"({"BS":["YQ==","Yg=="]})");
}

TEST(ValueJson, ItemsAreObjects) {
  EXPECT_EQ(Item().to_json(), "{}");
  EXPECT_EQ((Item{{"b", "x"}, {"a\"", true}}.to_json()), R"({"a\"":{"BOOL":true},"b":{"S":"x"}})");
}

TEST(ValueJson, OnlyQuotesBackslashesAndControlsAreEscaped) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("say \"hi\" \\ / bye"), R"("say \"hi\" \\ / bye")");
  EXPECT_EQ(json_string("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json_string(std::string_view("\0\x01\x0b\x1f ", 5)), R"("\u0000\u0001\u000b\u001f ")");
  EXPECT_EQ(json_string("\x7f\xc3\xa9\xf0\x9f\x98\x80"), "\"\x7f\xc3\xa9\xf0\x9f\x98\x80\"");
}

TEST(ValueJson, EscapesAreFoundAtEveryPlace) {
  for (size_t length = 1; length < 40; ++length) {
    for (size_t place = 0; place < length; ++place) {
      std::string text(length, '\xc3');
      text[place] = '"';
      std::string expected = "\"" + text + "\"";
      expected.insert(1 + place, "\\");
      EXPECT_EQ(json_string(text), expected) << length << " " << place;
    }
  }
}

TEST(ValueJson, EveryByteIsEscapedIfAndOnlyIfItMustBe) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = "abcdefg" + std::string(1, static_cast<char>(byte)) + "hijklmno";
    const bool escaped = json_string(text) != "\"" + text + "\"";
    EXPECT_EQ(escaped, byte < 0x20 || byte == '"' || byte == '\\') << byte;
  }
}

}  // namespace
}  // namespace sheaf
