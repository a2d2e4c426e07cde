// What a Query asks of a key: every partition attribute, leading sort attributes, and one range.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "expr/placeholders.h"

namespace sheaf::expr {

enum class KeyOperator : uint8_t {
  kEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kBetween,
  kBeginsWith
};

// One condition on one attribute, which may or may not be a key attribute.
struct KeyClause {
  std::string attribute;
  KeyOperator op = KeyOperator::kEqual;
  Value value = {};       // of kBetween the lower bound
  Value upper = {};       // of kBetween only
  bool indexable = true;  // or else it asks what no key can be asked, and the members above say nothing
};

// Reads a KeyConditionExpression as far as that is possible without a key schema: this is what AWS checks
// before it looks for the table. Errors carry AWS's messages. Clauses come in the order of the text, one per
// attribute.
Result<std::vector<KeyClause>> parse_key_condition(std::string_view text, Placeholders& placeholders);

struct KeyAttribute {
  std::string_view name;
  Type type;
};

// The key of a table or an index: 1 to 4 partition attributes and up to 4 sort attributes, in order.
// Borrowed.
struct KeySchema {
  std::span<const KeyAttribute> partition;
  std::span<const KeyAttribute> sort;
};

// Clauses bound to a key schema.
struct KeyCondition {
  struct Range {
    KeyOperator op;  // not kEqual
    Value value;     // of kBetween the lower bound
    Value upper;     // of kBetween only
  };

  std::vector<Value> partition;    // one for each partition attribute, in the schema's order
  std::vector<Value> sort_equals;  // for the first sort attributes, in the schema's order
  std::optional<Range> range;      // on the sort attribute behind them
};

// Refuses with AWS's messages what the schema does not allow: too many conditions, a key attribute missed,
// one with a condition that is not indexable, a value of another type than the attribute's, anything but
// equality on a partition attribute, and on sort attributes a gap or a range before the last.
Result<KeyCondition> bind_key_condition(std::vector<KeyClause> clauses, const KeySchema& schema);

}  // namespace sheaf::expr
