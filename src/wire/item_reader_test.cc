#include "wire/item_reader.h"

#include <gtest/gtest.h>

#include "value/value_json.h"

namespace sheaf::wire {
namespace {

// The item as it is written again, or what is wrong with it.
std::string read(const std::string& text) {
  simdjson::dom::parser parser;
  const Json json = parser.parse(text);
  ItemReader reader;
  const Result<Item> item = reader.item(json);
  if (!item.ok()) return (item.error().code == Code::kMalformed ? "malformed: " : "") + item.error().message;
  std::string out;
  append_json(out, item->view());
  return out;
}

TEST(ItemReader, ReadsEveryType) {
  for (const char* text :
       {R"({})", R"({"a":{"S":"text"}})", R"({"a":{"S":""}})", R"({"a":{"N":"-12.5"}})",
        R"({"a":{"B":"AP8B"}})", R"({"a":{"B":""}})", R"({"a":{"BOOL":true}})", R"({"a":{"BOOL":false}})",
        R"({"a":{"NULL":true}})", R"({"a":{"SS":["x","y"]}})", R"({"a":{"NS":["-1","2"]}})",
        R"({"a":{"BS":["AA==","/w=="]}})", R"({"a":{"L":[{"S":"x"},{"L":[]},{"M":{}}]}})",
        R"({"a":{"M":{"b":{"M":{"c":{"N":"1"}}}}}})", R"({"a":{"S":"\"\\\n\u0001"},"b":{"S":"ü"}})"})
    EXPECT_EQ(read(text), text);
}

TEST(ItemReader, GivesThingsTheirCanonicalForm) {
  EXPECT_EQ(read(R"({"b":{"N":"1.50"},"a":{"N":"+0100"}})"), R"({"a":{"N":"100"},"b":{"N":"1.5"}})");
  EXPECT_EQ(read(R"({"a":{"SS":["y","x"]}})"), R"({"a":{"SS":["x","y"]}})");
  EXPECT_EQ(read(R"({"a":{"S":"\u00fc"}})"), R"({"a":{"S":"ü"}})");
}

TEST(ItemReader, WhatIsNullIsNotThere) {
  EXPECT_EQ(read(R"({"a":null,"b":{"S":"x","N":null}})"), R"({"b":{"S":"x"}})");
}

TEST(ItemReader, RefusesValuesInAwsWords) {
  const std::string empty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  EXPECT_EQ(read(R"({"a":{}})"), empty);
  EXPECT_EQ(read(R"({"a":{"S":null}})"), empty);
  EXPECT_EQ(read(R"({"a":{"X":"y"}})"), empty);
  EXPECT_EQ(read(R"({"a":{"L":[{}]}})"), empty);
  EXPECT_EQ(
      read(R"({"a":{"S":"x","N":"1"}})"),
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
      "datatypes");
  EXPECT_EQ(
      read(R"({"a":{"NULL":false}})"),
      "One or more parameter values were invalid: Null attribute value types must have the value of true");
  EXPECT_EQ(read(R"({"a":{"N":"abc"}})"), "The parameter cannot be converted to a numeric value: abc");
  EXPECT_EQ(read(R"({"a":{"SS":[]}})"),
            "One or more parameter values were invalid: An string set  may not be empty");
  EXPECT_EQ(read(R"({"a":{"SS":["x","x"]}})"),
            "One or more parameter values were invalid: Input collection [x, x] contains duplicates.");
}

TEST(ItemReader, NamesHaveOneTo65535Bytes) {
  const std::string longest(65'535, 'n');
  EXPECT_EQ(read(R"({")" + longest + R"(":{"S":"x"}})"), R"({")" + longest + R"(":{"S":"x"}})");
  EXPECT_EQ(read(R"({"n)" + longest + R"(":{"S":"x"}})"),
            "One or more parameter values were invalid: Attribute name is too large, must be less than 65536 "
            "bytes");
  EXPECT_EQ(read(R"({"":{"S":"x"}})"), "One or more parameter values were invalid: Empty attribute name");
}

TEST(ItemReader, WhatIsOfAnotherTypeIsMalformed) {
  for (const char* text :
       {R"({"a":5})", R"({"a":"x"})", R"({"a":[]})", R"({"a":{"S":5}})", R"({"a":{"N":5}})",
        R"({"a":{"B":5}})", R"({"a":{"BOOL":5}})", R"({"a":{"NULL":"x"}})", R"({"a":{"SS":"x"}})",
        R"({"a":{"SS":[5]}})", R"({"a":{"L":{}}})", R"({"a":{"L":[5]}})", R"({"a":{"M":[]}})",
        R"({"a":{"M":{"b":5}}})"})
    EXPECT_EQ(read(text).substr(0, 11), "malformed: ") << text << " gives " << read(text);
  EXPECT_EQ(read(R"({"a":{"B":"AAA"}})"),
            "malformed: Base64 encoded length is expected a multiple of 4 bytes but found: 3");
  EXPECT_EQ(read(R"({"a":{"B":"****"}})"), "malformed: Invalid last non-pad Base64 character dectected");
}

std::string nested(int levels) {
  std::string text = R"({"S":"x"})";
  for (int i = 1; i < levels; ++i) text = R"({"L":[)" + text + "]}";
  return R"({"a":)" + text + "}";
}

TEST(ItemReader, ReadsThirtyTwoLevelsAndNoMore) {
  EXPECT_EQ(read(nested(32)), nested(32));
  const std::string refused =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported "
      "limit";
  EXPECT_EQ(read(nested(33)), refused);
  EXPECT_EQ(read(nested(199)), refused);
}

}  // namespace
}  // namespace sheaf::wire
