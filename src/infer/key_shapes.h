// What the keys of one kind of items are made of: literals, and values that other keys or attributes hold.
#pragma once

#include "infer/kind.h"
#include "infer/observed.h"

namespace sheaf::infer {

// Fills values, pk, sk, indexes and is_by_field. A place in a key that differs between items is a value; one
// that is always the same is a literal, unless it looks like an id. A value is the attribute that equals it
// in every item. Keys of indexes are made of what the primary key and attributes hold; one that is not is
// taken whole.
void find_shapes(const ObservedTable& table, Kind& kind);

// The same with keys that are taken whole, without looking into them.
void take_keys_whole(const ObservedTable& table, Kind& kind);

// Of a kind without items: as its facet calls its keys, or else whole.
void take_aliases(const ObservedTable& table, Kind& kind);

}  // namespace sheaf::infer
