// A field's value after `add`, and after a change or a removal inside of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/values.h"

namespace sheaf::reference {

// The sum, or the union of two sets; nothing if there is none.
std::optional<Value> added(const std::optional<Value>& to, const Value& what, const language::Type& type);
// `whole` with another value at a path, of which the first `at` names are walked; nothing if the path leads
// through a missing value.
std::optional<Value> replaced(const std::optional<Value>& whole, const std::vector<std::string>& path,
                              size_t at, const Value& value);
// `whole` without the member at a path. A path that leads through a missing value changes nothing.
Value without(const Value& whole, const std::vector<std::string>& path, size_t at);

}  // namespace sheaf::reference
