#include "remote/remote_database.h"

#include <algorithm>

#include "base/try.h"
#include "partiql/parser.h"
#include "remote/access_key.h"
#include "remote/capabilities.h"
#include "remote/http_transport.h"
#include "remote/item_answers.h"
#include "remote/item_requests.h"

namespace sheaf::remote {
namespace {

Error not_remotely(std::string_view what) {
  return {Code::kInvalid, std::string(what) + " is not possible over a remote endpoint"};
}

// Doing it twice is the same as once, unless something is told or decided by what was there before.
template <typename Request>
Doing doing_of(const Request& request) {
  const bool looks = request.condition || request.return_values != ReturnValues::kNone;
  return looks ? Doing::kWritingOnce : Doing::kWriting;
}

bool only_reads(const std::vector<Statement>& statements) {
  return std::all_of(statements.begin(), statements.end(),
                     [](const Statement& each) { return partiql::is_select(each.text); });
}

// What a statement that writes does may depend on what is there.
Doing doing_of(const std::vector<Statement>& statements) {
  return only_reads(statements) ? Doing::kReading : Doing::kWritingOnce;
}

}  // namespace

Result<std::unique_ptr<RemoteDatabase>> RemoteDatabase::connect(const Endpoint& endpoint, Sleep sleep) {
  if (endpoint.region.empty()) return Error{Code::kInvalid, "there is no region"};
  if (!std::all_of(endpoint.writer.begin(), endpoint.writer.end(), [](char c) { return c > ' ' && c < 127; }))
    return Error{Code::kInvalid, "the name of a writer has only letters, digits and signs"};
  HttpOptions http{.region = endpoint.region,
                   .authorities_path = endpoint.authorities_path,
                   .connect_ms = endpoint.connect_ms,
                   .answer_ms = endpoint.answer_ms,
                   .answer_bytes_max = endpoint.answer_bytes_max,
                   .connections = {.connections_max = std::max<size_t>(1, endpoint.connections_max),
                                   .idle_ms = endpoint.idle_ms},
                   .writer = endpoint.writer};
  http.url = TRY(parse_endpoint_url(endpoint.url.empty() ? aws_endpoint(endpoint.region) : endpoint.url));
  http.access_key = endpoint.access_key ? *endpoint.access_key : TRY(find_access_key());
  ClientOptions options{.repeat_lost_writes = endpoint.repeat_lost_writes,
                        .table_wait_us = endpoint.table_wait_ms * 1000,
                        .sleep = std::move(sleep)};
  options.retries.attempts_max = std::max<uint32_t>(1, endpoint.attempts_max);
  std::unique_ptr<HttpTransport> transport = TRY(HttpTransport::create(std::move(http)));
  return std::make_unique<RemoteDatabase>(std::move(transport), std::move(options));
}

RemoteDatabase::RemoteDatabase(std::unique_ptr<Transport> transport, ClientOptions options,
                               const Clock* clock)
    : clock_(clock != nullptr ? *clock : system_clock_),
      client_(std::move(transport), std::move(options)),
      streams_(client_, clock_) {}

Result<Capabilities> RemoteDatabase::capabilities() {
  const Seen seen = seen_.load(std::memory_order_relaxed);
  std::optional<bool> capacity;
  if (seen != Seen::kNothing) capacity = seen == Seen::kCapacity;
  return probe_capabilities(client_, capacity);
}

void RemoteDatabase::note_capacity(const Answer& answer) {
  seen_.store(tells_capacity(answer.json()) ? Seen::kCapacity : Seen::kNoCapacity, std::memory_order_relaxed);
}

template <typename Request>
Result<Written> RemoteDatabase::write(std::string_view operation, const Request& request, Doing doing) {
  const Answer answer = TRY(client_.call(operation, to_json(request), doing));
  if (!answer.exception()) {
    note_capacity(answer);
    return read_written(answer.json());
  }
  if (answer.exception()->name == "ConditionalCheckFailedException")
    return read_condition_failed(answer.json());
  return to_error(*answer.exception());
}

Result<Written> RemoteDatabase::put_item(const PutItem& request) {
  return write("PutItem", request, doing_of(request));
}

// What an update does may depend on what is there, also without a condition: SET n = n + 1.
Result<Written> RemoteDatabase::update_item(const UpdateItem& request) {
  return write("UpdateItem", request, Doing::kWritingOnce);
}

Result<Written> RemoteDatabase::delete_item(const DeleteItem& request) {
  return write("DeleteItem", request, doing_of(request));
}

template <typename Read>
auto RemoteDatabase::read_items(std::string_view operation, const std::string& body, Read read)
    -> decltype(read(std::declval<Json>())) {
  const Answer answer = TRY(client_.demand(operation, body, Doing::kReading));
  note_capacity(answer);
  return read(answer.json());
}

Result<Got> RemoteDatabase::get_item(const GetItem& request) {
  return read_items("GetItem", to_json(request), read_got);
}

Result<Page> RemoteDatabase::query(const Query& request) {
  return read_items("Query", to_json(request), read_page);
}

Result<Page> RemoteDatabase::scan(const Scan& request) {
  return read_items("Scan", to_json(request), read_page);
}

Result<BatchGot> RemoteDatabase::batch_get_items(const BatchGetItems& request) {
  return read_items("BatchGetItem", to_json(request), read_batch_got);
}

Result<BatchWritten> RemoteDatabase::batch_write_items(const BatchWriteItems& request) {
  const Answer answer = TRY(client_.demand("BatchWriteItem", to_json(request), Doing::kWriting));
  note_capacity(answer);
  return read_batch_written(answer.json());
}

// With a token, the endpoint knows a transaction that it is asked for again.
Result<TransactWritten> RemoteDatabase::transact_write_items(const TransactWriteItems& request) {
  const std::string token = request.token.empty() ? random_uuid() : request.token;
  const Answer answer = TRY(client_.call("TransactWriteItems", to_json(request, token), Doing::kWriting));
  if (const std::optional<Exception>& exception = answer.exception()) {
    if (!is_cancellation(*exception)) return to_error(*exception);
    TransactWritten written{.applied = false};
    written.reasons = TRY(read_cancellation(answer.json(), exception->message));
    return written;
  }
  note_capacity(answer);
  TransactWritten written = TRY(read_transact_written(answer.json()));
  // Whoever gave no token asked once, however often we did.
  if (request.token.empty()) written.replayed = false;
  return written;
}

Result<TransactGot> RemoteDatabase::transact_get_items(const TransactGetItems& request) {
  const Answer answer = TRY(client_.call("TransactGetItems", to_json(request), Doing::kReading));
  if (const std::optional<Exception>& exception = answer.exception()) {
    if (!is_cancellation(*exception)) return to_error(*exception);
    TransactGot got{.applied = false};
    got.reasons = TRY(read_cancellation(answer.json(), exception->message));
    return got;
  }
  note_capacity(answer);
  return read_transact_got(answer.json());
}

Result<StatementDone> RemoteDatabase::execute_statement(const ExecuteStatement& request) {
  const Answer answer =
      TRY(client_.call("ExecuteStatement", to_json(request), doing_of({request.statement})));
  if (const std::optional<Exception>& exception = answer.exception()) {
    if (exception->name != "ConditionalCheckFailedException") return to_error(*exception);
    return read_statement_failed(answer.json());
  }
  note_capacity(answer);
  return read_statement_done(answer.json());
}

Result<BatchStatementsDone> RemoteDatabase::batch_execute_statement(const BatchExecuteStatement& request) {
  const Answer answer =
      TRY(client_.call("BatchExecuteStatement", to_json(request), doing_of(request.statements)));
  if (const std::optional<Exception>& exception = answer.exception()) return to_error(*exception);
  note_capacity(answer);
  return read_batch_statements_done(answer.json());
}

Result<TransactionDone> RemoteDatabase::execute_transaction(const ExecuteTransaction& request) {
  const bool is_read = only_reads(request.statements);
  // Reads take no token.
  const std::string token = !request.token.empty() ? request.token : is_read ? "" : random_uuid();
  const Answer answer = TRY(client_.call("ExecuteTransaction", to_json(request, token),
                                         is_read ? Doing::kReading : Doing::kWriting));
  if (const std::optional<Exception>& exception = answer.exception()) {
    if (!is_cancellation(*exception)) return to_error(*exception);
    TransactionDone done{.applied = false, .is_read = is_read};
    done.reasons = TRY(read_cancellation(answer.json(), exception->message));
    return done;
  }
  note_capacity(answer);
  TransactionDone done = TRY(read_transaction_done(answer.json()));
  if (request.token.empty()) done.replayed = false;
  return done;
}

Result<StreamRead> RemoteDatabase::read_stream(const ReadStream& request) { return streams_.read(request); }

StreamPosition RemoteDatabase::newest_position() { return {.stamp = static_cast<uint64_t>(clock_.now_us())}; }

Result<CollectionSize> RemoteDatabase::collection_size(std::string_view, const Item&) {
  return not_remotely("collection_size");
}

Result<bool> RemoteDatabase::run_background_work() { return not_remotely("run_background_work"); }

Result<void> RemoteDatabase::checkpoint(const std::string&) { return not_remotely("checkpoint"); }

}  // namespace sheaf::remote

namespace sheaf {

Result<std::unique_ptr<Database>> connect(const Endpoint& endpoint) {
  return Result<std::unique_ptr<Database>>(TRY(remote::RemoteDatabase::connect(endpoint)));
}

Result<Capabilities> find_capabilities(const Endpoint& endpoint) {
  return TRY(remote::RemoteDatabase::connect(endpoint))->capabilities();
}

}  // namespace sheaf
