// What the write of an item takes in the indexes of its table.
#pragma once

#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/operation_plan.h"
#include "plan/write_needs.h"

namespace sheaf::plan {

// Where an item is put or deleted, an entry comes or goes in every index that has its kind. Where it is
// updated, entries whose keys hold what changes are deleted and put; those that hold one of the attributes
// are written in place, and so are all that hold every attribute.
double entry_units(const model::Model& model, const model::Layout& layout, size_t item_kind,
                   PlannedAction::Kind done, const EntityChange& change = {},
                   const std::vector<std::string>& attributes = {});

}  // namespace sheaf::plan
