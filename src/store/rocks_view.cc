#include "store/rocks_view.h"

#include <algorithm>

#include "base/try.h"
#include "store/rocks_tuning.h"

namespace sheaf::store {
namespace {

// Then the partition's bloom filter can say that there is nothing, and no file need be opened.
bool within_one_partition(const rocksdb::Slice& lower, const rocksdb::Slice& upper) {
  return lower.size() >= kPartitionPrefixBytes && upper.size() >= kPartitionPrefixBytes &&
         std::equal(lower.data(), lower.data() + kPartitionPrefixBytes, upper.data());
}

template <bool kForward>
Result<ScanEnd> walk(rocksdb::Iterator& at, const Range& range, const ScanOptions& options,
                     FunctionRef<bool(std::string_view, std::string_view)> row) {
  SliceBounds bounds(options);
  std::string key(1, range.begin.front());
  if constexpr (kForward) {
    at.Seek(without_space(range.begin));
  } else {
    at.SeekToLast();  // of what lies below the upper bound
  }
  for (; at.Valid(); kForward ? at.Next() : at.Prev()) {
    key.resize(1);
    key.append(at.key().data(), at.key().size());
    if (!bounds.take(key.size() + at.value().size())) {
      if (!kForward) key.push_back('\0');
      return ScanEnd{.more = true, .resume = std::move(key)};
    }
    if (!row(key, {at.value().data(), at.value().size()})) {
      if (kForward) key.push_back('\0');
      return ScanEnd{.more = true, .resume = std::move(key)};
    }
  }
  if (!at.status().ok()) return to_error(at.status());
  return ScanEnd{};
}

}  // namespace

RocksView::RocksView(const RocksDatabase& database, Stamp stamp, const ViewOptions& options)
    : database_(database), version_(Version{stamp}) {
  if (options.snapshot) read_.snapshot = database_.db().GetSnapshot();
  if (options.cached_only) read_.read_tier = rocksdb::kBlockCacheTier;
  // There are none. It also keeps iterators off a path on which RocksDB 7.8 takes a block that cannot be read
  // (not cached, or an error of the disk) at the start of a file for the end of the data.
  read_.ignore_range_deletions = true;
}

RocksView::~RocksView() {
  if (read_.snapshot != nullptr) database_.db().ReleaseSnapshot(read_.snapshot);
}

Result<Read> RocksView::to_read(const rocksdb::Status& status, const rocksdb::PinnableSlice& value) const {
  if (status.ok()) return Read{.value = value.ToString(), .version = version_};
  if (status.IsNotFound()) return Read{.value = std::nullopt, .version = version_};
  return to_error(status);
}

Result<Read> RocksView::read(std::string_view key) {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = database_.db().Get(read_, database_.family(key), without_space(key), &value);
  return to_read(status, value);
}

Result<std::vector<Read>> RocksView::read_many(std::span<const std::string> keys) {
  std::vector<Read> reads;
  reads.reserve(keys.size());
  if (read_.read_tier == rocksdb::kBlockCacheTier) {
    // One by one: MultiGet of RocksDB 7.8 goes to the disk whatever the tier.
    for (const std::string& key : keys) reads.push_back(TRY(read(key)));
    return reads;
  }
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  std::vector<rocksdb::Slice> slices;
  families.reserve(keys.size());
  slices.reserve(keys.size());
  for (const std::string& key : keys) {
    families.push_back(database_.family(key));
    slices.push_back(without_space(key));
  }
  std::vector<rocksdb::PinnableSlice> values(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  database_.db().MultiGet(read_, keys.size(), families.data(), slices.data(), values.data(), statuses.data());
  for (size_t i = 0; i < keys.size(); ++i) reads.push_back(TRY(to_read(statuses[i], values[i])));
  return reads;
}

Result<ScanEnd> RocksView::scan(const Range& range, const ScanOptions& options,
                                FunctionRef<bool(std::string_view, std::string_view)> row) {
  if (is_empty(range)) return ScanEnd{};
  const rocksdb::Slice lower = without_space(range.begin);
  const bool to_end = ends_with_space(range);
  const rocksdb::Slice upper = to_end ? rocksdb::Slice() : without_space(range.end);
  rocksdb::ReadOptions read = read_;
  read.iterate_lower_bound = &lower;
  if (!to_end) read.iterate_upper_bound = &upper;
  read.total_order_seek = !within_one_partition(lower, upper);
  const std::unique_ptr<rocksdb::Iterator> at(
      database_.db().NewIterator(read, database_.family(range.begin)));
  return options.direction == Direction::kForward ? walk<true>(*at, range, options, row)
                                                  : walk<false>(*at, range, options, row);
}

}  // namespace sheaf::store
