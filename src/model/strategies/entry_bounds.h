// What lies in one item of others: how large it is, and that it has bounds.
#pragma once

#include <cstdint>
#include <string>

#include "model/layout_draft.h"

namespace sheaf::model {

inline constexpr int64_t kIdBytes = 40;  // of one in a list of ids

// Of a child in the item of its parent: its fields at their declared sizes, and at least as much as plans
// take an item of its own to have. Otherwise embedding it would seem to make it smaller.
int64_t embedded_bytes(const Entity& child);
// Of an entry on the item of who holds the end: the id that it is under, copies, and the fields of the edge.
int64_t entry_bytes(const Model& model, const StoredRelation& stored, int side);

struct Entries {
  std::string what;   // a list of ids
  int64_t bytes = 0;  // of one
  language::Span span;
  std::string bounded_by;  // what to write if there is no bound
};

// Tells if what an end leads to has no bound, or does not fit an item of 400 KB.
void check_entries(LayoutDraft& draft, const StoredRelation& stored, const End& end, const Entries& entries);

}  // namespace sheaf::model
