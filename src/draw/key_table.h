// What the key attributes of a table hold.
#pragma once

#include "draw/sections.h"
#include "draw/stored_items.h"

namespace sheaf::draw {

// Each attribute that is a key of the table or of an index, or tells the kind of an item: its type, which
// keys it is, and for each kind of items what it holds, with a sample if there is data.
Section key_table(const Subject& subject, size_t table);

}  // namespace sheaf::draw
