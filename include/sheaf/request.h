// Requests on items and their answers: DynamoDB's operations as plain structs. Expressions are DynamoDB's,
// with the same placeholders, limits and messages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf {

// {{"#s", "status"}}
using Names = std::vector<std::pair<std::string, std::string>>;

// What a request consumed, in DynamoDB's units, of the table itself and of each index.
struct Capacity {
  double table = 0;
  std::map<std::string, double> indexes;

  double total() const {
    double sum = table;
    for (const auto& [name, units] : indexes) sum += units;
    return sum;
  }
};

// Items one after the other in one buffer.
class ItemList {
 public:
  void append(ItemView item) {
    starts_.push_back(static_cast<uint32_t>(bytes_.size()));
    bytes_.append(item.encoded());
  }
  size_t size() const { return starts_.size(); }
  bool empty() const { return starts_.empty(); }
  // Lives as long as the list is not changed.
  ItemView operator[](size_t index) const {
    const size_t end = index + 1 < starts_.size() ? starts_[index + 1] : bytes_.size();
    return ItemView(std::string_view(bytes_).substr(starts_[index], end - starts_[index]));
  }

 private:
  std::string bytes_;
  std::vector<uint32_t> starts_;
};

enum class ReturnValues : uint8_t { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };

// An item collection of a table with a local index, after the write.
struct CollectionMetrics {
  Item partition_key;
  int64_t size_bytes = 0;
};

struct PutItem {
  std::string table;
  Item item;
  std::optional<std::string> condition;
  Names names;
  Item values;
  ReturnValues return_values = ReturnValues::kNone;  // kNone or kAllOld
  bool return_item_on_failure = false;
};

struct UpdateItem {
  std::string table;
  Item key;
  std::optional<std::string> update;
  std::optional<std::string> condition;
  Names names;
  Item values;
  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_failure = false;
};

struct DeleteItem {
  std::string table;
  Item key;
  std::optional<std::string> condition;
  Names names;
  Item values;
  ReturnValues return_values = ReturnValues::kNone;  // kNone or kAllOld
  bool return_item_on_failure = false;
};

// A failed condition is an outcome, not an error.
struct Written {
  bool condition_met = true;
  // What return_values asked for; or, if the condition was not met and return_item_on_failure, the item that
  // was there.
  std::optional<Item> attributes;
  Capacity capacity;
  std::optional<CollectionMetrics> collection;
};

struct GetItem {
  std::string table;
  Item key;
  std::optional<std::string> projection;
  Names names;
  bool consistent = false;
};

struct Got {
  std::optional<Item> item;
  Capacity capacity;
};

enum class Select : uint8_t { kAllAttributes, kAllProjected, kSpecificAttributes, kCount };

struct Query {
  std::string table;
  std::optional<std::string> index;
  std::string key_condition;
  std::optional<std::string> filter;
  std::optional<std::string> projection;
  Names names;
  Item values;
  std::optional<Select> select;
  bool descending = false;
  std::optional<uint32_t> limit;  // items to read, before the filter
  std::optional<Item> start_key;  // a Page's last_key
  bool consistent = false;
};

struct Scan {
  std::string table;
  std::optional<std::string> index;
  std::optional<std::string> filter;
  std::optional<std::string> projection;
  Names names;
  Item values;
  std::optional<Select> select;
  std::optional<uint32_t> limit;
  std::optional<Item> start_key;
  bool consistent = false;
  // One of `segment_count` disjoint parts of the table, which together are all of it.
  std::optional<uint32_t> segment;
  std::optional<uint32_t> segment_count;
};

struct Page {
  ItemList items;
  uint32_t count = 0;          // items that passed the filter
  uint32_t scanned_count = 0;  // items that were read
  std::optional<Item> last_key;
  Capacity capacity;
};

struct BatchGetItems {
  struct Table {
    std::vector<Item> keys;
    std::optional<std::string> projection;
    Names names;
    bool consistent = false;
  };
  std::map<std::string, Table> tables;
};

struct BatchGot {
  std::map<std::string, ItemList> items;                 // in no particular order
  std::map<std::string, std::vector<Item>> unprocessed;  // keys; ask again for these
  std::map<std::string, Capacity> capacity;
};

struct BatchWriteItems {
  struct Write {
    bool put = true;
    Item item;  // to be put, or the key of the one to be deleted
  };
  std::map<std::string, std::vector<Write>> tables;
};

struct BatchWritten {
  std::map<std::string, std::vector<BatchWriteItems::Write>> unprocessed;
  std::map<std::string, Capacity> capacity;
  std::map<std::string, std::vector<CollectionMetrics>> collections;
};

// One action of a transaction.
struct ConditionCheck {
  std::string table;
  Item key;
  std::optional<std::string> condition;
  Names names;
  Item values;
  bool return_item_on_failure = false;
};
using TransactAction = std::variant<ConditionCheck, PutItem, UpdateItem, DeleteItem>;

struct TransactWriteItems {
  std::vector<TransactAction> actions;
  std::string
      token;  // not empty: the same request with the same token, within ten minutes, changes nothing more
};

// Why an action could not be done; kNone if it could have been.
struct CancellationReason {
  enum class Code : uint8_t {
    kNone,
    kConditionalCheckFailed,
    kValidationError,
    kCollectionTooLarge,
    kConflict,
    kThroughputExceeded,  // a table or index cannot take it now: it may be tried again
    kThrottled,           // likewise, on demand
    kNotFound,            // of a statement: there is no such table
    kDuplicateItem        // of a statement: INSERT of what is there
  };
  Code code = Code::kNone;
  std::string message;
  std::optional<Item> item;
};

struct TransactWritten {
  bool applied = true;
  bool replayed = false;  // the token was seen before: nothing was changed now, and items were only read
  std::vector<CancellationReason> reasons;  // if not applied: one for each action
  std::map<std::string, Capacity> capacity;
  std::map<std::string, std::vector<CollectionMetrics>> collections;
};

struct TransactGetItems {
  std::vector<GetItem> gets;  // `consistent` has no meaning here: all items are of one moment
};

struct TransactGot {
  bool applied = true;
  std::vector<CancellationReason> reasons;
  std::vector<std::optional<Item>> items;
  std::map<std::string, Capacity> capacity;
};

}  // namespace sheaf
