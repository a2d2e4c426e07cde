// What operations need of a layout.
#pragma once

#include "model/layout.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

// Tells of operations that write more items than a transaction takes. Copies, and what `on delete` does, are
// left to jobs and do not count.
void check_operations(const Model& model, const Layout& layout, Mistakes& mistakes);

}  // namespace sheaf::model
