// Expressions as people write them, with values and any names in their midst: what DynamoDB wants apart is
// taken out of them.
//   price > 10 AND status = 'OPEN'   becomes   price > :sheaf1 AND #sheaf1 = :sheaf2
// Values: 'text' or "text", 12.5, true, false, null, {"a": 1}, [1, 2], <<'a', 'b'>> (a set). Names that
// DynamoDB does not take as they are may stand as they are, or in backquotes: `total price`. #names and
// :values that were given apart stay.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/request.h"
#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf::console {

// All expressions of one request. Not thread-safe.
class WrittenExpressions {
 public:
  WrittenExpressions() = default;
  // With what was given apart.
  WrittenExpressions(Names names, Item values) : names_(std::move(names)), values_(std::move(values)) {}

  enum class Kind {
    kUsual,
    kPairs,  // of ADD and DELETE: "path value, ..."
  };

  // The expression for the request. kInvalid if a value in it cannot be read; what else is wrong with it, the
  // database says.
  Result<std::string> add(std::string_view text, Kind kind = Kind::kUsual);
  // Placeholders for a name and a value.
  std::string name(std::string_view name);
  std::string value(ValueView value);

  const Names& names() const { return names_; }
  const Item& values() const { return values_; }

 private:
  Names names_;
  Item values_;
  size_t name_count_ = 0;
  size_t value_count_ = 0;
};

// ":x=10", "#s=status": a value is JSON, or else a text; nothing else may be wrong with it.
Result<void> add_given_value(Item& values, std::string_view text);
Result<void> add_given_name(Names& names, std::string_view text);

}  // namespace sheaf::console
