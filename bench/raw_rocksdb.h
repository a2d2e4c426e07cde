// RocksDB itself, set up as the store sets it up, without anything of ours in front of it: the limit to
// compare with.
#pragma once

#include <rocksdb/db.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/rocks_tuning.h"

namespace sheaf::bench {

class RawRocksdb {
 public:
  RawRocksdb(const std::string& directory, uint64_t memory_bytes) {
    std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
    for (store::ColumnFamily& family : store::column_families(memory_bytes)) {
      descriptors.emplace_back(family.name, family.options);
    }
    rocksdb::DB* opened = nullptr;
    const rocksdb::Status status =
        rocksdb::DB::Open(store::database_options(memory_bytes), directory, descriptors, &families_, &opened);
    if (!status.ok()) {
      std::fprintf(stderr, "cannot open %s: %s\n", directory.c_str(), status.ToString().c_str());
      std::exit(1);
    }
    db_.reset(opened);
  }
  ~RawRocksdb() {
    for (rocksdb::ColumnFamilyHandle* family : families_) db_->DestroyColumnFamilyHandle(family);
  }
  RawRocksdb(const RawRocksdb&) = delete;
  RawRocksdb& operator=(const RawRocksdb&) = delete;

  rocksdb::DB& db() { return *db_; }
  rocksdb::ColumnFamilyHandle* family(store::Space space) { return families_[static_cast<size_t>(space)]; }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
};

}  // namespace sheaf::bench
