// How the relations of a layout are stored: the strategies that are said or chosen, and what they need.
#pragma once

#include "model/layout_draft.h"

namespace sheaf::model {

// Before the items are known.
void choose_strategies(LayoutDraft& draft);
// After they are: checks what `via` claims of them, and adds indexes and edges.
void store_relations(LayoutDraft& draft);
// When all indexes are known: who names another can be found by it.
void check_mutual_relations(LayoutDraft& draft);

}  // namespace sheaf::model
