// What makes a folder a data directory: a file that says in which format the rest is.
#pragma once

#include <string>

#include "sheaf/result.h"

namespace rocksdb {
class FileSystem;
}

namespace sheaf::store {

inline constexpr int kFormatVersion = 1;

// That whoever asks may look into `directory` and write there, if it exists; kIo says what it is instead.
Result<void> check_access(const std::string& directory);

// Makes sure that `directory` exists and is ours: a new or empty one gets the current format, an existing one
// must have a format that this version reads.
Result<void> claim_directory(rocksdb::FileSystem& files, const std::string& directory);

// Writes the format file into `directory`, synced.
Result<void> write_format(rocksdb::FileSystem& files, const std::string& directory);

// Creates `directory`, if it does not exist, for its owner alone.
Result<void> create_private_directory(rocksdb::FileSystem& files, const std::string& directory);
// Takes the rights of all others away.
void make_private(rocksdb::FileSystem& files, const std::string& directory);

// Makes what was created, renamed and removed in `directory` durable.
Result<void> sync_directory(rocksdb::FileSystem& files, const std::string& directory);

std::string without_slashes(std::string path);  // at its end
std::string parent_of(const std::string& path);

}  // namespace sheaf::store
