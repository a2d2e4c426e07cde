// Operations: which entities and ends they change.
#pragma once

#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

void resolve_operations(Model& model, Mistakes& mistakes);

}  // namespace sheaf::model
