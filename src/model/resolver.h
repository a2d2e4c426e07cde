// Looks up the names of a model and checks what can be checked without a layout.
#pragma once

#include "language/diagnostic.h"
#include "language/syntax.h"
#include "model/model.h"

namespace sheaf::model {

struct Resolved {
  Model model;  // patterns and operations with mistakes are left out
  // Its entities and relations have no mistakes: layouts can be looked at.
  bool is_sound = false;
};

// What is wrong is told to `diagnostics`, also if not all of the syntax could be read: what follows from that
// is not told.
Resolved resolve(language::Model syntax, language::Diagnostics& diagnostics);

}  // namespace sheaf::model
