// Which strategy a relation gets when nobody said one, and why.
#pragma once

#include <optional>
#include <string>

#include "model/layout.h"
#include "model/layout_clauses.h"
#include "model/model.h"

namespace sheaf::model {

struct Choice {
  language::Via::Kind via = language::Via::Kind::kAuto;
  std::string reason;
  // What goes with it: the end that keeps ids, and where edges lie. No spans.
  language::Via details = {};
};

// What the keys that are written down realise, if they do.
std::optional<Choice> realised_by_keys(const Model& model, const LayoutClauses& clauses, RelationId relation);

// That, or else what the decision trees come to (model/advice). It can be stored so, if it can be stored.
Choice choose_strategy(const Model& model, const LayoutClauses& clauses, RelationId relation);

}  // namespace sheaf::model
