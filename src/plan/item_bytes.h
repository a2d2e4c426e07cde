// How large plans take an item to be: as its fields declare, and `kItemBytes` at least, because most fields
// do not say how long they are; what lies in it of others comes on top, because that is what grows.
#pragma once

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// Of an item of this kind in a table, or of its entry in an index, without what lies in it of others: its
// fields and copies that the view holds, each with its name and its `max`, or 40 bytes; 400 at least. Of what
// is stored field by field, the mean of its items.
double own_bytes(const model::Model& model, const model::Layout& layout, size_t item_kind, const View& view);

// The same with what lies in it, which indexes may leave out: for as many as each of its ends leads to what
// one of them takes there, embedded, as an entry of a list or as an id.
double item_bytes(const model::Model& model, const model::Layout& layout, size_t item_kind, const View& view);

}  // namespace sheaf::plan
