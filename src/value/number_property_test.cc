// Numbers against a slow model of decimal text.
#include <gtest/gtest.h>

#include <algorithm>

#include "sheaf/number.h"

#include "value/random_value.h"

namespace sheaf {
namespace {

constexpr int kNumberRounds = 20000;

// A decimal written out: an integer of any length, counting 10^-scale.
struct Decimal {
  bool negative = false;
  std::string digits;  // without leading zeros; empty for zero
  int scale = 0;

  void trim() {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    while (!digits.empty() && digits.back() == '0') {
      digits.pop_back();
      --scale;
    }
    if (digits.empty()) *this = {};
  }

  int exponent() const { return static_cast<int>(digits.size()) - 1 - scale; }

  std::string to_string() const {
    if (digits.empty()) return "0";
    std::string text = digits;
    if (scale < 0) text.append(static_cast<size_t>(-scale), '0');
    if (scale > 0) {
      if (static_cast<int>(text.size()) <= scale)
        text.insert(0, static_cast<size_t>(scale + 1) - text.size(), '0');
      text.insert(text.size() - static_cast<size_t>(scale), ".");
    }
    return negative ? "-" + text : text;
  }
};

Decimal from_text(const std::string& text) {
  Decimal out;
  const size_t e = text.find('e');
  const int shift = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  bool in_fraction = false;
  for (const char c : text.substr(0, e)) {
    if (c == '-') out.negative = true;
    if (c == '.') in_fraction = true;
    if (c < '0' || c > '9') continue;
    out.digits += c;
    if (in_fraction) ++out.scale;
  }
  out.scale -= shift;
  out.trim();
  return out;
}

// Both with the same scale and the same number of digits.
void align(Decimal& a, Decimal& b) {
  const int scale = std::max(a.scale, b.scale);
  for (Decimal* decimal : {&a, &b}) {
    decimal->digits.append(static_cast<size_t>(scale - decimal->scale), '0');
    decimal->scale = scale;
  }
  const size_t length = std::max(a.digits.size(), b.digits.size());
  for (Decimal* decimal : {&a, &b}) decimal->digits.insert(0, length - decimal->digits.size(), '0');
}

Decimal plus(Decimal a, Decimal b) {
  align(a, b);
  if (a.negative != b.negative && a.digits < b.digits) std::swap(a, b);
  const int sign = a.negative == b.negative ? 1 : -1;
  int carry = 0;
  for (size_t i = a.digits.size(); i-- > 0;) {
    int digit = (a.digits[i] - '0') + sign * (b.digits[i] - '0') + carry;
    carry = digit < 0 ? -1 : digit > 9 ? 1 : 0;
    a.digits[i] = static_cast<char>('0' + digit - 10 * carry);
  }
  if (carry > 0) a.digits.insert(0, "1");
  a.trim();
  return a;
}

int order(Decimal a, Decimal b) {
  b.negative = !b.negative;
  const Decimal difference = plus(a, b);
  return difference.digits.empty() ? 0 : difference.negative ? -1 : 1;
}

// Text of the exact result, or the first words of the error.
std::string expected_sum(const Decimal& a, const Decimal& b) {
  const Decimal result = plus(a, b);
  if (result.digits.empty()) return "0";
  if (result.exponent() > 125 || result.digits.size() > 38) return "Number overflow";
  if (result.exponent() < -130) return "Number underflow";
  return result.to_string();
}

std::string outcome(const Result<Number>& result) {
  return result.ok() ? result->to_string()
                     : result.error().message.substr(0, result.error().message.find('.'));
}

TEST(NumberProperty, TextSurvivesEncoding) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  for (int i = 0; i < kNumberRounds; ++i) {
    const std::string text = random.number_text();
    const auto number = Number::parse(text);
    ASSERT_TRUE(number.ok()) << text;
    ASSERT_EQ(number->to_string(), from_text(text).to_string()) << text;
    ASSERT_EQ(*Number::parse(number->to_string()), *number) << text;
    const auto decoded = Number::decode_prefix(number->encoded());
    ASSERT_TRUE(decoded.ok()) << text;
    ASSERT_EQ(*decoded, *number) << text;
  }
}

TEST(NumberProperty, BytesCompareAsTheNumbersDo) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  for (int i = 0; i < kNumberRounds; ++i) {
    const std::string a = random.number_text();
    // Half of them neighbours: the same digits with one more behind, one fewer, or the sign turned.
    std::string b = random.number_text();
    if (random.one_in(2)) {
      const size_t e = std::min(a.find('e'), a.size());
      b = a.substr(0, e - (random.one_in(2) && e > 4 ? 1 : 0)) + a.substr(e);
      if (random.one_in(2)) b = b.front() == '-' ? b.substr(1) : "-" + b;
    }
    const auto encoded_a = *Number::parse(a);
    const auto encoded_b = *Number::parse(b);
    const int expected = order(from_text(a), from_text(b));
    const auto actual = encoded_a.encoded().compare(encoded_b.encoded());
    ASSERT_EQ(actual < 0 ? -1 : actual > 0 ? 1 : 0, expected) << a << " " << b;
    // No encoding begins another, so whatever follows them in a key, the order stands.
    if (expected != 0) {
      ASSERT_FALSE(encoded_a.encoded().starts_with(encoded_b.encoded())) << a << " " << b;
    }
  }
}

TEST(NumberProperty, SumsAreExact) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  int succeeded = 0;
  for (int i = 0; i < kNumberRounds; ++i) {
    const std::string a = random.number_text();
    std::string b = random.number_text();
    // Most pairs of random magnitudes add up to too many digits: bring half of them together.
    if (random.one_in(2)) b = b.substr(0, b.find('e')) + a.substr(std::min(a.find('e'), a.size()));
    const auto number_a = *Number::parse(a);
    const auto number_b = *Number::parse(b);
    Decimal minus_b = from_text(b);
    minus_b.negative = !minus_b.negative;
    ASSERT_EQ(outcome(add(number_a, number_b)), expected_sum(from_text(a), from_text(b))) << a << " + " << b;
    ASSERT_EQ(outcome(subtract(number_a, number_b)), expected_sum(from_text(a), minus_b)) << a << " - " << b;
    succeeded += add(number_a, number_b).ok() ? 1 : 0;
  }
  EXPECT_GT(succeeded, kNumberRounds / 4);
}

TEST(NumberProperty, ShortIntegersAddAsIntegersDo) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  for (int i = 0; i < kNumberRounds; ++i) {
    const int64_t a =
        random.between(-1, 1) * random.between(0, 4'000'000'000'000'000'000) >> random.between(0, 62);
    const int64_t b =
        random.between(-1, 1) * random.between(0, 4'000'000'000'000'000'000) >> random.between(0, 62);
    ASSERT_EQ(*add(Number(a), Number(b)), Number(a + b)) << a << " + " << b;
    ASSERT_EQ(*subtract(Number(a), Number(b)), Number(a - b)) << a << " - " << b;
  }
}

TEST(NumberProperty, SizesFollowTheDigits) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  for (int i = 0; i < kNumberRounds; ++i) {
    const Decimal decimal = from_text(random.number_text());
    const auto count = static_cast<uint32_t>(decimal.digits.size());
    // An even number of digits that begins in the middle of a pair takes one pair more.
    const bool straddles = count % 2 == 0 && decimal.exponent() % 2 == 0;
    const uint32_t expected =
        count == 0 ? 1 : 1 + (count + 1) / 2 + (straddles ? 1 : 0) + (decimal.negative ? 1 : 0);
    ASSERT_EQ(Number::parse(decimal.to_string())->view().size_bytes(), expected) << decimal.to_string();
  }
}

}  // namespace
}  // namespace sheaf
