// How much room is left where the data is.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace rocksdb {
class FileSystem;
}

namespace sheaf::store {

// Used by one thread at a time.
class DiskSpace {
 public:
  enum class Level : uint8_t {
    kEnough,
    kLow,   // less than the reserve
    kNone,  // less than half of it
  };

  DiskSpace(std::shared_ptr<rocksdb::FileSystem> files, std::string directory, uint64_t reserve_bytes)
      : files_(std::move(files)), directory_(std::move(directory)), reserve_bytes_(reserve_bytes) {}

  // As of a moment ago: asking the file system costs a system call.
  Level level();

 private:
  static constexpr std::chrono::milliseconds kAge{50};

  // Shared, because RocksDB shares it.
  std::shared_ptr<rocksdb::FileSystem> files_;
  std::string directory_;
  uint64_t reserve_bytes_;
  Level level_ = Level::kEnough;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace sheaf::store
