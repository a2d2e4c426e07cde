// What can be wrong with a data directory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sheaf::doctor {

enum class Trouble : uint8_t {
  kDamagedFile,      // a table file is not what was written
  kUnreadable,       // rows that cannot be read, because of that
  kBadSettings,      // a table's row in the catalog is not one
  kIdsUsedAgain,     // the next id is one that is in use
  kBadItem,          // an item that cannot be decoded, or says another size than it has
  kMisplacedItem,    // an item that is not under its key
  kMissingEntry,     // an item without its entry in an index
  kWrongEntry,       // an entry that is not what its item says
  kOrphanEntry,      // an entry of no item
  kWrongTotal,       // the counts of a table or index
  kWrongCollection,  // the counts of an item collection
  kMissingExpiry,    // an item that would never expire
  kOrphanExpiry,     // an expiry of no item
  kBadLogRecord,     // of a stream
  kBadJob,           // a job that cannot be decoded
  kStuckJob,         // work that nobody would ever do
  kStrayRows,        // rows of tables, indexes and streams that are gone
};
// "missing-entry"
std::string_view name_of(Trouble trouble);
// What is done about it, "" if nothing can be: "--repair writes them".
std::string_view remedy_of(Trouble trouble);
// What to do where --repair cannot.
std::string_view advice_of(Trouble trouble);

struct Finding {
  Trouble trouble;
  std::string where;  // "table Orders", "table Orders, index by_day", ...
  uint64_t count = 0;
  std::string example;  // the first of them
  bool is_repaired = false;
};
std::string text_of(const Finding& finding);

// Thread-compatible.
class Findings {
 public:
  void add(Trouble trouble, const std::string& where, std::string example, bool is_repaired);
  std::vector<Finding> all() const;
  bool has(Trouble trouble) const;

 private:
  std::map<std::tuple<Trouble, std::string, bool>, Finding> findings_;
};

}  // namespace sheaf::doctor
