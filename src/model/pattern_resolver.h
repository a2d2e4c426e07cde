// Patterns: what they start from, where they go, and what they want.
#pragma once

#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

void resolve_patterns(Model& model, Mistakes& mistakes);

}  // namespace sheaf::model
