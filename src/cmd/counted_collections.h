// The item collections of a table, as the database itself counts them: nobody reads an item for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "lint/table_statistics.h"

namespace sheaf::cmd {

struct CountedCollections {
  lint::PartitionTotals totals;
  std::vector<lint::PartitionFigures> largest;  // as TableStatistics has them
};

// So many are looked at: some seconds.
inline constexpr int64_t kCountedMax = 5'000'000;

// Nothing where nobody counts them (a database elsewhere, a table without sort key), or if there are more
// than `collections_max`. The bytes of local indexes are among theirs.
Result<std::optional<CountedCollections>> counted_collections(Database& database, const std::string& table,
                                                              int64_t collections_max = kCountedMax);

}  // namespace sheaf::cmd
