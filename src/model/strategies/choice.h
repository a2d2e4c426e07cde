// Which strategy a relation gets when nobody said one, and why.
#pragma once

#include <string>

#include "model/layout.h"
#include "model/layout_clauses.h"
#include "model/model.h"

namespace sheaf::model {

struct Choice {
  language::Via::Kind via = language::Via::Kind::kAuto;
  std::string reason;
};

// What the explicit keys realise; else by the main rules: few children that are only read with their parent
// are embedded, others are a collection with it, unless their own key is needed elsewhere; many to many are
// edges.
Choice choose_strategy(const Model& model, const LayoutClauses& clauses, RelationId relation);

}  // namespace sheaf::model
