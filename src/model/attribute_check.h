// The attributes of items: what Sheaf stores beside the fields must not meet them.
#pragma once

#include "model/layout.h"
#include "model/layout_clauses.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

// Keys, tags, references and copies have attributes of their own. Tells of those that are also a field's, of
// fields that would put items into an index without an `index` line, and of what an index includes that no
// item has.
void check_attributes(const Model& model, const LayoutClauses& clauses, const Layout& layout,
                      Mistakes& mistakes);

}  // namespace sheaf::model
