// What a model says for `measure` and `test`: expect and compare.
#pragma once

#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

void check_expects(const Model& model, Mistakes& mistakes);
void check_compares(const Model& model, Mistakes& mistakes);

// Whether a relation can be stored this way at all, whatever its keys are; if not, tells why.
bool check_strategy(const Model& model, RelationId relation, language::Via::Kind via, language::Span span,
                    Mistakes& mistakes);

}  // namespace sheaf::model
