// WHERE as a condition on items.
#pragma once

#include <string_view>

#include "sheaf/result.h"

#include "expr/condition.h"
#include "partiql/statement.h"

namespace sheaf::partiql {

// Functions that are conditions: begins_with, contains, attribute_type, attribute_exists,
// attribute_not_exists.
bool is_condition_function(std::string_view name);

// Of an expression whose literals are folded. A condition may stand where a boolean may: f(x) = true. Errors,
// in AWS's words: functions that there are not, operands of a wrong type or number, too many in an IN.
Result<expr::Condition> to_condition(const Expression& where);

// The same, or there is no item: which `key_attribute` tells.
Result<expr::Condition> to_condition_if_exists(const Expression& where, const std::string& key_attribute);

}  // namespace sheaf::partiql
