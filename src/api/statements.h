// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction.
#pragma once

#include "sheaf/statement.h"

#include "api/bound_statement.h"
#include "base/loop.h"
#include "engine/engine.h"
#include "engine/read_items.h"

namespace sheaf::api {

inline constexpr size_t kBatchStatementsMax = 25;

using StatementWritten = UniqueFunction<void(Result<StatementDone>)>;
using BatchStatementsWritten = UniqueFunction<void(Result<BatchStatementsDone>)>;
using TransactionWritten = UniqueFunction<void(Result<TransactionDone>)>;

// How long and how many statements may be.
Result<void> check_limits(const ExecuteStatement& request);
Result<void> check_limits(const BatchExecuteStatement& request);
Result<void> check_limits(const ExecuteTransaction& request);

// Only in a transaction may a statement be EXISTS.
Result<BoundStatement> bind_single(engine::Engine& engine, const Statement& statement);

// A statement that is no SELECT. `done` is called exactly once, on `loop`, which is never made to wait for
// the disk if it may not; so in what follows.
void execute_write(engine::Engine& engine, BoundStatement statement, bool return_item_on_failure, Loop& loop,
                   StatementWritten done);

// A batch whose statements are read; those that are wrong have their error.
struct BoundBatch {
  std::vector<Result<BoundStatement>> statements;
  std::vector<bool> consistent;
  std::vector<bool> return_item_on_failure;
  bool is_read = false;
};
// Of statements that could be read, or not. Errors: reads and writes together, one item twice.
Result<BoundBatch> bind_batch(engine::Engine& engine, const std::vector<Result<Statement>>& statements);
Result<BatchStatementsDone> read_batch(engine::Engine& engine, const BoundBatch& batch,
                                       const engine::ReadOptions& options);
void write_batch(engine::Engine& engine, BoundBatch batch, Loop& loop, BatchStatementsWritten done);

struct BoundTransaction {
  std::vector<BoundStatement> statements;
  std::vector<bool> return_item;  // on failure
  std::string token;
  std::string fingerprint;
  bool is_read = false;
};
// Errors name the statement that is wrong; or reads and writes together.
Result<BoundTransaction> bind_transaction(engine::Engine& engine, const ExecuteTransaction& request);
Result<TransactionDone> read_transaction(engine::Engine& engine, const BoundTransaction& transaction,
                                         const engine::ReadOptions& options);
void write_transaction(engine::Engine& engine, BoundTransaction transaction, Loop& loop,
                       TransactionWritten done);

}  // namespace sheaf::api
