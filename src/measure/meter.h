// A database that counts what is asked of it: every request on items, what its answer says it consumed, and
// the items that went there and back.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "api/forwarding_database.h"

namespace sheaf::measure {

struct Usage {
  uint64_t requests = 0;
  uint64_t items_read = 0;  // before filters; what was not there is none
  uint64_t bytes_read = 0;  // of the items in answers
  uint64_t items_written = 0;
  uint64_t cancelled = 0;  // transactions, which then tell no units
  // By table, each with its indexes.
  std::map<std::string, Capacity> reads, writes;

  double read_units() const;
  double write_units() const;
  double units() const { return read_units() + write_units(); }
  Usage& operator+=(const Usage& other);
};

// Thread-safe. Statements are handed on and not counted: models make none.
class Meter final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  // What came since the last call, or since the beginning.
  Usage take();

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
  void add(const Usage& usage);
  Result<Written> counted(const std::string& table, Result<Written> written);
  Result<Page> counted(const std::string& table, Result<Page> page);

  std::mutex mutex_;
  Usage usage_;
};

}  // namespace sheaf::measure
