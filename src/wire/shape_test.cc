#include "wire/shape.h"

#include <gtest/gtest.h>

#include <array>

namespace sheaf::wire {
namespace {

constexpr std::array<std::string_view, 2> kColours = {"RED", "BLUE"};
constexpr Member kPartMembers[] = {{"Name", &kString, {.required = true, .min = 1, .max = 5}},
                                   {"Size", &kInteger}};
constexpr Shape kPart{.kind = Kind::kStructure, .class_name = "com.example.Part", .members = kPartMembers};
constexpr Shape kPartsShape{.kind = Kind::kList, .element = &kPart};
constexpr Shape kPartMap{.kind = Kind::kMap, .element = &kPart};
constexpr Shape kNames{.kind = Kind::kList, .element = &kString, .element_limits = {.min = 2, .max = 3}};
enum ThingMember : size_t { kTable, kColour, kCount, kFlag, kPartsAt, kPartMapAt, kNamesAt, kItem };
constexpr Member kThingMembers[] = {
    {"TableName", &kString, {.required = true, .min = 3, .max = 10, .table_name = true}},
    {"Colour", &kString, {.values = kColours}},
    {"Count", &kInteger, {.min = 1, .max = 100}},
    {"Flag", &kBoolean},
    {"Parts", &kPartsShape, {.min = 1, .max = 2}},
    {"PartMap", &kPartMap},
    {"Names", &kNames},
    {"Item", &kValueMap}};
constexpr Shape kThing{.kind = Kind::kStructure, .class_name = "com.example.Thing", .members = kThingMembers};

// "ok", or what is wrong.
std::string check(std::string text, Depth depth = Depth::kWithoutValues) {
  for (char& c : text) c = c == '\'' ? '"' : c;
  simdjson::dom::parser parser;
  const Json json = parser.parse(text);
  const Result<void> checked = check_shape(json, kThing, depth);
  if (checked.ok()) return "ok";
  return (checked.error().code == Code::kMalformed ? "malformed: " : "") + checked.error().message;
}

std::string with(const std::string& member) { return check("{'TableName':'abc'," + member + "}"); }

TEST(Shape, TakesWhatFits) {
  EXPECT_EQ(check("{'TableName':'abc'}"), "ok");
  EXPECT_EQ(
      check("{'TableName':'a.B-c_9','Colour':'RED','Count':1,'Flag':true,'Parts':[{'Name':'x'}],"
            "'PartMap':{'k':{'Name':'x','Size':2}},'Names':['ab'],'Item':{'a':{'S':'x'}},'Unknown':[1]}"),
      "ok");
  EXPECT_EQ(with("'Colour':null,'Parts':null"), "ok");
  EXPECT_EQ(check("{'TableName':'arn:aws:dynamodb:us-east-1:000000000000:table/orders'}"), "ok");
}

TEST(Shape, NamesTheConstraintThatDoesNotHold) {
  const std::string one = "1 validation error detected: ";
  EXPECT_EQ(check("{}"),
            one + "Value null at 'tableName' failed to satisfy constraint: Member must not be null");
  EXPECT_EQ(check("{'TableName':'ab'}"),
            one +
                "Value 'ab' at 'tableName' failed to satisfy constraint: Member must have "
                "length greater than or equal to 3");
  EXPECT_EQ(check("{'TableName':''}"),
            "2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: Member must "
            "have length greater than or equal to 3; Value '' at 'tableName' failed to satisfy constraint: "
            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  EXPECT_EQ(check("{'TableName':'a b'}"),
            one +
                "Value 'a b' at 'tableName' failed to satisfy constraint: Member must "
                "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  EXPECT_EQ(check("{'TableName':'abcdefghijk'}"),
            one +
                "Value 'abcdefghijk' at 'tableName' failed to satisfy "
                "constraint: Member must have length less than or equal to 10");
  EXPECT_EQ(with("'Colour':'GREEN'"),
            one +
                "Value 'GREEN' at 'colour' failed to satisfy constraint: Member must "
                "satisfy enum value set: [RED, BLUE]");
  EXPECT_EQ(with("'Count':0"),
            one +
                "Value '0' at 'count' failed to satisfy constraint: Member must have value "
                "greater than or equal to 1");
  EXPECT_EQ(with("'Count':101"),
            one +
                "Value '101' at 'count' failed to satisfy constraint: Member must have value "
                "less than or equal to 100");
  EXPECT_EQ(with("'Parts':[]"),
            one +
                "Value '[]' at 'parts' failed to satisfy constraint: Member must have length "
                "greater than or equal to 1");
  EXPECT_EQ(with("'Parts':[{'Name':'a'},{'Name':'b','Size':7},{'Name':'c'}]"),
            one +
                "Value '[Part(name=a, size=null), Part(name=b, size=7), Part(name=c, size=null)]' at 'parts' "
                "failed "
                "to satisfy constraint: Member must have length less than or equal to 2");
  EXPECT_EQ(with("'Names':['a']"),
            one +
                "Value 'a' at 'names.1.member' failed to satisfy constraint: Member must "
                "have length greater than or equal to 2");
}

TEST(Shape, LooksIntoListsAndMaps) {
  const std::string one = "1 validation error detected: ";
  EXPECT_EQ(with("'Parts':[{'Name':'a'},{}]"), one +
                                                   "Value null at 'parts.2.member.name' failed to satisfy "
                                                   "constraint: Member must not be null");
  EXPECT_EQ(with("'PartMap':{'k':{'Name':''}}"),
            one +
                "Value '' at 'partMap.k.member.name' failed to satisfy "
                "constraint: Member must have length greater than or equal to 1");
}

TEST(Shape, TellsAllThatDoesNotHoldInTheOrderOfTheShapeUpToTen) {
  EXPECT_EQ(
      check("{'Count':0,'Colour':'x'}"),
      "3 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not "
      "be "
      "null; Value 'x' at 'colour' failed to satisfy constraint: Member must satisfy enum value set: [RED, "
      "BLUE]; Value '0' at 'count' failed to satisfy constraint: Member must have value greater than or "
      "equal "
      "to 1");
  std::string parts;
  for (int i = 0; i < 20; ++i) parts += std::string(i > 0 ? "," : "") + "'k" + std::to_string(i) + "':{}";
  EXPECT_EQ(with("'PartMap':{" + parts + "}").substr(0, 30), "10 validation errors detected:");
}

TEST(Shape, WhatCannotBeReadIsToldFirst) {
  EXPECT_EQ(check("{'Colour':'x','Flag':5}"), "malformed: NUMBER_VALUE cannot be converted to Boolean");
  EXPECT_EQ(check("{'TableName':5}"), "malformed: NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(check("{'TableName':5.5}"), "malformed: DECIMAL_VALUE cannot be converted to String");
  EXPECT_EQ(check("{'TableName':true}"), "malformed: TRUE_VALUE cannot be converted to String");
  EXPECT_EQ(check("{'TableName':[]}"), "malformed: Unrecognized collection type class java.lang.String");
  EXPECT_EQ(check("{'TableName':{}}"), "malformed: Start of structure or map found where not expected");
  EXPECT_EQ(with("'Count':'5'"), "malformed: STRING_VALUE cannot be converted to Integer");
  EXPECT_EQ(with("'Parts':{}"), "malformed: Start of structure or map found where not expected");
  EXPECT_EQ(with("'Parts':'x'"), "malformed: Unexpected field type");
  EXPECT_EQ(with("'Parts':[[]]"), "malformed: Unrecognized collection type class com.example.Part");
  EXPECT_EQ(with("'PartMap':[]"),
            "malformed: Unrecognized collection type java.util.Map<java.lang.String, com.example.Part>");
  EXPECT_EQ(check("[]"), "malformed: Unrecognized collection type class com.example.Thing");
  EXPECT_EQ(check("5"), "malformed: Unexpected value type in payload");
}

TEST(Shape, TakesSomeWordsForBooleans) {
  EXPECT_EQ(with("'Flag':'true'"), "ok");
  EXPECT_EQ(with("'Flag':'no'"), "ok");
  EXPECT_EQ(with("'Flag':'maybe'"), "malformed: Unexpected token received from parser");
}

TEST(Shape, LooksIntoValuesOnlyWhenAsked) {
  const std::string wrong = "{'TableName':'abc','Item':{'a':{'M':{'b':{'S':5}}}}}";
  EXPECT_EQ(check(wrong), "ok");
  EXPECT_EQ(check(wrong, Depth::kWithValues), "malformed: NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(check("{'TableName':'abc','Item':{'a':{'B':'AAA'}}}", Depth::kWithValues),
            "malformed: Base64 encoded length is expected a multiple of 4 bytes but found: 3");
  EXPECT_EQ(check("{'TableName':'abc','Item':{'a':{'SS':[true]}}}", Depth::kWithValues),
            "malformed: TRUE_VALUE cannot be converted to String");
  EXPECT_EQ(check("{'TableName':'abc','Item':{'a':{'L':[{'NS':['1']}]}}}", Depth::kWithValues), "ok");
}

TEST(Fields, AreFoundByTheirPlace) {
  simdjson::dom::parser parser;
  const std::string text =
      R"({"Flag":"yes","Count":7.9,"Colour":null,"TableName":"abc","Parts":[{"Size":3}],"Other":1})";
  const Json json = parser.parse(text);
  const Fields fields(json, kThing);
  EXPECT_EQ(fields.text(kTable), "abc");
  EXPECT_FALSE(fields.has(kColour));
  EXPECT_EQ(fields.text(kColour), "");
  EXPECT_EQ(fields.integer(kCount), 7);
  EXPECT_TRUE(fields.flag(kFlag));
  EXPECT_EQ(fields.list(kPartsAt).size(), 1u);
  EXPECT_FALSE(fields.has(kItem));
}

}  // namespace
}  // namespace sheaf::wire
