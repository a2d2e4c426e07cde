// A copy of an open database that can be opened on its own.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/file_system.h>

#include <string>

#include "sheaf/result.h"

namespace sheaf::store {

// Writes it into `directory`, which appears complete and synced or, after an error or a crash, not at all.
Result<void> make_checkpoint(rocksdb::DB& db, rocksdb::FileSystem& files, const std::string& directory);

}  // namespace sheaf::store
