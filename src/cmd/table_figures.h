// How the items of a table lie, from a part of them.
#pragma once

#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "cmd/table_sample.h"
#include "lint/table_statistics.h"

namespace sheaf::cmd {

// Where the database can tell how large an item collection is, the largest are told in full; otherwise as far
// as they were read. What the traffic of late says is there if the database counts it.
Result<lint::TableStatistics> table_figures(Database& database, const std::string& table,
                                            const SampleOptions& options);

}  // namespace sheaf::cmd
