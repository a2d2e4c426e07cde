#include "infer/field_types.h"

#include <gtest/gtest.h>

#include "model/value_type.h"

namespace sheaf::infer {
namespace {

std::string type_of(const std::vector<Value>& values) {
  std::vector<ValueView> views(values.begin(), values.end());
  return model::text_of(type_of_values(views));
}

TEST(FieldTypes, AreTheNarrowestThatFit) {
  EXPECT_EQ(type_of({1, 2}), "int");
  EXPECT_EQ(type_of({1, *Number::parse("2.5")}), "number");
  EXPECT_EQ(type_of({true, false}), "bool");
  EXPECT_EQ(type_of({"2026-01-02", "2026-11-15"}), "date");
  EXPECT_EQ(type_of({"2026-01-02", "soon"}), "string");
  EXPECT_EQ(type_of({"2026-11-15T08:30:00.000Z"}), "time");
  EXPECT_EQ(type_of({"2026-11-15T08:30:00"}), "string");  // times have 24 characters
  EXPECT_EQ(type_of({"01HF0000000000000000000001"}), "ulid");
  EXPECT_EQ(type_of({"123e4567-e89b-42d3-a456-426614174000"}), "uuid");
  EXPECT_EQ(type_of({1, "a"}), "any");
  EXPECT_EQ(type_of({Value()}), "any");
  EXPECT_EQ(type_of({Value::list({"a"}), Value::list({})}), "list<string>");
  EXPECT_EQ(type_of({Value::number_set({*Number::parse("1")})}), "set<number>");
}

TEST(FieldTypes, MapsHaveFieldsIfANameIsInAllOfThem) {
  EXPECT_EQ(type_of({Value(Item{{"a", 1}, {"b", "x"}}), Value(Item{{"a", 2}})}), "{ a int; b string? }");
  EXPECT_EQ(type_of({Value(Item{{"a", 1}}), Value(Item{{"b", 2}})}), "map<int>");
  EXPECT_EQ(type_of({Value(Item())}), "map<any>");
}

// Few values in many items: on both sides of each of the two numbers.
TEST(FieldTypes, AnEnumHasFewValuesInManyItems) {
  std::vector<Value> values;
  for (size_t i = 0; i < kEnumItemsMin - 1; ++i) values.emplace_back(i % 4 == 0 ? "OPEN" : "PAID");
  EXPECT_EQ(type_of(values), "string");
  values.emplace_back("OPEN");
  EXPECT_EQ(type_of(values), "enum(OPEN, PAID)");
  values = {};
  for (size_t i = 0; i < 4 * kItemsPerValueMin; ++i) values.emplace_back("V" + std::to_string(i % 5));
  EXPECT_EQ(type_of(values), "string");  // five values, four items each
  for (size_t i = 0; i < kItemsPerValueMin; ++i) values.emplace_back("V" + std::to_string(i));
  EXPECT_EQ(type_of(values), "enum(V0, V1, V2, V3, V4)");
}

}  // namespace
}  // namespace sheaf::infer
