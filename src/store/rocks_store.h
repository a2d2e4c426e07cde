// The store on local disk, on RocksDB: the default.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "store/store.h"

namespace rocksdb {
class FileSystem;
}

namespace sheaf::store {

struct RocksOptions {
  // Created if it does not exist, readable by its owner alone.
  std::string directory;
  // Whether a batch is synced to the disk before it counts as applied. Without it, a crash of the machine
  // (not of the process) may lose the last batches, of about a second; never the order or the wholeness of
  // those that remain.
  bool durable = true;
  // For the block cache and the write buffers together.
  uint64_t memory_bytes = 256u << 20;
  // For tests that pull the plug; by default the operating system's. Shared, because RocksDB keeps it as long
  // as any of its threads lives.
  std::shared_ptr<rocksdb::FileSystem> file_system;
};

// Fails with kBusy if another process has the directory open, kNewerFormat if a newer version wrote it,
// kInvalid if it holds something else, and otherwise with kIo or kCorrupt.
Result<std::unique_ptr<Store>> open_rocks_store(const RocksOptions& options, const Clock& clock);

}  // namespace sheaf::store
