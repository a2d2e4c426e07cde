// Values that are hard on keys and comparisons: few for each field of a model, so that equal ones, prefixes
// of each other and ties are frequent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

#include "language/syntax.h"
#include "model/model.h"
#include "prove/chance.h"

namespace sheaf::prove {

// A type, and what a declaration says of its values.
struct ValueKind {
  language::Type type;
  std::string name;  // of the field: fields with one name and type have the same few values
  std::optional<int64_t> max;
  std::string matches;
  std::string since;
  bool is_key = false;  // an id: DynamoDB takes no empty key, and no key of thousands of bytes
};
ValueKind value_kind(const model::Field& field);

// The few values of a kind, as Session takes them in arguments: binaries are base64, sets are lists. At least
// one, unless `matches` describes no text that is known here.
std::vector<Value> value_pool(const ValueKind& kind);

// One of them. Objects and containers are put together anew, with members that are missing now and then.
Value random_value(const ValueKind& kind, Chance& chance);
Value random_value(const model::Field& field, Chance& chance);

// A value that the field must refuse; nothing if its type takes all that there are.
std::optional<Value> refused_value(const ValueKind& kind, Chance& chance);

// The value as a literal of the model language; nothing if there is none, as of an empty set.
std::optional<std::string> written_value(ValueView value);

}  // namespace sheaf::prove
