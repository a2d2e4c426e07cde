// From decimal text to a Number, by DynamoDB's rules.
#include <algorithm>

#include "sheaf/number.h"

#include "value/number_parts.h"

namespace sheaf {
namespace {

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// `digits`: ASCII, `count` of them, the first not '0'. It counts 10^exponent; exponents are in range.
Number encode_digits(bool negative, const char* digits, int count, int exponent) {
  NumberEncoder encoder;
  int i = 0;
  // Pairs are aligned at the decimal point: with an even exponent the first digit has a pair of its own.
  if (exponent % 2 == 0) encoder.add_pair(digits[i++] - '0');
  for (; i + 1 < count; i += 2) encoder.add_pair((digits[i] - '0') * 10 + (digits[i + 1] - '0'));
  if (i < count) encoder.add_pair((digits[i] - '0') * 10);
  return encoder.finish(negative, exponent >> 1);
}

Error not_a_number(std::string_view text) {
  std::string message = "The parameter cannot be converted to a numeric value";
  if (!text.empty()) message.append(": ").append(text);
  return {Code::kInvalid, std::move(message)};
}

Error out_of_bounds(std::string_view message) { return {Code::kInvalid, std::string(message)}; }

// The significant digits of a mantissa as they come in, with leading and trailing zeros set apart.
class Significand {
 public:
  void add(char digit, bool in_fraction) {
    if (count_ == 0) {
      if (in_fraction) --exponent_;
      if (digit == '0') return;
      if (!in_fraction) exponent_ = 0;
    } else if (!in_fraction) {
      ++exponent_;
    }
    if (digit == '0') {
      ++zeros_;
      return;
    }
    for (; zeros_ > 0; --zeros_) append('0');
    append(digit);
  }

  bool is_zero() const { return count_ == 0; }
  bool too_long() const { return count_ > kNumberDigitsMax; }
  int count() const { return static_cast<int>(count_); }
  int64_t exponent() const { return exponent_; }  // of the first digit
  const char* digits() const { return digits_.data(); }

 private:
  void append(char digit) {
    if (count_ < kNumberDigitsMax) digits_[static_cast<size_t>(count_)] = digit;
    ++count_;
  }

  std::array<char, kNumberDigitsMax> digits_;
  int64_t count_ = 0;
  int64_t zeros_ = 0;  // behind the digits, and part of them only if another digit follows
  int64_t exponent_ = 0;
};

// Text with a point, an exponent, or more digits than a short cut can take.
Result<Number> parse_general(std::string_view text, bool negative, const char* position, const char* end) {
  Significand significand;
  bool any_digit = false;
  bool in_fraction = false;
  for (; position != end; ++position) {
    if (is_digit(*position)) {
      any_digit = true;
      significand.add(*position, in_fraction);
    } else if (*position == '.' && !in_fraction) {
      in_fraction = true;
    } else {
      break;
    }
  }
  if (!any_digit) return not_a_number(text);

  int64_t shift = 0;
  if (position != end) {
    if (*position != 'e' && *position != 'E') return not_a_number(text);
    if (++position == end) return not_a_number(text);
    const bool down = *position == '-';
    if (down || *position == '+') ++position;
    if (position == end) return not_a_number(text);
    // More than any text can have digits to make up for.
    constexpr int64_t kShiftMax = int64_t{1} << 48;
    for (; position != end; ++position) {
      if (!is_digit(*position)) return not_a_number(text);
      shift = std::min(shift * 10 + (*position - '0'), kShiftMax);
    }
    if (down) shift = -shift;
  }

  if (significand.is_zero()) return Number();
  const int64_t exponent = significand.exponent() + shift;
  if (exponent > kNumberExponentMax) return out_of_bounds(kNumberTooLarge);
  if (exponent < kNumberExponentMin) return out_of_bounds(kNumberTooSmall);
  if (significand.too_long()) return out_of_bounds(kNumberTooPrecise);
  return encode_digits(negative, significand.digits(), significand.count(), static_cast<int>(exponent));
}

}  // namespace

Result<Number> Number::parse(std::string_view text) {
  const char* position = text.data();
  const char* const end = position + text.size();
  bool negative = false;
  if (position != end && (*position == '-' || *position == '+')) negative = *position++ == '-';
  const char* const unsigned_text = position;
  while (position != end && *position == '0') ++position;

  const char* digits_end = position;
  while (digits_end != end && is_digit(*digits_end)) ++digits_end;
  if (digits_end != end || digits_end - position > kNumberDigitsMax || end == unsigned_text) {
    return parse_general(text, negative, unsigned_text, end);
  }
  const int count = static_cast<int>(digits_end - position);
  if (count == 0) return Number();
  return encode_digits(negative, position, count, count - 1);
}

}  // namespace sheaf
