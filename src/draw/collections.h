// Item collections: one block a partition, its items in the order of their sort keys, each with its
// attributes, the name above the value.
#pragma once

#include "draw/sections.h"
#include "draw/stored_items.h"

namespace sheaf::draw {

// The items of a view. As many attributes side by side as fit; an item with more has them in several rows.
Section collections(const Subject& subject, const plan::View& view, const Fits& fits);

}  // namespace sheaf::draw
