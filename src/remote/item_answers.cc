#include "remote/item_answers.h"

#include <algorithm>

#include "base/try.h"
#include "http/header_list.h"

namespace sheaf::remote {
namespace {

constexpr double kGigabyte = 1024.0 * 1024 * 1024;

void read_index_units(const Members& capacity, std::string_view name, Capacity& units) {
  capacity.map(name, [&](std::string index, Json json) {
    units.indexes[std::move(index)] = Members(capacity.reader(), json).number("CapacityUnits");
  });
}

// {"TableName":...,"CapacityUnits":...,"Table":{...},"GlobalSecondaryIndexes":{...}}. An endpoint that does
// not tell tables from indexes tells the total alone.
Capacity read_capacity(const Members& capacity) {
  Capacity units;
  read_index_units(capacity, "LocalSecondaryIndexes", units);
  read_index_units(capacity, "GlobalSecondaryIndexes", units);
  const std::optional<Members> table = capacity.object("Table");
  units.table = table ? table->number("CapacityUnits") : capacity.number("CapacityUnits");
  return units;
}

Capacity read_one_capacity(const Members& answer) {
  const std::optional<Members> capacity = answer.object("ConsumedCapacity");
  return capacity ? read_capacity(*capacity) : Capacity();
}

std::map<std::string, Capacity> read_capacities(const Members& answer) {
  std::map<std::string, Capacity> capacities;
  answer.objects("ConsumedCapacity", [&](const Members& capacity) {
    capacities[capacity.text("TableName")] = read_capacity(capacity);
  });
  return capacities;
}

CollectionMetrics read_metrics(const Members& metrics) {
  CollectionMetrics read;
  read.partition_key = metrics.item("ItemCollectionKey").value_or(Item());
  bool first = true;
  metrics.list("SizeEstimateRangeGB", [&](Json json) {
    double gigabytes = 0;
    if (json.get(gigabytes) != simdjson::SUCCESS) metrics.reader().note("a size is no number");
    if (std::exchange(first, false))
      read.size_bytes = static_cast<int64_t>(std::clamp(gigabytes, 0.0, 1e6) * kGigabyte);
  });
  return read;
}

std::map<std::string, std::vector<CollectionMetrics>> read_metrics_by_table(const Members& answer) {
  std::map<std::string, std::vector<CollectionMetrics>> read;
  answer.map("ItemCollectionMetrics", [&](std::string table, Json json) {
    simdjson::dom::array list;
    if (json.get(list) != simdjson::SUCCESS)
      return answer.reader().note("ItemCollectionMetrics has no lists");
    std::vector<CollectionMetrics>& collections = read[std::move(table)];
    for (const Json each : list) collections.push_back(read_metrics(Members(answer.reader(), each)));
  });
  return read;
}

// The elements of a list inside a map.
template <typename Take>
void each_of(AnswerReader& reader, Json json, Take take) {
  simdjson::dom::array list;
  if (json.get(list) != simdjson::SUCCESS) return reader.note("a map has no lists");
  for (const Json element : list) take(element);
}

CancellationReason::Code reason_code(std::string_view text) {
  using Code = CancellationReason::Code;
  if (text.empty() || text == "None") return Code::kNone;
  if (text == "ConditionalCheckFailed") return Code::kConditionalCheckFailed;
  if (text == "ItemCollectionSizeLimitExceeded") return Code::kCollectionTooLarge;
  if (text == "TransactionConflict") return Code::kConflict;
  if (text == "ProvisionedThroughputExceeded") return Code::kThroughputExceeded;
  if (text == "ThrottlingError") return Code::kThrottled;
  if (text == "ResourceNotFound") return Code::kNotFound;
  if (text == "DuplicateItem") return Code::kDuplicateItem;
  return Code::kValidationError;
}

// Whether a transaction consumed read units and no write units.
bool only_reads(const Members& answer) {
  bool read_units = false, write_units = false;
  answer.objects("ConsumedCapacity", [&](const Members& capacity) {
    read_units |= capacity.number("ReadCapacityUnits") > 0;
    write_units |= capacity.number("WriteCapacityUnits") > 0;
  });
  return read_units && !write_units;
}

// Of a statement in a batch.
Code statement_code(std::string_view text) {
  if (text == "ValidationError") return Code::kInvalid;
  if (text == "ResourceNotFound") return Code::kNotFound;
  if (text == "DuplicateItem") return Code::kDuplicate;
  if (text == "AccessDenied") return Code::kDenied;
  if (text == "ItemCollectionSizeLimitExceeded") return Code::kTooLarge;
  if (text == "TransactionConflict") return Code::kConflict;
  return Code::kUnavailable;
}

// "... for specific reasons [ConditionalCheckFailed, None]": all that some endpoints tell.
std::vector<CancellationReason> reasons_of_message(std::string_view message) {
  std::vector<CancellationReason> reasons;
  const size_t begin = message.rfind('[');
  const size_t end = message.rfind(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || begin > end) return reasons;
  std::string_view list = message.substr(begin + 1, end - begin - 1);
  while (!list.empty()) reasons.push_back({.code = reason_code(http::take_element(list))});
  return reasons;
}

}  // namespace

Result<Written> read_written(Json json) {
  AnswerReader reader("a write");
  const Members answer(reader, json);
  Written written;
  written.attributes = answer.item("Attributes");
  written.capacity = read_one_capacity(answer);
  if (const auto metrics = answer.object("ItemCollectionMetrics"))
    written.collection = read_metrics(*metrics);
  return reader.finish(std::move(written));
}

Result<Written> read_condition_failed(Json json) {
  AnswerReader reader("a write");
  Written written{.condition_met = false};
  written.attributes = Members(reader, json).item("Item");
  return reader.finish(std::move(written));
}

Result<Got> read_got(Json json) {
  AnswerReader reader("GetItem");
  const Members answer(reader, json);
  Got got;
  got.item = answer.item("Item");
  got.capacity = read_one_capacity(answer);
  return reader.finish(std::move(got));
}

Result<Page> read_page(Json json) {
  AnswerReader reader("a query");
  const Members answer(reader, json);
  Page page;
  answer.list("Items", [&](Json item) { page.items.append(reader.item(item).view()); });
  page.count = static_cast<uint32_t>(std::clamp<int64_t>(answer.integer("Count"), 0, UINT32_MAX));
  page.scanned_count =
      static_cast<uint32_t>(std::clamp<int64_t>(answer.integer("ScannedCount"), 0, UINT32_MAX));
  page.last_key = answer.item("LastEvaluatedKey");
  page.capacity = read_one_capacity(answer);
  return reader.finish(std::move(page));
}

Result<BatchGot> read_batch_got(Json json) {
  AnswerReader reader("BatchGetItem");
  const Members answer(reader, json);
  BatchGot got;
  answer.map("Responses", [&](std::string table, Json items) {
    ItemList& list = got.items[std::move(table)];
    each_of(reader, items, [&](Json item) { list.append(reader.item(item).view()); });
  });
  answer.map("UnprocessedKeys", [&](std::string table, Json part) {
    std::vector<Item>& keys = got.unprocessed[std::move(table)];
    Members(reader, part).list("Keys", [&](Json key) { keys.push_back(reader.item(key)); });
  });
  got.capacity = read_capacities(answer);
  return reader.finish(std::move(got));
}

Result<BatchWritten> read_batch_written(Json json) {
  AnswerReader reader("BatchWriteItem");
  const Members answer(reader, json);
  BatchWritten written;
  answer.map("UnprocessedItems", [&](std::string table, Json part) {
    std::vector<BatchWriteItems::Write>& writes = written.unprocessed[std::move(table)];
    each_of(reader, part, [&](Json write) {
      const Members request(reader, write);
      const std::optional<Members> put = request.object("PutRequest");
      const std::optional<Members> erase = request.object("DeleteRequest");
      std::optional<Item> item;
      if (put) item = put->item("Item");
      if (!put && erase) item = erase->item("Key");
      if (!item) return reader.note("an unprocessed write is none");
      writes.push_back({.put = put.has_value(), .item = std::move(*item)});
    });
  });
  written.capacity = read_capacities(answer);
  written.collections = read_metrics_by_table(answer);
  return reader.finish(std::move(written));
}

Result<TransactWritten> read_transact_written(Json json) {
  AnswerReader reader("TransactWriteItems");
  const Members answer(reader, json);
  TransactWritten written;
  written.replayed = only_reads(answer);
  written.capacity = read_capacities(answer);
  written.collections = read_metrics_by_table(answer);
  return reader.finish(std::move(written));
}

Result<TransactGot> read_transact_got(Json json) {
  AnswerReader reader("TransactGetItems");
  const Members answer(reader, json);
  TransactGot got;
  answer.objects("Responses", [&](const Members& response) { got.items.push_back(response.item("Item")); });
  got.capacity = read_capacities(answer);
  return reader.finish(std::move(got));
}

Result<StatementDone> read_statement_done(Json json) {
  AnswerReader reader("ExecuteStatement");
  const Members answer(reader, json);
  StatementDone done;
  answer.list("Items", [&](Json item) { done.items.append(reader.item(item).view()); });
  if (answer.has("NextToken")) done.next_token = answer.text("NextToken");
  done.last_key = answer.item("LastEvaluatedKey");
  if (const auto capacity = answer.object("ConsumedCapacity")) done.table = capacity->text("TableName");
  done.capacity = read_one_capacity(answer);
  return reader.finish(std::move(done));
}

Result<StatementDone> read_statement_failed(Json json) {
  AnswerReader reader("ExecuteStatement");
  StatementDone done{.condition_met = false};
  done.item_on_failure = Members(reader, json).item("Item");
  return reader.finish(std::move(done));
}

Result<BatchStatementsDone> read_batch_statements_done(Json json) {
  AnswerReader reader("BatchExecuteStatement");
  const Members answer(reader, json);
  BatchStatementsDone done;
  answer.objects("Responses", [&](const Members& response) {
    BatchStatementsDone::Member& member = done.members.emplace_back();
    member.item = response.item("Item");
    member.table = response.text("TableName");
    const std::optional<Members> error = response.object("Error");
    if (!error) return;
    const std::string code = error->text("Code");
    if (code == "ConditionalCheckFailed") {
      member.condition_met = false;
      member.item_on_failure = error->item("Item");
    } else {
      member.error = Error{statement_code(code), error->text("Message")};
    }
  });
  done.capacity = read_capacities(answer);
  return reader.finish(std::move(done));
}

Result<TransactionDone> read_transaction_done(Json json) {
  AnswerReader reader("ExecuteTransaction");
  const Members answer(reader, json);
  TransactionDone done;
  answer.objects("Responses", [&](const Members& response) { done.items.push_back(response.item("Item")); });
  done.is_read = !done.items.empty();
  done.replayed = !done.is_read && only_reads(answer);
  done.capacity = read_capacities(answer);
  return reader.finish(std::move(done));
}

Result<std::vector<CancellationReason>> read_cancellation(Json json, const std::string& message) {
  AnswerReader reader("a transaction");
  const Members answer(reader, json);
  std::vector<CancellationReason> reasons;
  answer.objects("CancellationReasons", [&](const Members& given) {
    CancellationReason& reason = reasons.emplace_back();
    const std::string code = given.text("Code");
    reason.code = reason_code(code);
    reason.message = given.text("Message");
    if (reason.message.empty() && reason.code == CancellationReason::Code::kValidationError)
      reason.message = code;
    reason.item = given.item("Item");
  });
  reasons = TRY(reader.finish(std::move(reasons)));
  if (reasons.empty()) reasons = reasons_of_message(message);
  const auto is_not_in_the_way = [](const CancellationReason& reason) {
    return reason.code == CancellationReason::Code::kNone ||
           reason.code == CancellationReason::Code::kConflict;
  };
  if (std::all_of(reasons.begin(), reasons.end(), is_not_in_the_way)) return Error{Code::kConflict, message};
  return reasons;
}

bool tells_capacity(Json json) {
  Json capacity;
  return json["ConsumedCapacity"].get(capacity) == simdjson::SUCCESS && !capacity.is_null();
}

}  // namespace sheaf::remote
