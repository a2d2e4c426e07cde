#include "api/transactions.h"

#include <algorithm>
#include <unordered_set>

#include "api/answers.h"
#include "api/expressions.h"
#include "api/fingerprint.h"
#include "api/item_reads.h"
#include "api/item_writes.h"
#include "base/try.h"

namespace sheaf::api {
namespace {

using Reason = CancellationReason::Code;

Error wrong_length(const std::string& value, std::string_view member, std::string_view bound) {
  return invalid("1 validation error detected: Value '" + value + "' at '" + std::string(member) +
                 "' failed to satisfy constraint: Member must have length " + std::string(bound));
}

// What an action cannot do without.
Result<void> check_members(const std::vector<TransactAction>& actions) {
  for (size_t i = 0; i < actions.size(); ++i) {
    const auto* check = std::get_if<ConditionCheck>(&actions[i]);
    const auto* update = std::get_if<UpdateItem>(&actions[i]);
    const std::string_view missing = check != nullptr && !check->condition
                                         ? "conditionCheck.conditionExpression"
                                     : update != nullptr && !update->update ? "update.updateExpression"
                                                                            : "";
    if (missing.empty()) continue;
    return invalid("1 validation error detected: Value null at 'transactItems." + std::to_string(i + 1) +
                   ".member." + std::string(missing) +
                   "' failed to satisfy constraint: Member must not be null");
  }
  return {};
}

Result<void> check_shape(const TransactWriteItems& request) {
  if (request.token.size() > kTokenBytesMax) {
    return wrong_length(request.token, "clientRequestToken", "less than or equal to 36");
  }
  if (request.actions.empty()) return wrong_length("[]", "transactItems", "greater than or equal to 1");
  if (request.actions.size() > kTransactionActionsMax) {
    return wrong_length("[" + std::to_string(request.actions.size()) + " actions]", "transactItems",
                        "less than or equal to 100");
  }
  return check_members(request.actions);
}

// The bytes that a transaction carries: items to be put, and values sent with updates.
uint64_t payload_bytes(const TransactAction& action) {
  if (const auto* put = std::get_if<PutItem>(&action)) return put->item.view().size_bytes();
  if (const auto* update = std::get_if<UpdateItem>(&action)) return update->values.view().size_bytes();
  return 0;
}

// Everything that makes two requests the same, in a form in which the order of names does not count.
void append_fingerprint(std::string& out, const ReadWrite& read, const std::optional<std::string>& condition,
                        const std::optional<std::string>& update, Names names, const Item& values) {
  std::sort(names.begin(), names.end());
  out.push_back(static_cast<char>(read.kind));
  append_part(out, *read.table);
  append_part(out, read.item->encoded());
  append_part(out, condition.value_or(""));
  append_part(out, update.value_or(""));
  for (const auto& [placeholder, name] : names) {
    append_part(out, placeholder);
    append_part(out, name);
  }
  append_part(out, values.encoded());
}

std::string fingerprint_of(const std::vector<TransactAction>& actions, const std::vector<ReadWrite>& reads) {
  std::string text;
  for (size_t i = 0; i < actions.size(); ++i) {
    std::visit(
        [&](const auto& action) {
          std::optional<std::string> update;
          if constexpr (requires { action.update; }) update = action.update;
          append_fingerprint(text, reads[i], action.condition, update, action.names, action.values);
        },
        actions[i]);
  }
  return fingerprint(text);
}

CancellationReason reason_of(const engine::ItemWritten& written, bool return_item) {
  if (written.error && is_throttling(*written.error)) return throttling_reason(*written.error);
  if (written.error) {
    const bool too_large = written.error->code == Code::kTooLarge;
    return {.code = too_large ? Reason::kCollectionTooLarge : Reason::kValidationError,
            .message = written.error->message};
  }
  if (written.condition_met) return {};
  CancellationReason reason{.code = Reason::kConditionalCheckFailed,
                            .message = "The conditional request failed"};
  if (return_item && written.before) reason.item = to_item(*written.before);
  return reason;
}

// Of several writes that cannot be done only the first is named.
void keep_first_validation_error(std::vector<CancellationReason>& reasons) {
  bool found = false;
  for (CancellationReason& reason : reasons) {
    if (reason.code != Reason::kValidationError) continue;
    if (found) reason = {};
    found = true;
  }
}

// Adds a write's figures to those of its table.
template <typename Answer>
void add_figures(Answer& answer, const engine::ItemWrite& write, const engine::ItemWritten& written) {
  const std::string& table = write.table->settings.name;
  add_capacity(answer.capacity[table], to_capacity(*write.table, written.consumed));
  std::optional<CollectionMetrics> metrics = collection_metrics(write, written);
  if (!metrics) return;
  std::vector<CollectionMetrics>& collections = answer.collections[table];
  const auto same = std::find_if(collections.begin(), collections.end(), [&](const CollectionMetrics& each) {
    return each.partition_key == metrics->partition_key;
  });
  if (same == collections.end()) {
    collections.push_back(std::move(*metrics));
  } else {
    same->size_bytes = metrics->size_bytes;
  }
}

Result<void> check_shape(const BatchWriteItems& request) {
  if (request.tables.empty()) return invalid("The requestItems parameter is required for BatchWriteItem");
  size_t count = 0;
  for (const auto& [name, writes] : request.tables) {
    if (writes.empty() || writes.size() > kBatchWritesMax) {
      return invalid(
          "1 validation error detected: Value '{" + name + "=[" + std::to_string(writes.size()) +
          " requests]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: "
          "[Member "
          "must have length less than or equal to 25, Member must have length greater than or equal to 1]");
    }
    count += writes.size();
  }
  if (count > kBatchWritesMax) return invalid("Too many items requested for the BatchWriteItem call");
  for (const auto& [name, writes] : request.tables) {
    for (const BatchWriteItems::Write& write : writes) {
      if (write.put && write.item.view().size_bytes() > kItemBytesMax)
        return invalid("Item size has exceeded the maximum allowed size");
    }
  }
  return {};
}

// In a batch, an item without the table's key is refused in other words than in a PutItem.
Result<engine::ItemWrite> bind_batch_write(const engine::TableRef& table,
                                           const BatchWriteItems::Write& write) {
  if (!write.put) return engine::ItemWrite::of_key(engine::ItemWrite::Kind::kDelete, table, write.item);
  for (const auto* attributes : {&table->settings.key.partition, &table->settings.key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      const std::optional<ValueView> value = write.item.find(attribute.name);
      if (!value || value->type() != attribute.type)
        return invalid("The provided key element does not match the schema");
    }
  }
  engine::ItemWrite bound = TRY(engine::ItemWrite::put(table, write.item));
  TRY(engine::check_index_keys(*table, write.item, bound.place));
  return bound;
}

// A transaction that is ready to be tried, or one that the schema has cancelled.
struct Prepared {
  engine::WriteRequest transaction{.transaction = true};
  std::vector<bool> return_item;  // on failure, for each action
  std::optional<TransactWritten> cancelled;
};

Result<Prepared> prepare(engine::Engine& engine, TransactWriteItems& request) {
  TRY(check_shape(request));
  std::vector<ReadWrite> reads;
  Prepared prepared;
  uint64_t bytes = 0;
  for (TransactAction& action : request.actions) {
    bytes += payload_bytes(action);
    reads.push_back(TRY(std::visit([](auto& each) { return read_request(each); }, action)));
    prepared.return_item.push_back(
        std::visit([](const auto& each) { return each.return_item_on_failure; }, action));
  }
  if (bytes > kTransactionBytesMax) return invalid("Transaction payload size cannot exceed 4194304 bytes");
  if (!request.token.empty()) {
    prepared.transaction.token = {.text = request.token,
                                  .fingerprint = fingerprint_of(request.actions, reads)};
  }

  std::vector<engine::TableRef> tables;
  for (const ReadWrite& read : reads) tables.push_back(TRY(engine.catalog.find(*read.table)));
  for (size_t i = 0; i < reads.size(); ++i) TRY(engine::check_keys_not_empty(*tables[i], *reads[i].item));
  for (size_t i = 0; i < reads.size(); ++i) {
    Result<engine::ItemWrite> write = check_action(bind_write(tables[i], std::move(reads[i])));
    if (!write.ok()) {
      prepared.cancelled =
          cancelled_by(reads.size(), i, {.code = Reason::kValidationError, .message = write.error().message});
      return prepared;
    }
    prepared.transaction.writes.push_back(std::move(*write));
  }
  TRY(check_distinct(prepared.transaction.writes,
                     "Transaction request cannot include multiple operations on one item"));
  return prepared;
}

// The writes of a batch on their way, each for itself and all at once: their batches meet in the same commit
// groups. It owns itself until the last is answered.
class BatchOperation {
 public:
  BatchOperation(BatchWriteItems request, BatchWrittenDone done)
      : request_(std::move(request)), done_(std::move(done)) {}

  Result<std::vector<engine::ItemWrite>> bind(engine::Engine& engine) {
    TRY(check_shape(request_));
    std::vector<engine::TableRef> tables;  // all of them, before any item is looked at
    for (const auto& [name, parts] : request_.tables) tables.push_back(TRY(engine.catalog.find(name)));
    std::vector<engine::ItemWrite> writes;
    size_t at = 0;
    for (const auto& [name, parts] : request_.tables) {
      const engine::TableRef& table = tables[at++];
      for (const BatchWriteItems::Write& part : parts) {
        writes.push_back(TRY(bind_batch_write(table, part)));
        origins_.emplace_back(&name, &part);
      }
    }
    TRY(check_distinct(writes, "Provided list of item keys contains duplicates"));
    return writes;
  }

  static void start(std::unique_ptr<BatchOperation> operation, engine::Engine& engine, Loop& loop) {
    Result<std::vector<engine::ItemWrite>> writes = operation->bind(engine);
    if (!writes.ok()) return operation->done_(std::move(writes).error());
    BatchOperation* const self = operation.release();
    const size_t count = writes->size();
    self->answers_.resize(count);
    loop.expect_more(count > 1);
    for (size_t i = 0; i < count; ++i) {
      engine::WriteRequest request;
      request.writes.push_back(std::move((*writes)[i]));
      engine::write_items(engine, std::move(request), loop, [self, i](Result<engine::WriteAnswer> answer) {
        self->answers_[i] = std::move(answer);
        if (++self->answered_ == self->answers_.size()) self->finish();
      });
    }
    loop.expect_more(false);
  }

 private:
  void finish() {
    const std::unique_ptr<BatchOperation> self(this);
    done_(result());
  }

  Result<BatchWritten> result() const {
    BatchWritten result;
    size_t failed = 0;
    for (size_t i = 0; i < answers_.size(); ++i) {
      const Result<engine::WriteAnswer>& answer = *answers_[i];
      if (answer.ok()) {
        add_figures(result, answer->writes.front(), answer->items.front());
        continue;
      }
      // What was not done can be asked for again; an outcome that is not known, or a limit, must be told.
      const Code code = answer.error().code;
      const bool may_be_later = code == Code::kConflict || is_throttling(answer.error());
      if (!may_be_later) return answer.error();
      ++failed;
      result.unprocessed[*origins_[i].first].push_back(*origins_[i].second);
    }
    if (failed == answers_.size()) return answers_.front()->error();
    return result;
  }

  const BatchWriteItems request_;
  BatchWrittenDone done_;
  std::vector<std::pair<const std::string*, const BatchWriteItems::Write*>> origins_;
  std::vector<std::optional<Result<engine::WriteAnswer>>> answers_;
  size_t answered_ = 0;
};

}  // namespace

Result<void> check_distinct(const std::vector<engine::ItemWrite>& writes, std::string_view message) {
  std::unordered_set<std::string_view> seen;
  for (const engine::ItemWrite& write : writes) {
    if (!seen.insert(write.place.key).second) return invalid(std::string(message));
  }
  return {};
}

Result<engine::ItemWrite> check_action(Result<engine::ItemWrite> bound) {
  engine::ItemWrite write = TRY(std::move(bound));
  if (write.kind == engine::ItemWrite::Kind::kPut)
    TRY(engine::check_index_keys(*write.table, write.item, write.place));
  return write;
}

TransactWritten cancelled_by(size_t count, size_t failed, CancellationReason reason) {
  TransactWritten cancelled{.applied = false};
  cancelled.reasons.resize(count);
  cancelled.reasons[failed] = std::move(reason);
  return cancelled;
}

TransactWritten to_transact_written(const engine::WriteAnswer& answer, const std::vector<bool>& return_item) {
  TransactWritten result{.applied = answer.applied, .replayed = answer.replayed};
  for (size_t i = 0; i < answer.items.size(); ++i) {
    if (answer.applied) {
      add_figures(result, answer.writes[i], answer.items[i]);
    } else {
      result.reasons.push_back(reason_of(answer.items[i], return_item[i]));
    }
  }
  keep_first_validation_error(result.reasons);
  return result;
}

void transact_write_items(engine::Engine& engine, TransactWriteItems request, Loop& loop,
                          TransactWrittenDone done) {
  Result<Prepared> prepared = prepare(engine, request);
  if (!prepared.ok()) return done(std::move(prepared).error());
  if (prepared->cancelled) return done(std::move(*prepared->cancelled));
  engine::write_items(engine, std::move(prepared->transaction), loop,
                      [return_item = std::move(prepared->return_item),
                       done = std::move(done)](Result<engine::WriteAnswer> answer) mutable {
                        if (!answer.ok()) return done(std::move(answer).error());
                        done(to_transact_written(*answer, return_item));
                      });
}

void batch_write_items(engine::Engine& engine, BatchWriteItems request, Loop& loop, BatchWrittenDone done) {
  BatchOperation::start(std::make_unique<BatchOperation>(std::move(request), std::move(done)), engine, loop);
}

}  // namespace sheaf::api
