// UpdateTable as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"
#include "wire/table_shapes.h"

namespace sheaf::wire {

void update_table(Call call, const Input& input);

}  // namespace sheaf::wire
