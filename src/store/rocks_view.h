// Reads of the store on RocksDB.
#pragma once

#include <rocksdb/options.h>

#include "store/rocks_database.h"
#include "store/store.h"

namespace sheaf::store {

class RocksView final : public View {
 public:
  // `stamp`: of a batch that `database` already shows.
  RocksView(const RocksDatabase& database, Stamp stamp, const ViewOptions& options);
  ~RocksView() override;
  RocksView(const RocksView&) = delete;
  RocksView& operator=(const RocksView&) = delete;

  Result<Read> read(std::string_view key) override;
  Result<std::vector<Read>> read_many(std::span<const std::string> keys) override;
  Result<ScanEnd> scan(const Range& range, const ScanOptions& options,
                       FunctionRef<bool(std::string_view, std::string_view)> row) override;

 private:
  Result<Read> to_read(const rocksdb::Status& status, const rocksdb::PinnableSlice& value) const;

  const RocksDatabase& database_;
  const Version version_;
  rocksdb::ReadOptions read_;
};

}  // namespace sheaf::store
