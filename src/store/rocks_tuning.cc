#include "store/rocks_tuning.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/table_properties_collectors.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>

#include "store/sum_operator.h"

namespace sheaf::store {
namespace {

constexpr uint64_t kMiB = 1 << 20;

// Half of the budget buffers writes, the other half caches blocks; buffers that are not in use leave room for
// blocks.
uint64_t write_buffer_bytes(uint64_t memory_bytes) { return std::max(memory_bytes / 2, 8 * kMiB); }

rocksdb::ColumnFamilyOptions small_space(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.block_cache = cache;
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.optimize_filters_for_memory = true;

  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.level_compaction_dynamic_level_bytes = true;
  options.compression = rocksdb::kLZ4Compression;
  options.write_buffer_size = 4 * kMiB;
  // What was erased must not be walked over again and again, nor keep its space: a file full of tombstones is
  // compacted.
  options.table_properties_collector_factories.push_back(
      rocksdb::NewCompactOnDeletionCollectorFactory(4096, 2048, 0.5));
  return options;
}

// Items and index entries: most of the bytes, read by key and by collection.
rocksdb::ColumnFamilyOptions collection_space(const std::shared_ptr<rocksdb::Cache>& cache,
                                              uint64_t memory_bytes) {
  rocksdb::ColumnFamilyOptions options = small_space(cache);
  auto table = *options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.whole_key_filtering = true;
  // Filters and indexes in pieces: a file of small items has a filter of more than a megabyte, and looking
  // for one key must not bring all of it into the cache.
  table.partition_filters = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kPartitionPrefixBytes));
  options.write_buffer_size = std::clamp<uint64_t>(write_buffer_bytes(memory_bytes) / 4, 2 * kMiB, 64 * kMiB);
  options.max_write_buffer_number = 4;
  options.target_file_size_base = std::min(2 * options.write_buffer_size, 64 * kMiB);
  // Every put looks for the old image first; most are not there.
  options.memtable_prefix_bloom_size_ratio = 0.02;
  options.memtable_whole_key_filtering = true;
  options.bottommost_compression = rocksdb::kZSTD;
  options.compression_per_level = {};
  return options;
}

rocksdb::ColumnFamilyOptions counter_space(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options = small_space(cache);
  options.merge_operator = sum_operator();
  options.compaction_filter = zero_sum_filter();
  // A counter that is added to all the time is folded in place, so a read never meets a long row of operands.
  options.max_successive_merges = 8;
  options.write_buffer_size = 16 * kMiB;
  return options;
}

// A shard that is too small throws out one hot block for another.
constexpr uint64_t kCacheShardBytesMin = 8 * kMiB;

std::shared_ptr<rocksdb::Cache> block_cache(uint64_t bytes) {
  int shard_bits = 0;
  while (shard_bits < 6 && bytes >> (shard_bits + 1) >= kCacheShardBytesMin) ++shard_bits;
  return rocksdb::NewLRUCache(bytes, shard_bits);
}

}  // namespace

uint64_t disk_reserve_bytes(uint64_t memory_bytes) {
  return 2 * write_buffer_bytes(memory_bytes) + 16 * kMiB;
}

rocksdb::DBOptions database_options(uint64_t memory_bytes) {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  // All files stay open: RocksDB 7.8 answers a read that is limited to memory with an empty value if it meets
  // a file that is not.
  options.max_open_files = -1;
  // There is one writer: nothing to gain from concurrent inserts, and counters fold in place (see
  // counter_space).
  options.allow_concurrent_memtable_write = false;
  options.enable_write_thread_adaptive_yield = false;
  options.avoid_flush_during_shutdown = false;
  options.avoid_unnecessary_blocking_io = true;
  // A torn tail after power loss is expected and was never acknowledged; a log that is missing or shorter
  // than what was synced is not, and fails the open.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.track_and_verify_wals_in_manifest = true;
  options.max_total_wal_size = std::max(memory_bytes, 64 * kMiB);
  options.db_write_buffer_size = write_buffer_bytes(memory_bytes);
  options.max_background_jobs = 2;
  options.bytes_per_sync = kMiB;
  options.wal_bytes_per_sync = kMiB;  // for relaxed stores: little is left when a log file must be synced
  options.keep_log_file_num = 4;
  options.max_log_file_size = 4 * kMiB;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

std::vector<ColumnFamily> column_families(uint64_t memory_bytes) {
  const uint64_t cache_bytes =
      std::max(memory_bytes - std::min(memory_bytes, write_buffer_bytes(memory_bytes)), 4 * kMiB);
  const std::shared_ptr<rocksdb::Cache> cache = block_cache(cache_bytes);
  return {{rocksdb::kDefaultColumnFamilyName, small_space(cache)},
          {"catalog", small_space(cache)},
          {"items", collection_space(cache, memory_bytes)},
          {"indexes", collection_space(cache, memory_bytes)},
          {"log", small_space(cache)},
          {"counters", counter_space(cache)},
          {"jobs", small_space(cache)},
          {"tokens", small_space(cache)},
          {"expiry", small_space(cache)}};
}

}  // namespace sheaf::store
