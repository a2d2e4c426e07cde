#include <gtest/gtest.h>

#include "sheaf/value.h"

namespace sheaf {
namespace {

std::string failure(ValueWriter& writer) {
  const auto result = writer.finish();
  if (result.ok()) return "accepted";
  EXPECT_EQ(result.error().code, Code::kInvalid);
  return result.error().message;
}

std::string set_failure(Type type, std::initializer_list<std::string_view> elements) {
  ValueWriter writer;
  writer.begin_set(type);
  for (const auto element : elements) writer.element(element);
  writer.end_set();
  return failure(writer);
}

// A leaf inside `levels` maps and lists by turns.
void write_nested(ValueWriter& writer, int levels) {
  if (levels == 0) return writer.null();
  if (levels % 2 == 0) {
    writer.begin_list();
    write_nested(writer, levels - 1);
    return writer.end_list();
  }
  writer.begin_map();
  writer.key("n");
  write_nested(writer, levels - 1);
  writer.end_map();
}

constexpr std::string_view kTooDeep =
    "Nesting Levels have exceeded supported limits: "
    "Attributes in the item have nested levels beyond supported limit";

TEST(ValueWriter, WritesAnItemOfEveryType) {
  ValueWriter writer;
  writer.begin_item();
  writer.key("null");
  writer.null();
  writer.key("bool");
  writer.boolean(true);
  writer.key("number");
  writer.number(Number(5));
  writer.key("string");
  writer.string("s");
  writer.key("binary");
  writer.binary("b");
  writer.key("map");
  writer.begin_map();
  writer.key("z");
  writer.number(Number(1));
  writer.key("a");
  writer.begin_list();
  writer.string("x");
  writer.copy(Value::list({1}));
  writer.end_list();
  writer.end_map();
  writer.key("set");
  writer.begin_set(Type::kNumberSet);
  writer.element(Number(2).encoded());
  writer.element(Number(-2).encoded());
  writer.end_set();
  writer.end_item();
  const auto encoded = writer.finish();
  ASSERT_TRUE(encoded.ok());
  const auto item = Item::decode(*encoded);
  ASSERT_TRUE(item.ok());
  EXPECT_EQ(item->to_json(),
            R"({"binary":{"B":"Yg=="},"bool":{"BOOL":true},)"
            R"("map":{"M":{"a":{"L":[{"S":"x"},{"L":[{"N":"1"}]}]},"z":{"N":"1"}}},)"
            R"("null":{"NULL":true},"number":{"N":"5"},"set":{"NS":["-2","2"]},"string":{"S":"s"}})");
}

TEST(ValueWriter, OrderOfKeysDoesNotShowInTheBytes) {
  const auto written = [](std::initializer_list<std::string_view> names) {
    ValueWriter writer;
    writer.begin_item();
    for (const auto name : names) {
      writer.key(name);
      writer.string(name);
    }
    writer.end_item();
    return *writer.finish();
  };
  const std::string sorted =
      written({"", "a", "aa", "long name with prefix 1", "long name with prefix 2", "z"});
  EXPECT_EQ(written({"z", "long name with prefix 2", "aa", "a", "long name with prefix 1", ""}), sorted);
  EXPECT_EQ(written({"", "a", "aa", "long name with prefix 2", "long name with prefix 1", "z"}), sorted);
}

TEST(ValueWriter, NamesThatDifferOnlyInZeroBytesAreDifferent) {
  ValueWriter writer;
  writer.begin_item();
  writer.key(std::string_view("a\0", 2));
  writer.null();
  writer.key("a");
  writer.null();
  writer.end_item();
  const auto encoded = writer.finish();
  ASSERT_TRUE(encoded.ok());
  EXPECT_TRUE(Item::decode(*encoded).ok());
}

TEST(ValueWriter, CountsBeyondOneByteAreWritten) {
  for (const int count : {127, 128, 129, 16384}) {
    ValueWriter writer;
    writer.begin_list();
    writer.begin_list();
    for (int i = 0; i < count; ++i) writer.boolean(i % 2 == 0);
    writer.end_list();
    writer.begin_map();
    for (int i = count; i > 0; --i) {
      writer.key(std::to_string(i));
      writer.number(Number(i));
    }
    writer.end_map();
    writer.string("behind");
    writer.end_list();
    const auto value = Value::decode(*writer.finish());
    ASSERT_TRUE(value.ok()) << count;
    EXPECT_EQ(value->view().list().at(0)->list().size(), static_cast<uint32_t>(count));
    EXPECT_EQ(*value->view().list().at(1)->map().find(std::to_string(count))->number().to_int64(), count);
    EXPECT_EQ(value->view().list().at(2)->bytes(), "behind");
  }
}

TEST(ValueWriter, EmptyMapsListsAndItemsAreFine) {
  ValueWriter writer;
  writer.begin_item();
  writer.end_item();
  EXPECT_EQ(*writer.finish(), Item().encoded());
  writer.begin_map();
  writer.end_map();
  EXPECT_EQ(*writer.finish(), Value(Item()).view().encoded());
  writer.begin_list();
  writer.end_list();
  EXPECT_EQ(*writer.finish(), Value::list({}).view().encoded());
}

TEST(ValueWriter, EmptySetsAreRefused) {
  EXPECT_EQ(set_failure(Type::kStringSet, {}),
            "One or more parameter values were invalid: An string set  may not be empty");
  EXPECT_EQ(set_failure(Type::kNumberSet, {}),
            "One or more parameter values were invalid: An number set  may not be empty");
  EXPECT_EQ(set_failure(Type::kBinarySet, {}),
            "One or more parameter values were invalid: Binary sets should not be empty");
}

TEST(ValueWriter, SetElementsGivenTwiceAreRefusedInTheOrderGiven) {
  EXPECT_EQ(set_failure(Type::kStringSet, {"b", "a", "b"}),
            "One or more parameter values were invalid: Input collection [b, a, b] contains duplicates.");
  EXPECT_EQ(set_failure(Type::kStringSet, {"a", "a"}),
            "One or more parameter values were invalid: Input collection [a, a] contains duplicates.");
  EXPECT_EQ(
      set_failure(Type::kBinarySet, {"b", "a", "b"}),
      "One or more parameter values were invalid: Input collection [Yg==, YQ==, Yg==]of type BS contains "
      "duplicates.");
}

TEST(ValueWriter, NumbersThatAreEqualAreDuplicatesHoweverWritten) {
  const auto one = *Number::parse("1");
  const auto one_too = *Number::parse("1.0");
  EXPECT_EQ(set_failure(Type::kNumberSet, {one.encoded(), Number(2).encoded(), one_too.encoded()}),
            "Input collection contains duplicates");
}

TEST(ValueWriter, ANameGivenTwiceIsRefused) {
  ValueWriter writer;
  writer.begin_item();
  for (const auto* name : {"a", "b", "a"}) {
    writer.key(name);
    writer.null();
  }
  writer.end_item();
  EXPECT_EQ(failure(writer),
            "One or more parameter values were invalid: The attribute name is given twice: a");
}

TEST(ValueWriter, TheFirstErrorIsKept) {
  ValueWriter writer;
  writer.begin_item();
  writer.key("empty");
  writer.begin_set(Type::kStringSet);
  writer.end_set();
  writer.key("twice");
  writer.begin_set(Type::kStringSet);
  writer.element("a");
  writer.element("a");
  writer.end_set();
  writer.end_item();
  EXPECT_EQ(failure(writer), "One or more parameter values were invalid: An string set  may not be empty");
}

TEST(ValueWriter, ALeafMayLieAtLevel32AndNoDeeper) {
  ValueWriter writer;
  write_nested(writer, 31);
  const auto deepest = writer.finish();
  ASSERT_TRUE(deepest.ok());
  EXPECT_EQ(Value::decode(*deepest)->view().depth(), kNestingMax);
  write_nested(writer, 32);
  EXPECT_EQ(failure(writer), kTooDeep);
  writer.begin_item();
  writer.key("a");
  write_nested(writer, 31);
  writer.end_item();
  EXPECT_TRUE(writer.finish().ok());
  writer.begin_item();
  writer.key("a");
  write_nested(writer, 32);
  writer.end_item();
  EXPECT_EQ(failure(writer), kTooDeep);
}

TEST(ValueWriter, CopiedValuesCountTheirLevels) {
  ValueWriter writer;
  write_nested(writer, 30);
  const Value inner(*Value::decode(*writer.finish()));
  writer.begin_list();
  writer.copy(inner);
  writer.end_list();
  EXPECT_TRUE(writer.finish().ok());
  writer.begin_list();
  writer.begin_list();
  writer.copy(inner);
  writer.end_list();
  writer.end_list();
  EXPECT_EQ(failure(writer), kTooDeep);
}

TEST(ValueWriter, StartsAfreshAfterAnErrorAndAfterReset) {
  ValueWriter writer;
  writer.begin_set(Type::kStringSet);
  writer.end_set();
  EXPECT_FALSE(writer.finish().ok());
  writer.begin_item();
  writer.key("half");
  writer.reset();
  writer.string("whole");
  EXPECT_EQ(*writer.finish(), Value("whole").view().encoded());
}

}  // namespace
}  // namespace sheaf
