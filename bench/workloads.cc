#include "bench/workloads.h"

#include <algorithm>

namespace sheaf::bench {
namespace {

struct Key {
  Pattern partition;
  Pattern sort;
};

Pattern text_value(const Pattern& text) { return "{\"S\":\"" + text + "\"}"; }

Pattern key_members(const Key& key) {
  return "\"PK\":" + text_value(key.partition) + ",\"SK\":" + text_value(key.sort);
}

Pattern key_object(const Key& key) { return "{" + key_members(key) + "}"; }

// An item of about `bytes`, as DynamoDB counts them, with the attributes that items have.
Pattern item_object(const Key& key, size_t bytes) {
  constexpr size_t kOtherBytes = 50;  // the names, and the values below
  const size_t used = kOtherBytes + key.partition.size() + key.sort.size();
  const std::string data(std::max(bytes, used + 1) - used, 'x');
  return "{" + key_members(key) +
         ",\"Type\":{\"S\":\"Order\"},\"status\":{\"S\":\"OPEN\"},\"total\":{\"N\":\"4711\"},"
         "\"created\":{\"N\":\"1700000000\"},\"data\":" +
         text_value(std::string_view(data)) + "}";
}

Pattern table_member(std::string_view table) {
  return Pattern("\"TableName\":\"") + Pattern(table) + Pattern("\"");
}

Pattern get_body(std::string_view table, const Key& key) {
  return "{" + table_member(table) + ",\"Key\":" + key_object(key) + "}";
}

Pattern query_body(std::string_view table, const Pattern& partition) {
  return "{" + table_member(table) +
         ",\"KeyConditionExpression\":\"PK = :pk\",\"ExpressionAttributeValues\":{\":pk\":" +
         text_value(partition) + "}}";
}

Workload write_batch(std::string_view table, const std::vector<Key>& keys, size_t bytes) {
  Pattern puts;
  for (const Key& key : keys) {
    if (!puts.empty()) puts += ",";
    puts += "{\"PutRequest\":{\"Item\":" + item_object(key, bytes) + "}}";
  }
  return {.operation = "BatchWriteItem",
          .body = Pattern("{\"RequestItems\":{\"") + Pattern(table) + Pattern("\":[") + puts + "]}}",
          .expected = {"\"UnprocessedItems\":{}"},
          .checked_each = 1,
          .read_back = get_body(table, keys.back()),
          .written = text_value(keys.back().partition)};
}

Key item_key(const Pattern::Number& which) { return {"C#" + number(which), "C#" + number(which)}; }

}  // namespace

Workload get_item(std::string_view table, const DataSizes& sizes) {
  return {.operation = "GetItem",
          .body = get_body(table, item_key({})),
          .numbers = sizes.items,
          .expected = {"\"SK\":" + text_value("C#" + number())},
          .answer_bytes_min = kItemBytes};
}

Workload put_item(std::string_view table) {
  const Key key{"P#" + number({.divide = 10}), "O#" + number()};
  return {.operation = "PutItem",
          .body = "{" + table_member(table) + ",\"Item\":" + item_object(key, kItemBytes) + "}",
          .expected = {"{}"},
          .read_back = get_body(table, key),
          .written = text_value(key.sort)};
}

Workload query_collection(std::string_view table, const DataSizes& sizes) {
  return {.operation = "Query",
          .body = query_body(table, "Q#" + number()),
          .numbers = sizes.collections,
          .expected = {"\"Count\":100", text_value("Q#" + number())},
          .answer_bytes_min = kCollectionItems * kCollectionItemBytes};
}

Workload query_order(std::string_view table, const DataSizes& sizes) {
  return {.operation = "Query",
          .body = query_body(table, "ORDER#" + number()),
          .numbers = sizes.orders,
          .expected = {"\"Count\":6", text_value("ORDER#" + number()), text_value("SHIPMENT")},
          .answer_bytes_min = kOrderItems * kOrderItemBytes};
}

Workload transact_write(std::string_view table) {
  Pattern writes;
  Key key;
  for (size_t i = 0; i < kTransactionWrites; ++i) {
    key = {"T#" + number(), "I#" + number({.multiply = 0, .add = i})};
    if (i > 0) writes += ",";
    writes += "{\"Put\":{" + table_member(table) + ",\"Item\":" + item_object(key, kItemBytes) + "}}";
  }
  return {.operation = "TransactWriteItems",
          .body = "{\"TransactItems\":[" + writes + "]}",
          .expected = {"{}"},
          .read_back = get_body(table, key),
          .written = text_value(key.partition)};
}

Workload batch_get(std::string_view table, const DataSizes& sizes) {
  const uint64_t stride = sizes.items / kBatchReads;
  Pattern keys;
  for (uint64_t i = 0; i < kBatchReads; ++i) {
    if (i > 0) keys += ",";
    keys += key_object(item_key({.add = i * stride}));
  }
  return {
      .operation = "BatchGetItem",
      .body = Pattern("{\"RequestItems\":{\"") + Pattern(table) + Pattern("\":{\"Keys\":[") + keys + "]}}}",
      .numbers = stride,
      .expected = {text_value("C#" + number()),
                   text_value("C#" + number({.add = (kBatchReads - 1) * stride})), "\"UnprocessedKeys\":{}"},
      .answer_bytes_min = kBatchReads * kItemBytes};
}

Workload batch_write(std::string_view table) {
  std::vector<Key> keys;
  for (uint64_t i = 0; i < kBatchWrites; ++i) {
    const Pattern::Number which{.multiply = kBatchWrites, .add = i};
    keys.push_back({"B#" + number(which), "B#" + number(which)});
  }
  return write_batch(table, keys, kItemBytes);
}

Filling fill_items(std::string_view table, const DataSizes& sizes) {
  std::vector<Key> keys;
  for (uint64_t i = 0; i < kBatchWrites; ++i) keys.push_back(item_key({.multiply = kBatchWrites, .add = i}));
  return {write_batch(table, keys, kItemBytes), sizes.items / kBatchWrites};
}

Filling fill_collections(std::string_view table, const DataSizes& sizes) {
  std::vector<Key> keys;
  for (uint64_t i = 0; i < kBatchWrites; ++i) {
    keys.push_back({"Q#" + number({.multiply = kBatchWrites, .add = i, .divide = kCollectionItems}),
                    "O#" + number({.multiply = kBatchWrites, .add = i})});
  }
  return {write_batch(table, keys, kCollectionItemBytes),
          sizes.collections * kCollectionItems / kBatchWrites};
}

Filling fill_orders(std::string_view table, const DataSizes& sizes) {
  constexpr uint64_t kOrdersEach = kBatchWrites / kOrderItems;
  std::vector<Key> keys;
  for (uint64_t i = 0; i < kOrdersEach; ++i) {
    const Pattern partition = "ORDER#" + number({.multiply = kOrdersEach, .add = i});
    for (uint64_t line = 0; line < kOrderLines; ++line)
      keys.push_back({partition, "LINE#" + number({.multiply = 0, .add = line})});
    keys.push_back({partition, "ORDER"});
    keys.push_back({partition, "SHIPMENT"});
  }
  return {write_batch(table, keys, kOrderItemBytes), sizes.orders / kOrdersEach};
}

std::string table_definition(std::string_view table) {
  return "{\"TableName\":\"" + std::string(table) +
         "\",\"KeySchema\":[{\"AttributeName\":\"PK\",\"KeyType\":\"HASH\"},"
         "{\"AttributeName\":\"SK\",\"KeyType\":\"RANGE\"}],"
         "\"AttributeDefinitions\":[{\"AttributeName\":\"PK\",\"AttributeType\":\"S\"},"
         "{\"AttributeName\":\"SK\",\"AttributeType\":\"S\"}],\"BillingMode\":\"PAY_PER_REQUEST\"}";
}

}  // namespace sheaf::bench
