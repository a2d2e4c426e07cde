// A file system for RocksDB whose plug can be pulled, also in the middle of a call, and whose disk can be
// full or fail to sync.
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "disk.h"

namespace sheaf::faults {

// Thread-safe.
class PowerLossFileSystem final : public rocksdb::FileSystem {
 public:
  explicit PowerLossFileSystem(uint64_t seed);

  // From now on every call fails, until `restore`.
  void cut_power();
  // The same, during the n-th call from now (1 is the next) that changes something: it may be done, half done
  // or not done, and it fails.
  void cut_power_during(uint64_t call);
  bool is_off() const;
  // Brings back what survived. Whatever was open stays unusable.
  void restore();

  // How many calls changed something so far.
  uint64_t change_count() const;

  // The n-th sync from now of a file whose name ends like this fails, and gives up what it should have
  // synced.
  void fail_sync(uint64_t call, const std::string& name_ending);
  // Every sync and every write fails with this probability.
  void set_error_rates(double sync_errors, double no_space);
  // Bytes that files may have together; writes beyond fail.
  void set_capacity(uint64_t bytes);
  uint64_t used_bytes() const;

  const char* Name() const override { return "PowerLossFileSystem"; }

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* result,
                                      rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                                        rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus FileExists(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus GetChildren(const std::string& path, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus CreateDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus DeleteDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus GetFileSize(const std::string& path, const rocksdb::IOOptions& options, uint64_t* bytes,
                                rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus GetFileModificationTime(const std::string& path, const rocksdb::IOOptions& options,
                                            uint64_t* time, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus LockFile(const std::string& path, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** lock, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus UnlockFile(rocksdb::FileLock* lock, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus GetTestDirectory(const rocksdb::IOOptions& options, std::string* path,
                                     rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus NewLogger(const std::string& path, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* result,
                              rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus GetAbsolutePath(const std::string& path, const rocksdb::IOOptions& options,
                                    std::string* absolute, rocksdb::IODebugContext* context) override;
  rocksdb::IOStatus IsDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                bool* is_directory, rocksdb::IODebugContext* context) override;

 private:
  // An open file: usable until the power goes.
  struct Open {
    PowerLossFileSystem* system;
    std::string path;
    std::shared_ptr<DiskFile> file;
    uint64_t boot;
  };
  class SequentialFile;
  class RandomAccessFile;
  class WritableFile;
  class OpenDirectory;

  struct SyncFailure {
    uint64_t calls_left;
    std::string name_ending;
  };

  // All with the mutex held.
  rocksdb::IOStatus usable(uint64_t boot) const;
  // Counts a change; if it is the one during which the power goes, `change` is done or not, and the call
  // fails.
  rocksdb::IOStatus change(uint64_t boot, const std::function<rocksdb::IOStatus(bool going_down)>& change);
  rocksdb::IOStatus edit_names(const std::string& path, const std::function<bool()>& edit);
  bool happens(double probability);
  bool fails_sync(const std::string& path);

  rocksdb::IOStatus append(const Open& open, std::string_view bytes);
  rocksdb::IOStatus sync(const Open& open);
  rocksdb::IOStatus sync_folder(const std::string& path, uint64_t boot);
  rocksdb::IOStatus read(const Open& open, uint64_t offset, size_t bytes, rocksdb::Slice* result,
                         char* scratch) const;

  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  Disk disk_;
  bool off_ = false;
  uint64_t boot_ = 0;
  uint64_t changes_ = 0;
  uint64_t cut_during_ = UINT64_MAX;
  uint64_t capacity_ = UINT64_MAX;
  double sync_errors_ = 0;
  double no_space_ = 0;
  std::vector<SyncFailure> sync_failures_;
  std::set<std::string> locked_;
};

}  // namespace sheaf::faults
