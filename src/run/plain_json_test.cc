#include "run/plain_json.h"

#include <gtest/gtest.h>

namespace sheaf::run {
namespace {

std::string again(std::string_view text) {
  const Result<Value> value = from_plain_json(text);
  return value.ok() ? to_plain_json(*value) : "error: " + value.error().message;
}

TEST(PlainJson, ComesBackAsItWas) {
  EXPECT_EQ(again(R"( {"b":[1,2.50,"x",null,true],"a":{}} )"), R"({"a":{},"b":[1,2.5,"x",null,true]})");
  EXPECT_EQ(again("7"), "7");
}

TEST(PlainJson, ANameThatIsGivenTwiceIsAnError) {
  EXPECT_EQ(again(R"({"a":1,"a":2})").substr(0, 7), "error: ");
  EXPECT_EQ(again(R"([{"x":{"a":1,"b":0,"a":1}}])").substr(0, 7), "error: ");
}

TEST(PlainJson, WhatIsBehindTheEndIsAnError) {
  EXPECT_EQ(again(R"({"a":1} {})"), "error: there is more behind the end of the JSON");
  EXPECT_EQ(again(R"([1],[2])"), "error: there is more behind the end of the JSON");
  EXPECT_EQ(again(R"({"a":1}})").substr(0, 7), "error: ");
}

TEST(PlainJson, WhatIsNoneIsCalledSoWithItsLineIfThereAreSeveral) {
  for (const char* text : {"", "hello", "nothing", "{\"a\": hello}", "[1,--2]", "[1.2.3]", "{\"a\"", "[\"x]"})
    EXPECT_EQ(again(text), "error: this is no JSON") << text;
  EXPECT_EQ(again("{\"a\": 1,\n\"b\": hello,\n\"c\": 2}\n"), "error: this is no JSON, line 2");
  EXPECT_EQ(again("{\"a\": 1}\n{\"b\": 2}"), "error: there is more behind the end of the JSON, line 2");
  EXPECT_EQ(again("{\"a\": hello}\n\n"), "error: this is no JSON");
  EXPECT_EQ(again("[1e999]").substr(0, 29), "error: 1e999: Number overflow");
}

}  // namespace
}  // namespace sheaf::run
