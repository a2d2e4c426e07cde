// The item collection of a table, or of one of its indexes, that has the most bytes.
#pragma once

#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "cost/cost_report.h"

namespace sheaf::cmd {

// Reads all of it. Of those with as many bytes, the first by its key; an empty one if there is no item.
Result<cost::Collection> largest_collection(Database& database, const std::string& table,
                                            const std::string& index);

}  // namespace sheaf::cmd
