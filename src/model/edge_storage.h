// Relations that are stored as one item a pair.
#pragma once

#include <optional>

#include "model/layout_draft.h"

namespace sheaf::model {

// Adds the edges to the items of the layout, with their keys and the other direction.
void store_edges(LayoutDraft& draft, StoredRelation& stored, const std::optional<language::Via>& said);

}  // namespace sheaf::model
