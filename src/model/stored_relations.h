// How the relations of a layout are stored: the strategies that are said or chosen, and what they need.
#pragma once

#include "model/layout_draft.h"

namespace sheaf::model {

// Before the items are known.
void choose_strategies(LayoutDraft& draft);
// After they are: checks what `via` claims of them, and adds indexes and edges.
void store_relations(LayoutDraft& draft);

}  // namespace sheaf::model
