// Values inside others.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf::run {

// What lies inside a value under these names, one map in another.
std::optional<Value> value_inside(ValueView value, std::span<const std::string> names);

// The value with `what` under these names, or with nothing there. kInvalid if a map on the way is missing;
// where there is nothing to be removed, nothing changes.
Result<Value> with_inside(ValueView value, std::span<const std::string> names,
                          const std::optional<Value>& what);

}  // namespace sheaf::run
