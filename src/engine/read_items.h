// Reading items by their keys.
#pragma once

#include <optional>
#include <vector>

#include "engine/capacity.h"
#include "engine/engine.h"
#include "engine/record.h"

namespace sheaf::engine {

struct ItemRead {
  static Result<ItemRead> of_key(TableRef table, ItemView key);

  TableRef table;
  ItemPlace place;
};

// How the reader can wait. A reader that must not wait for the disk gets kWouldBlock, and asks again where it
// may.
struct ReadOptions {
  bool cached_only = false;
};

// One item, or nothing.
Result<std::optional<StoredItem>> read_item(Engine& engine, const ItemRead& read, ReadMode mode,
                                            const ReadOptions& options);

// Many items, in the order of `reads`. A transaction reads them all at one moment, others from one table.
Result<std::vector<std::optional<StoredItem>>> read_items(Engine& engine, const std::vector<ItemRead>& reads,
                                                          ReadMode mode, const ReadOptions& options);

}  // namespace sheaf::engine
