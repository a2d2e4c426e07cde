#include "run/inner_value.h"

#include <gtest/gtest.h>

namespace sheaf::run {
namespace {

TEST(InnerValue, IsReadReplacedAndRemoved) {
  const Value value(Item{{"a", Item{{"b", 1}}}, {"c", 2}});
  const std::vector<std::string> deep = {"a", "b"}, missing = {"x", "y"}, through = {"c", "d"};
  EXPECT_EQ(value_inside(value, deep), Value(1));
  EXPECT_EQ(value_inside(value, missing), std::nullopt);
  EXPECT_EQ(value_inside(value, through), std::nullopt);
  EXPECT_EQ(*with_inside(value, deep, Value(7)), Value(Item{{"a", Item{{"b", 7}}}, {"c", 2}}));
  EXPECT_EQ(*with_inside(value, deep, std::nullopt), Value(Item{{"a", Item{}}, {"c", 2}}));
  EXPECT_EQ(*with_inside(value, missing, std::nullopt), value);
  EXPECT_EQ(*with_inside(value, through, std::nullopt), value);
  EXPECT_EQ(with_inside(value, missing, Value(7)).error().code, Code::kInvalid);
  EXPECT_EQ(with_inside(value, through, Value(7)).error().code, Code::kInvalid);
}

}  // namespace
}  // namespace sheaf::run
