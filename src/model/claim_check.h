// What a model says for `measure` and `test`: expect and compare.
#pragma once

#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

void check_expects(const Model& model, Mistakes& mistakes);
void check_compares(const Model& model, Mistakes& mistakes);

}  // namespace sheaf::model
