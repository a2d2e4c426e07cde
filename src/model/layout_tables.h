// The tables of a layout and their indexes, as they are declared.
#pragma once

#include "model/layout_draft.h"

namespace sheaf::model {

// One is made up if none is declared.
void add_tables(LayoutDraft& draft);
// When all indexes are known, also those that are made up.
void check_index_counts(LayoutDraft& draft);

}  // namespace sheaf::model
