// SET and REMOVE as an update of an item.
#pragma once

#include <vector>

#include "sheaf/result.h"

#include "expr/update.h"
#include "partiql/statement.h"

namespace sheaf::partiql {

// Of actions whose literals are folded. Errors, in AWS's words: functions that there are not or that are used
// otherwise, operands that cannot be added up, paths that overlap.
Result<expr::Update> to_update(const std::vector<UpdateStatement::Action>& actions);

}  // namespace sheaf::partiql
