#include "wire/batch_operations.h"

#include "api/item_reads.h"
#include "api/transactions.h"
#include "base/try.h"
#include "value/value_json.h"
#include "wire/consumed.h"
#include "wire/legacy.h"
#include "wire/members.h"
#include "wire/reading.h"

namespace sheaf::wire {
namespace {

enum KeysMember : size_t { kKeys, kAttributes, kConsistent, kProjection, kNames };
constexpr Shape kKeyList{.kind = Kind::kList, .element = &kValueMap};
constexpr Member kKeysMembers[] = {{"Keys", &kKeyList, {.required = true}},
                                   {"AttributesToGet", &kStringList, {.min = 1}},
                                   {"ConsistentRead", &kBoolean},
                                   {"ProjectionExpression", &kString},
                                   kNamesMember};
constexpr Shape kKeysAndAttributes{.kind = Kind::kStructure,
                                   .class_name = "com.amazonaws.dynamodb.v20120810.KeysAndAttributes",
                                   .members = kKeysMembers};
constexpr Shape kKeysByTable{.kind = Kind::kMap, .element = &kKeysAndAttributes, .names_are_tables = true};

enum GetMember : size_t { kGetReturnCapacity, kGetItems };
constexpr Member kGetMembers[] = {kReturnCapacityMember, {"RequestItems", &kKeysByTable}};

constexpr Member kPutMembers[] = {{"Item", &kValueMap, {.required = true}}};
constexpr Member kDeleteMembers[] = {{"Key", &kValueMap, {.required = true}}};
constexpr Shape kPutRequest{.kind = Kind::kStructure,
                            .class_name = "com.amazonaws.dynamodb.v20120810.PutRequest",
                            .members = kPutMembers};
constexpr Shape kDeleteRequest{.kind = Kind::kStructure,
                               .class_name = "com.amazonaws.dynamodb.v20120810.DeleteRequest",
                               .members = kDeleteMembers};
enum WriteMember : size_t { kPut, kDelete };
constexpr Member kWriteMembers[] = {{"PutRequest", &kPutRequest}, {"DeleteRequest", &kDeleteRequest}};
constexpr Shape kWriteRequest{.kind = Kind::kStructure,
                              .class_name = "com.amazonaws.dynamodb.v20120810.WriteRequest",
                              .members = kWriteMembers};
constexpr Shape kWriteList{.kind = Kind::kList, .element = &kWriteRequest};
constexpr Shape kWritesByTable{.kind = Kind::kMap, .element = &kWriteList, .names_are_tables = true};

enum BatchMember : size_t { kReturnCapacity, kReturnMetrics, kItems };
constexpr Member kBatchMembers[] = {
    kReturnCapacityMember, kReturnMetricsMember, {"RequestItems", &kWritesByTable}};

struct BatchGetInput {
  BatchGetItems request;
  std::map<std::string, expr::Projection> legacy;
  // What goes with keys that could not be processed: the other parameters of their table, as they came.
  std::map<std::string, std::string> parameters;
};

std::string parameters_of(const Fields& fields) {
  std::string text;
  for (const size_t member : {kAttributes, kConsistent, kProjection, kNames}) {
    if (!fields.has(member)) continue;
    text += ",\"";
    text += kKeysMembers[member].name;
    text += "\":";
    text += simdjson::minify(fields.json(member));
  }
  return text;
}

Result<BatchGetInput> read_batch_get(const Input& input) {
  BatchGetInput read;
  if (!input.has(kGetItems)) return read;
  for (const auto& [name, json] : input.fields().map(kGetItems)) {
    if (json.is_null()) continue;
    const Input part(input, json, kKeysAndAttributes);
    static constexpr size_t kLegacy[] = {kAttributes};
    static constexpr size_t kExpressions[] = {kProjection};
    TRY(check_not_mixed(part, kLegacy, kExpressions));
    TRY(check_placeholders_wanted(part, {.names = kNames}, {.any = part.has(kProjection)},
                                  "ProjectionExpression is null"));
    const std::string table(table_of(name));
    BatchGetItems::Table& keys = read.request.tables[table];
    for (const Json key : part.fields().list(kKeys)) {
      if (!key.is_null()) keys.keys.push_back(TRY(part.item(key)));
    }
    if (std::optional<expr::Projection> projection = TRY(read_attributes_to_get(part, kAttributes)))
      read.legacy.emplace(table, std::move(*projection));
    keys.projection = part.text(kProjection);
    keys.names = TRY(part.names(kNames));
    keys.consistent = part.flag(kConsistent);
    read.parameters[table] = parameters_of(part.fields());
  }
  return read;
}

void append_items(std::string& out, const ItemList& items) {
  out += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ',';
    append_json(out, items[i]);
  }
  out += ']';
}

// {"name": <written by `write`>, ...}
template <typename Map, typename Write>
void append_by_table(std::string& out, const Map& map, Write write) {
  out += '{';
  bool first = true;
  for (const auto& [table, part] : map) {
    if (!first) out += ',';
    first = false;
    append_json_string(out, table);
    out += ':';
    write(table, part);
  }
  out += '}';
}

template <typename Answered>
void add_consumed(Answer& answer, Answered& capacity) {
  for (auto& [table, units] : capacity) answer.consumed.emplace_back(table, std::move(units));
}

Answer batch_got_answer(engine::Engine& engine, const BatchGetInput& asked, ReturnCapacity capacity,
                        BatchGot got) {
  Answer answer;
  std::string& body = answer.body;
  body += ",\"Responses\":";
  append_by_table(body, got.items,
                  [&](const std::string&, const ItemList& items) { append_items(body, items); });
  body += ",\"UnprocessedKeys\":";
  append_by_table(body, got.unprocessed, [&](const std::string& table, const std::vector<Item>& keys) {
    body += "{\"Keys\":[";
    for (size_t i = 0; i < keys.size(); ++i) {
      if (i > 0) body += ',';
      append_json(body, keys[i].view());
    }
    body += ']';
    body += asked.parameters.at(table);
    body += '}';
  });
  append_capacities(body, capacity, engine, got.capacity, Units::kUnsplit);
  body = finish_object(std::move(body));
  add_consumed(answer, got.capacity);
  return answer;
}

Result<BatchWriteItems> read_batch_write(const Input& input) {
  BatchWriteItems request;
  if (!input.has(kItems)) return request;
  for (const auto& [name, json] : input.fields().map(kItems)) {
    if (json.is_null()) continue;
    std::vector<BatchWriteItems::Write>& writes = request.tables[std::string(table_of(name))];
    for (const Json element : array_of(json)) {
      const Input write(input, element, kWriteRequest);
      if (write.has(kPut) == write.has(kDelete)) {
        return Error{Code::kInvalid,
                     write.has(kPut)
                         ? "Supplied AttributeValue has more than one datatypes set, must contain "
                           "exactly one of the supported datatypes"
                         : "Supplied AttributeValue is empty, must contain exactly one of the "
                           "supported datatypes"};
      }
      const bool put = write.has(kPut);
      const Fields inner = write.fields().fields(put ? kPut : kDelete);
      Item item = TRY(input.item(inner.json(0)));
      writes.push_back({.put = put, .item = std::move(item)});
    }
  }
  return request;
}

Answer batch_written_answer(engine::Engine& engine, ReturnCapacity capacity, bool return_metrics,
                            BatchWritten written) {
  Answer answer;
  std::string& body = answer.body;
  body += ",\"UnprocessedItems\":";
  append_by_table(body, written.unprocessed,
                  [&](const std::string&, const std::vector<BatchWriteItems::Write>& writes) {
                    body += '[';
                    for (size_t i = 0; i < writes.size(); ++i) {
                      if (i > 0) body += ',';
                      body += writes[i].put ? "{\"PutRequest\":{\"Item\":" : "{\"DeleteRequest\":{\"Key\":";
                      append_json(body, writes[i].item.view());
                      body += "}}";
                    }
                    body += ']';
                  });
  if (return_metrics) append_metrics(body, written.collections);
  append_capacities(body, capacity, engine, written.capacity, Units::kUnsplit);
  body = finish_object(std::move(body));
  add_consumed(answer, written.capacity);
  return answer;
}

}  // namespace

const Shape kBatchGetItemShape{
    .kind = Kind::kStructure, .class_name = "BatchGetItemInput", .members = kGetMembers};
const Shape kBatchWriteItemShape{
    .kind = Kind::kStructure, .class_name = "BatchWriteItemInput", .members = kBatchMembers};

void batch_get_item(Call call, const Input& input) {
  Result<BatchGetInput> read = read_batch_get(input);
  if (!read.ok()) return call.done(error_answer(read.error()));
  const ReturnCapacity capacity = return_capacity(input.fields().text(kGetReturnCapacity));
  read_where_possible(
      std::move(call), std::move(*read),
      [](engine::Engine& engine, const BatchGetInput& asked, const engine::ReadOptions& options) {
        return api::batch_get_items(engine, asked.request, asked.legacy, options);
      },
      [capacity](engine::Engine& engine, BatchGetInput& asked, BatchGot got) {
        return batch_got_answer(engine, asked, capacity, std::move(got));
      });
}

void batch_write_item(Call call, const Input& input) {
  Result<BatchWriteItems> request = read_batch_write(input);
  if (!request.ok()) return call.done(error_answer(request.error()));
  engine::Engine& engine = call.database.engine();
  const ReturnCapacity capacity = return_capacity(input.fields().text(kReturnCapacity));
  const bool return_metrics = input.fields().text(kReturnMetrics) == "SIZE";
  api::batch_write_items(
      engine, std::move(*request), call.loop,
      [&engine, capacity, return_metrics, done = std::move(call.done)](Result<BatchWritten> written) mutable {
        if (!written.ok()) return done(error_answer(written.error()));
        done(batch_written_answer(engine, capacity, return_metrics, std::move(*written)));
      });
}

}  // namespace sheaf::wire
