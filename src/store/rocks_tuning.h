// How RocksDB is set up for item collections; doc/decisions/0003-rocksdb.md gives the reasons.
#pragma once

#include <rocksdb/options.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "store/store.h"

namespace sheaf::store {

// The table or index id and the hash of the partition: what all keys of an item collection begin with, behind
// their space byte.
inline constexpr size_t kPartitionPrefixBytes = 4 + 8;

rocksdb::DBOptions database_options(uint64_t memory_bytes);

// So much of the disk is kept free for what RocksDB must still be able to write: two rounds of its buffers.
uint64_t disk_reserve_bytes(uint64_t memory_bytes);

struct ColumnFamily {
  std::string name;
  rocksdb::ColumnFamilyOptions options;
};

// One a space, in the order of their bytes, behind the store's own.
std::vector<ColumnFamily> column_families(uint64_t memory_bytes);

}  // namespace sheaf::store
