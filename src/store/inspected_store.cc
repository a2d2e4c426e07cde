#include "store/inspected_store.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/sst_file_reader.h>

#include "base/try.h"
#include "store/data_directory.h"
#include "store/rocks_database.h"
#include "store/rocks_tuning.h"
#include "store/rocks_view.h"

namespace sheaf::store {
namespace {

constexpr uint64_t kInspectionMemoryBytes = uint64_t{128} << 20;

// RocksDB would begin a new log file in the directory.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

// As other processes hold it that have the directory open.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  ~DirectoryLock() {
    if (lock_ != nullptr) static_cast<void>(rocksdb::Env::Default()->UnlockFile(lock_));
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  bool take(const std::string& directory) {
    return rocksdb::Env::Default()->LockFile(directory + "/LOCK", &lock_).ok();
  }

 private:
  rocksdb::FileLock* lock_ = nullptr;
};

class InspectedStore final : public Store {
 public:
  InspectedStore(std::unique_ptr<DirectoryLock> lock, std::unique_ptr<RocksDatabase> database)
      : lock_(std::move(lock)), database_(std::move(database)) {}

  std::unique_ptr<View> view(const ViewOptions& options) override {
    return std::make_unique<RocksView>(*database_, 1, options);
  }
  void submit(Batch, Loop& loop, Done done) override {
    loop.post([done = std::move(done)]() mutable {
      done({.kind = Outcome::Kind::kRefused, .reason = "the data directory is only looked at"});
    });
  }
  Result<void> drop(const Range&) override { return refused(); }
  Result<void> checkpoint(const std::string&) override { return refused(); }
  Stamp last_stamp() const override { return 1; }

  Result<FileCheck> check_files() const {
    FileCheck check;
    std::vector<rocksdb::LiveFileMetaData> files;
    database_->db().GetLiveFilesMetaData(&files);
    for (const rocksdb::LiveFileMetaData& file : files) {
      ++check.files;
      check.bytes += file.size;
      const std::string path = file.db_path + file.name;
      rocksdb::SstFileReader reader(database_->db().GetOptions(database_->own_family()));
      rocksdb::Status status = reader.Open(path);
      if (status.ok()) status = reader.VerifyChecksum();
      if (!status.ok()) check.damaged.push_back({.path = path, .problem = status.ToString()});
    }
    return check;
  }

 private:
  static Error refused() { return {Code::kUnavailable, "the data directory is only looked at"}; }

  const std::unique_ptr<DirectoryLock> lock_;
  const std::unique_ptr<RocksDatabase> database_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_to_inspect(const std::string& path) {
  const std::string directory = without_slashes(path);
  const std::shared_ptr<rocksdb::FileSystem>& files = rocksdb::FileSystem::Default();
  TRY(check_access(directory));
  if (!files->FileExists(directory + "/FORMAT", {}, nullptr).ok())
    return Error{Code::kNotFound, directory + " is no data directory: it has no FORMAT file"};
  // That it is there is checked, so this makes nothing.
  TRY(claim_directory(*files, directory));
  if (!files->FileExists(directory + "/CURRENT", {}, nullptr).ok())
    return Error{Code::kNotFound, directory + " has never been used: there is nothing in it"};
  auto lock = std::make_unique<DirectoryLock>();
  if (!lock->take(directory))
    return Error{Code::kBusy, directory + " is open in another process; close it there first"};

  rocksdb::DBOptions settings = database_options(kInspectionMemoryBytes);
  settings.info_log = std::make_shared<NoLog>();
  settings.create_if_missing = false;
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (ColumnFamily& family : column_families(kInspectionMemoryBytes))
    descriptors.emplace_back(std::move(family.name), std::move(family.options));
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::OpenForReadOnly(settings, directory, descriptors, &families, &opened);
  if (!status.ok()) {
    Error error = to_error(status);
    error.message = "cannot open " + directory + ": " + error.message;
    return error;
  }
  auto database =
      std::make_unique<RocksDatabase>(nullptr, std::unique_ptr<rocksdb::DB>(opened), std::move(families));
  return std::unique_ptr<Store>(std::make_unique<InspectedStore>(std::move(lock), std::move(database)));
}

Result<FileCheck> check_files(Store& inspected) {
  const auto* const store = dynamic_cast<const InspectedStore*>(&inspected);
  if (store == nullptr) return Error{Code::kInvalid, "this store has no files of its own"};
  return store->check_files();
}

}  // namespace sheaf::store
