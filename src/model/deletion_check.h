// What `on delete` needs of a layout.
#pragma once

#include "model/layout.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

// `restrict` looks for children before it deletes, and must see every one of them: by the table's own keys,
// or by a count that the operations keep. Tells where there is neither.
void check_deletions(const Model& model, const Layout& layout, Mistakes& mistakes);

}  // namespace sheaf::model
