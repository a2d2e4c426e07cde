// A data model of NoSQL Workbench as what was observed: its tables, and its sample data as items.
#pragma once

#include <string_view>

#include "sheaf/result.h"

#include "infer/observed.h"

namespace sheaf::infer {

// Versions 1 to 3 of the format. Facets are kinds of items: their aliases of keys, attributes and sample
// data. Tables that Sheaf made for itself (NAME-sheaf) are left out. kInvalid, with the place, if it is none.
Result<Observed> read_workbench(std::string_view json);

}  // namespace sheaf::infer
