#include "sheaf/number.h"

#include <gtest/gtest.h>

#include <limits>

#include "value/hex_text.h"

namespace sheaf {
namespace {

constexpr std::string_view kTooLarge =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr std::string_view kTooSmall =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr std::string_view kTooPrecise = "Attempting to store more than 38 significant digits in a Number";

const std::string kNines38(38, '9');

Number number(std::string_view text) {
  auto parsed = Number::parse(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *parsed : Number();
}

std::string canonical(std::string_view text) { return number(text).to_string(); }

std::string refusal(std::string_view text) {
  const auto parsed = Number::parse(text);
  if (parsed.ok()) return "accepted as " + parsed->to_string();
  EXPECT_EQ(parsed.error().code, Code::kInvalid);
  return parsed.error().message;
}

TEST(Number, TextIsPlainWhateverTheMagnitude) {
  EXPECT_EQ(canonical("1.5E2"), "150");
  EXPECT_EQ(canonical("1e125"), "1" + std::string(125, '0'));
  EXPECT_EQ(canonical("-1E-130"), "-0." + std::string(129, '0') + "1");
  EXPECT_EQ(canonical("12.5e-4"), "0.00125");
  EXPECT_EQ(canonical("9.9999999999999999999999999999999999999E+125"), kNines38 + std::string(88, '0'));
}

TEST(Number, TextHasNoNeedlessZerosOrSigns) {
  EXPECT_EQ(canonical("00042"), "42");
  EXPECT_EQ(canonical("+7"), "7");
  EXPECT_EQ(canonical("3.1400"), "3.14");
  EXPECT_EQ(canonical("1.0"), "1");
  EXPECT_EQ(canonical("0042.1200"), "42.12");
  EXPECT_EQ(canonical("-100.50"), "-100.5");
  EXPECT_EQ(canonical(".5"), "0.5");
  EXPECT_EQ(canonical("5."), "5");
  EXPECT_EQ(canonical("1000000"), "1000000");
}

TEST(Number, ZeroHasOneForm) {
  for (const auto* text : {"0", "-0", "+0", "0.000", "00", "0e1000", "-0E-999999999999999999999"}) {
    EXPECT_EQ(canonical(text), "0") << text;
    EXPECT_EQ(number(text), Number()) << text;
    EXPECT_TRUE(number(text).view().is_zero()) << text;
    EXPECT_FALSE(number(text).view().is_negative()) << text;
  }
}

TEST(Number, ZerosAtBothEndsAreNotSignificant) {
  EXPECT_EQ(canonical(std::string(1000, '0') + "1" + std::string(100, '0')), "1" + std::string(100, '0'));
  EXPECT_EQ(canonical("0.0" + std::string(90, '0') + kNines38 + std::string(50, '0')),
            "0.0" + std::string(90, '0') + kNines38);
  EXPECT_EQ(canonical("0." + std::string(1000, '0') + "1e1000"), "0.1");
  EXPECT_EQ(canonical("1" + std::string(1000, '0') + "e-1000"), "1");
}

TEST(Number, ThirtyEightDigitsFit) {
  EXPECT_EQ(canonical(kNines38), kNines38);
  EXPECT_EQ(canonical("1" + std::string(36, '0') + "1"), "1" + std::string(36, '0') + "1");
  EXPECT_EQ(canonical("3.1415926535897932384626433832795028841"), "3.1415926535897932384626433832795028841");
  EXPECT_EQ(canonical("314159265358979323846.26433832795028841"), "314159265358979323846.26433832795028841");
}

TEST(Number, ThirtyNineDigitsDoNot) {
  EXPECT_EQ(refusal("1" + std::string(37, '0') + "1"), kTooPrecise);
  EXPECT_EQ(refusal("123456789012345678901234567890123456789"), kTooPrecise);
  EXPECT_EQ(refusal("-1.23456789012345678901234567890123456789"), kTooPrecise);
  EXPECT_EQ(refusal("0." + kNines38 + "9"), kTooPrecise);
}

TEST(Number, MagnitudesOutOfRangeAreRefused) {
  for (const auto* text :
       {"1e126", "-1e126", "11e125", "1e2147483647", "1e2147483648", "-1e99999999999999999999"}) {
    EXPECT_EQ(refusal(text), kTooLarge) << text;
  }
  for (const auto* text : {"1e-131", "-1e-131", "0.9e-130", "1e-2147483648", "1e-99999999999999999999"}) {
    EXPECT_EQ(refusal(text), kTooSmall) << text;
  }
  EXPECT_EQ(refusal("1" + std::string(126, '0')), kTooLarge);
}

TEST(Number, RangeIsCheckedBeforePrecision) { EXPECT_EQ(refusal(kNines38 + "9e125"), kTooLarge); }

TEST(Number, TextThatIsNotANumberIsQuoted) {
  for (const auto* text :
       {"abc", "1.2.3", " 1",  "1 ",  "0x10",  "1e",    "1e+",   "e2",  "+e2",      ".",         "-",
        "+",   "--5",   "+-5", "1+2", "1e2.5", "1e2e3", "1_000", "NaN", "Infinity", "-Infinity", "-."}) {
    EXPECT_EQ(refusal(text), std::string("The parameter cannot be converted to a numeric value: ") + text);
  }
}

TEST(Number, EmptyTextIsNotQuoted) {
  EXPECT_EQ(refusal(""), "The parameter cannot be converted to a numeric value");
  EXPECT_EQ(refusal(std::string_view()), "The parameter cannot be converted to a numeric value");
}

TEST(Number, EmbeddedZeroByteIsNotANumber) {
  EXPECT_FALSE(Number::parse(std::string_view("1\0", 2)).ok());
  EXPECT_FALSE(Number::parse(std::string_view("1\0002", 3)).ok());
}

// The worked examples of doc/key-format.md.
TEST(Number, EncodesAsDocumented) {
  EXPECT_EQ(hex(number("0").encoded()), "80 00");
  EXPECT_EQ(hex(number("1").encoded()), "C1 02 00");
  EXPECT_EQ(hex(number("42").encoded()), "C1 2B 00");
  EXPECT_EQ(hex(number("-42").encoded()), "3E D4 FF");
  EXPECT_EQ(hex(number("100").encoded()), "C2 02 00");
  EXPECT_EQ(hex(number("123.45").encoded()), "C2 02 18 2E 00");
  EXPECT_EQ(hex(number("0.001").encoded()), "BF 0B 00");
  EXPECT_EQ(hex(number("1E-130").encoded()), "80 02 00");
  EXPECT_EQ(hex(number("-1E-130").encoded()), "7F FD FF");
  EXPECT_EQ(hex(number("9.9E+125").encoded()), "FF 64 00");
  EXPECT_EQ(hex(number("-9.9E+125").encoded()), "00 9B FF");
}

TEST(Number, LongestEncodingHas22Bytes) {
  EXPECT_EQ(number("-" + kNines38).encoded().size(), 21u);
  EXPECT_EQ(number("1.0000000000000000000000000000000000001").encoded().size(), 22u);
  EXPECT_EQ(number("-9." + kNines38.substr(1)).encoded().size(), 22u);
}

TEST(Number, OrderOfBytesIsOrderOfNumbers) {
  const std::vector<std::string> ascending = {
      "-9.9999999999999999999999999999999999999E+125",
      "-9.9999999999999999999999999999999999998E+125",
      "-1E125",
      "-9.9E124",
      "-1000",
      "-999.9",
      "-100",
      "-99",
      "-12",
      "-10.5",
      "-10",
      "-9",
      "-1.01",
      "-1",
      "-0.999",
      "-0.1",
      "-0.01",
      "-1.1E-129",
      "-1E-129",
      "-9.9E-130",
      "-1.5E-130",
      "-1E-130",
      "0",
      "1E-130",
      "1.0000000000000000000000000000000000001E-130",
      "1.5E-130",
      "9.9E-130",
      "1E-129",
      "0.01",
      "0.1",
      "0.10001",
      "0.999",
      "1",
      "1.01",
      "9",
      "10",
      "10.5",
      "12",
      "99",
      "99.99",
      "100",
      "101",
      "12345678901234567890123456789012345677",
      "12345678901234567890123456789012345678",
      "1E125",
      "9.9999999999999999999999999999999999998E+125",
      "9.9999999999999999999999999999999999999E+125",
  };
  for (size_t i = 0; i + 1 < ascending.size(); ++i) {
    EXPECT_LT(number(ascending[i]), number(ascending[i + 1])) << ascending[i] << " " << ascending[i + 1];
  }
}

TEST(Number, EqualNumbersHaveEqualBytes) {
  EXPECT_EQ(number("100").encoded(), number("1e2").encoded());
  EXPECT_EQ(number("0.5").encoded(), number("+00.500").encoded());
  EXPECT_EQ(number("-1700000000").encoded(), Number(-1700000000).encoded());
}

TEST(Number, IntegersEncodeAsTheirTextDoes) {
  for (const int64_t value :
       {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{99}, int64_t{100}, int64_t{-10000}, int64_t{1700000000},
        std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()}) {
    EXPECT_EQ(Number(value), number(std::to_string(value))) << value;
    EXPECT_EQ(*Number(value).view().to_int64(), value);
  }
}

TEST(Number, OnlyIntegersOf64BitsBecomeInt64) {
  EXPECT_EQ(*number("1e18").view().to_int64(), 1'000'000'000'000'000'000);
  for (const auto* text :
       {"9223372036854775808", "-9223372036854775809", "1e19", "0.5", "1.5", "1e125", "1e-130"}) {
    EXPECT_FALSE(number(text).view().to_int64().ok()) << text;
  }
}

TEST(Number, DoublesAreTheNearestOnes) {
  EXPECT_EQ(number("0").view().to_double(), 0.0);
  EXPECT_EQ(number("-42").view().to_double(), -42.0);
  EXPECT_EQ(number("0.1").view().to_double(), 0.1);
  EXPECT_EQ(number("1.7976931348623157").view().to_double(), 1.7976931348623157);
  EXPECT_EQ(number("1e125").view().to_double(), 1e125);
  EXPECT_EQ(number("-1.5e-130").view().to_double(), -1.5e-130);
  EXPECT_EQ(number("9007199254740993").view().to_double(), 9007199254740992.0);
  EXPECT_EQ(number("9007199254740993.0000001").view().to_double(), 9007199254740994.0);
}

TEST(Number, DoublesComeBackAsTheShortestDecimal) {
  EXPECT_EQ(Number::from_double(0.1)->to_string(), "0.1");
  EXPECT_EQ(Number::from_double(-0.0)->to_string(), "0");
  EXPECT_EQ(Number::from_double(1e21)->to_string(), "1000000000000000000000");
  EXPECT_EQ(Number::from_double(-2.5)->to_string(), "-2.5");
  EXPECT_FALSE(Number::from_double(1e126).ok());
  EXPECT_FALSE(Number::from_double(1e-131).ok());
  EXPECT_FALSE(Number::from_double(std::numeric_limits<double>::infinity()).ok());
  EXPECT_FALSE(Number::from_double(std::numeric_limits<double>::quiet_NaN()).ok());
}

// Measured on AWS, at the 400 KB limit of an item.
TEST(Number, SizesAreThoseOfDynamoDB) {
  const std::vector<std::pair<std::string, uint32_t>> sizes = {
      {"0", 1},
      {"-0", 1},
      {"1", 2},
      {"12", 2},
      {"123", 3},
      {"1234", 3},
      {"0042", 2},
      {"100", 2},
      {"1010", 3},
      {"0.0000001", 2},
      {"1E125", 2},
      {"15", 2},
      {"1E-100", 2},
      {"1.5", 3},
      {"1.200", 3},
      {"1.234", 4},
      {"3.14159", 5},
      {"123456", 4},
      {"100.5", 4},
      {"0.15", 2},
      {"-42", 3},
      {"-12345", 5},
      {"-1E125", 3},
      {"-0.15", 3},
      {"12345678901234567890123456789012345678", 20}};
  for (const auto& [text, size] : sizes) EXPECT_EQ(number(text).view().size_bytes(), size) << text;
}

TEST(Number, DecodesFromTheFrontOfLongerBytes) {
  const std::string bytes = std::string(number("-123.45").encoded()) + "and more";
  const auto decoded = Number::decode_prefix(bytes);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->to_string(), "-123.45");
}

TEST(Number, BytesThatNoNumberEncodesToAreRefused) {
  const std::vector<std::string> wrong = {
      "",
      std::string("\x80", 1),
      std::string("\xc1", 1),
      std::string("\xc1\x02", 2),                   // no terminator
      std::string("\xc1\x00", 2),                   // no pairs, yet not zero
      std::string("\x7f\xff", 2),                   // a second zero
      std::string("\xc1\x01\x00", 3),               // the first pair is zero
      std::string("\xc1\x02\x01\x00", 4),           // the last pair is zero
      std::string("\xc1\x65\x00", 3),               // a pair of 100
      std::string("\x3e\x9a\xff", 3),               // likewise, negative
      std::string("\x3e\xd4\x00", 3),               // the terminator of the other sign
      "\xc1" + std::string(20, '\x65') + '\0',      // likewise, at full length
      "\xc1" + std::string(20, '\x64') + '\0',      // 40 digits
      "\xc1\x0a" + std::string(19, '\x64') + '\0',  // 39 digits
      "\xc1" + std::string(21, '\x02') + '\0',      // 21 pairs
  };
  for (const auto& bytes : wrong) EXPECT_FALSE(Number::decode_prefix(bytes).ok()) << hex(bytes);
  EXPECT_TRUE(Number::decode_prefix("\xc1\x0a" + std::string(18, '\x64') + '\x5b' + '\0').ok());
}

TEST(NumberArithmetic, AddsAndSubtractsExactly) {
  EXPECT_EQ(add(number("0.1"), number("0.2"))->to_string(), "0.3");
  EXPECT_EQ(subtract(number("0.3"), number("0.1"))->to_string(), "0.2");
  EXPECT_EQ(add(number("10000000000000000000000"), number("1"))->to_string(), "10000000000000000000001");
  EXPECT_EQ(subtract(number("10000000000000000000000"), number("1"))->to_string(), "9999999999999999999999");
  EXPECT_EQ(subtract(number("1"), number("10000000000000000000000"))->to_string(), "-9999999999999999999999");
  EXPECT_EQ(add(number("-99.5"), number("-99.5"))->to_string(), "-199");
  EXPECT_EQ(add(number("9e125"), number("9e124"))->to_string(), "99" + std::string(124, '0'));
  EXPECT_EQ(*subtract(number("1.5e-130"), number("5e-130")), number("-3.5e-130"));
}

TEST(NumberArithmetic, ADifferenceOfEqualsIsZero) {
  for (const auto* text : {"0", "7", "-1.5", "1e125", "-1e-130"}) {
    EXPECT_EQ(*subtract(number(text), number(text)), Number()) << text;
  }
}

TEST(NumberArithmetic, ShortIntegersAddUpToLongOnes) {
  EXPECT_EQ(add(number("999999999999999999"), number("1"))->to_string(), "1000000000000000000");
  EXPECT_EQ(subtract(number("-999999999999999999"), number("999999999999999999"))->to_string(),
            "-1999999999999999998");
}

TEST(NumberArithmetic, ResultsOutOfRangeAreErrors) {
  EXPECT_EQ(add(number("9e125"), number("9e125")).error().message, kTooLarge);
  EXPECT_EQ(subtract(number("9e125"), number("-9e125")).error().message, kTooLarge);
  EXPECT_EQ(subtract(number("-9e125"), number("1e125")).error().message, kTooLarge);
  EXPECT_EQ(subtract(number("1.5e-130"), number("1e-130")).error().message, kTooSmall);
  EXPECT_EQ(subtract(number("1.01e-130"), number("1e-130")).error().message, kTooSmall);
}

// What DynamoDB answers, although the magnitude is not at fault.
TEST(NumberArithmetic, ResultsWithMoreThan38DigitsAreErrorsNotRounded) {
  EXPECT_EQ(add(number("1e50"), number("1")).error().message, kTooLarge);
  EXPECT_EQ(subtract(number("1e50"), number("1")).error().message, kTooLarge);
  EXPECT_EQ(add(number("1e125"), number("1e-130")).error().message, kTooLarge);
  EXPECT_EQ(add(number("1e37"), number("1"))->to_string(), "10000000000000000000000000000000000001");
  EXPECT_EQ(add(number("1e38"), number("1")).error().message, kTooLarge);
  EXPECT_EQ(add(number(kNines38), number("1"))->to_string(), "1" + std::string(38, '0'));
}

TEST(NumberArithmetic, MultipliesExactly) {
  EXPECT_EQ(multiply(number("2.5"), number("2"))->to_string(), "5");
  EXPECT_EQ(multiply(number("-0.1"), number("3"))->to_string(), "-0.3");
  EXPECT_EQ(multiply(number("0"), number("-7"))->to_string(), "0");
  EXPECT_EQ(multiply(number("99999999999999999"), number("99999999999999999"))->to_string(),
            "9999999999999999800000000000000001");
  EXPECT_EQ(*multiply(number("1e60"), number("1e60")), number("1e120"));
  EXPECT_FALSE(multiply(number("1e100"), number("1e100")).ok());
  EXPECT_FALSE(multiply(number("1e-100"), number("1e-100")).ok());
  EXPECT_FALSE(multiply(number(kNines38), number("11")).ok());
}

}  // namespace
}  // namespace sheaf
