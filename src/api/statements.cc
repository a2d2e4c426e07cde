#include "api/statements.h"

#include "api/answers.h"
#include "api/expressions.h"
#include "api/item_reads.h"
#include "api/item_writes.h"
#include "api/transactions.h"
#include "base/try.h"
#include "partiql/parser.h"

namespace sheaf::api {
namespace {

ReturnValues wanted(partiql::Returning returning) {
  switch (returning) {
    case partiql::Returning::kNothing:
      break;
    case partiql::Returning::kAllOld:
      return ReturnValues::kAllOld;
    case partiql::Returning::kModifiedOld:
      return ReturnValues::kUpdatedOld;
    case partiql::Returning::kAllNew:
      return ReturnValues::kAllNew;
    case partiql::Returning::kModifiedNew:
      return ReturnValues::kUpdatedNew;
  }
  return ReturnValues::kNone;
}

Result<StatementDone> to_done(const engine::WriteAnswer& answer, ReturnValues values, bool return_item) {
  const engine::ItemWrite& write = answer.writes.front();
  const engine::ItemWritten& written = answer.items.front();
  StatementDone done{.condition_met = written.condition_met, .table = write.table->settings.name};
  done.capacity = to_capacity(*write.table, written.consumed);
  if (!written.condition_met) {
    if (write.kind == engine::ItemWrite::Kind::kPut)
      return Error{Code::kDuplicate, "Duplicate primary key exists in table"};
    if (return_item && written.before) done.item_on_failure = to_item(*written.before);
    return done;
  }
  if (const std::optional<Item> item = returned(values, write, written)) done.items.append(*item);
  return done;
}

// What is wrong with a member, in the words in which DynamoDB says it of any request.
Error wrong_member(const std::string& value, const std::string& member, const std::string& bound) {
  return invalid("1 validation error detected: Value '" + value + "' at '" + member +
                 "' failed to satisfy constraint: Member must have " + bound);
}

Result<void> check_text(const Statement& statement, const std::string& member) {
  if (statement.text.empty()) return wrong_member("", member, "length greater than or equal to 1");
  if (statement.text.size() > partiql::kStatementBytesMax)
    return wrong_member(statement.text, member, "length less than or equal to 8192");
  return {};
}

Result<void> check_list(const std::vector<Statement>& statements, const std::string& member, size_t max) {
  if (statements.empty()) return wrong_member("[]", member, "length greater than or equal to 1");
  if (statements.size() > max) {
    return wrong_member("[" + std::to_string(statements.size()) + " statements]", member,
                        "length less than or equal to " + std::to_string(max));
  }
  for (size_t i = 0; i < statements.size(); ++i)
    TRY(check_text(statements[i], member + "." + std::to_string(i + 1) + ".member.statement"));
  return {};
}

}  // namespace

Result<void> check_limits(const ExecuteStatement& request) {
  if (request.limit == 0u) return wrong_member("0", "limit", "value greater than or equal to 1");
  return check_text(request.statement, "statement");
}

Result<void> check_limits(const BatchExecuteStatement& request) {
  return check_list(request.statements, "statements", kBatchStatementsMax);
}

Result<void> check_limits(const ExecuteTransaction& request) {
  if (request.token.size() > kTokenBytesMax)
    return wrong_member(request.token, "clientRequestToken", "length less than or equal to 36");
  return check_list(request.statements, "transactStatements", kTransactionActionsMax);
}

Result<BoundStatement> bind_single(engine::Engine& engine, const Statement& statement) {
  BoundStatement bound = TRY(bind_statement(statement, &engine));
  if (std::holds_alternative<partiql::Exists>(bound.syntax.what))
    return invalid("EXISTS can only be used in ExecuteTransaction write requests.");
  return bound;
}

void execute_write(engine::Engine& engine, BoundStatement statement, bool return_item_on_failure, Loop& loop,
                   StatementWritten done) {
  Result<engine::ItemWrite> write = [&]() -> Result<engine::ItemWrite> {
    return bind_change(TRY(engine.catalog.find(statement.target().table)), statement);
  }();
  if (!write.ok()) return done(std::move(write).error());
  engine::WriteRequest request;
  request.writes.push_back(std::move(*write));
  const ReturnValues values = wanted(statement.returning());
  engine::write_items(
      engine, std::move(request), loop,
      [values, return_item_on_failure, done = std::move(done)](Result<engine::WriteAnswer> answer) mutable {
        if (!answer.ok()) return done(std::move(answer).error());
        done(to_done(*answer, values, return_item_on_failure));
      });
}

}  // namespace sheaf::api
