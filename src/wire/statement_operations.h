// PartiQL as DynamoDB's JSON: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kExecuteStatementShape, kBatchExecuteStatementShape, kExecuteTransactionShape;

void execute_statement(Call call, const Input& input);
void batch_execute_statement(Call call, const Input& input);
void execute_transaction(Call call, const Input& input);

}  // namespace sheaf::wire
