// For a store that does not sync every batch: keeps its losses in order. RocksDB begins a new log file when a
// write buffer is full; after a power loss the old one may have lost its end while the new one is whole, and
// RocksDB 7.8 replays both, with a gap between them. Here a log file is synced before the next one is begun.
#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <mutex>
#include <string>

namespace sheaf::store {

// Thread-safe, as file systems are. For one database.
class OrderedLogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  // `directory`: of the database, as RocksDB is told.
  OrderedLogFileSystem(const std::shared_ptr<rocksdb::FileSystem>& files, std::string directory);
  ~OrderedLogFileSystem() override;

  const char* Name() const override { return "sheaf.ordered-log"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* context) override;

 private:
  class LogFile;
  // The file that a LogFile stands for, as long as it is open.
  struct OpenLog {
    std::mutex mutex;
    rocksdb::FSWritableFile* file;
  };

  rocksdb::IOStatus sync_newest();

  const std::string directory_;
  std::mutex mutex_;
  std::shared_ptr<OpenLog> newest_;  // shared with the file itself, which RocksDB closes when it likes
};

}  // namespace sheaf::store
