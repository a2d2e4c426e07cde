// What becomes of each field.
#pragma once

#include "draw/sections.h"
#include "draw/stored_items.h"

namespace sheaf::draw {

// The fields and the references of all entities and edges: their types and rules, in which keys, attributes
// and copies they are stored, with a sample if there is data.
Section field_table(const Subject& subject);

}  // namespace sheaf::draw
