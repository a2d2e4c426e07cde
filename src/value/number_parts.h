// A number taken apart into base-100 digit pairs and put together again: what parsing, printing and
// arithmetic share. The encoded form is described in doc/key-format.md, "Numbers".
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "sheaf/number.h"

namespace sheaf {

inline constexpr int kNumberPairsMax = 20;  // 38 digits that begin in the middle of a pair
inline constexpr int kPairExponentMax = 62;
inline constexpr int kPairExponentMin = -65;

inline constexpr unsigned char kPositiveHeadMin = 0x80;

inline constexpr std::string_view kNumberTooLarge =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
inline constexpr std::string_view kNumberTooSmall =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
inline constexpr std::string_view kNumberTooPrecise =
    "Attempting to store more than 38 significant digits in a Number";

struct NumberParts {
  explicit NumberParts(NumberView number) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(number.encoded().data());
    negative = number.is_negative();
    const unsigned char complement = negative ? 0xff : 0;
    exponent = (bytes[0] ^ complement) - kPositiveHeadMin + kPairExponentMin;
    count = static_cast<int>(number.encoded().size()) - 2;
    assert(count >= 0 && count <= kNumberPairsMax);
    for (int i = 0; i < count; ++i) pairs[i] = static_cast<uint8_t>((bytes[1 + i] ^ complement) - 1);
  }

  bool negative;
  int exponent;  // the first pair counts 100^exponent
  int count;     // no pairs: zero
  std::array<uint8_t, kNumberPairsMax> pairs;
};

// Builds a Number pair by pair, the most significant first; that one must not be 0.
class NumberEncoder {
 public:
  NumberEncoder() : number_(Number::Unset{}) {}

  void add_pair(int pair) {
    assert(length_ <= kNumberPairsMax && pair >= 0 && pair < 100);
    number_.bytes_[length_++] = static_cast<char>(pair + 1);
  }

  // `exponent`: of the first pair, within kPairExponentMin and kPairExponentMax. Without pairs: zero.
  Number finish(bool negative, int exponent) {
    if (length_ == 1) {
      negative = false;
      exponent = kPairExponentMin;
    }
    assert(exponent >= kPairExponentMin && exponent <= kPairExponentMax);
    while (length_ > 1 && number_.bytes_[length_ - 1] == 1) --length_;
    number_.bytes_[0] = static_cast<char>(kPositiveHeadMin + (exponent - kPairExponentMin));
    number_.bytes_[length_++] = 0;
    if (negative) {
      for (size_t i = 0; i < length_; ++i) number_.bytes_[i] = static_cast<char>(~number_.bytes_[i]);
    }
    number_.length_ = static_cast<uint8_t>(length_);
    return number_;
  }

  // `encoded`: the whole of a number and nothing else.
  static Number copy(std::string_view encoded) {
    Number number{Number::Unset{}};
    assert(encoded.size() <= number.bytes_.size());
    encoded.copy(number.bytes_.data(), encoded.size());
    number.length_ = static_cast<uint8_t>(encoded.size());
    return number;
  }

 private:
  Number number_;
  size_t length_ = 1;  // with the head
};

// The longest canonical text: a sign, "0.", 128 zeros and 20 pairs.
inline constexpr size_t kNumberTextBytesMax = 1 + 2 + 128 + 2 * kNumberPairsMax;

// Writes the canonical text to `out`, which has room for kNumberTextBytesMax, and returns its end.
char* print_number(char* out, NumberView number);

// A number that is an integer of at most 18 digits: most are, and they take short cuts.
inline bool to_short_integer(const NumberParts& parts, int64_t& integer) {
  if (parts.count == 0) return integer = 0, true;
  if (parts.exponent < 0 || parts.exponent > 8 || parts.count > parts.exponent + 1) return false;
  int64_t magnitude = 0;
  for (int i = 0; i <= parts.exponent; ++i)
    magnitude = magnitude * 100 + (i < parts.count ? parts.pairs[i] : 0);
  integer = parts.negative ? -magnitude : magnitude;
  return true;
}

}  // namespace sheaf
