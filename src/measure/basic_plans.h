// Whether a layout can carry out the operations that every model has.
#pragma once

#include <optional>
#include <string>

#include "measure/script.h"

namespace sheaf::measure {

// Why the layout cannot carry out put.E, set.E, move.E.END, ...: the plan's refusal of the same operation if
// the model declared it. Nothing if the layout can, or if the model itself does not allow the operation in
// any layout. Of set, add and remove: the refusal of any field.
std::optional<std::string> basic_refusal(const PlannedLayout& layout, const std::string& name);

}  // namespace sheaf::measure
