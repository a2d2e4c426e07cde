#include "cost/fraction.h"

#include <gtest/gtest.h>

namespace sheaf::cost {
namespace {

Fraction decimal(std::string_view text) { return *Fraction::parse(text); }

TEST(Fraction, ReadsDecimalsAsTheyAreWritten) {
  EXPECT_EQ(decimal("0.125"), Fraction(1) / Fraction(8));
  EXPECT_EQ(decimal("1000"), Fraction(1000));
  EXPECT_EQ(decimal("1.25e-7"), Fraction(125) / Fraction(1'000'000'000));
  EXPECT_EQ(decimal("2E3"), Fraction(2000));
  EXPECT_EQ(decimal("0.000"), Fraction(0));
}

TEST(Fraction, RefusesWhatIsNoDecimal) {
  for (const char* text : {"", ".", "1.", ".5", "-1", "+1", "1e", "1e+", "1e5x", "0x1", "1 ", "1.2.3", "inf"})
    EXPECT_FALSE(Fraction::parse(text)) << text;
}

TEST(Fraction, TakesEighteenDigitsAndExponentsUpToEighteen) {
  EXPECT_TRUE(Fraction::parse("123456789012345678"));
  EXPECT_FALSE(Fraction::parse("1234567890123456789"));
  EXPECT_TRUE(Fraction::parse("1e18"));
  EXPECT_FALSE(Fraction::parse("1e19"));
  EXPECT_TRUE(Fraction::parse("1e-18"));
  EXPECT_FALSE(Fraction::parse("1e-19"));
}

TEST(Fraction, HasNoErrorOfFloatingNumbers) {
  Fraction sum;
  for (int i = 0; i < 10; ++i) sum = sum + decimal("0.1");
  EXPECT_EQ(sum, Fraction(1));
  EXPECT_EQ(Fraction(1) / Fraction(3) * Fraction(3), Fraction(1));
}

TEST(Fraction, RoundsHalvesUp) {
  EXPECT_EQ(decimal("2.4999").rounded(), 2);
  EXPECT_EQ(decimal("2.5").rounded(), 3);
  EXPECT_EQ(decimal("2").rounded_up(), 2);
  EXPECT_EQ(decimal("2.000001").rounded_up(), 3);
  EXPECT_EQ(decimal("999999999999999999").rounded(), 999'999'999'999'999'999);
  EXPECT_FALSE((decimal("999999999999999999") + decimal("0.5")).rounded());
}

TEST(Fraction, IsTooLargeBeforeItIsWrong) {
  Fraction large = decimal("1e18");
  large = large * large;
  EXPECT_FALSE(large.is_too_large());
  EXPECT_FALSE(large.rounded());
  large = large * large;
  EXPECT_TRUE(large.is_too_large());
  EXPECT_TRUE((large / large).is_too_large());
  EXPECT_TRUE((large + Fraction(1)).is_too_large());
  EXPECT_TRUE((Fraction(1) / Fraction(0)).is_too_large());
  EXPECT_FALSE(large == large);
}

TEST(Fraction, IsWrittenWithoutNeedlessZeros) {
  EXPECT_EQ(decimal("1.50").text(), "1.5");
  EXPECT_EQ(Fraction(7).text(), "7");
  EXPECT_EQ((Fraction(1) / Fraction(3)).text(), "0.333333");
  EXPECT_EQ(decimal("0.0000005").text(), "0.000001");
  EXPECT_EQ(decimal("12.5").text(0), "13");
}

}  // namespace
}  // namespace sheaf::cost
