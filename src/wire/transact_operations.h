// TransactWriteItems and TransactGetItems as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kTransactWriteItemsShape, kTransactGetItemsShape;

// TransactionCanceledException.
Answer cancelled(const std::vector<CancellationReason>& reasons);
// The same because others were faster again and again; nobody can say at which of the items.
Answer conflict(size_t actions);

void transact_write_items(Call call, const Input& input);
void transact_get_items(Call call, const Input& input);

}  // namespace sheaf::wire
