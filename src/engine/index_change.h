// What a change of an item means for one index: a pure function of the two images.
#pragma once

#include <optional>
#include <string>

#include "engine/record.h"
#include "engine/store_keys.h"
#include "engine/table.h"

namespace sheaf::engine {

struct IndexEntry {
  std::string key;
  std::string record;
  uint32_t size_bytes;
};

// The entry that `index` holds for an item; nothing if it holds none. Errors as index_entry_key.
Result<std::optional<IndexEntry>> index_entry(const Index& index, const ItemPlace& place, const Record& item,
                                              ItemOrigin origin);

// The same for an item that is in the store already: an item that the index cannot take (put before there was
// an index to object) has no entry.
std::optional<IndexEntry> stored_index_entry(const Index& index, const ItemPlace& place, const Record& item);

// Whether both images have the same values, or lack the same values, for the key of `index`.
bool same_index_key(const Index& index, ItemView a, ItemView b);

struct IndexChange {
  std::optional<IndexEntry> erase;  // an entry that goes, because the item or its place in the index does
  std::optional<IndexEntry> put;    // an entry that comes or changes
  uint32_t replaced_bytes = 0;      // the size of the entry that `put` overwrites in place
  bool in_place = false;            // `put` overwrites
  uint64_t units = 0;               // whole write units
};

// From the item's entry before to that after.
IndexChange index_change(std::optional<IndexEntry> before, std::optional<IndexEntry> after);

}  // namespace sheaf::engine
