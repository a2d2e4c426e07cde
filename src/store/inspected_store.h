// A data directory that is looked at and not changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/store.h"

namespace sheaf::store {

// Opens a data directory to read it, and writes nothing into it, not even a log: what was written last and is
// in no table file yet is read from where it lies. Nobody else can open it meanwhile. All batches are
// refused. kBusy if it is open, kNotFound if there is none; otherwise as open_rocks_store.
Result<std::unique_ptr<Store>> open_to_inspect(const std::string& directory);

struct DamagedFile {
  std::string path;
  std::string problem;
};
struct FileCheck {
  uint64_t files = 0;
  uint64_t bytes = 0;
  std::vector<DamagedFile> damaged;
};
// Reads every table file that a store of open_to_inspect stands on, and compares all blocks with their
// checksums.
Result<FileCheck> check_files(Store& inspected);

}  // namespace sheaf::store
