// Entities that are stored field by field (`store eav`): an item for each field that is there, whose key ends
// with <attribute>.
#pragma once

#include "model/layout_draft.h"

namespace sheaf::model {

// Finds the field that tells whether the entity is there. False if it cannot be stored so, which is told.
bool begin_by_field(LayoutDraft& draft, ItemKind& kind);
// Whether its key, if somebody wrote one, keeps all its items together and apart from those of others.
bool check_by_field(LayoutDraft& draft, const ItemKind& kind);
// What its items would have to hold, and have no room for.
void check_relations_by_field(LayoutDraft& draft);

}  // namespace sheaf::model
