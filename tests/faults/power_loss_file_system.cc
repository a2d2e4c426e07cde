#include "power_loss_file_system.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <cstdarg>
#include <cstring>

namespace sheaf::faults {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

IOStatus no_such(const std::string& path) {
  return IOStatus::PathNotFound(path, "No such file or directory");
}

class Lock final : public rocksdb::FileLock {
 public:
  explicit Lock(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

class QuietLogger final : public rocksdb::Logger {
 public:
  using Logger::Logv;
  void Logv(const char*, va_list) override {}
  size_t GetLogFileSize() const override { return 0; }
};

}  // namespace

class PowerLossFileSystem::SequentialFile final : public rocksdb::FSSequentialFile {
 public:
  explicit SequentialFile(Open open) : open_(std::move(open)) {}

  IOStatus Read(size_t bytes, const IOOptions&, Slice* result, char* scratch, IODebugContext*) override {
    const IOStatus status = open_.system->read(open_, position_, bytes, result, scratch);
    if (status.ok()) position_ += result->size();
    return status;
  }
  IOStatus Skip(uint64_t bytes) override {
    position_ += bytes;
    return IOStatus::OK();
  }

 private:
  const Open open_;
  uint64_t position_ = 0;
};

class PowerLossFileSystem::RandomAccessFile final : public rocksdb::FSRandomAccessFile {
 public:
  explicit RandomAccessFile(Open open) : open_(std::move(open)) {}

  IOStatus Read(uint64_t offset, size_t bytes, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    return open_.system->read(open_, offset, bytes, result, scratch);
  }

 private:
  const Open open_;
};

class PowerLossFileSystem::WritableFile final : public rocksdb::FSWritableFile {
 public:
  explicit WritableFile(Open open) : open_(std::move(open)) {}

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    return open_.system->append(open_, {data.data(), data.size()});
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return open_.system->sync(open_); }
  bool IsSyncThreadSafe() const override { return true; }
  uint64_t GetFileSize(const IOOptions&, IODebugContext*) override {
    std::lock_guard lock(open_.system->mutex_);
    return open_.file->bytes.size();
  }

 private:
  const Open open_;
};

class PowerLossFileSystem::OpenDirectory final : public rocksdb::FSDirectory {
 public:
  OpenDirectory(PowerLossFileSystem* system, std::string path, uint64_t boot)
      : system_(system), path_(std::move(path)), boot_(boot) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return system_->sync_folder(path_, boot_); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  PowerLossFileSystem* const system_;
  const std::string path_;
  const uint64_t boot_;
};

PowerLossFileSystem::PowerLossFileSystem(uint64_t seed) : random_(seed), disk_(seed + 1) {}

void PowerLossFileSystem::cut_power() {
  std::lock_guard lock(mutex_);
  off_ = true;
}

void PowerLossFileSystem::cut_power_during(uint64_t call) {
  std::lock_guard lock(mutex_);
  cut_during_ = changes_ + call;
}

bool PowerLossFileSystem::is_off() const {
  std::lock_guard lock(mutex_);
  return off_;
}

void PowerLossFileSystem::restore() {
  std::lock_guard lock(mutex_);
  disk_.lose_power();
  off_ = false;
  ++boot_;
  cut_during_ = UINT64_MAX;
  sync_failures_.clear();
  locked_.clear();
}

uint64_t PowerLossFileSystem::change_count() const {
  std::lock_guard lock(mutex_);
  return changes_;
}

void PowerLossFileSystem::fail_sync(uint64_t call, const std::string& name_ending) {
  std::lock_guard lock(mutex_);
  sync_failures_.push_back({.calls_left = call, .name_ending = name_ending});
}

void PowerLossFileSystem::set_error_rates(double sync_errors, double no_space) {
  std::lock_guard lock(mutex_);
  sync_errors_ = sync_errors;
  no_space_ = no_space;
}

void PowerLossFileSystem::set_capacity(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  capacity_ = bytes;
}

uint64_t PowerLossFileSystem::used_bytes() const {
  std::lock_guard lock(mutex_);
  return disk_.used_bytes();
}

IOStatus PowerLossFileSystem::usable(uint64_t boot) const {
  if (off_) return IOStatus::IOError("the power is off");
  if (boot != boot_) return IOStatus::IOError("opened before the power was cut");
  return IOStatus::OK();
}

bool PowerLossFileSystem::happens(double probability) {
  return probability > 0 && std::uniform_real_distribution<double>(0, 1)(random_) < probability;
}

IOStatus PowerLossFileSystem::change(uint64_t boot, const std::function<IOStatus(bool)>& change) {
  const IOStatus status = usable(boot);
  if (!status.ok()) return status;
  if (++changes_ < cut_during_) return change(/*going_down=*/false);
  off_ = true;
  if (random_() % 2 == 0) static_cast<void>(change(/*going_down=*/true));
  return IOStatus::IOError("the power went");
}

IOStatus PowerLossFileSystem::edit_names(const std::string& path, const std::function<bool()>& edit) {
  std::lock_guard lock(mutex_);
  return change(boot_, [&](bool) { return edit() ? IOStatus::OK() : no_such(path); });
}

IOStatus PowerLossFileSystem::append(const Open& open, std::string_view bytes) {
  std::lock_guard lock(mutex_);
  return change(open.boot, [&](bool going_down) {
    const uint64_t used = disk_.used_bytes();
    const bool full = used + bytes.size() > capacity_ || happens(no_space_);
    // A part of it may arrive.
    if (full || going_down) bytes = bytes.substr(0, random_() % (bytes.size() + 1));
    if (full) bytes = bytes.substr(0, used < capacity_ ? capacity_ - used : 0);
    disk_.append(*open.file, bytes);
    return full ? IOStatus::NoSpace("No space left on device", open.path) : IOStatus::OK();
  });
}

bool PowerLossFileSystem::fails_sync(const std::string& path) {
  for (auto failure = sync_failures_.begin(); failure != sync_failures_.end(); ++failure) {
    if (!path.ends_with(failure->name_ending) || --failure->calls_left > 0) continue;
    sync_failures_.erase(failure);
    return true;
  }
  return happens(sync_errors_);
}

IOStatus PowerLossFileSystem::sync(const Open& open) {
  std::lock_guard lock(mutex_);
  return change(open.boot, [&](bool) {
    if (fails_sync(open.path)) {
      Disk::fail_sync(*open.file);
      return IOStatus::IOError("Input/output error while syncing", open.path);
    }
    Disk::sync(*open.file);
    return IOStatus::OK();
  });
}

IOStatus PowerLossFileSystem::sync_folder(const std::string& path, uint64_t boot) {
  std::lock_guard lock(mutex_);
  return change(boot, [&](bool) {
    if (fails_sync(path)) return IOStatus::IOError("Input/output error while syncing", path);
    return disk_.sync_folder(path) ? IOStatus::OK() : no_such(path);
  });
}

IOStatus PowerLossFileSystem::read(const Open& open, uint64_t offset, size_t bytes, Slice* result,
                                   char* scratch) const {
  std::lock_guard lock(mutex_);
  *result = Slice();
  const IOStatus status = usable(open.boot);
  if (!status.ok()) return status;
  const std::string& all = open.file->bytes;
  if (offset >= all.size()) return IOStatus::OK();
  bytes = std::min(bytes, all.size() - offset);
  std::memcpy(scratch, all.data() + offset, bytes);
  *result = Slice(scratch, bytes);
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::NewSequentialFile(const std::string& path, const FileOptions&,
                                                std::unique_ptr<rocksdb::FSSequentialFile>* result,
                                                IODebugContext*) {
  std::lock_guard lock(mutex_);
  const IOStatus status = usable(boot_);
  if (!status.ok()) return status;
  const std::shared_ptr<DiskFile> file = disk_.file(path);
  if (!file) return no_such(path);
  *result = std::make_unique<SequentialFile>(Open{this, path, file, boot_});
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::NewRandomAccessFile(const std::string& path, const FileOptions&,
                                                  std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                                                  IODebugContext*) {
  std::lock_guard lock(mutex_);
  const IOStatus status = usable(boot_);
  if (!status.ok()) return status;
  const std::shared_ptr<DiskFile> file = disk_.file(path);
  if (!file) return no_such(path);
  *result = std::make_unique<RandomAccessFile>(Open{this, path, file, boot_});
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::NewWritableFile(const std::string& path, const FileOptions&,
                                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                                              IODebugContext*) {
  std::lock_guard lock(mutex_);
  return change(boot_, [&](bool) {
    const std::shared_ptr<DiskFile> file = disk_.create_file(path);
    if (!file) return no_such(path);
    *result = std::make_unique<WritableFile>(Open{this, path, file, boot_});
    return IOStatus::OK();
  });
}

IOStatus PowerLossFileSystem::NewDirectory(const std::string& path, const IOOptions&,
                                           std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  const IOStatus status = usable(boot_);
  if (!status.ok()) return status;
  if (!disk_.is_folder(path)) return no_such(path);
  *result = std::make_unique<OpenDirectory>(this, path, boot_);
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::FileExists(const std::string& path, const IOOptions&, IODebugContext*) {
  std::lock_guard lock(mutex_);
  const IOStatus status = usable(boot_);
  if (!status.ok()) return status;
  return disk_.file(path) || disk_.is_folder(path) ? IOStatus::OK() : IOStatus::NotFound(path);
}

IOStatus PowerLossFileSystem::GetChildren(const std::string& path, const IOOptions&,
                                          std::vector<std::string>* names, IODebugContext*) {
  std::lock_guard lock(mutex_);
  const IOStatus status = usable(boot_);
  if (!status.ok()) return status;
  std::optional<std::vector<std::string>> found = disk_.names_in(path);
  if (!found) return IOStatus::NotFound(path);
  *names = *std::move(found);
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::DeleteFile(const std::string& path, const IOOptions&, IODebugContext*) {
  return edit_names(path, [&] { return disk_.remove_file(path); });
}

IOStatus PowerLossFileSystem::CreateDir(const std::string& path, const IOOptions&, IODebugContext*) {
  return edit_names(path, [&] { return disk_.create_folder(path); });
}

IOStatus PowerLossFileSystem::CreateDirIfMissing(const std::string& path, const IOOptions&, IODebugContext*) {
  return edit_names(path, [&] { return disk_.is_folder(path) || disk_.create_folder(path); });
}

IOStatus PowerLossFileSystem::DeleteDir(const std::string& path, const IOOptions&, IODebugContext*) {
  return edit_names(path, [&] { return disk_.remove_folder(path); });
}

IOStatus PowerLossFileSystem::RenameFile(const std::string& from, const std::string& to, const IOOptions&,
                                         IODebugContext*) {
  return edit_names(from, [&] { return disk_.rename(from, to); });
}

IOStatus PowerLossFileSystem::LinkFile(const std::string& from, const std::string& to, const IOOptions&,
                                       IODebugContext*) {
  return edit_names(from, [&] { return disk_.link(from, to); });
}

IOStatus PowerLossFileSystem::GetFileSize(const std::string& path, const IOOptions&, uint64_t* bytes,
                                          IODebugContext*) {
  std::lock_guard lock(mutex_);
  const IOStatus status = usable(boot_);
  if (!status.ok()) return status;
  const std::shared_ptr<DiskFile> file = disk_.file(path);
  if (!file) return no_such(path);
  *bytes = file->bytes.size();
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::GetFileModificationTime(const std::string&, const IOOptions&, uint64_t* time,
                                                      IODebugContext*) {
  *time = 0;
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::LockFile(const std::string& path, const IOOptions&, rocksdb::FileLock** lock,
                                       IODebugContext*) {
  std::lock_guard held(mutex_);
  *lock = nullptr;
  return change(boot_, [&](bool) {
    if (locked_.contains(path)) return IOStatus::IOError("lock hold by current process", path);
    if (!disk_.file(path) && !disk_.create_file(path)) return no_such(path);
    locked_.insert(path);
    *lock = new Lock(path);
    return IOStatus::OK();
  });
}

IOStatus PowerLossFileSystem::UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) {
  std::lock_guard held(mutex_);
  const std::unique_ptr<Lock> owned(static_cast<Lock*>(lock));
  locked_.erase(owned->path());
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::GetTestDirectory(const IOOptions&, std::string* path, IODebugContext*) {
  *path = "/test";
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::NewLogger(const std::string&, const IOOptions&,
                                        std::shared_ptr<rocksdb::Logger>* result, IODebugContext*) {
  *result = std::make_shared<QuietLogger>();
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::GetAbsolutePath(const std::string& path, const IOOptions&,
                                              std::string* absolute, IODebugContext*) {
  *absolute = path;
  return IOStatus::OK();
}

IOStatus PowerLossFileSystem::IsDirectory(const std::string& path, const IOOptions&, bool* is_directory,
                                          IODebugContext*) {
  std::lock_guard lock(mutex_);
  *is_directory = disk_.is_folder(path);
  return usable(boot_);
}

}  // namespace sheaf::faults
