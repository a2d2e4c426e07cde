// Exact fractions, so that a bill is what it would be on paper: nothing is rounded until somebody asks for
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::cost {

// Not negative. Of 38 digits above and below the line; what needs more is too large, and so is all that is
// made of it.
class Fraction {
 public:
  Fraction() = default;
  Fraction(uint64_t whole) : above_(whole) {}  // NOLINT: implicit, so that sums can be written down

  // A decimal such as 1000, 0.125 or 1.25e-7, of at most 18 digits and exponents from -18 to 18. Nothing for
  // any other text.
  static std::optional<Fraction> parse(std::string_view decimal);

  bool is_too_large() const { return below_ == 0; }
  bool is_zero() const { return above_ == 0 && below_ != 0; }

  friend Fraction operator*(const Fraction& a, const Fraction& b);
  // `b` is not zero.
  friend Fraction operator/(const Fraction& a, const Fraction& b);
  friend Fraction operator+(const Fraction& a, const Fraction& b);
  // Of those that are too large, no two are equal.
  friend bool operator==(const Fraction& a, const Fraction& b) {
    return a.below_ == b.below_ && a.above_ == b.above_ && !a.is_too_large();
  }

  // The nearest whole number, halves up; and the next one that is not less. Nothing if it has more than 18
  // digits.
  std::optional<int64_t> rounded() const;
  std::optional<int64_t> rounded_up() const;

  // As a decimal: 1.5, 0.333333; with `places` at most, rounded, and no needless zeros.
  std::string text(int places = 6) const;

 private:
  using Wide = unsigned __int128;

  // In lowest terms.
  static Fraction of(Wide above, Wide below);
  static Fraction too_large();

  Wide above_ = 0;
  Wide below_ = 1;  // 0: too large
};

}  // namespace sheaf::cost
