// Items as they are stored: their keys, and reading them by key.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/figures.h"
#include "run/record.h"

namespace sheaf::run {

// The primary key of an item of this table.
Item key_of(const model::Table& table, ItemView item);

// Where a Query of the table or one of its indexes goes on behind an item.
Item position_key(const model::Table& table, std::optional<size_t> index, ItemView item);

inline constexpr size_t kBatchKeysMax = 100;  // of a BatchGetItem

using TableKeys = std::vector<std::pair<size_t, Item>>;  // with the table, of the layout

// By GetItem if it is one, else in batches, until all are answered. Counts what it takes.
Result<void> get_items(Database& database, const model::Layout& layout, const TableKeys& keys, bool is_strong,
                       Figures& figures, const std::function<void(size_t table, ItemView item)>& on_item);

// The item of an entity as it is now, by its key, or by an index that says where it is. kInvalid if neither
// leads there in this layout.
Result<std::optional<Item>> find_item(Database& database, const model::Model& model,
                                      const model::Layout& layout, model::EntityId entity,
                                      const Identity& identity, Figures& figures);

}  // namespace sheaf::run
