#include "sheaf/result.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/try.h"

namespace sheaf {
namespace {

Error refusal() { return {Code::kInvalid, "no"}; }

TEST(Result, HoldsAValue) {
  const Result<int> result = 7;
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), 7);
  EXPECT_EQ(*result, 7);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = refusal();
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error(), refusal());
}

TEST(Result, HoldsAValueOfTheErrorsMessageType) {
  const Result<std::string> result = std::string("text");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->size(), 4u);
}

TEST(Result, GivesUpAValueThatOnlyMoves) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(Result, OfNothingIsSuccessUnlessToldOtherwise) {
  EXPECT_TRUE(Result<void>().ok());
  const Result<void> failed = refusal();
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.error(), refusal());
}

Result<int> doubled(Result<int> result) { return 2 * TRY(std::move(result)); }

Result<int> counted(Result<void> result, int& calls) {
  TRY(std::move(result));
  return ++calls;
}

TEST(Try, PassesValuesOn) { EXPECT_EQ(*doubled(4), 8); }

TEST(Try, ReturnsTheErrorAtOnce) {
  EXPECT_EQ(doubled(refusal()).error(), refusal());
  int calls = 0;
  EXPECT_EQ(counted(refusal(), calls).error(), refusal());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(*counted({}, calls), 1);
}

}  // namespace
}  // namespace sheaf
