// TransactWriteItems and BatchWriteItem: many writes in one request, all or nothing or each for itself.
#pragma once

#include "sheaf/request.h"

#include "base/loop.h"
#include "engine/engine.h"
#include "engine/write_items.h"

namespace sheaf::api {

inline constexpr size_t kBatchWritesMax = 25;
inline constexpr size_t kTokenBytesMax = 36;

// An action against its table. What the schema refuses is found before any condition is looked at, index keys
// included.
Result<engine::ItemWrite> check_action(Result<engine::ItemWrite> bound);
// No item twice.
Result<void> check_distinct(const std::vector<engine::ItemWrite>& writes, std::string_view message);
// Cancelled because of one of `count` actions.
TransactWritten cancelled_by(size_t count, size_t failed, CancellationReason reason);
TransactWritten to_transact_written(const engine::WriteAnswer& answer, const std::vector<bool>& return_item);

using TransactWrittenDone = UniqueFunction<void(Result<TransactWritten>)>;
using BatchWrittenDone = UniqueFunction<void(Result<BatchWritten>)>;

// `done` is called exactly once, on `loop`, which is never made to wait for the disk if it may not.
void transact_write_items(engine::Engine& engine, TransactWriteItems request, Loop& loop,
                          TransactWrittenDone done);
void batch_write_items(engine::Engine& engine, BatchWriteItems request, Loop& loop, BatchWrittenDone done);

}  // namespace sheaf::api
