#include "programs/operation.h"

namespace sheaf::programs {
namespace {

template <typename Request>
Request with_condition(const WriteOperation& write) {
  Request request;
  request.table = write.table;
  request.return_item_on_failure = write.return_item_on_failure;
  ExpressionText text;
  if constexpr (requires { request.update; }) {
    if (write.update) request.update = text(*write.update);
  }
  if (write.condition) request.condition = text(*write.condition);
  request.names = text.names();
  request.values = text.values();
  if constexpr (requires { request.return_values; }) request.return_values = write.return_values;
  if constexpr (requires { request.item; }) {
    request.item = write.item;
  } else {
    request.key = write.item;
  }
  return request;
}

template <typename Request>
Request read_request(const ReadOperation& read) {
  Request request;
  request.table = read.table;
  request.index = read.index;
  ExpressionText text;
  if constexpr (requires { request.key_condition; }) request.key_condition = text(*read.keys);
  if (read.filter) request.filter = text(*read.filter);
  if (read.projection) request.projection = text(*read.projection);
  request.names = text.names();
  request.values = text.values();
  request.select = read.select;
  request.limit = read.limit;
  request.start_key = read.start_key;
  request.consistent = read.consistent;
  return request;
}

// Collects what is worth telling: `say("limit", 3)`.
class Telling {
 public:
  explicit Telling(const std::string& what) : text_(what) {}

  Telling& say(const std::string& name, const std::string& value) {
    text_ += " " + name + "=" + value;
    return *this;
  }
  Telling& say(const std::string& name, const Item& item) { return say(name, to_text(item.view())); }
  Telling& say(const std::string& name, uint64_t number) { return say(name, std::to_string(number)); }
  Telling& say(const std::string& name, bool flag) {
    if (flag) text_ += " " + name;
    return *this;
  }
  template <typename T>
  Telling& say(const std::string& name, const std::optional<T>& value) {
    if (value) say(name, *value);
    return *this;
  }
  Telling& say(const std::string& name, const Names& names) {
    std::string pairs;
    for (const auto& [placeholder, meaning] : names) pairs += placeholder + ":" + meaning + " ";
    if (!names.empty()) say(name, "{" + pairs + "}");
    return *this;
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

std::string tell(const WriteOperation& write) {
  using Kind = WriteOperation::Kind;
  const UpdateItem request = update_request(write);
  const char* kind = write.kind == Kind::kPut      ? "put"
                     : write.kind == Kind::kUpdate ? "update"
                     : write.kind == Kind::kDelete ? "delete"
                                                   : "check";
  return Telling(kind)
      .say("table", write.table)
      .say(write.kind == Kind::kPut ? "item" : "key", write.item)
      .say("update", request.update)
      .say("condition", request.condition)
      .say("names", request.names)
      .say("values", request.values)
      .say("return", uint64_t{static_cast<uint8_t>(write.return_values)})
      .say("item_on_failure", write.return_item_on_failure)
      .text();
}

std::string tell(const GetOperation& get) {
  const GetItem request = get_request(get);
  return Telling("get")
      .say("table", get.table)
      .say("key", get.key)
      .say("projection", request.projection)
      .say("names", request.names)
      .say("consistent", get.consistent)
      .text();
}

template <typename Request>
std::string tell_read(const std::string& what, const ReadOperation& read, const Request& request) {
  Telling telling(what);
  telling.say("table", read.table).say("index", read.index);
  if constexpr (requires { request.key_condition; }) telling.say("keys", request.key_condition);
  telling.say("filter", request.filter)
      .say("projection", request.projection)
      .say("names", request.names)
      .say("values", request.values);
  if (read.select) telling.say("select", uint64_t{static_cast<uint8_t>(*read.select)});
  if (read.limit) telling.say("limit", uint64_t{*read.limit});
  if (read.segment) telling.say("segment", uint64_t{*read.segment});
  if (read.segment_count) telling.say("segment_count", uint64_t{*read.segment_count});
  return telling.say("start_key", read.start_key)
      .say("descending", read.descending)
      .say("consistent", read.consistent)
      .say("all_pages", read.all_pages)
      .text();
}

std::string tell(const ReadOperation& read) {
  return read.keys ? tell_read("query", read, query_request(read))
                   : tell_read("scan", read, scan_request(read));
}

std::string tell(const BatchGetOperation& batch) {
  Telling telling("batch_get");
  for (const auto& [name, table] : batch.tables) {
    for (const Item& key : table.keys) telling.say(name, key);
  }
  return telling.text();
}

std::string tell(const BatchWriteItems& batch) {
  Telling telling("batch_write");
  for (const auto& [name, writes] : batch.tables) {
    for (const auto& write : writes) telling.say((write.put ? "put:" : "delete:") + name, write.item);
  }
  return telling.text();
}

std::string tell(const TransactWriteOperation& transaction) {
  std::string text = "transact_write token='" + transaction.token + "'";
  for (const WriteOperation& write : transaction.writes) text += "\n    " + tell(write);
  return text;
}

std::string tell(const TransactGetOperation& transaction) {
  std::string text = "transact_get";
  for (const GetOperation& get : transaction.gets) text += "\n    " + tell(get);
  return text;
}

std::string tell(const IndexDeclaration& index) {
  std::string included;
  for (const std::string& name : index.included) included += name + " ";
  return index.name + "(" + to_text(index.key) + " projection " +
         std::to_string(static_cast<int>(index.projection)) + " " + included + ")";
}

std::string tell(const CreateTable& create) {
  Telling telling("create_table");
  telling.say("table", create.table).say("key", to_text(create.key));
  for (const IndexDeclaration& index : create.local_indexes) telling.say("local", tell(index));
  for (const IndexDeclaration& index : create.global_indexes) telling.say("global", tell(index));
  if (create.stream) telling.say("stream", uint64_t{static_cast<uint8_t>(*create.stream)});
  return telling.text();
}

std::string tell(const UpdateTable& update) {
  Telling telling("update_table");
  telling.say("table", update.table);
  if (update.add_index) telling.say("add_index", tell(*update.add_index));
  if (update.remove_index) telling.say("remove_index", *update.remove_index);
  if (update.open_stream) telling.say("open_stream", uint64_t{static_cast<uint8_t>(*update.open_stream)});
  if (update.deletion_protected) telling.say("protected", uint64_t{*update.deletion_protected});
  return telling.say("close_stream", update.close_stream).text();
}

std::string tell(const DeleteTableOperation& operation) { return "delete_table " + operation.table; }
std::string tell(const TimeToLiveOperation& ttl) {
  return Telling("time_to_live")
      .say("table", ttl.table)
      .say("attribute", ttl.attribute)
      .say("on", ttl.enabled)
      .text();
}
std::string tell(const TagOperation& operation) {
  Telling telling("tag");
  telling.say("table", operation.table);
  for (const auto& [key, value] : operation.tags) telling.say(key, value);
  for (const std::string& key : operation.removed) telling.say("removed", key);
  return telling.text();
}
std::string tell(const CollectionSizeOperation& operation) {
  return Telling("collection_size").say("table", operation.table).say("key", operation.partition_key).text();
}
std::string tell(const DescribeOperation& operation) { return "describe " + operation.table; }
std::string tell(const ListTablesOperation&) { return "list_tables"; }
std::string tell(const PollOperation& poll) {
  return Telling("poll")
      .say("table", poll.table)
      .say("from", uint64_t{static_cast<uint8_t>(poll.from)})
      .say("limit", uint64_t{poll.limit})
      .text();
}
std::string tell(const AdvanceClockOperation& operation) {
  return "advance_clock " + std::to_string(operation.by_s) + " s";
}
std::string tell(const WorkOperation& work) {
  return work.settle ? "settle" : "work rounds=" + std::to_string(work.rounds);
}
std::string tell(const ReopenOperation&) { return "reopen"; }
std::string tell(const CheckStateOperation&) { return "check_state"; }

}  // namespace

PutItem put_request(const WriteOperation& write) { return with_condition<PutItem>(write); }
UpdateItem update_request(const WriteOperation& write) { return with_condition<UpdateItem>(write); }
DeleteItem delete_request(const WriteOperation& write) { return with_condition<DeleteItem>(write); }
ConditionCheck check_request(const WriteOperation& write) { return with_condition<ConditionCheck>(write); }

GetItem get_request(const GetOperation& get) {
  ExpressionText text;
  GetItem request{.table = get.table, .key = get.key, .consistent = get.consistent};
  if (get.projection) request.projection = text(*get.projection);
  request.names = text.names();
  return request;
}

Query query_request(const ReadOperation& read) {
  Query request = read_request<Query>(read);
  request.descending = read.descending;
  return request;
}

Scan scan_request(const ReadOperation& read) {
  Scan request = read_request<Scan>(read);
  request.segment = read.segment;
  request.segment_count = read.segment_count;
  return request;
}

BatchGetItems batch_get_request(const BatchGetOperation& batch) {
  BatchGetItems request;
  for (const auto& [name, table] : batch.tables) {
    ExpressionText text;
    BatchGetItems::Table part{.keys = table.keys, .consistent = table.consistent};
    if (table.projection) part.projection = text(*table.projection);
    part.names = text.names();
    request.tables.emplace(name, std::move(part));
  }
  return request;
}

TransactWriteItems transact_write_request(const TransactWriteOperation& transaction) {
  TransactWriteItems request{.token = transaction.token};
  for (const WriteOperation& write : transaction.writes) {
    switch (write.kind) {
      case WriteOperation::Kind::kPut:
        request.actions.emplace_back(put_request(write));
        break;
      case WriteOperation::Kind::kUpdate:
        request.actions.emplace_back(update_request(write));
        break;
      case WriteOperation::Kind::kDelete:
        request.actions.emplace_back(delete_request(write));
        break;
      case WriteOperation::Kind::kCheck:
        request.actions.emplace_back(check_request(write));
        break;
    }
  }
  return request;
}

TransactGetItems transact_get_request(const TransactGetOperation& transaction) {
  TransactGetItems request;
  for (const GetOperation& get : transaction.gets) request.gets.push_back(get_request(get));
  return request;
}

std::string to_text(const Operation& operation) {
  return std::visit([](const auto& each) { return tell(each); }, operation);
}

std::string to_text(ItemView item) {
  std::string json = item.to_json();
  if (json.size() < 1500) return json;
  const size_t hash = std::hash<std::string>()(json);
  return json.substr(0, 500) + "...(" + std::to_string(json.size()) + " bytes, hash " + std::to_string(hash) +
         ")";
}

std::string to_text(const KeySchema& key) {
  std::string text;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    text += attributes == &key.sort ? "|" : "";
    for (const KeyAttribute& attribute : *attributes)
      text += " " + attribute.name + ":" + std::string(type_name(attribute.type));
  }
  return text;
}

}  // namespace sheaf::programs
