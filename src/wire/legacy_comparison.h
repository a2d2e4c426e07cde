// ComparisonOperator with its values: what Expected, the filters and KeyConditions are made of.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

#include "wire/input.h"

namespace sheaf::wire {

enum class ComparisonOperator : uint8_t {
  kIn,
  kNull,
  kBetween,
  kLess,
  kNotContains,
  kEqual,
  kGreater,
  kNotNull,
  kNotEqual,
  kLessEqual,
  kBeginsWith,
  kGreaterEqual,
  kContains,
};

// Their names, in the same order, which is that of AWS's complaint about any other.
inline constexpr std::array<std::string_view, 13> kComparisonOperators = {
    "IN",       "NULL", "BETWEEN", "LT",          "NOT_CONTAINS", "EQ",      "GT",
    "NOT_NULL", "NE",   "LE",      "BEGINS_WITH", "GE",           "CONTAINS"};

struct Comparison {
  ComparisonOperator op;
  std::vector<Value> values;  // as many, and of such types, as the operator takes
};

// `name` is one of kComparisonOperators. Errors, in AWS's words: a value that is none; too many or too few of
// them; values of several types, or of a type that the operator does not take; a range with its ends swapped.
Result<Comparison> read_comparison(const Input& input, std::string_view name,
                                   const std::vector<Json>& values);

// {"ComparisonOperator": "EQ", "AttributeValueList": [...]}: an entry of a kConditionMap. Errors likewise.
Result<Comparison> read_condition(const Input& input, Json condition);

std::vector<Json> elements_of(simdjson::dom::array list);

}  // namespace sheaf::wire
