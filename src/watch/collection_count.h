// The size of an item collection where nobody knows it: counted by Query, a page at a time.
#pragma once

#include <optional>
#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

namespace sheaf::watch {

class CollectionCount {
 public:
  // `index` empty: of the table itself.
  CollectionCount(std::string table, const std::string& index, const Item& partition_key);

  // One request. True if that was the last page.
  Result<bool> next_page(Database& database);

  // Of what was read so far. Bytes from the units that pages took, so to within 4 KB a page.
  const CollectionSize& size() const { return size_; }
  // False if the endpoint does not tell what requests take.
  bool knows_bytes() const { return knows_bytes_; }
  // To within how many.
  int64_t bytes_within() const { return bytes_within_; }
  int64_t pages() const { return pages_; }
  double last_units() const { return last_units_; }  // that the last page took

 private:
  Query query_;
  CollectionSize size_;
  bool knows_bytes_ = false;
  int64_t bytes_within_ = 0;
  int64_t pages_ = 0;
  double last_units_ = 0;
};

}  // namespace sheaf::watch
