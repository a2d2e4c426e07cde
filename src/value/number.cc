#include "sheaf/number.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "value/number_parts.h"

namespace sheaf {
namespace {

// "00" to "99", so that a pair is printed by one copy.
constexpr std::array<char, 200> make_pair_texts() {
  std::array<char, 200> texts{};
  for (int pair = 0; pair < 100; ++pair) {
    texts[2 * pair] = static_cast<char>('0' + pair / 10);
    texts[2 * pair + 1] = static_cast<char>('0' + pair % 10);
  }
  return texts;
}
constexpr std::array<char, 200> kPairTexts = make_pair_texts();

char* put_pair(char* out, int pair) {
  std::memcpy(out, &kPairTexts[2 * static_cast<size_t>(pair)], 2);
  return out + 2;
}

char* put_zeros(char* out, int count) {
  if (count <= 0) return out;
  std::memset(out, '0', static_cast<size_t>(count));
  return out + count;
}

// The pairs from `begin` on as the last digits of a fraction: a zero at the very end is left out.
char* put_fraction(char* out, const NumberParts& parts, int begin) {
  for (int i = begin; i < parts.count; ++i) out = put_pair(out, parts.pairs[i]);
  return parts.pairs[parts.count - 1] % 10 == 0 ? out - 1 : out;
}

Error not_encoded() { return {Code::kCorrupt, "the bytes are not an encoded number"}; }

}  // namespace

char* print_number(char* out, NumberView number) {
  const NumberParts parts(number);
  if (parts.count == 0) return *out = '0', out + 1;
  if (parts.negative) *out++ = '-';
  if (parts.exponent < 0) {
    *out++ = '0';
    *out++ = '.';
    out = put_zeros(out, 2 * (-parts.exponent - 1));
    return put_fraction(out, parts, 0);
  }
  if (parts.pairs[0] < 10) {
    *out++ = static_cast<char>('0' + parts.pairs[0]);
  } else {
    out = put_pair(out, parts.pairs[0]);
  }
  const int integer_pairs = parts.exponent + 1;
  for (int i = 1; i < parts.count && i < integer_pairs; ++i) out = put_pair(out, parts.pairs[i]);
  if (parts.count <= integer_pairs) return put_zeros(out, 2 * (integer_pairs - parts.count));
  *out++ = '.';
  return put_fraction(out, parts, integer_pairs);
}

void NumberView::append_to(std::string& out) const {
  char text[kNumberTextBytesMax];
  out.append(text, static_cast<size_t>(print_number(text, *this) - text));
}

std::string NumberView::to_string() const {
  std::string text;
  append_to(text);
  return text;
}

double NumberView::to_double() const {
  const NumberParts parts(*this);
  int64_t integer;
  if (to_short_integer(parts, integer)) return static_cast<double>(integer);
  // An integer of all pairs with an exponent: from_chars rounds it once, correctly.
  char text[2 * kNumberPairsMax + 8];
  char* end = text;
  for (int i = 0; i < parts.count; ++i) end = put_pair(end, parts.pairs[i]);
  *end++ = 'e';
  end = std::to_chars(end, text + sizeof(text), 2 * (parts.exponent - parts.count + 1)).ptr;
  double magnitude = 0;
  std::from_chars(text, end, magnitude);
  return parts.negative ? -magnitude : magnitude;
}

Result<int64_t> NumberView::to_int64() const {
  const NumberParts parts(*this);
  int64_t integer;
  if (to_short_integer(parts, integer)) return integer;
  if (parts.exponent >= 0 && parts.exponent <= 9 && parts.count <= parts.exponent + 1) {
    __int128 magnitude = 0;
    for (int i = 0; i <= parts.exponent; ++i)
      magnitude = magnitude * 100 + (i < parts.count ? parts.pairs[i] : 0);
    if (parts.negative) magnitude = -magnitude;
    if (magnitude >= std::numeric_limits<int64_t>::min() &&
        magnitude <= std::numeric_limits<int64_t>::max()) {
      return static_cast<int64_t>(magnitude);
    }
  }
  return Error{Code::kInvalid, "not an integer of 64 bits: " + to_string()};
}

Number::Number(int64_t value) {
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::array<uint8_t, 10> pairs;  // the least significant first
  int count = 0;
  for (; magnitude != 0; magnitude /= 100) pairs[count++] = static_cast<uint8_t>(magnitude % 100);
  NumberEncoder encoder;
  for (int i = count; i-- > 0;) encoder.add_pair(pairs[i]);
  *this = encoder.finish(value < 0, count - 1);
}

Result<Number> Number::from_double(double value) {
  if (!std::isfinite(value))
    return Error{Code::kInvalid, "neither infinity nor NaN can be stored in a Number"};
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  return parse({text, static_cast<size_t>(end - text)});
}

Result<Number> Number::decode_prefix(std::string_view encoded) {
  if (encoded.size() < 2) return not_encoded();
  const auto* bytes = reinterpret_cast<const unsigned char*>(encoded.data());
  const unsigned char complement = bytes[0] < kPositiveHeadMin ? 0xff : 0;

  size_t end = 1;  // the terminator
  while (end < encoded.size() && end <= kNumberPairsMax && bytes[end] != complement) {
    if ((bytes[end] ^ complement) > 100) return not_encoded();
    ++end;
  }
  if (end == encoded.size() || bytes[end] != complement) return not_encoded();

  const auto number = NumberEncoder::copy(encoded.substr(0, end + 1));
  if (end == 1) {
    if (bytes[0] != kPositiveHeadMin) return not_encoded();
    return number;
  }
  const int first = (bytes[1] ^ complement) - 1;
  const int last = (bytes[end - 1] ^ complement) - 1;
  const int digits = 2 * static_cast<int>(end - 1) - (first < 10 ? 1 : 0) - (last % 10 == 0 ? 1 : 0);
  if (first == 0 || last == 0 || digits > kNumberDigitsMax) return not_encoded();
  return number;
}

}  // namespace sheaf
