// From the engine's answers to those of the API.
#pragma once

#include <optional>
#include <string>

#include "sheaf/request.h"

#include "engine/capacity.h"
#include "engine/table.h"
#include "engine/write_items.h"

namespace sheaf::api {

// Units by the names of the indexes that the table has.
Capacity to_capacity(const engine::Table& table, const engine::Consumed& consumed);
void add_capacity(Capacity& sum, const Capacity& part);

std::optional<CollectionMetrics> collection_metrics(const engine::ItemWrite& write,
                                                    const engine::ItemWritten& written);

inline Item to_item(const engine::StoredItem& stored) { return Item(stored.item()); }

}  // namespace sheaf::api
