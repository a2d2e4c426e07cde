// Reads a part of a table, spread over all of it, and tells how its items lie.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "lint/table_statistics.h"

namespace sheaf::cmd {

struct SampleOptions {
  std::string table;
  int64_t items_max = 10'000;
  std::function<void(int64_t items)> on_progress;  // may be empty
};

// At most `items_max` items, by Scans of disjoint parts of the table. Where the database can tell how large
// an item collection is, the largest are told in full; otherwise as far as they were read. What the traffic
// of late says is there if the database counts it.
Result<lint::TableStatistics> sample_table(Database& database, const SampleOptions& options);

}  // namespace sheaf::cmd
