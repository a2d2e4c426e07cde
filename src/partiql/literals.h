// The values in a statement: literals read, parameters put in.
#pragma once

#include <span>
#include <string_view>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "partiql/statement.h"

namespace sheaf::partiql {

// Afterwards every number, list, bag, map and parameter of the statement is a kLiteral with its value, but
// for the list of an IN and the map of an INSERT, whose parts are. Errors, in AWS's words: another number of
// parameters, numbers that there cannot be, sets of mixed types, and where in a value that is.
Result<void> fold_literals(Statement& statement, std::span<const Value> parameters);

// The text of a number that is a parameter. Errors, in AWS's words: one that there cannot be; an exponent of
// more than 32 bits is none at all.
Result<void> check_number(std::string_view text);

}  // namespace sheaf::partiql
