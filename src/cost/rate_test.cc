#include "cost/rate.h"

#include <gtest/gtest.h>

namespace sheaf::cost {
namespace {

TEST(Rate, IsExactInEveryUnit) {
  EXPECT_EQ(*read_rate("1000/s"), Fraction(1000));
  EXPECT_EQ(*read_rate("2.5/min"), Fraction(1) / Fraction(24));
  EXPECT_EQ(*read_rate("40/h"), Fraction(1) / Fraction(90));
  EXPECT_EQ(*read_rate("5/day"), Fraction(1) / Fraction(17'280));
  EXPECT_EQ(per_second({.count = "0.5", .per = language::Rate::Per::kDay}), *read_rate("0.5/day"));
  EXPECT_EQ(per_second({.count = "3", .per = language::Rate::Per::kMinute}), *read_rate("3/min"));
}

TEST(Rate, OfMoreThanEighteenDigitsIsTooLarge) {
  EXPECT_FALSE(per_second({.count = std::string(18, '9')}).is_too_large());
  EXPECT_TRUE(per_second({.count = std::string(19, '9')}).is_too_large());
}

TEST(Rate, WhatIsNoRateIsRefusedWithWhatToWrite) {
  for (const char* text : {"", "5", "/s", "5/", "5/week", "-5/s", "five/s", "5 /s"}) {
    const Result<Fraction> read = read_rate(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().message,
              std::string("a rate is like 1000/s, 2.5/min, 40/h or 5/day, not ") + text);
  }
}

TEST(Rate, IsToldInTheUnitInWhichItIsWhole) {
  for (const char* text : {"1000/s", "5/day", "40/h", "7/min", "0.5/day"})
    EXPECT_EQ(rate_text(*read_rate(text)), text);
  EXPECT_EQ(rate_text(*read_rate("120/min")), "2/s");
}

}  // namespace
}  // namespace sheaf::cost
