// Keys that would have items in the order in which patterns ask for them: a list is cut by its Query then,
// not after all of it was read.
#pragma once

#include <string>
#include <vector>

#include "model/compiled_model.h"
#include "plan/storage_edit.h"

namespace sheaf::plan {

// One change of one entity's keys.
struct SortedKeys {
  model::EntityId entity = 0;
  std::string text;  // entity Order { index GSI1 "CUSTOMER#<customer.id>" / "ORDER#<placed>#<id>" }
  StorageEdit edit;
};

// For every list of a pattern that is sorted by fields of its own, or looked for by them: its keys, in the
// table and in each index, with those fields first in the sort key; and the same as a line for an index that
// holds none of them yet. Whether that is allowed, and whether it helps, is for others to try.
std::vector<SortedKeys> sorted_keys(const model::CompiledModel& compiled, size_t layout);

}  // namespace sheaf::plan
