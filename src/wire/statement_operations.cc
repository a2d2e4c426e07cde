#include "wire/statement_operations.h"

#include <algorithm>

#include "api/selects.h"
#include "api/statements.h"
#include "base/try.h"
#include "partiql/literals.h"
#include "partiql/parser.h"
#include "value/value_json.h"
#include "wire/consumed.h"
#include "wire/item_operations.h"
#include "wire/locked_tables.h"
#include "wire/members.h"
#include "wire/reading.h"
#include "wire/transact_operations.h"

namespace sheaf::wire {
namespace {

constexpr Member kStatementMember{
    "Statement", &kString, {.required = true, .min = 1, .max = partiql::kStatementBytesMax}};
constexpr Member kParametersMember{"Parameters", &kValueList, {.min = 1}};

// What a statement has wherever it stands comes first.
enum StatementMember : size_t {
  kStatement,
  kParameters,
  kConsistent,
  kReturnOnFailure,
  // ExecuteStatement
  kReturnCapacity,
  kLimit,
  kNextToken,
};

constexpr Member kSingleMembers[] = {kStatementMember,
                                     kParametersMember,
                                     {"ConsistentRead", &kBoolean},
                                     kReturnOnFailureMember,
                                     kReturnCapacityMember,
                                     {"Limit", &kInteger, {.min = 1}},
                                     {"NextToken", &kString, {.min = 1, .max = 32768}}};
constexpr Member kElementMembers[] = {
    kStatementMember, kParametersMember, {"ConsistentRead", &kBoolean}, kReturnOnFailureMember};

constexpr Shape kBatchElement{.kind = Kind::kStructure,
                              .class_name = "com.amazonaws.dynamodb.v20120810.BatchStatementRequest",
                              .members = kElementMembers};
constexpr Shape kTransactElement{.kind = Kind::kStructure,
                                 .class_name = "com.amazonaws.dynamodb.v20120810.ParameterizedStatement",
                                 .members = kElementMembers};
constexpr Shape kBatchList{.kind = Kind::kList, .element = &kBatchElement};
constexpr Shape kTransactList{.kind = Kind::kList, .element = &kTransactElement};

enum ListMember : size_t { kListReturnCapacity, kStatements, kToken };
constexpr Member kBatchMembers[] = {
    kReturnCapacityMember,
    {"Statements", &kBatchList, {.required = true, .min = 1, .max = api::kBatchStatementsMax}}};
constexpr Member kTransactMembers[] = {
    kReturnCapacityMember,
    {"TransactStatements", &kTransactList, {.required = true, .min = 1, .max = 100}},
    {"ClientRequestToken", &kString, {.min = 1, .max = 36}}};

// Numbers and levels of a parameter, in the order in which they are written: the first that cannot be is
// told.
Result<void> check_parameter(Json value, int level) {
  if (level > kNestingMax) {
    return Error{Code::kInvalid,
                 "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
                 "beyond supported limit"};
  }
  simdjson::dom::object object;
  if (value.get(object) != simdjson::SUCCESS) return {};
  for (const auto& [type, content] : object) {
    std::string_view number;
    if (type == "N" && content.get(number) == simdjson::SUCCESS) TRY(partiql::check_number(number));
    if (type == "NS" && content.is_array()) {
      for (const Json element : array_of(content)) {
        if (element.get(number) == simdjson::SUCCESS) TRY(partiql::check_number(number));
      }
    }
    if (type == "L" && content.is_array()) {
      for (const Json element : array_of(content)) TRY(check_parameter(element, level + 1));
    }
    if (type == "M" && content.is_object()) {
      for (const auto& [name, element] : object_of(content)) TRY(check_parameter(element, level + 1));
    }
  }
  return {};
}

Result<Statement> read_statement(const Input& input) {
  Statement statement{.text = std::string(input.fields().text(kStatement))};
  if (input.has(kParameters)) {
    for (const Json json : input.fields().list(kParameters)) {
      TRY(check_parameter(json, 1));
      statement.parameters.push_back(TRY(input.value(json)));
    }
  }
  statement.consistent = input.flag(kConsistent);
  statement.return_item_on_failure = input.fields().text(kReturnOnFailure) == "ALL_OLD";
  return statement;
}

// Each by itself: one that cannot be read does not keep a batch from the others.
std::vector<Result<Statement>> read_statements(const Input& input, const Shape& element) {
  std::vector<Result<Statement>> statements;
  for (const Json json : input.fields().list(kStatements))
    statements.push_back(read_statement(Input(input, json, element)));
  return statements;
}

// What a policy calls it.
std::string_view action_of(const api::BoundStatement& statement) {
  struct Visitor {
    std::string_view operator()(const partiql::Select&) const { return "PartiQLSelect"; }
    std::string_view operator()(const partiql::Insert&) const { return "PartiQLInsert"; }
    std::string_view operator()(const partiql::UpdateStatement&) const { return "PartiQLUpdate"; }
    std::string_view operator()(const partiql::DeleteStatement&) const { return "PartiQLDelete"; }
    std::string_view operator()(const partiql::Exists&) const { return "PartiQLSelect"; }
    std::string_view operator()(const partiql::Bare&) const { return "PartiQLSelect"; }
  };
  return std::visit(Visitor{}, statement.syntax.what);
}

std::optional<Answer> refusal(Call& call, const api::BoundStatement& statement) {
  if (call.refuse) {
    if (std::optional<Answer> refused = (*call.refuse)(action_of(statement))) return refused;
  }
  return statement.is_read() ? std::nullopt : refuse_locked(call, statement.target().table);
}

Answer statement_answer(engine::Engine& engine, ReturnCapacity capacity, StatementDone done) {
  if (!done.condition_met) return condition_failed(done.item_on_failure);
  Answer answer;
  std::string& body = answer.body;
  body += ",\"Items\":[";
  for (size_t i = 0; i < done.items.size(); ++i) {
    if (i > 0) body += ',';
    append_json(body, done.items[i]);
  }
  body += ']';
  if (done.next_token) {
    body += ",\"NextToken\":";
    append_json_string(body, *done.next_token);
  }
  if (done.last_key) {
    body += ",\"LastEvaluatedKey\":";
    append_json(body, done.last_key->view());
  }
  append_capacity(body, capacity, engine, done.table, done.capacity);
  body = finish_object(std::move(body));
  answer.consumed.emplace_back(std::move(done.table), std::move(done.capacity));
  return answer;
}

std::string_view batch_code(const Error& error) {
  switch (error.code) {
    case Code::kInvalid:
      return "ValidationError";
    case Code::kNotFound:
      return "ResourceNotFound";
    case Code::kDenied:
      return "AccessDenied";
    case Code::kDuplicate:
      return "DuplicateItem";
    case Code::kTooLarge:
      return "ItemCollectionSizeLimitExceeded";
    case Code::kThroughputExceeded:
      return "ProvisionedThroughputExceeded";
    case Code::kThrottled:
      return "ThrottlingError";
    case Code::kConflict:
      return "TransactionConflict";
    default:
      return "InternalServerError";
  }
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

void append_error(std::string& body, std::string_view code, std::string_view message,
                  const std::optional<Item>& item = std::nullopt) {
  body += ",\"Error\":{\"Code\":\"";
  body += code;
  body += "\",\"Message\":";
  append_json_string(body, message);
  if (item) {
    body += ",\"Item\":";
    append_json(body, item->view());
  }
  body += '}';
}

Answer batch_answer(engine::Engine& engine, ReturnCapacity capacity, BatchStatementsDone done) {
  Answer answer;
  std::string& body = answer.body;
  body += ",\"Responses\":[";
  for (size_t i = 0; i < done.members.size(); ++i) {
    const BatchStatementsDone::Member& member = done.members[i];
    std::string text;
    if (member.error) append_error(text, batch_code(*member.error), first_line(member.error->message));
    if (!member.condition_met)
      append_error(text, "ConditionalCheckFailed", "The conditional request failed", member.item_on_failure);
    if (member.item) {
      text += ",\"Item\":";
      append_json(text, member.item->view());
    }
    if (!member.table.empty()) {
      text += ",\"TableName\":";
      append_json_string(text, member.table);
    }
    if (i > 0) body += ',';
    body += finish_object(std::move(text));
  }
  body += ']';
  if (!done.capacity.empty()) append_capacities(body, capacity, engine, done.capacity, Units::kUnsplit);
  body = finish_object(std::move(body));
  add_consumed(answer, done.capacity);
  return answer;
}

Answer transaction_answer(engine::Engine& engine, ReturnCapacity capacity, TransactionDone done) {
  if (!done.applied) return cancelled(done.reasons);
  Answer answer;
  std::string& body = answer.body;
  body += ",\"Responses\":[";
  for (size_t i = 0; i < done.items.size(); ++i) {
    if (i > 0) body += ',';
    body += '{';
    if (done.items[i]) {
      body += "\"Item\":";
      append_json(body, done.items[i]->view());
    }
    body += '}';
  }
  body += ']';
  append_capacities(body, capacity, engine, done.capacity,
                    done.is_read || done.replayed ? Units::kRead : Units::kWrite);
  body = finish_object(std::move(body));
  add_consumed(answer, done.capacity);
  return answer;
}

// A SELECT on its way.
struct Selecting {
  ExecuteStatement request;
  api::BoundStatement statement;
};

}  // namespace

const Shape kExecuteStatementShape{
    .kind = Kind::kStructure, .class_name = "ExecuteStatementInput", .members = kSingleMembers};
const Shape kBatchExecuteStatementShape{
    .kind = Kind::kStructure, .class_name = "BatchExecuteStatementInput", .members = kBatchMembers};
const Shape kExecuteTransactionShape{
    .kind = Kind::kStructure, .class_name = "ExecuteTransactionInput", .members = kTransactMembers};

void execute_statement(Call call, const Input& input) {
  Result<Statement> statement = read_statement(input);
  if (!statement.ok()) return call.done(error_answer(statement.error()));
  engine::Engine& engine = call.database.engine();
  Result<api::BoundStatement> bound = api::bind_single(engine, *statement);
  if (!bound.ok()) return call.done(error_answer(bound.error()));
  if (std::optional<Answer> refused = refusal(call, *bound)) return call.done(std::move(*refused));
  const ReturnCapacity capacity = return_capacity(input.fields().text(kReturnCapacity));
  if (!bound->is_read()) {
    if (input.has(kNextToken)) {
      return call.done(error_answer({Code::kInvalid, "NextToken is only valid on a SELECT statement"}));
    }
    return api::execute_write(
        engine, std::move(*bound), statement->return_item_on_failure, call.loop,
        [&engine, capacity, done = std::move(call.done)](Result<StatementDone> written) mutable {
          done(written.ok() ? statement_answer(engine, capacity, std::move(*written))
                            : error_answer(written.error()));
        });
  }
  Selecting selecting{.request = {.statement = std::move(*statement)}, .statement = std::move(*bound)};
  if (input.has(kLimit))
    selecting.request.limit =
        static_cast<uint32_t>(std::min<int64_t>(input.fields().integer(kLimit), UINT32_MAX));
  selecting.request.next_token = input.text(kNextToken);
  read_where_possible(
      std::move(call), std::move(selecting),
      [](engine::Engine& on, const Selecting& asked, const engine::ReadOptions& options) {
        return api::select(on, asked.statement, asked.request, options);
      },
      [capacity](engine::Engine& on, Selecting&, StatementDone done) {
        return statement_answer(on, capacity, std::move(done));
      });
}

void batch_execute_statement(Call call, const Input& input) {
  engine::Engine& engine = call.database.engine();
  Result<api::BoundBatch> batch = api::bind_batch(engine, read_statements(input, kBatchElement));
  if (!batch.ok()) return call.done(error_answer(batch.error()));
  for (const Result<api::BoundStatement>& statement : batch->statements) {
    if (!statement.ok()) continue;
    if (std::optional<Answer> refused = refusal(call, *statement)) return call.done(std::move(*refused));
  }
  const ReturnCapacity capacity = return_capacity(input.fields().text(kListReturnCapacity));
  if (batch->is_read) {
    return read_where_possible(std::move(call), std::move(*batch), api::read_batch,
                               [capacity](engine::Engine& on, api::BoundBatch&, BatchStatementsDone done) {
                                 return batch_answer(on, capacity, std::move(done));
                               });
  }
  api::write_batch(
      engine, std::move(*batch), call.loop,
      [&engine, capacity, done = std::move(call.done)](Result<BatchStatementsDone> written) mutable {
        done(written.ok() ? batch_answer(engine, capacity, std::move(*written))
                          : error_answer(written.error()));
      });
}

void execute_transaction(Call call, const Input& input) {
  ExecuteTransaction request{.token = input.text(kToken).value_or("")};
  for (Result<Statement>& statement : read_statements(input, kTransactElement)) {
    if (!statement.ok()) return call.done(error_answer(statement.error()));
    request.statements.push_back(std::move(*statement));
  }
  engine::Engine& engine = call.database.engine();
  const size_t count = request.statements.size();
  Result<api::BoundTransaction> transaction = api::bind_transaction(engine, request);
  if (!transaction.ok()) return call.done(error_answer(transaction.error()));
  for (const api::BoundStatement& statement : transaction->statements) {
    if (std::optional<Answer> refused = refusal(call, statement)) return call.done(std::move(*refused));
  }
  const ReturnCapacity capacity = return_capacity(input.fields().text(kListReturnCapacity));
  if (transaction->is_read) {
    return read_where_possible(std::move(call), std::move(*transaction), api::read_transaction,
                               [capacity](engine::Engine& on, api::BoundTransaction&, TransactionDone done) {
                                 return transaction_answer(on, capacity, std::move(done));
                               });
  }
  api::write_transaction(
      engine, std::move(*transaction), call.loop,
      [&engine, capacity, count, done = std::move(call.done)](Result<TransactionDone> written) mutable {
        if (!written.ok() && written.error().code == Code::kConflict) return done(conflict(count));
        done(written.ok() ? transaction_answer(engine, capacity, std::move(*written))
                          : error_answer(written.error()));
      });
}

}  // namespace sheaf::wire
