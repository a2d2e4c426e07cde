// DescribeTable, ListTables and DeleteTable as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"
#include "wire/table_shapes.h"

namespace sheaf::wire {

void describe_table(Call call, const Input& input);
void list_tables(Call call, const Input& input);
void delete_table(Call call, const Input& input);

}  // namespace sheaf::wire
