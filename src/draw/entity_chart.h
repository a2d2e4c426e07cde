// The entity chart: which kinds of items there are, and their keys.
#pragma once

#include <vector>

#include "draw/sections.h"
#include "draw/stored_items.h"

namespace sheaf::draw {

// One grid for each table: Entity | PK | SK | Attributes; one for each index, with the kinds of items that it
// holds; one for the entities without items, if there are any.
std::vector<Section> entity_chart(const Subject& subject);

}  // namespace sheaf::draw
