#include "store/ordered_log_file_system.h"

#include "store/data_directory.h"

namespace sheaf::store {

class OrderedLogFileSystem::LogFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  LogFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::shared_ptr<OpenLog> open)
      : FSWritableFileOwnerWrapper(std::move(file)), open_(std::move(open)) {}
  ~LogFile() override { forget(); }

  rocksdb::IOStatus Close(const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override {
    forget();
    return FSWritableFileOwnerWrapper::Close(options, context);
  }

 private:
  // RocksDB closes a log that is synced, or that nothing needs any more.
  void forget() {
    std::lock_guard lock(open_->mutex);
    open_->file = nullptr;
  }

  const std::shared_ptr<OpenLog> open_;
};

OrderedLogFileSystem::OrderedLogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           std::string directory)
    : FileSystemWrapper(files), directory_(std::move(directory)) {}

OrderedLogFileSystem::~OrderedLogFileSystem() = default;

rocksdb::IOStatus OrderedLogFileSystem::sync_newest() {
  if (!newest_) return rocksdb::IOStatus::OK();
  {
    std::lock_guard lock(newest_->mutex);
    if (newest_->file == nullptr) return rocksdb::IOStatus::OK();
    const rocksdb::IOStatus status = newest_->file->Sync(rocksdb::IOOptions(), nullptr);
    if (!status.ok()) return status;
  }
  const Result<void> synced = sync_directory(*target(), directory_);
  return synced.ok() ? rocksdb::IOStatus::OK() : rocksdb::IOStatus::IOError(synced.error().message);
}

rocksdb::IOStatus OrderedLogFileSystem::NewWritableFile(const std::string& path,
                                                        const rocksdb::FileOptions& options,
                                                        std::unique_ptr<rocksdb::FSWritableFile>* result,
                                                        rocksdb::IODebugContext* context) {
  // Checkpoints copy logs into other directories.
  if (!path.ends_with(".log") || parent_of(path) != directory_)
    return target()->NewWritableFile(path, options, result, context);
  std::lock_guard lock(mutex_);
  rocksdb::IOStatus status = sync_newest();
  if (!status.ok()) return status;
  status = target()->NewWritableFile(path, options, result, context);
  if (!status.ok()) return status;
  newest_ = std::make_shared<OpenLog>();
  newest_->file = result->get();
  *result = std::make_unique<LogFile>(std::move(*result), newest_);
  return status;
}

}  // namespace sheaf::store
