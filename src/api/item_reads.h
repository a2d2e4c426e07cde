// GetItem, BatchGetItem and TransactGetItems.
#pragma once

#include "sheaf/request.h"

#include "engine/engine.h"

namespace sheaf::api {

inline constexpr size_t kBatchGetKeysMax = 100;
inline constexpr uint64_t kBatchGetBytesMax = 16u << 20;
inline constexpr size_t kTransactionActionsMax = 100;
inline constexpr uint64_t kTransactionBytesMax = 4u << 20;

Result<Got> get_item(engine::Engine& engine, const GetItem& request);
Result<BatchGot> batch_get_items(engine::Engine& engine, const BatchGetItems& request);
Result<TransactGot> transact_get_items(engine::Engine& engine, const TransactGetItems& request);

}  // namespace sheaf::api
