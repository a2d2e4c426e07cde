// What the server notices by itself while it runs: item collections that have grown large, keys that are hot,
// requests that were throttled. Told in the log, once for each time that it begins, and in the metrics; never
// with a key.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sheaf/database.h"

namespace sheaf::server {

// Every table, and every index of it behind it: names, the second empty for the table itself.
Result<std::vector<std::pair<std::string, std::string>>> tables_and_indexes(Database& database);

// Thread-safe.
class Watch {
 public:
  void tell_of_collection(const CollectionWarning& warning);

  // Looks at the heat of all tables and indexes over the last minute. Waits for the disk.
  void look(Database& database);

  // In Prometheus' text form.
  void append_text(std::string& out) const;

 private:
  // Table, index, kind, "reads" or "writes".
  using Finding = std::tuple<std::string, std::string, std::string, std::string>;

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, uint64_t> collection_warnings_;  // by table and line
  std::set<Finding> findings_;                                                   // that there are now
};

}  // namespace sheaf::server
