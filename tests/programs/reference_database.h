// The reference: what the database must answer, computed in the plainest way. No store, no encodings, no
// plans; indexes, totals and pages are worked out from the items each time. An Error with the message "?"
// stands for any message.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/result.h"
#include "sheaf/table.h"

#include "programs/operation.h"
#include "programs/reference_table.h"

namespace sheaf::programs {

inline constexpr const char* kAnyMessage = "?";

// What is wrong with a write whatever the table is.
Result<void> check_alone(const WriteOperation& write);

// Can be copied, to ask what would have been.
class ReferenceDatabase {
 public:
  // Item collections of tables with a local index may not grow past `collection_bytes_max`.
  ReferenceDatabase(int64_t now_us, int64_t collection_bytes_max)
      : now_us_(now_us), collection_bytes_max_(collection_bytes_max) {}

  void advance_clock(int64_t by_us) { now_us_ += by_us; }
  int64_t now_us() const { return now_us_; }
  void set_collection_bytes_max(int64_t bytes) { collection_bytes_max_ = bytes; }

  Result<TableDescription> create_table(const CreateTable& request);
  Result<TableDescription> update_table(const UpdateTable& request);
  Result<TableDescription> delete_table(const std::string& name);
  Result<TableDescription> describe_table(const std::string& name) const;
  Result<void> update_time_to_live(const TimeToLiveOperation& request);
  Result<void> tag_table(const TagOperation& request);
  std::vector<std::string> list_tables() const;

  Result<Written> write(const WriteOperation& write);
  Result<Got> get(const GetOperation& get) const;
  Result<Page> read(const ReadOperation& read) const;
  Result<BatchGot> batch_get(const BatchGetOperation& batch) const;
  // Events of writes with the same `group` have no order; 0: a group of its own.
  Result<BatchWritten> batch_write(const BatchWriteItems& batch, uint64_t group = 0);
  uint64_t new_group() { return ++group_count_; }
  Result<TransactWritten> transact_write(const TransactWriteOperation& transaction);
  Result<TransactGot> transact_get(const TransactGetOperation& transaction) const;
  Result<CollectionSize> collection_size(const CollectionSizeOperation& request) const;

  // Null if there is none; also one that is being deleted.
  const ReferenceTable* find(const std::string& name) const;
  ReferenceTable* find(const std::string& name);
  std::map<std::string, ReferenceTable>& tables() { return tables_; }
  const std::map<std::string, ReferenceTable>& tables() const { return tables_; }

 private:
  struct Decided {
    bool condition_met = true;
    std::optional<Item> before;
    std::optional<Item> after;
  };
  // By how much a request has let an item collection grow so far.
  struct Growth {
    const ReferenceTable* table;
    Item partition_key;
    int64_t bytes = 0;
  };
  struct TokenUse {
    int64_t used_us = 0;
    std::string request;
  };

  Result<const ReferenceTable*> usable(const std::string& name) const;
  Result<ReferenceTable*> usable(const std::string& name);
  Result<ReferenceTable*> changeable(const std::string& name);
  static Result<Place> bind(const ReferenceTable& table, const WriteOperation& write);
  static Result<Decided> decide(const ReferenceTable& table, const Place& place, const WriteOperation& write);
  Result<void> check_growth(std::vector<Growth>& growths, const ReferenceTable& table, ItemView item,
                            const Decided& decided) const;
  Result<TransactWritten> replay(const TransactWriteOperation& transaction) const;

  int64_t now_us_;
  int64_t collection_bytes_max_;
  std::map<std::string, ReferenceTable> tables_;
  std::map<std::string, TokenUse> tokens_;
  uint64_t group_count_ = 0;  // of batches
};

}  // namespace sheaf::programs
