// What Sheaf remembers beside the items, so that its promises hold.
#pragma once

#include "draw/sections.h"
#include "draw/stored_items.h"

namespace sheaf::draw {

// The guard items of the sample data, in the model's system table, and who holds each.
Section guard_table(const Subject& subject);

}  // namespace sheaf::draw
