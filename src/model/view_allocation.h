// Indexes for the views that nobody wrote down: as few as can be.
#pragma once

#include "model/layout_draft.h"

namespace sheaf::model {

// Gives each wanted view an index, and makes those that are missing. Two views of one kind of items need two
// indexes; views that share no kind share one.
void allocate_views(LayoutDraft& draft);

// The kind of items with the most views in a table, and how many: no table has fewer indexes than that.
struct MostViews {
  size_t count = 0;
  std::string name;
};
MostViews most_views(const Layout& layout, size_t table);

}  // namespace sheaf::model
