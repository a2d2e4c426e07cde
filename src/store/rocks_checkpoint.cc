#include "store/rocks_checkpoint.h"

#include <rocksdb/utilities/checkpoint.h>

#include <memory>
#include <vector>

#include "base/try.h"
#include "store/data_directory.h"
#include "store/rocks_database.h"

namespace sheaf::store {
namespace {

Result<void> write_checkpoint(rocksdb::DB& db, rocksdb::FileSystem& files, const std::string& directory) {
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(&db, &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(directory);
  if (!status.ok()) return to_error(status);
  make_private(files, directory);
  return write_format(files, directory);
}

// As far as it can: what cannot be removed stays.
void remove_directory(rocksdb::FileSystem& files, const std::string& directory) {
  const rocksdb::IOOptions io;
  std::vector<std::string> names;
  static_cast<void>(files.GetChildren(directory, io, &names, nullptr));
  for (const std::string& name : names) {
    if (name != "." && name != "..") static_cast<void>(files.DeleteFile(directory + "/" + name, io, nullptr));
  }
  static_cast<void>(files.DeleteDir(directory, io, nullptr));
}

}  // namespace

Result<void> make_checkpoint(rocksdb::DB& db, rocksdb::FileSystem& files, const std::string& directory) {
  const rocksdb::IOOptions io;
  if (files.FileExists(directory, io, nullptr).ok())
    return Error{Code::kInUse, directory + " exists already; name a directory that does not"};
  // In a folder that nobody else can look into: RocksDB makes its own readable for all.
  const std::string stage = without_slashes(directory) + ".new";
  if (files.FileExists(stage, io, nullptr).ok())
    return Error{Code::kInUse, stage + " was left behind by a checkpoint that did not finish; remove it"};
  TRY(create_private_directory(files, stage));
  const std::string staged = stage + "/store";
  Result<void> result = write_checkpoint(db, files, staged);
  if (result.ok()) {
    const rocksdb::IOStatus renamed = files.RenameFile(staged, directory, io, nullptr);
    if (!renamed.ok()) result = to_error(renamed);
  }
  if (!result.ok()) remove_directory(files, staged);
  remove_directory(files, stage);
  if (result.ok()) result = sync_directory(files, parent_of(directory));
  return result;
}

}  // namespace sheaf::store
