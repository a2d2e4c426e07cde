#include "cost/fraction.h"

#include <algorithm>

namespace sheaf::cost {
namespace {

using WideWhole = unsigned __int128;

constexpr size_t kDigitsMax = 18;
constexpr int kExponentMax = 18;
constexpr WideWhole kWholeMax = 999'999'999'999'999'999;

WideWhole common_divisor(WideWhole a, WideWhole b) {
  while (b != 0) {
    const WideWhole rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

WideWhole power_of_ten(int exponent) {
  WideWhole power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// What stands behind the e.
std::optional<int> exponent_of(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 2) return std::nullopt;
  int exponent = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    exponent = 10 * exponent + (digit - '0');
  }
  if (exponent > kExponentMax) return std::nullopt;
  return is_negative ? -exponent : exponent;
}

}  // namespace

std::optional<Fraction> Fraction::parse(std::string_view decimal) {
  int exponent = 0;
  if (const size_t e = decimal.find_first_of("eE"); e != std::string_view::npos) {
    const std::optional<int> read = exponent_of(decimal.substr(e + 1));
    if (!read) return std::nullopt;
    exponent = *read;
    decimal = decimal.substr(0, e);
  }
  const size_t point = decimal.find('.');
  std::string digits(decimal.substr(0, point));
  if (point != std::string_view::npos) {
    const std::string_view behind = decimal.substr(point + 1);
    if (digits.empty() || behind.empty()) return std::nullopt;
    digits += behind;
    exponent -= static_cast<int>(behind.size());
  }
  if (digits.empty() || digits.size() > kDigitsMax) return std::nullopt;
  Wide whole = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    whole = 10 * whole + static_cast<Wide>(digit - '0');
  }
  return exponent < 0 ? of(whole, power_of_ten(-exponent)) : of(whole * power_of_ten(exponent), 1);
}

Fraction Fraction::of(Wide above, Wide below) {
  const Wide divisor = common_divisor(above, below);
  Fraction made;
  made.above_ = above / divisor;
  made.below_ = below / divisor;
  return made;
}

Fraction Fraction::too_large() {
  Fraction made;
  made.below_ = 0;
  return made;
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.is_too_large() || b.is_too_large()) return Fraction::too_large();
  // Across first: what can be kept small is.
  const Fraction left = Fraction::of(a.above_, b.below_), right = Fraction::of(b.above_, a.below_);
  Fraction::Wide above = 0, below = 0;
  if (__builtin_mul_overflow(left.above_, right.above_, &above) ||
      __builtin_mul_overflow(left.below_, right.below_, &below))
    return Fraction::too_large();
  return Fraction::of(above, below);
}

Fraction operator/(const Fraction& a, const Fraction& b) {
  if (a.is_too_large() || b.is_too_large() || b.above_ == 0) return Fraction::too_large();
  Fraction turned;
  turned.above_ = b.below_;
  turned.below_ = b.above_;
  return a * turned;
}

Fraction operator+(const Fraction& a, const Fraction& b) {
  if (a.is_too_large() || b.is_too_large()) return Fraction::too_large();
  const Fraction::Wide divisor = common_divisor(a.below_, b.below_);
  Fraction::Wide left = 0, right = 0, above = 0, below = 0;
  if (__builtin_mul_overflow(a.above_, b.below_ / divisor, &left) ||
      __builtin_mul_overflow(b.above_, a.below_ / divisor, &right) ||
      __builtin_add_overflow(left, right, &above) ||
      __builtin_mul_overflow(a.below_, b.below_ / divisor, &below))
    return Fraction::too_large();
  return Fraction::of(above, below);
}

std::optional<int64_t> Fraction::rounded() const {
  if (is_too_large()) return std::nullopt;
  const Wide whole = above_ / below_, rest = above_ % below_;
  const Wide nearest = whole + (rest >= below_ - rest ? 1 : 0);
  return nearest > kWholeMax ? std::nullopt : std::optional(static_cast<int64_t>(nearest));
}

std::optional<int64_t> Fraction::rounded_up() const {
  if (is_too_large()) return std::nullopt;
  const Wide next = above_ / below_ + (above_ % below_ != 0 ? 1 : 0);
  return next > kWholeMax ? std::nullopt : std::optional(static_cast<int64_t>(next));
}

std::string Fraction::text(int places) const {
  const std::optional<int64_t> scaled =
      (*this * Fraction(static_cast<uint64_t>(power_of_ten(places)))).rounded();
  if (!scaled) return "too large";
  std::string digits = std::to_string(*scaled);
  const auto behind = static_cast<size_t>(places);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  if (places == 0) return digits;
  digits.insert(digits.size() - behind, ".");
  while (digits.ends_with('0')) digits.pop_back();
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

}  // namespace sheaf::cost
