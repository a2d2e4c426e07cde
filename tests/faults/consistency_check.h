// Whether a database is in itself what it should be, told through the public interface alone: every index is
// what the items imply, every counter is what a recount gives, and every stream is the history of its items.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sheaf/database.h"

namespace sheaf::faults {

struct ConsistencyReport {
  std::vector<std::string> problems;  // empty: consistent
  size_t tables = 0;
  size_t items = 0;
  size_t index_entries = 0;
  size_t stream_events = 0;
  size_t unfinished = 0;  // tables and indexes in transit, which were not looked at
};

// Looks at everything; nobody else may write meanwhile. Stops collecting problems after a few dozen.
ConsistencyReport check_consistency(Database& db);

// Does the background work that there is. Returns what went wrong, or nothing.
std::string settle(Database& db);

// All items of a table or of one of its indexes.
Result<std::vector<Item>> read_all(Database& db, const std::string& table, const std::string& index = "");

}  // namespace sheaf::faults
