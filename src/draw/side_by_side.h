// A table beside one of its indexes: the same items in two orders.
#pragma once

#include "draw/sections.h"
#include "draw/stored_items.h"

namespace sheaf::draw {

// `view` is an index. Items are numbered in the order of the table, and linked by it. A column for each
// attribute, or one for all of them where that is too wide.
Section side_by_side(const Subject& subject, const plan::View& view, const Fits& fits);

}  // namespace sheaf::draw
