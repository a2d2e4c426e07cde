// The maps by attribute name that most legacy parameters are.
#pragma once

#include <string_view>
#include <vector>

#include "wire/shape.h"

namespace sheaf::wire {

struct LegacyEntry {
  std::string_view attribute;
  Json json;  // never null
};

// In the order of the names. An entry that is null says nothing; of a name given twice the last entry counts.
// Error for a name that no attribute can have. Borrows from the request.
Result<std::vector<LegacyEntry>> read_entries(simdjson::dom::object map);

Result<void> check_attribute_name(std::string_view name);

}  // namespace sheaf::wire
