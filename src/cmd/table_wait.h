// Waiting for what a database does with a table afterwards.
#pragma once

#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

namespace sheaf::cmd {

// Until the table is active and none of its indexes is being made or removed. On a terminal it is told how
// far that is.
Result<void> wait_until_ready(Database& database, const std::string& table);
// Until there is no such table.
Result<void> wait_until_gone(Database& database, const std::string& table);

}  // namespace sheaf::cmd
