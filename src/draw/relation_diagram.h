// The relationship diagram: entities as boxes, relations as lines with crow's feet.
#pragma once

#include <vector>

#include "draw/sections.h"
#include "draw/stored_items.h"

namespace sheaf::draw {

// The diagram, and a table with what a line has no room for: sizes, edge fields, copies, what happens on
// delete, why a strategy was chosen.
std::vector<Section> relation_diagram(const Subject& subject);

// As a model would say it, without `via`: index on GSI1, edges pk invoices.
std::string strategy_text(const model::Model& model, const model::Layout& layout,
                          const model::StoredRelation& stored);

}  // namespace sheaf::draw
