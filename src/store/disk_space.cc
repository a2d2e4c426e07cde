#include "store/disk_space.h"

#include <rocksdb/file_system.h>

namespace sheaf::store {

DiskSpace::Level DiskSpace::level() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kAge) return level_;
  looked_ = now;
  uint64_t free_bytes = 0;
  // A file system that cannot tell is taken to have enough: it will say so itself when it has not.
  const bool known = files_->GetFreeSpace(directory_, {}, &free_bytes, nullptr).ok();
  level_ = !known || free_bytes >= reserve_bytes_ ? Level::kEnough
           : free_bytes >= reserve_bytes_ / 2     ? Level::kLow
                                                  : Level::kNone;
  return level_;
}

}  // namespace sheaf::store
