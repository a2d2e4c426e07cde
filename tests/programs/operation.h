// What a random program consists of. Each operation stands for itself, so any of them can be left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/stream.h"
#include "sheaf/table.h"

#include "programs/expression_model.h"

namespace sheaf::programs {

struct WriteOperation {
  enum class Kind : uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  std::string table;
  Item item;  // kPut: the item; others: its key
  std::optional<Condition> condition;
  std::optional<Update> update;
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_failure = false;
};

struct GetOperation {
  std::string table;
  Item key;
  std::optional<Projection> projection;
  bool consistent = false;
};

// A Query, or without `keys` a Scan.
struct ReadOperation {
  std::string table;
  std::optional<std::string> index;
  std::optional<std::vector<KeyClause>> keys;
  std::optional<Condition> filter;
  std::optional<Projection> projection;
  std::optional<Select> select;
  bool descending = false;
  std::optional<uint32_t> limit;
  std::optional<Item> start_key;
  bool consistent = false;
  std::optional<uint32_t> segment;
  std::optional<uint32_t> segment_count;
  bool all_pages = false;  // follows the pages to the last
};

struct BatchGetOperation {
  struct Table {
    std::vector<Item> keys;
    std::optional<Projection> projection;
    bool consistent = false;
  };
  std::map<std::string, Table> tables;
};

struct TransactWriteOperation {
  std::vector<WriteOperation> writes;
  std::string token;
};

struct TransactGetOperation {
  std::vector<GetOperation> gets;
};

struct DeleteTableOperation {
  std::string table;
};

struct TimeToLiveOperation {
  std::string table;
  std::string attribute;
  bool enabled = true;
};

struct TagOperation {
  std::string table;
  std::map<std::string, std::string> tags;
  std::vector<std::string> removed;
};

struct CollectionSizeOperation {
  std::string table;
  Item partition_key;
};

struct DescribeOperation {
  std::string table;
};

struct ListTablesOperation {};

// Every shard of the table's newest stream from where the last poll ended, or from one of the ends.
struct PollOperation {
  enum class From : uint8_t { kOn, kOldest, kNewest };
  std::string table;
  From from = From::kOn;
  uint32_t limit = 1000;
};

struct AdvanceClockOperation {
  int64_t by_s = 1;
};

// Some rounds of background work; or, to settle, until nothing is left to do.
struct WorkOperation {
  uint32_t rounds = 1;
  bool settle = false;
};

struct ReopenOperation {};

// Everything that there is, by all ways to read it.
struct CheckStateOperation {};

using Operation = std::variant<WriteOperation, GetOperation, ReadOperation, BatchGetOperation,
                               BatchWriteItems, TransactWriteOperation, TransactGetOperation, CreateTable,
                               UpdateTable, DeleteTableOperation, TimeToLiveOperation, TagOperation,
                               CollectionSizeOperation, DescribeOperation, ListTablesOperation, PollOperation,
                               AdvanceClockOperation, WorkOperation, ReopenOperation, CheckStateOperation>;
using Program = std::vector<Operation>;

// As the database gets them.
PutItem put_request(const WriteOperation& write);
UpdateItem update_request(const WriteOperation& write);
DeleteItem delete_request(const WriteOperation& write);
ConditionCheck check_request(const WriteOperation& write);
GetItem get_request(const GetOperation& get);
Query query_request(const ReadOperation& read);
Scan scan_request(const ReadOperation& read);
BatchGetItems batch_get_request(const BatchGetOperation& batch);
TransactWriteItems transact_write_request(const TransactWriteOperation& transaction);
TransactGetItems transact_get_request(const TransactGetOperation& transaction);

// For people: what the operation asks.
std::string to_text(const Operation& operation);
std::string to_text(const KeySchema& key);
// Long ones by their beginning and a hash.
std::string to_text(ItemView item);

}  // namespace sheaf::programs
