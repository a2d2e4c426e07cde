// ExecuteTransaction: statements all or nothing.
#include <unordered_set>

#include "api/answers.h"
#include "api/expressions.h"
#include "api/fingerprint.h"
#include "api/item_reads.h"
#include "api/statements.h"
#include "api/transactions.h"
#include "base/try.h"
#include "partiql/key_reads.h"

namespace sheaf::api {
namespace {

using Reason = CancellationReason::Code;

constexpr std::string_view kNoSuchItem = "The provided key element does not match the schema";
constexpr std::string_view kTwice = "Transaction request cannot include multiple operations on one item";

Error in_statement(size_t at, const std::string& message) {
  return invalid("Validation failed in TransactStatements[" + std::to_string(at) + "]: " + message);
}

std::string fingerprint_of(const std::vector<Statement>& statements) {
  std::string text;
  for (const Statement& statement : statements) {
    append_part(text, statement.text);
    append_varint(text, statement.parameters.size());
    for (const Value& parameter : statement.parameters) append_part(text, parameter.view().encoded());
  }
  return fingerprint(text);
}

// What is asked of statements only if there is their table.
Result<void> check_statement(const engine::Table& table, const BoundStatement& statement, size_t at) {
  if (statement.returning() != partiql::Returning::kNothing)
    return in_statement(at, "RETURNING clause is not supported in ExecuteTransaction.");
  const std::vector<std::string> names = key_names(table.settings.key);
  if (statement.is_read()) {
    if (statement.target().index)
      return in_statement(at, "Reads on indices are not supported within transactions.");
    if (!statement.where() || !partiql::only_key(*statement.where(), names)) {
      return in_statement(at,
                          "Select statements within ExecuteTransaction must specify the primary key in the "
                          "where clause.");
    }
  }
  if (std::holds_alternative<partiql::Exists>(statement.syntax.what)) {
    const Error refused =
        in_statement(at, "EXISTS() must contain a single item read with additional condition");
    if (!statement.where() || statement.target().index) return refused;
    const Result<Item> key = partiql::key_equalities(*statement.where(), names);
    if (!key.ok() || key->view().size() != names.size()) return refused;
    if (partiql::only_key(*statement.where(), names)) return refused;
  }
  return {};
}

CancellationReason reason_of(const Error& error, const BoundStatement& statement) {
  if (error.code == Code::kNotFound) return {.code = Reason::kNotFound, .message = error.message};
  const bool is_insert = std::holds_alternative<partiql::Insert>(statement.syntax.what);
  const bool names_no_item = !is_insert && (error.message.starts_with("Where clause does not contain") ||
                                            error.message.starts_with("Multiple conditions on same key"));
  return {.code = Reason::kValidationError,
          .message = names_no_item ? std::string(kNoSuchItem) : error.message};
}

// Statements that insert say so.
void name_duplicates(std::vector<CancellationReason>& reasons, const std::vector<bool>& is_insert) {
  for (size_t i = 0; i < reasons.size(); ++i) {
    if (!is_insert[i] || reasons[i].code != Reason::kConditionalCheckFailed) continue;
    reasons[i].code = Reason::kDuplicateItem;
    reasons[i].message = "Duplicate primary key exists in table";
  }
}

TransactionDone to_done(TransactWritten written, const std::vector<bool>& is_insert) {
  name_duplicates(written.reasons, is_insert);
  return {.applied = written.applied,
          .replayed = written.replayed,
          .reasons = std::move(written.reasons),
          .capacity = std::move(written.capacity)};
}

Result<engine::ItemRead> to_read(engine::Engine& engine, const BoundStatement& statement) {
  engine::TableRef table = TRY(engine.catalog.find(statement.target().table));
  const std::optional<Item> key = partiql::only_key(*statement.where(), key_names(table->settings.key));
  return engine::ItemRead::of_key(std::move(table), *key);
}

}  // namespace

Result<BoundTransaction> bind_transaction(engine::Engine& engine, const ExecuteTransaction& request) {
  BoundTransaction transaction{.token = request.token};
  bool has_read = false, has_write = false;
  for (size_t i = 0; i < request.statements.size(); ++i) {
    Result<BoundStatement> statement = bind_statement(request.statements[i], &engine);
    if (!statement.ok()) return in_statement(i, statement.error().message);
    (statement->is_read() ? has_read : has_write) = true;
    transaction.statements.push_back(std::move(*statement));
    transaction.return_item.push_back(request.statements[i].return_item_on_failure);
  }
  if (has_read && has_write) {
    return invalid(
        "ExecuteTransaction API does not support both read and write operations in the same request.");
  }
  transaction.is_read = has_read;
  for (size_t i = 0; i < transaction.statements.size(); ++i) {
    const Result<engine::TableRef> table = engine.catalog.find(transaction.statements[i].target().table);
    if (table.ok()) TRY(check_statement(**table, transaction.statements[i], i));
  }
  if (!request.token.empty()) transaction.fingerprint = fingerprint_of(request.statements);
  return transaction;
}

Result<TransactionDone> read_transaction(engine::Engine& engine, const BoundTransaction& transaction,
                                         const engine::ReadOptions& options) {
  TransactionDone done{.is_read = true};
  std::vector<engine::ItemRead> reads;
  std::unordered_set<std::string> seen;
  bool is_twice = false;
  for (const BoundStatement& statement : transaction.statements) {
    CancellationReason& reason = done.reasons.emplace_back();
    Result<engine::ItemRead> read = to_read(engine, statement);
    if (read.ok()) {
      is_twice |= !seen.insert(read->place.key).second;
      reads.push_back(std::move(*read));
    } else {
      reason = reason_of(read.error(), statement);
      done.applied = false;
    }
  }
  if (!done.applied) return done;
  done.reasons.clear();
  if (is_twice) return invalid(std::string(kTwice));
  done.reasons = throttled_reads(engine, reads);
  done.applied = done.reasons.empty();
  if (!done.applied) return done;
  const auto items = TRY(engine::read_items(engine, reads, engine::ReadMode::kTransactional, options));
  uint64_t bytes = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    const uint64_t size = items[i] ? items[i]->size_bytes() : 0;
    bytes += size;
    if (bytes > kTransactionBytesMax) return invalid("Transaction payload size cannot exceed 4194304 bytes");
    done.capacity[reads[i].table->settings.name].table +=
        pay_for(engine, reads[i], items[i], engine::ReadMode::kTransactional);
    std::optional<Item>& item = done.items.emplace_back();
    if (items[i]) item = project_columns(transaction.statements[i].columns, items[i]->item());
  }
  return done;
}

void write_transaction(engine::Engine& engine, BoundTransaction transaction, Loop& loop,
                       TransactionWritten done) {
  engine::WriteRequest request{.transaction = true};
  const size_t count = transaction.statements.size();
  std::vector<bool> is_insert;
  for (size_t i = 0; i < count; ++i) {
    BoundStatement& statement = transaction.statements[i];
    is_insert.push_back(std::holds_alternative<partiql::Insert>(statement.syntax.what));
    Result<engine::ItemWrite> write = [&]() -> Result<engine::ItemWrite> {
      return check_action(bind_change(TRY(engine.catalog.find(statement.target().table)), statement));
    }();
    if (!write.ok()) {
      const Code code = write.error().code;
      if (code != Code::kInvalid && code != Code::kNotFound) return done(std::move(write).error());
      return done(to_done(cancelled_by(count, i, reason_of(write.error(), statement)), is_insert));
    }
    request.writes.push_back(std::move(*write));
  }
  const Result<void> distinct = check_distinct(request.writes, kTwice);
  if (!distinct.ok()) return done(distinct.error());
  // Tokens of statements are not those of other transactions.
  if (!transaction.token.empty())
    request.token = {.text = "statements:" + transaction.token, .fingerprint = transaction.fingerprint};
  engine::write_items(engine, std::move(request), loop,
                      [is_insert = std::move(is_insert), return_item = std::move(transaction.return_item),
                       done = std::move(done)](Result<engine::WriteAnswer> answer) mutable {
                        if (!answer.ok()) return done(std::move(answer).error());
                        done(to_done(to_transact_written(*answer, return_item), is_insert));
                      });
}

}  // namespace sheaf::api
