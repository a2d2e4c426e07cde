// Query and Scan as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kQueryShape, kScanShape;

void query(Call call, const Input& input);
void scan(Call call, const Input& input);

}  // namespace sheaf::wire
