#include "partiql/sort_ranges.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::partiql {
namespace {

using expr::KeyOperator;

void raise(std::optional<SortBound>& low, SortBound bound) {
  const bool is_tighter =
      !low || is_less(low->value, bound.value) || (low->value == bound.value && !bound.is_inclusive);
  if (is_tighter) low = std::move(bound);
}

void lower(std::optional<SortBound>& high, SortBound bound) {
  const bool is_tighter =
      !high || is_less(bound.value, high->value) || (high->value == bound.value && !bound.is_inclusive);
  if (is_tighter) high = std::move(bound);
}

// The characters after the last one of so many bytes in UTF-8, and after the last one before the surrogates.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kJumps = {
    {{"\x7f", "\xc2\x80"},
     {"\xdf\xbf", "\xe0\xa0\x80"},
     {"\xed\x9f\xbf", "\xee\x80\x80"},
     {"\xef\xbf\xbf", "\xf0\x90\x80\x80"}}};
constexpr std::string_view kLastCharacter = "\xf4\x8f\xbf\xbf";

std::string next_character(std::string character) {
  for (const auto& [from, to] : kJumps) {
    if (character == from) return std::string(to);
  }
  for (size_t i = character.size(); i-- > 0;) {
    if (++character[i] != '\xc0') break;
    character[i] = '\x80';
  }
  return character;
}

// The first string behind all that begin with `prefix`. It is UTF-8 again: it may be a bound of a read, which
// is printed. Nothing if there is none.
std::optional<std::string> behind_text(std::string_view prefix) {
  while (prefix.ends_with(kLastCharacter)) prefix.remove_suffix(kLastCharacter.size());
  if (prefix.empty()) return std::nullopt;
  size_t first = prefix.size() - 1;
  while (first > 0 && (static_cast<unsigned char>(prefix[first]) & 0xc0) == 0x80) --first;
  std::string end = std::string(prefix.substr(0, first)) + next_character(std::string(prefix.substr(first)));
  return end > prefix ? std::optional(std::move(end)) : std::nullopt;
}

std::optional<std::string> behind_bytes(std::string bytes) {
  while (!bytes.empty() && static_cast<unsigned char>(bytes.back()) == 0xff) bytes.pop_back();
  if (bytes.empty()) return std::nullopt;
  bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) + 1);
  return bytes;
}

// The first key behind all that begin with `prefix`; nothing if there is none.
std::optional<Value> behind_prefix(const Value& prefix) {
  std::string bytes(prefix.view().bytes());
  if (prefix.type() == Type::kBinary) {
    const auto end = behind_bytes(std::move(bytes));
    return end ? std::optional(Value::binary(*end)) : std::nullopt;
  }
  const auto end = behind_text(bytes);
  return end ? std::optional(Value(*end)) : std::nullopt;
}

// Whether nothing lies between the end of one range and the beginning of another, or of the same.
bool is_apart(const std::optional<SortBound>& high, const std::optional<SortBound>& low) {
  if (!high || !low) return false;
  return is_less(high->value, low->value) ||
         (high->value == low->value && (!high->is_inclusive || !low->is_inclusive));
}

}  // namespace

bool is_less(const Value& a, const Value& b) { return compare(a, b) == std::strong_ordering::less; }

SortRange range_of(std::span<const SortClause> clauses) {
  SortRange range;
  for (const SortClause& clause : clauses) {
    switch (clause.op) {
      case KeyOperator::kEqual:
        raise(range.low, {clause.value});
        lower(range.high, {clause.value});
        break;
      case KeyOperator::kBetween:
        raise(range.low, {clause.value});
        lower(range.high, {clause.upper});
        break;
      case KeyOperator::kBeginsWith:
        raise(range.low, {clause.value});
        if (auto end = behind_prefix(clause.value)) lower(range.high, {std::move(*end), false});
        break;
      case KeyOperator::kGreater:
      case KeyOperator::kGreaterEqual:
        raise(range.low, {clause.value, clause.op == KeyOperator::kGreaterEqual});
        break;
      case KeyOperator::kLess:
      case KeyOperator::kLessEqual:
        lower(range.high, {clause.value, clause.op == KeyOperator::kLessEqual});
        break;
    }
  }
  return range;
}

bool is_empty(const SortRange& range) { return is_apart(range.high, range.low); }

bool overlap(const SortRange& a, const SortRange& b) {
  return !is_apart(a.high, b.low) && !is_apart(b.high, a.low);
}

bool contains(const SortRange& outer, const SortRange& inner) {
  SortRange both = outer;
  if (inner.low) raise(both.low, *inner.low);
  if (inner.high) lower(both.high, *inner.high);
  const auto is_same = [](const std::optional<SortBound>& a, const std::optional<SortBound>& b) {
    return a.has_value() == b.has_value() &&
           (!a || (a->value == b->value && a->is_inclusive == b->is_inclusive));
  };
  return is_same(both.low, inner.low) && is_same(both.high, inner.high);
}

SortRange hull(const SortRange& a, const SortRange& b) {
  SortRange both;
  if (a.low && b.low) {
    both.low = a.low;
    const bool is_lower = is_less(b.low->value, a.low->value);
    if (is_lower || (b.low->value == a.low->value && b.low->is_inclusive)) both.low = b.low;
  }
  if (a.high && b.high) {
    both.high = a.high;
    const bool is_higher = is_less(a.high->value, b.high->value);
    if (is_higher || (b.high->value == a.high->value && b.high->is_inclusive)) both.high = b.high;
  }
  return both;
}

std::optional<SortClause> clause_over(const SortRange& range) {
  if (range.low && range.high)
    return SortClause{.op = KeyOperator::kBetween, .value = range.low->value, .upper = range.high->value};
  if (range.low) {
    return SortClause{.op = range.low->is_inclusive ? KeyOperator::kGreaterEqual : KeyOperator::kGreater,
                      .value = range.low->value};
  }
  if (range.high) {
    return SortClause{.op = range.high->is_inclusive ? KeyOperator::kLessEqual : KeyOperator::kLess,
                      .value = range.high->value};
  }
  return std::nullopt;
}

}  // namespace sheaf::partiql
