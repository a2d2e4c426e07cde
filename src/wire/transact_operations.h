// TransactWriteItems and TransactGetItems as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kTransactWriteItemsShape, kTransactGetItemsShape;

void transact_write_items(Call call, const Input& input);
void transact_get_items(Call call, const Input& input);

}  // namespace sheaf::wire
