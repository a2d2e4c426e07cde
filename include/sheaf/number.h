// Exact decimal numbers with DynamoDB's range: up to 38 significant digits, magnitudes from 1E-130 to
// 9.9999999999999999999999999999999999999E+125, and zero.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf {

inline constexpr int kNumberDigitsMax = 38;
inline constexpr int kNumberExponentMax = 125;   // of the leading digit
inline constexpr int kNumberExponentMin = -130;  // of the leading digit

// A number in its order-preserving encoded form (doc/key-format.md, "Numbers"): comparing the bytes compares
// the numbers, equal numbers have equal bytes, and the form ends itself. Borrows the bytes.
class NumberView {
 public:
  explicit NumberView(std::string_view encoded) : encoded_(encoded) {}

  std::string_view encoded() const { return encoded_; }
  bool is_zero() const { return encoded_.size() == 2; }
  bool is_negative() const { return static_cast<unsigned char>(encoded_.front()) < 0x80; }

  // The canonical text, as DynamoDB returns it: plain notation, whatever the magnitude, without needless
  // zeros.
  std::string to_string() const;
  void append_to(std::string& out) const;

  // The nearest double; the exact int64, or an Error if there is none.
  double to_double() const;
  Result<int64_t> to_int64() const;

  // Bytes that DynamoDB counts for this number in an item.
  uint32_t size_bytes() const {
    return is_zero() ? 1 : static_cast<uint32_t>(encoded_.size()) - 1 + (is_negative() ? 1 : 0);
  }

  friend std::strong_ordering operator<=>(NumberView a, NumberView b) { return a.encoded_ <=> b.encoded_; }
  friend bool operator==(NumberView a, NumberView b) { return a.encoded_ == b.encoded_; }

 private:
  std::string_view encoded_;
};

// An owned number. 24 bytes, no allocation.
class Number {
 public:
  Number() : Number(int64_t{0}) {}
  Number(int64_t value);  // NOLINT: implicit, so that items can be written down

  // Reads decimal text with an optional sign, point and exponent. Errors carry DynamoDB's own messages: not a
  // number, more than 38 significant digits, magnitude out of range.
  static Result<Number> parse(std::string_view text);

  // The shortest decimal that reads back as `value`. Not a finite number, or out of range: Error.
  static Result<Number> from_double(double value);

  // Takes the encoded form from the front of `encoded` (which may go on after it). Bytes that no number
  // encodes to: Error.
  static Result<Number> decode_prefix(std::string_view encoded);

  NumberView view() const { return NumberView({bytes_.data(), length_}); }
  operator NumberView() const { return view(); }  // NOLINT: implicit, a view costs nothing
  std::string_view encoded() const { return {bytes_.data(), length_}; }
  std::string to_string() const { return view().to_string(); }

  friend std::strong_ordering operator<=>(const Number& a, const Number& b) { return a.view() <=> b.view(); }
  friend bool operator==(const Number& a, const Number& b) { return a.view() == b.view(); }

 private:
  friend class NumberEncoder;
  struct Unset {};
  explicit Number(Unset) : length_(0) {}

  std::array<char, 23> bytes_;
  uint8_t length_;
};

// Exact, never rounded: a result out of range, or with more than 38 significant digits, is an Error, as it is
// in DynamoDB (which has no products).
Result<Number> add(NumberView a, NumberView b);
Result<Number> subtract(NumberView a, NumberView b);
Result<Number> multiply(NumberView a, NumberView b);

}  // namespace sheaf
