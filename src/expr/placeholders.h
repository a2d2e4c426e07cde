// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them its expressions
// used.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf::expr {

struct NamePlaceholder {
  std::string_view placeholder;  // "#n"
  std::string_view name;         // the attribute
};

// Borrows the names and the values for its whole life, which is that of one request. Pass the same object to
// every expression of the request, then ask check_all_used(). Not thread-safe.
class Placeholders {
 public:
  Placeholders() = default;
  // `values` is keyed by placeholder: {":v": ...}. Names may come in any order, each once.
  Placeholders(std::span<const NamePlaceholder> names, ItemView values);

  // What AWS checks before it reads any expression: that placeholders are # or : and then letters, digits and
  // underscores, not too long, and that no attribute name is empty or too long.
  Result<void> check() const;

  // What stands behind a placeholder, if it is defined; marks it as used.
  std::optional<std::string_view> name(std::string_view placeholder);
  std::optional<ValueView> value(std::string_view placeholder);

  // Error if a name, or else a value, was not used by any expression.
  Result<void> check_all_used() const;

 private:
  struct Name {
    std::string_view placeholder, name;
    bool used;
  };
  struct PlacedValue {
    std::string_view placeholder;
    ValueView value;
    bool used;
  };
  std::vector<Name> names_;          // sorted by placeholder
  std::vector<PlacedValue> values_;  // likewise
};

// What is wrong with a name for a value, such as ":v", whatever the value.
Result<void> check_value_placeholder(std::string_view placeholder);

}  // namespace sheaf::expr
