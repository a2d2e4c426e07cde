// Values as the model sees them: whether one fits a type, how two compare, and what an expression comes to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/value.h"

#include "reference/schema.h"

namespace sheaf::reference {

using Fields = std::map<std::string, Value>;  // a missing field is not there

// "2026-11-15T08:30:00.000Z": the moment at which a request began.
using Moment = std::string;

// A value as a request gives it (JSON: sets are lists, binaries base64), as it is stored. Object fields that
// are null go, and those that have a default get it. Nothing if it does not fit the type.
std::optional<Value> stored_value(ValueView given, const language::Type& type);
// The same, with what else the field declares: max, matches, since.
std::optional<Value> stored_value(ValueView given, const Field& field, const Moment& now);
// Whether a stored value may be that of the field.
bool fits(ValueView stored, const Field& field, const Moment& now);

Value literal_value(const language::Literal& literal, const language::Type& type, const Moment& now);

// -1, 0, 1; nothing if there is no order.
std::optional<int> order_of(const Value& a, const Value& b);
// Whether `found` comes before the other in an ascending list: a missing value is the first.
int list_order(const std::optional<Value>& a, const std::optional<Value>& b);

// Operands are missing only in operations, where a field can be one.
bool passes(language::Condition::Test test, const std::optional<Value>& found,
            const std::vector<std::optional<Value>>& operands);

// What names lead to inside of a value: member, member of that, ...
std::optional<Value> inside(std::optional<Value> value, const std::vector<std::string>& names);

struct Computed {
  enum class Outcome : uint8_t { kValue, kMissing, kNoNumber, kTooLarge };
  Outcome outcome = Outcome::kMissing;
  std::optional<Value> value;
};
// a + b * c: an operand that is missing makes the whole missing. A single operand may be of any type.
Computed compute(const language::Expression& expression,
                 const std::function<std::optional<Value>(const language::Operand&)>& value_of);

}  // namespace sheaf::reference
