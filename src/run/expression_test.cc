#include "run/expression.h"

#include <gtest/gtest.h>

namespace sheaf::run {
namespace {

std::string shown(const std::vector<std::optional<Value>>& operands, std::string_view marks) {
  const auto made = computed(operands, marks);
  if (!made.ok()) return "error";
  return *made ? (*made)->to_json() : "nothing";
}

TEST(Expression, ProductsBindMoreTightlyThanSums) {
  EXPECT_EQ(shown({Value(2), Value(3), Value(4)}, "+*"), shown({Value(14)}, ""));
  EXPECT_EQ(shown({Value(2), Value(3), Value(4)}, "*+"), shown({Value(10)}, ""));
  EXPECT_EQ(shown({Value(20), Value(2), Value(3), Value(4), Value(1)}, "-*-*"), shown({Value(10)}, ""));
  EXPECT_EQ(shown({Value(9), Value(4), Value(3)}, "--"), shown({Value(2)}, ""));
}

TEST(Expression, HasNoValueIfAnOperandHasNone) {
  EXPECT_EQ(shown({Value(2), std::nullopt}, "+"), "nothing");
  EXPECT_EQ(shown({std::nullopt}, ""), "nothing");
  EXPECT_EQ(shown({Value(2), Value("x")}, "+"), "nothing");
  EXPECT_EQ(shown({Value("x")}, ""), Value("x").to_json());
}

TEST(Expression, ThatExceedsTheRangeOfNumbersIsAnError) {
  const Value large(*Number::parse("9e125"));
  EXPECT_EQ(shown({large, large}, "+"), "error");
  EXPECT_EQ(shown({large, large}, "-"), shown({Value(0)}, ""));
}

TEST(Expression, AddsNumbersAndElementsOfSets) {
  EXPECT_EQ(*added(2, 3), Value(5));
  EXPECT_EQ(*added(Value::string_set({"a", "b"}), Value::string_set({"b", "c"})),
            Value::string_set({"a", "b", "c"}));
  EXPECT_EQ(added(Value::string_set({"a"}), 3).error().code, Code::kInvalid);
}

TEST(Expression, RefusesToCombineWhatIsNoNumber) {
  EXPECT_EQ(*evaluated("text", {}), Value("text"));
  EXPECT_EQ(evaluated("2", {{'+', 3}}).error().code, Code::kInvalid);
}

}  // namespace
}  // namespace sheaf::run
