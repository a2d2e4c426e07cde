// What stands behind patterns and operations: budgets and rates.
#pragma once

#include "language/syntax.h"
#include "model/mistakes.h"

namespace sheaf::model {

// Tells of numbers that mean nothing, and of budgets that are said twice.
void check_amounts(const language::Clauses& clauses, Mistakes& mistakes);

}  // namespace sheaf::model
