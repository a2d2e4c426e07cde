// Which requests a statement of PartiQL stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/statement.h"

namespace sheaf::api {

struct StatementRequest {
  std::string operation;  // of the API: Query
  std::string table;
  std::optional<std::string> index;
  std::string text;  // Query app: pk = "TEAM#1"
  std::string fix;   // what to do about a Scan; else empty
};

// Each request, in the order in which they are made. Asks the database for the table alone. Errors: those of
// the statement.
Result<std::vector<StatementRequest>> requests_of_statement(Database& database, const Statement& statement);

// The same as text, a line for each, in the order in which they are made, and what to do about a Scan:
//   Query app: pk = "TEAM#1", sk begins with "MEMBER#"
Result<std::string> explain_statement(Database& database, const Statement& statement);

}  // namespace sheaf::api
