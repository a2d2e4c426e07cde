// BatchGetItem and BatchWriteItem as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kBatchGetItemShape, kBatchWriteItemShape;

void batch_get_item(Call call, const Input& input);
void batch_write_item(Call call, const Input& input);

}  // namespace sheaf::wire
