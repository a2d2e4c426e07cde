// Counters in RocksDB: adds are merge operands, a read folds them.
#pragma once

#include <rocksdb/compaction_filter.h>
#include <rocksdb/merge_operator.h>

#include <memory>

namespace sheaf::store {

std::shared_ptr<rocksdb::MergeOperator> sum_operator();

// Drops counters whose sums are all zero, such as those of emptied collections: absent reads as zero. Lives
// forever.
const rocksdb::CompactionFilter* zero_sum_filter();

}  // namespace sheaf::store
