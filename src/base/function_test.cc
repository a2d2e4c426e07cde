#include "base/function.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sheaf {
namespace {

int call_twice(FunctionRef<int(int)> function) { return function(1) + function(2); }

TEST(FunctionRef, BorrowsLambdasAndTheirState) {
  int calls = 0;
  EXPECT_EQ(call_twice([&](int value) {
              ++calls;
              return value * 10;
            }),
            30);
  EXPECT_EQ(calls, 2);
  const auto constant = [](int) { return 7; };
  EXPECT_EQ(call_twice(constant), 14);
  auto counting = [count = 0](int) mutable { return ++count; };
  EXPECT_EQ(call_twice(counting), 3);
  EXPECT_EQ(counting(0), 3) << "borrowed, not copied";
}

TEST(FunctionRef, DropsAResultThatNobodyWants) {
  int calls = 0;
  const auto answers = [&](int) { return ++calls; };
  const FunctionRef<void(int)> function = answers;
  function(1);
  EXPECT_EQ(calls, 1);
}

TEST(UniqueFunction, OwnsWhatCannotBeCopied) {
  auto held = std::make_unique<std::string>("held");
  UniqueFunction<std::string()> function = [held = std::move(held)] { return *held; };
  UniqueFunction<std::string()> moved = std::move(function);
  EXPECT_TRUE(static_cast<bool>(moved));
  EXPECT_FALSE(static_cast<bool>(function));  // NOLINT: a moved function is empty
  EXPECT_EQ(moved(), "held");
  EXPECT_FALSE(static_cast<bool>(UniqueFunction<void()>()));
}

TEST(UniqueFunction, LetsGoOfWhatItOwns) {
  const auto shared = std::make_shared<int>(1);
  {
    UniqueFunction<void()> function = [shared] {};
    EXPECT_EQ(shared.use_count(), 2);
    function = [] {};
    EXPECT_EQ(shared.use_count(), 1);
    function = [shared] {};
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(UniqueFunction, PassesArgumentsOnWithoutCopies) {
  UniqueFunction<std::unique_ptr<int>(std::unique_ptr<int>)> function = [](std::unique_ptr<int> value) {
    ++*value;
    return value;
  };
  EXPECT_EQ(*function(std::make_unique<int>(4)), 5);
  UniqueFunction<void(int&)> increments = [](int& value) { return ++value; };
  int value = 1;
  increments(value);
  EXPECT_EQ(value, 2);
}

}  // namespace
}  // namespace sheaf
