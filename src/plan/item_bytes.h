// How large plans take an item to be. What nobody declares is `kItemBytes`; what lies in it of others comes
// on top, because that is what grows.
#pragma once

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// Of an item of this kind in a table, or of its entry in an index, which may leave out what lies in it: 400
// bytes, and for as many as each of its ends leads to what one of them takes there, embedded, as an entry of
// a list or as an id.
double item_bytes(const model::Model& model, const model::Layout& layout, size_t item_kind, const View& view);

}  // namespace sheaf::plan
