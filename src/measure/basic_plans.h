// Whether a layout can carry out the operations that every model has.
#pragma once

#include <optional>
#include <string>

#include "measure/script.h"

namespace sheaf::measure {

// Why it cannot delete, move, link or unlink: as a plan of the same operation would say if the model declared
// it. Nothing if it can, or if the model itself does not allow it, in any layout.
std::optional<std::string> basic_refusal(const PlannedLayout& layout, const std::string& name);

}  // namespace sheaf::measure
