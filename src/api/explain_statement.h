// Which requests a statement of PartiQL stands for.
#pragma once

#include <string>

#include "sheaf/database.h"
#include "sheaf/statement.h"

namespace sheaf::api {

// A line for each request, in the order in which they are made, and what to do about a Scan:
//   Query app: pk = "TEAM#1", sk begins with "MEMBER#"
// Asks the database for the table alone. Errors: those of the statement.
Result<std::string> explain_statement(Database& database, const Statement& statement);

}  // namespace sheaf::api
