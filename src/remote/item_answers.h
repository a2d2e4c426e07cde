// Answers about items, from DynamoDB's JSON. kCorrupt if one cannot be read.
#pragma once

#include <optional>
#include <string>

#include "sheaf/request.h"
#include "sheaf/statement.h"

#include "remote/answer_reader.h"

namespace sheaf::remote {

// PutItem, UpdateItem, DeleteItem. Of a collection's size endpoints tell the gigabytes between which it lies;
// here it is the lower bound.
Result<Written> read_written(Json json);
// ConditionalCheckFailedException: what was there, if that was asked for.
Result<Written> read_condition_failed(Json json);
Result<Got> read_got(Json json);
// Query and Scan.
Result<Page> read_page(Json json);
Result<BatchGot> read_batch_got(Json json);
Result<BatchWritten> read_batch_written(Json json);
// Replayed if it consumed read units and no write units.
Result<TransactWritten> read_transact_written(Json json);
Result<TransactGot> read_transact_got(Json json);

Result<StatementDone> read_statement_done(Json json);
// ConditionalCheckFailedException.
Result<StatementDone> read_statement_failed(Json json);
Result<BatchStatementsDone> read_batch_statements_done(Json json);
Result<TransactionDone> read_transaction_done(Json json);

// The reasons of a TransactionCanceledException; for what DynamoDB has no code of its own here, the message
// says it. kConflict, with `message`, if nothing but other transactions was in the way.
Result<std::vector<CancellationReason>> read_cancellation(Json json, const std::string& message);

// Whether the answer tells what was consumed.
bool tells_capacity(Json json);

}  // namespace sheaf::remote
