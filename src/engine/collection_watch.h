// Item collections against their limits.
#pragma once

#include <cstdint>

#include "engine/engine.h"
#include "engine/store_keys.h"
#include "engine/write_items.h"

namespace sheaf::engine {

// Items of one partition key, and their bytes with those of local index entries. For tables with a sort key.
Result<CollectionSize> collection_size(store::View& view, const Table& table, const ItemPlace& place);

// The bytes of a collection once it has grown by `growth_bytes`; kTooLarge if that is over the limit.
Result<int64_t> check_collection(store::View& view, const EngineOptions& options, const Table& table,
                                 const ItemPlace& place, int64_t growth_bytes);

// Reports collections that have grown past a warning line. Reading a counter at every write would cost as
// much as reading an item, so one write in kWatchInterval looks: a crossing is seen that many inserts late,
// on average.
inline constexpr uint64_t kWatchInterval = 16;
void watch_collections(Engine& engine, const WriteRequest& request, const WriteAnswer& answer);

}  // namespace sheaf::engine
