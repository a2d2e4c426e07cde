// Why a relation cannot be stored in some way, whatever one would like. What layouts check, asked before
// there is a layout.
#pragma once

#include <optional>
#include <string>

#include "model/advice/outcome.h"
#include "model/layout_clauses.h"
#include "model/model.h"

namespace sheaf::model {

// None if nothing stands in the way. `along`: as via_text takes it.
std::optional<std::string> obstacle_to(const Model& model, const LayoutClauses& clauses, RelationId relation,
                                       Outcome outcome, int along);

}  // namespace sheaf::model
