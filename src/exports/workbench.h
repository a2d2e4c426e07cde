// A data model for NoSQL Workbench: a table each, a facet for each kind of items.
#pragma once

#include <string>

#include "sheaf/result.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/data_file.h"

namespace sheaf::exports {

// `data` may be null; with it, facets hold its items, without what Sheaf keeps for itself in them. kInvalid
// if they do not fit the keys.
Result<std::string> to_workbench(const model::Model& model, const model::Layout& layout,
                                 const run::Data* data);

}  // namespace sheaf::exports
