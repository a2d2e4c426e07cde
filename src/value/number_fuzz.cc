// Any text into Number::parse, any bytes into Number::decode_prefix, and arithmetic on what comes out.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sheaf/number.h"

namespace {

using sheaf::Number;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const Number& number) {
  const auto decoded = Number::decode_prefix(number.encoded());
  require(decoded.ok() && *decoded == number);
  const auto parsed = Number::parse(number.to_string());
  require(parsed.ok() && *parsed == number);
  require(number.view().size_bytes() <= 22);
  const double nearest = number.view().to_double();
  require((nearest < 0) == number.view().is_negative() && (nearest == 0) == number.view().is_zero());
  const auto integer = number.view().to_int64();
  require(!integer.ok() || Number(*integer) == number);
}

void check_arithmetic(const Number& a, const Number& b) {
  require((a < b) == (b > a));
  const auto sum = add(a, b);
  const auto turned = add(b, a);
  require(sum.ok() == turned.ok());
  if (sum.ok()) {
    check(*sum);
    require(*sum == *turned);
    const auto back = subtract(*sum, b);
    require(back.ok() && *back == a);
  }
  const auto difference = subtract(a, b);
  if (difference.ok()) {
    check(*difference);
    require(difference->view().is_negative() == (a < b));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t cut = input.find('|');
  const auto left = Number::parse(input.substr(0, cut));
  if (left.ok()) check(*left);
  if (left.ok() && cut != std::string_view::npos) {
    const auto right = Number::parse(input.substr(cut + 1));
    if (right.ok()) check_arithmetic(*left, *right);
  }

  const auto first = Number::decode_prefix(input);
  if (!first.ok()) return 0;
  check(*first);
  require(input.starts_with(first->encoded()));
  const auto second = Number::decode_prefix(input.substr(first->encoded().size()));
  if (second.ok()) check_arithmetic(*first, *second);
  return 0;
}
