// An open RocksDB database with one column family a space, as the views and the store share it.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <cassert>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/result.h"

#include "store/scan_bounds.h"

namespace sheaf::store {

class RocksDatabase {
 public:
  // `families` in the order of column_families(); `env` outlives `db`, and may be null.
  RocksDatabase(std::unique_ptr<rocksdb::Env> env, std::unique_ptr<rocksdb::DB> db,
                std::vector<rocksdb::ColumnFamilyHandle*> families)
      : env_(std::move(env)), db_(std::move(db)), families_(std::move(families)) {}
  ~RocksDatabase() {
    for (rocksdb::ColumnFamilyHandle* family : families_) db_->DestroyColumnFamilyHandle(family);
    static_cast<void>(db_->Close());
  }
  RocksDatabase(const RocksDatabase&) = delete;
  RocksDatabase& operator=(const RocksDatabase&) = delete;

  rocksdb::DB& db() const { return *db_; }
  // For rows of the store itself.
  rocksdb::ColumnFamilyHandle* own_family() const { return families_.front(); }
  rocksdb::ColumnFamilyHandle* family(std::string_view key) const {
    assert(is_key(key));
    return families_[static_cast<unsigned char>(key.front())];
  }

 private:
  std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
};

// The key within its column family.
inline rocksdb::Slice without_space(std::string_view key) { return {key.data() + 1, key.size() - 1}; }

inline Error to_error(const rocksdb::Status& status) {
  if (status.IsIncomplete()) return {Code::kWouldBlock, "not in memory"};
  if (status.IsCorruption()) return {Code::kCorrupt, status.ToString()};
  if (status.IsNoSpace()) return {Code::kIo, "the disk is full: " + status.ToString()};
  return {Code::kIo, status.ToString()};
}

}  // namespace sheaf::store
