// Exact sums, differences and products.
#include <algorithm>

#include "sheaf/number.h"

#include "value/number_parts.h"

namespace sheaf {
namespace {

// 38 digits below the smallest leading digit, and one pair for the carry out of the largest.
constexpr int kLowestExponent = kPairExponentMin - kNumberPairsMax + 1;
constexpr int kHighestExponent = kPairExponentMax + 1;

// Pairs by their exponent; they may be negative or above 99 until they are carried.
class PairColumns {
 public:
  int& at(int exponent) { return columns_[static_cast<size_t>(exponent - kLowestExponent)]; }

  void add(const NumberParts& parts) {
    for (int i = 0; i < parts.count; ++i)
      at(parts.exponent - i) += parts.negative ? -parts.pairs[i] : parts.pairs[i];
  }

  // Leaves 0..99 in every column from `low` to `high` and returns what goes on to the next.
  int carry(int low, int high) {
    int carried = 0;
    for (int exponent = low; exponent <= high; ++exponent) {
      int& column = at(exponent);
      column += carried;
      carried = (column < 0 ? column - 99 : column) / 100;
      column -= 100 * carried;
    }
    return carried;
  }

  void negate(int low, int high) {
    for (int exponent = low; exponent <= high; ++exponent) at(exponent) = -at(exponent);
  }

 private:
  std::array<int, kHighestExponent - kLowestExponent + 1> columns_{};
};

Result<Number> sum(const NumberParts& a, const NumberParts& b) {
  int64_t short_a;
  int64_t short_b;
  if (to_short_integer(a, short_a) && to_short_integer(b, short_b)) return Number(short_a + short_b);

  int low = kPairExponentMax;
  int high = kPairExponentMin;
  for (const NumberParts* parts : {&a, &b}) {
    if (parts->count == 0) continue;
    low = std::min(low, parts->exponent - parts->count + 1);
    high = std::max(high, parts->exponent + 1);
  }
  PairColumns columns;
  columns.add(a);
  columns.add(b);
  const bool negative = columns.carry(low, high) < 0;
  if (negative) {
    // What was carried is -100^(high + 1): taking the columns from it gives the magnitude.
    columns.negate(low, high);
    columns.carry(low, high);
  }

  while (high >= low && columns.at(high) == 0) --high;
  if (high < low) return Number();
  while (columns.at(low) == 0) ++low;
  // DynamoDB reports a sum with too many digits as one that is too large.
  const int digits =
      2 * (high - low + 1) - (columns.at(high) < 10 ? 1 : 0) - (columns.at(low) % 10 == 0 ? 1 : 0);
  if (high > kPairExponentMax || digits > kNumberDigitsMax) {
    return Error{Code::kInvalid, std::string(kNumberTooLarge)};
  }
  if (high < kPairExponentMin) return Error{Code::kInvalid, std::string(kNumberTooSmall)};

  NumberEncoder encoder;
  for (int exponent = high; exponent >= low; --exponent) encoder.add_pair(columns.at(exponent));
  return encoder.finish(negative, high);
}

}  // namespace

Result<Number> add(NumberView a, NumberView b) { return sum(NumberParts(a), NumberParts(b)); }

Result<Number> subtract(NumberView a, NumberView b) {
  NumberParts negated(b);
  negated.negative = !negated.negative;
  return sum(NumberParts(a), negated);
}

Result<Number> multiply(NumberView first, NumberView second) {
  const NumberParts a(first), b(second);
  if (a.count == 0 || b.count == 0) return Number();
  // The first pair counts 100^(a.exponent + b.exponent + 1): room for the carry.
  std::array<int, 2 * kNumberPairsMax> columns{};
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) columns[static_cast<size_t>(i + j + 1)] += a.pairs[i] * b.pairs[j];
  }
  for (size_t i = columns.size() - 1; i > 0; --i) {
    columns[i - 1] += columns[i] / 100;
    columns[i] %= 100;
  }
  size_t begin = 0, end = columns.size();
  while (columns[begin] == 0) ++begin;
  while (columns[end - 1] == 0) --end;
  const int exponent = a.exponent + b.exponent + 1 - static_cast<int>(begin);
  const int digits = 2 * static_cast<int>(end - begin) - (columns[begin] < 10 ? 1 : 0) -
                     (columns[end - 1] % 10 == 0 ? 1 : 0);
  if (exponent > kPairExponentMax) return Error{Code::kInvalid, std::string(kNumberTooLarge)};
  if (exponent < kPairExponentMin) return Error{Code::kInvalid, std::string(kNumberTooSmall)};
  if (digits > kNumberDigitsMax) return Error{Code::kInvalid, std::string(kNumberTooPrecise)};
  NumberEncoder encoder;
  for (size_t i = begin; i < end; ++i) encoder.add_pair(columns[i]);
  return encoder.finish(a.negative != b.negative, exponent);
}

}  // namespace sheaf
