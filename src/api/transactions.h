// TransactWriteItems and BatchWriteItem: many writes in one request, all or nothing or each for itself.
#pragma once

#include "sheaf/request.h"

#include "base/loop.h"
#include "engine/engine.h"

namespace sheaf::api {

inline constexpr size_t kBatchWritesMax = 25;
inline constexpr size_t kTokenBytesMax = 36;

using TransactWrittenDone = UniqueFunction<void(Result<TransactWritten>)>;
using BatchWrittenDone = UniqueFunction<void(Result<BatchWritten>)>;

// `done` is called exactly once, on `loop`, which is never made to wait for the disk if it may not.
void transact_write_items(engine::Engine& engine, TransactWriteItems request, Loop& loop,
                          TransactWrittenDone done);
void batch_write_items(engine::Engine& engine, BatchWriteItems request, Loop& loop, BatchWrittenDone done);

}  // namespace sheaf::api
