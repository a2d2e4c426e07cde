// Bounds of lists that lie in one item.
#pragma once

#include <cstdint>
#include <string>

#include "model/layout_draft.h"

namespace sheaf::model {

struct Entries {
  std::string what;   // a list of ids
  int64_t bytes = 0;  // of one; nobody says how large they are
  language::Span span;
  std::string bounded_by;  // what to write if there is no bound
};

// Tells if what an end leads to has no bound, or does not fit an item of 400 KB.
void check_entries(LayoutDraft& draft, const StoredRelation& stored, const End& end, const Entries& entries);

}  // namespace sheaf::model
