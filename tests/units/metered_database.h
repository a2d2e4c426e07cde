// A database that holds every answer's units against the plan's arithmetic, applied to the items that the
// request touched. For one thread: the items are looked at before and after.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/forwarding_database.h"

namespace sheaf::units {

class MeteredDatabase : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  // What has been asked for so far, and what it consumed.
  uint64_t requests() const { return requests_; }
  double consumed() const { return consumed_; }
  // Requests whose answers tell other units than the arithmetic.
  const std::vector<std::string>& problems() const { return problems_; }

  Result<Written> put_item(const PutItem& request) override;
  Result<Written> update_item(const UpdateItem& request) override;
  Result<Written> delete_item(const DeleteItem& request) override;
  Result<Got> get_item(const GetItem& request) override;
  Result<Page> query(const Query& request) override;
  Result<Page> scan(const Scan& request) override;
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override;
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override;
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override;
  Result<TransactGot> transact_get_items(const TransactGetItems& request) override;

 private:
  // One item that is written.
  struct Touched {
    std::string table;
    Item key;
    std::optional<Item> before;
  };

  const TableDescription& description(const std::string& table);
  std::optional<Item> stored(const std::string& table, const Item& key);
  Item key_of(const std::string& table, ItemView item);
  Touched touch(const std::string& table, Item key);
  // What a write of it costs now that it is done, or was refused.
  void add_write(const Touched& touched, bool is_transactional, Capacity& expected);
  void check(const std::string& what, const Capacity& expected, const Capacity& metered);
  void check(const std::string& what, const std::map<std::string, Capacity>& expected,
             const std::map<std::string, Capacity>& metered);
  Result<Written> check_written(const std::string& what, const Touched& touched, Result<Written> written);

  uint64_t requests_ = 0;
  double consumed_ = 0;
  std::vector<std::string> problems_;
  std::map<std::string, TableDescription> descriptions_;
};

}  // namespace sheaf::units
