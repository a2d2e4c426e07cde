// From the physical clauses of a model to its layouts: what is said is checked, what is not said is chosen.
#pragma once

#include <vector>

#include "language/diagnostic.h"
#include "model/layout.h"
#include "model/model.h"

namespace sheaf::model {

// `default` first. Every key is proven: see model/key_proof.h. What is wrong is told.
std::vector<Layout> resolve_layouts(const Model& model, language::Diagnostics& diagnostics);

}  // namespace sheaf::model
