#include "remote/item_requests.h"

#include <type_traits>

#include "value/value_json.h"
#include "wire/json_object.h"

namespace sheaf::remote {
namespace {

using wire::append_json_list;
using wire::JsonObject;

std::string_view name_of(ReturnValues values) {
  switch (values) {
    case ReturnValues::kNone:
      break;
    case ReturnValues::kAllOld:
      return "ALL_OLD";
    case ReturnValues::kUpdatedOld:
      return "UPDATED_OLD";
    case ReturnValues::kAllNew:
      return "ALL_NEW";
    case ReturnValues::kUpdatedNew:
      return "UPDATED_NEW";
  }
  return "NONE";
}

std::string_view name_of(Select select) {
  switch (select) {
    case Select::kAllAttributes:
      return "ALL_ATTRIBUTES";
    case Select::kAllProjected:
      return "ALL_PROJECTED_ATTRIBUTES";
    case Select::kSpecificAttributes:
      return "SPECIFIC_ATTRIBUTES";
    case Select::kCount:
      break;
  }
  return "COUNT";
}

void add_item(JsonObject& object, std::string_view name, const Item& item) {
  append_json(object.member(name), item.view());
}

void add_text(JsonObject& object, std::string_view name, const std::optional<std::string>& text) {
  if (text) object.text(name, *text);
}

// Placeholders are refused where nothing uses them, also if there are none: so those are left out.
void add_names(JsonObject& object, const Names& names) {
  if (names.empty()) return;
  std::string& out = object.member("ExpressionAttributeNames");
  out += '{';
  for (const auto& [placeholder, name] : names) {
    if (out.back() != '{') out += ',';
    append_json_string(out, placeholder);
    out += ':';
    append_json_string(out, name);
  }
  out += '}';
}

void add_values(JsonObject& object, const Item& values) {
  if (!values.empty()) add_item(object, "ExpressionAttributeValues", values);
}

void ask_for_capacity(JsonObject& object) { object.text("ReturnConsumedCapacity", "INDEXES"); }
void ask_for_metrics(JsonObject& object) { object.text("ReturnItemCollectionMetrics", "SIZE"); }

// What a write is about, on its own or in a transaction.
template <typename Write>
void add_write(JsonObject& object, const Write& write) {
  object.text("TableName", write.table);
  if constexpr (std::is_same_v<Write, PutItem>) {
    add_item(object, "Item", write.item);
  } else {
    add_item(object, "Key", write.key);
  }
  if constexpr (std::is_same_v<Write, UpdateItem>) add_text(object, "UpdateExpression", write.update);
  add_text(object, "ConditionExpression", write.condition);
  add_names(object, write.names);
  add_values(object, write.values);
  if (write.return_item_on_failure) object.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
}

template <typename Write>
std::string write_json(const Write& write) {
  std::string out;
  {
    JsonObject object(out);
    add_write(object, write);
    if (write.return_values != ReturnValues::kNone) object.text("ReturnValues", name_of(write.return_values));
    ask_for_capacity(object);
    ask_for_metrics(object);
  }
  return out;
}

// What an item is got by, on its own or in a transaction.
void add_get(JsonObject& object, const GetItem& get) {
  object.text("TableName", get.table);
  add_item(object, "Key", get.key);
  add_text(object, "ProjectionExpression", get.projection);
  add_names(object, get.names);
}

template <typename Read>
void add_read(JsonObject& object, const Read& read) {
  object.text("TableName", read.table);
  add_text(object, "IndexName", read.index);
  add_text(object, "FilterExpression", read.filter);
  add_text(object, "ProjectionExpression", read.projection);
  add_names(object, read.names);
  add_values(object, read.values);
  if (read.select) object.text("Select", name_of(*read.select));
  if (read.limit) object.integer("Limit", *read.limit);
  if (read.start_key) add_item(object, "ExclusiveStartKey", *read.start_key);
  if (read.consistent) object.flag("ConsistentRead", true);
  ask_for_capacity(object);
}

// "RequestItems": {"table": <appended by `append`>, ...}
template <typename Tables, typename Append>
void add_by_table(JsonObject& object, const Tables& tables, Append append) {
  std::string& out = object.member("RequestItems");
  out += '{';
  bool first = true;
  for (const auto& [table, part] : tables) {
    if (!first) out += ',';
    first = false;
    append_json_string(out, table);
    out += ':';
    append(out, part);
  }
  out += '}';
}

void append_keys(std::string& out, const BatchGetItems::Table& table) {
  JsonObject object(out);
  append_json_list(object.member("Keys"), table.keys, [&](const Item& key) { append_json(out, key.view()); });
  add_text(object, "ProjectionExpression", table.projection);
  add_names(object, table.names);
  if (table.consistent) object.flag("ConsistentRead", true);
}

void append_writes(std::string& out, const std::vector<BatchWriteItems::Write>& writes) {
  append_json_list(out, writes, [&](const BatchWriteItems::Write& write) {
    JsonObject object(out);
    JsonObject inner(object.member(write.put ? "PutRequest" : "DeleteRequest"));
    add_item(inner, write.put ? "Item" : "Key", write.item);
  });
}

std::string_view action_name(const ConditionCheck&) { return "ConditionCheck"; }
std::string_view action_name(const PutItem&) { return "Put"; }
std::string_view action_name(const UpdateItem&) { return "Update"; }
std::string_view action_name(const DeleteItem&) { return "Delete"; }

void append_action(std::string& out, const TransactAction& action) {
  JsonObject object(out);
  std::visit(
      [&](const auto& each) {
        JsonObject inner(object.member(action_name(each)));
        add_write(inner, each);
      },
      action);
}

void add_statement(JsonObject& object, const Statement& statement) {
  object.text("Statement", statement.text);
  if (!statement.parameters.empty()) {
    std::string& out = object.member("Parameters");
    append_json_list(out, statement.parameters, [&](const Value& value) { append_json(out, value.view()); });
  }
  if (statement.consistent) object.flag("ConsistentRead", true);
  if (statement.return_item_on_failure) object.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
}

void add_statements(JsonObject& object, std::string_view name, const std::vector<Statement>& statements) {
  std::string& out = object.member(name);
  append_json_list(out, statements, [&](const Statement& statement) {
    JsonObject element(out);
    add_statement(element, statement);
  });
}

}  // namespace

std::string to_json(const PutItem& request) { return write_json(request); }
std::string to_json(const UpdateItem& request) { return write_json(request); }
std::string to_json(const DeleteItem& request) { return write_json(request); }

std::string to_json(const GetItem& request) {
  std::string out;
  {
    JsonObject object(out);
    add_get(object, request);
    if (request.consistent) object.flag("ConsistentRead", true);
    ask_for_capacity(object);
  }
  return out;
}

std::string to_json(const Query& request) {
  std::string out;
  {
    JsonObject object(out);
    object.text("KeyConditionExpression", request.key_condition);
    add_read(object, request);
    if (request.descending) object.flag("ScanIndexForward", false);
  }
  return out;
}

std::string to_json(const Scan& request) {
  std::string out;
  {
    JsonObject object(out);
    add_read(object, request);
    if (request.segment) object.integer("Segment", *request.segment);
    if (request.segment_count) object.integer("TotalSegments", *request.segment_count);
  }
  return out;
}

std::string to_json(const BatchGetItems& request) {
  std::string out;
  {
    JsonObject object(out);
    add_by_table(object, request.tables, append_keys);
    ask_for_capacity(object);
  }
  return out;
}

std::string to_json(const BatchWriteItems& request) {
  std::string out;
  {
    JsonObject object(out);
    add_by_table(object, request.tables, append_writes);
    ask_for_capacity(object);
    ask_for_metrics(object);
  }
  return out;
}

std::string to_json(const TransactWriteItems& request, std::string_view token) {
  std::string out;
  {
    JsonObject object(out);
    append_json_list(object.member("TransactItems"), request.actions,
                     [&](const TransactAction& action) { append_action(out, action); });
    object.text("ClientRequestToken", token);
    ask_for_capacity(object);
    ask_for_metrics(object);
  }
  return out;
}

std::string to_json(const TransactGetItems& request) {
  std::string out;
  {
    JsonObject object(out);
    append_json_list(object.member("TransactItems"), request.gets, [&](const GetItem& get) {
      JsonObject item(out);
      JsonObject inner(item.member("Get"));
      add_get(inner, get);
    });
    ask_for_capacity(object);
  }
  return out;
}

std::string to_json(const ExecuteStatement& request) {
  std::string out;
  {
    JsonObject object(out);
    add_statement(object, request.statement);
    if (request.limit) object.integer("Limit", *request.limit);
    add_text(object, "NextToken", request.next_token);
    ask_for_capacity(object);
  }
  return out;
}

std::string to_json(const BatchExecuteStatement& request) {
  std::string out;
  {
    JsonObject object(out);
    add_statements(object, "Statements", request.statements);
    ask_for_capacity(object);
  }
  return out;
}

std::string to_json(const ExecuteTransaction& request, std::string_view token) {
  std::string out;
  {
    JsonObject object(out);
    add_statements(object, "TransactStatements", request.statements);
    if (!token.empty()) object.text("ClientRequestToken", token);
    ask_for_capacity(object);
  }
  return out;
}

}  // namespace sheaf::remote
