// Document paths in statements.
#pragma once

#include <string>

#include "sheaf/result.h"

#include "expr/path.h"
#include "partiql/statement.h"

namespace sheaf::partiql {

bool is_path(const Expression& expression);

// Of an expression that is one. Errors: an index that no list has.
Result<expr::Path> to_path(const Expression& expression);

// What a column of a result is called: the last name, and the indexes behind it: b[2] of a.b[2].
std::string column_name(const expr::Path& path);

}  // namespace sheaf::partiql
