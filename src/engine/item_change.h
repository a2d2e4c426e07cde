// One item's change as rows of the store: the item, its index entries, its change record and its counters,
// all for one batch.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/capacity.h"
#include "engine/change_record.h"
#include "engine/record.h"
#include "engine/store_keys.h"
#include "engine/table.h"
#include "store/store.h"

namespace sheaf::engine {

struct ItemChange {
  const Table& table;
  const ItemPlace& place;
  const StoredItem* before;  // null: there was none
  const StoredItem* after;   // null: there will be none
  ChangeCause cause = ChangeCause::kRequest;
  ItemOrigin origin = ItemOrigin::kPut;
  bool note_entries = false;  // the effect is to tell which entries of indexes were written
};

// An entry of an index that a change puts or takes away.
struct EntryWrite {
  Id index;
  std::string key;
  HalfUnits half_units;
};

struct ChangeEffect {
  Consumed consumed;  // whole units of the table and of each index, before any doubling
  std::vector<EntryWrite> entries;
  int64_t collection_bytes = 0;  // by how much the item collection grows, local index entries included
};

// Adds what `change` writes to `batch`. `view` is the one that `before` was read with. Errors: an index key
// that the index cannot take; nothing is added then that would matter, because the caller drops the batch.
Result<ChangeEffect> add_change(store::Batch& batch, store::View& view, const ItemChange& change);

// When an item expires, by the table's time-to-live setting; nothing if it does not.
std::optional<uint64_t> expiry_of(const TableSettings& table, ItemView item);

}  // namespace sheaf::engine
