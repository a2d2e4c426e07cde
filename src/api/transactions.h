// TransactWriteItems and BatchWriteItem: many writes in one request, all or nothing or each for itself.
#pragma once

#include "sheaf/request.h"

#include "engine/engine.h"

namespace sheaf::api {

inline constexpr size_t kBatchWritesMax = 25;
inline constexpr size_t kTokenBytesMax = 36;

Result<TransactWritten> transact_write_items(engine::Engine& engine, const TransactWriteItems& request);
Result<BatchWritten> batch_write_items(engine::Engine& engine, const BatchWriteItems& request);

}  // namespace sheaf::api
