#include "store/rocks_store.h"

#include <rocksdb/convenience.h>
#include <rocksdb/file_system.h>
#include <rocksdb/listener.h>

#include <atomic>
#include <vector>

#include "base/big_endian.h"
#include "base/try.h"
#include "store/committer.h"
#include "store/data_directory.h"
#include "store/disk_space.h"
#include "store/ordered_log_file_system.h"
#include "store/rocks_checkpoint.h"
#include "store/rocks_database.h"
#include "store/rocks_tuning.h"
#include "store/rocks_view.h"

namespace sheaf::store {
namespace {

// About as long as a sync takes. Measured with 16 callers on two cores: without it groups are half as large.
constexpr int64_t kGatherUsMax = 200;

// The store's own row, in the default column family.
constexpr std::string_view kReservedStampKey = "reserved-stamp";

// How many rows a drop erases in one batch: few, because others wait for it.
constexpr uint32_t kDropRows = 256;

// From how many erased bytes on it is worth a file to have them freed soon.
constexpr uint64_t kDropFlushBytes = 1 << 20;

// Knows whether RocksDB slows writes down or stops them because flushes and compactions are behind.
class StallWatch final : public rocksdb::EventListener {
 public:
  int count() const { return stalled_.load(std::memory_order_relaxed); }
  bool any() const { return count() > 0; }

  void OnStallConditionsChanged(const rocksdb::WriteStallInfo& info) override {
    const bool before = info.condition.prev != rocksdb::WriteStallCondition::kNormal;
    const bool after = info.condition.cur != rocksdb::WriteStallCondition::kNormal;
    stalled_.fetch_add(static_cast<int>(after) - static_cast<int>(before), std::memory_order_relaxed);
  }

 private:
  std::atomic<int> stalled_ = 0;  // column families
};

class RocksStore final : public Store, private GroupWriter {
 public:
  RocksStore(std::unique_ptr<RocksDatabase> database, std::shared_ptr<rocksdb::FileSystem> files,
             bool durable, Stamp first_stamp, const Clock& clock, std::shared_ptr<StallWatch> stalls,
             DiskSpace space)
      : durable_(durable),
        space_(std::move(space)),
        stalls_(std::move(stalls)),
        files_(std::move(files)),
        database_(std::move(database)),
        committer_(*this, clock,
                   {.groups_per_caller_max = durable ? 1 : 16,
                    .gather_us_max = durable ? kGatherUsMax : 0,
                    .first_stamp = first_stamp}) {}

  std::unique_ptr<View> view(const ViewOptions& options) override {
    // The stamp first: what is read may be newer than it, never older.
    const Stamp stamp = committer_.last_stamp();
    return std::make_unique<RocksView>(*database_, stamp, options);
  }

  void submit(Batch batch, Loop& loop, Done done) override {
    committer_.submit(std::move(batch), loop, std::move(done));
  }

  Result<void> drop(const Range& range) override {
    if (is_empty(range)) return {};
    TRY(writable());
    // Files that hold nothing else go at once; the rest is erased. Not by a range tombstone: see RocksView.
    const rocksdb::Slice begin = without_space(range.begin);
    const rocksdb::Slice end = without_space(range.end);
    const rocksdb::Status status =
        rocksdb::DeleteFilesInRange(&database_->db(), database_->family(range.begin), &begin,
                                    ends_with_space(range) ? nullptr : &end, /*include_end=*/false);
    if (!status.ok()) return to_error(status);
    Range rest = range;
    uint64_t erased_bytes = 0;
    for (bool more = true; more;) {
      Batch erased;
      ScanEnd piece = TRY(
          view({})->scan(rest, {.rows_max = kDropRows}, [&](std::string_view key, std::string_view value) {
            erased.erase(key);
            erased_bytes += key.size() + value.size();
            return true;
          }));
      if (!erased.empty()) TRY(committed(std::move(erased)));
      more = piece.more;
      rest.begin = std::move(piece.resume);
    }
    return erased_bytes < kDropFlushBytes ? Result<void>() : flush(range.begin);
  }

  Result<void> checkpoint(const std::string& directory) override {
    TRY(writable());
    return make_checkpoint(database_->db(), *files_, directory);
  }

  Stamp last_stamp() const override { return committer_.last_stamp(); }

  std::vector<Figure> figures() const override {
    const auto sum = [this](const char* property) {
      uint64_t value = 0;
      database_->db().GetAggregatedIntProperty(property, &value);
      return static_cast<double>(value);
    };
    const auto shared = [this](const char* property) {
      uint64_t value = 0;
      database_->db().GetIntProperty(database_->own_family(), property, &value);
      return static_cast<double>(value);
    };
    const Committer::Figures commits = committer_.figures();
    return {
        {"store_cache_bytes", "Block cache in use", false, shared("rocksdb.block-cache-usage")},
        {"store_cache_bytes_max", "Block cache at most", false, shared("rocksdb.block-cache-capacity")},
        {"store_write_buffer_bytes", "Write buffers in use", false, sum("rocksdb.cur-size-all-mem-tables")},
        {"store_table_bytes", "Bytes in table files", false, sum("rocksdb.total-sst-files-size")},
        {"store_compaction_pending_bytes", "Bytes that wait for compaction", false,
         sum("rocksdb.estimate-pending-compaction-bytes")},
        {"store_flushes_running", "Flushes at work", false, shared("rocksdb.num-running-flushes")},
        {"store_compactions_running", "Compactions at work", false,
         shared("rocksdb.num-running-compactions")},
        {"store_stalled", "Spaces whose writes are slowed down or stopped", false,
         static_cast<double>(stalls_->count())},
        {"commit_groups_total", "Groups of batches written", true, static_cast<double>(commits.groups)},
        {"commit_batches_total", "Batches written", true, static_cast<double>(commits.batches)},
        {"commit_queue", "Batches that wait to be written", false, static_cast<double>(commits.queued)},
        {"commit_queue_bytes", "Bytes of them", false, static_cast<double>(commits.queued_bytes)}};
  }

 private:
  Result<void> writable() const {
    if (const std::optional<std::string> failure = committer_.failure())
      return Error{Code::kUnavailable, *failure};
    return {};
  }

  // For erasures of the store's own.
  Result<void> committed(Batch batch) {
    Outcome outcome = commit(*this, std::move(batch));
    if (outcome.kind == Outcome::Kind::kApplied) return {};
    const bool unknown = outcome.kind == Outcome::Kind::kUnknown;
    return Error{unknown ? Code::kUnknown : Code::kUnavailable, std::move(outcome.reason)};
  }

  // Tombstones free nothing before they are in a file.
  Result<void> flush(std::string_view key) {
    const rocksdb::Status status = database_->db().Flush({}, database_->family(key));
    if (!status.ok()) return to_error(status);
    return {};
  }

  Result<void> write(std::span<const Admitted> group, const FoldedAdds& adds,
                     std::optional<Stamp> reserve) override {
    merged_.Clear();
    for (const Admitted& admitted : group) merge(*admitted.batch, admitted.stamp);
    for (const auto& [key, deltas] : adds) merged_.Merge(database_->family(key), without_space(key), deltas);
    if (reserve) {
      std::string value;
      append_u64(value, *reserve);
      merged_.Put(database_->own_family(), rocksdb::Slice(kReservedStampKey), value);
    }
    if (merged_.Count() == 0) return {};  // guards alone: there is nothing to make durable
    // A reservation is synced whatever the durability, or a stamp that was given out and lost could be given
    // out again. So about once a second, and on closing, all that was written is.
    rocksdb::WriteOptions options;
    options.sync = durable_ || reserve.has_value();
    const rocksdb::Status status = database_->db().Write(options, &merged_);
    if (!status.ok()) return to_error(status);
    return {};
  }

  void merge(const Batch& batch, Stamp stamp) {
    uint16_t position = 0;
    for (size_t i = 0; i < batch.entry_count(); ++i) {
      const Batch::Entry entry = batch.entry(i);
      switch (entry.kind) {
        case EntryKind::kPut:
          merged_.Put(database_->family(entry.key), without_space(entry.key), entry.value);
          break;
        case EntryKind::kErase:
          merged_.Delete(database_->family(entry.key), without_space(entry.key));
          break;
        case EntryKind::kAppend:
          log_key_.assign(entry.key.substr(1));
          append_u64(log_key_, stamp);
          append_u16(log_key_, position++);
          merged_.Put(database_->family(entry.key), log_key_, entry.value);
          break;
        case EntryKind::kGuard:
        case EntryKind::kAdd:
          break;
      }
    }
  }

  // Before the disk is full: RocksDB itself could not go on without being opened again. What takes things
  // away is let through a while longer, so that there can be room again.
  std::optional<std::string> refuse(const Batch& batch) override {
    const DiskSpace::Level level = space_.level();
    if (level == DiskSpace::Level::kEnough) return std::nullopt;
    if (level == DiskSpace::Level::kLow && !puts_items(batch)) return std::nullopt;
    return "the disk is full: writes are taken again when there is room";
  }

  static bool puts_items(const Batch& batch) {
    for (size_t i = 0; i < batch.entry_count(); ++i) {
      const Batch::Entry entry = batch.entry(i);
      if (entry.kind == EntryKind::kPut && entry.key.front() == static_cast<char>(Space::kItems)) return true;
    }
    return false;
  }

  bool may_wait() const override { return durable_ || stalls_->any(); }

  const bool durable_;
  DiskSpace space_;
  const std::shared_ptr<StallWatch> stalls_;          // shared, because RocksDB shares it
  const std::shared_ptr<rocksdb::FileSystem> files_;  // shared, because RocksDB shares it
  const std::unique_ptr<RocksDatabase> database_;
  rocksdb::WriteBatch merged_;
  std::string log_key_;
  Committer committer_;  // last: its thread writes into the database
};

Error open_error(const rocksdb::Status& status, const std::string& directory) {
  const std::string text = status.ToString();
  // RocksDB has no code for it. Held by this process or by another one:
  if (status.IsIOError() && (text.find("lock hold by current process") != std::string::npos ||
                             text.find("/LOCK: Resource temporarily unavailable") != std::string::npos)) {
    return {Code::kBusy,
            directory + " is open in another process (or twice in this one); close it there first"};
  }
  Error error = to_error(status);
  error.message = "cannot open " + directory + ": " + error.message;
  return error;
}

// All column families in one step. Opened with those that are missing, RocksDB makes them one by one and
// writes down and reads all options each time, which is most of the time that a first start takes.
rocksdb::Status create_database(const rocksdb::DBOptions& settings, const std::string& directory,
                                const std::vector<rocksdb::ColumnFamilyDescriptor>& descriptors,
                                std::vector<rocksdb::ColumnFamilyHandle*>& families, rocksdb::DB*& opened) {
  rocksdb::Status status = rocksdb::DB::Open(settings, directory, {descriptors.front()}, &families, &opened);
  if (!status.ok()) return status;
  std::vector<rocksdb::ColumnFamilyHandle*> created;
  status = opened->CreateColumnFamilies({descriptors.begin() + 1, descriptors.end()}, &created);
  families.insert(families.end(), created.begin(), created.end());
  if (status.ok()) return status;
  for (rocksdb::ColumnFamilyHandle* family : families) opened->DestroyColumnFamilyHandle(family);
  delete opened;
  return status;
}

Result<Stamp> reserved_stamp(const RocksDatabase& database) {
  std::string value;
  const rocksdb::Status status =
      database.db().Get({}, database.own_family(), rocksdb::Slice(kReservedStampKey), &value);
  if (status.IsNotFound()) return Stamp{0};
  if (!status.ok()) return to_error(status);
  return Stamp{read_u64(value.data())};
}

}  // namespace

Result<std::unique_ptr<Store>> open_rocks_store(const RocksOptions& options, const Clock& clock) {
  const std::shared_ptr<rocksdb::FileSystem> files =
      options.file_system ? options.file_system : rocksdb::FileSystem::Default();
  const std::string directory = without_slashes(options.directory);
  TRY(claim_directory(*files, directory));

  rocksdb::DBOptions database_settings = database_options(options.memory_bytes);
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(
      options.durable ? files : std::make_shared<OrderedLogFileSystem>(files, directory));
  database_settings.env = env.get();
  const auto stalls = std::make_shared<StallWatch>();
  database_settings.listeners.push_back(stalls);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (ColumnFamily& family : column_families(options.memory_bytes)) {
    descriptors.emplace_back(std::move(family.name), std::move(family.options));
  }
  const bool is_new = !files->FileExists(directory + "/CURRENT", {}, nullptr).ok();
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      is_new ? create_database(database_settings, directory, descriptors, families, opened)
             : rocksdb::DB::Open(database_settings, directory, descriptors, &families, &opened);
  if (!status.ok()) return open_error(status, directory);
  auto database = std::make_unique<RocksDatabase>(std::move(env), std::unique_ptr<rocksdb::DB>(opened),
                                                  std::move(families));
  const Stamp first_stamp = TRY(reserved_stamp(*database));
  return std::unique_ptr<Store>(
      std::make_unique<RocksStore>(std::move(database), files, options.durable, first_stamp, clock, stalls,
                                   DiskSpace(files, directory, disk_reserve_bytes(options.memory_bytes))));
}

}  // namespace sheaf::store
