// GetItem, BatchGetItem and TransactGetItems.
#pragma once

#include "sheaf/request.h"

#include "api/expressions.h"
#include "engine/engine.h"
#include "engine/read_items.h"

namespace sheaf::api {

inline constexpr size_t kBatchGetKeysMax = 100;
inline constexpr uint64_t kBatchGetBytesMax = 16u << 20;
inline constexpr size_t kTransactionActionsMax = 100;
inline constexpr uint64_t kTransactionBytesMax = 4u << 20;

// What a read of one item costs, in units, which is also taken from its table's throughput.
double pay_for(engine::Engine& engine, const engine::ItemRead& read,
               const std::optional<engine::StoredItem>& item, engine::ReadMode mode);

// A table or index cannot take the request now.
inline bool is_throttling(const Error& error) {
  return error.code == Code::kThroughputExceeded || error.code == Code::kThrottled;
}
CancellationReason throttling_reason(const Error& error);
// Why a transaction that reads these items cannot be done now, one reason an item; nothing if it can.
std::vector<CancellationReason> throttled_reads(engine::Engine& engine,
                                                const std::vector<engine::ItemRead>& reads);

// kWouldBlock if `options` ask not to wait for the disk and it is needed. `legacy`: what AttributesToGet
// says, in a batch by table.
Result<Got> get_item(engine::Engine& engine, const GetItem& request, LegacyExpressions legacy,
                     const engine::ReadOptions& options);
Result<BatchGot> batch_get_items(engine::Engine& engine, const BatchGetItems& request,
                                 std::map<std::string, expr::Projection> legacy,
                                 const engine::ReadOptions& options);
Result<TransactGot> transact_get_items(engine::Engine& engine, const TransactGetItems& request,
                                       const engine::ReadOptions& options);

}  // namespace sheaf::api
