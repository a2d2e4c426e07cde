// The size of an item collection where nobody knows it: counted by Query, a page at a time.
#pragma once

#include <optional>
#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

namespace sheaf::watch {

class CollectionCount {
 public:
  CollectionCount(std::string table, const Item& partition_key);

  // One request. True if that was the last page.
  Result<bool> next_page(Database& database);

  // Of what was read so far. Bytes from the units that pages took, so to within 4 KB a page.
  const CollectionSize& size() const { return size_; }
  // False if the endpoint does not tell what requests take.
  bool knows_bytes() const { return knows_bytes_; }

 private:
  Query query_;
  CollectionSize size_;
  bool knows_bytes_ = false;
};

}  // namespace sheaf::watch
