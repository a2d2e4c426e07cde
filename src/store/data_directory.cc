#include "store/data_directory.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/try.h"

namespace sheaf::store {
namespace {

constexpr std::string_view kFormatFile = "FORMAT";
constexpr std::string_view kFormatWord = "sheaf ";

Result<void> checked(const rocksdb::IOStatus& status, const std::string& what) {
  if (status.ok()) return {};
  return Error{Code::kIo, what + ": " + status.ToString()};
}

std::string path_in(const std::string& directory, std::string_view name) {
  return directory + "/" + std::string(name);
}

Result<int> parse_format(std::string_view text, const std::string& directory) {
  int version = 0;
  if (text.starts_with(kFormatWord)) {
    text.remove_prefix(kFormatWord.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error == std::errc() && std::string_view(end, text.data() + text.size()) == "\n") return version;
  }
  return Error{Code::kCorrupt,
               "the FORMAT file in " + directory + " does not say in which format the data is"};
}

Result<std::string> read_file(rocksdb::FileSystem& files, const std::string& path) {
  std::string text;
  rocksdb::IOStatus status;
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  status = files.NewSequentialFile(path, rocksdb::FileOptions(), &file, nullptr);
  TRY(checked(status, "cannot open " + path));
  char buffer[64];
  rocksdb::Slice slice;
  TRY(checked(file->Read(sizeof(buffer), rocksdb::IOOptions(), &slice, buffer, nullptr),
              "cannot read " + path));
  return slice.ToString();
}

// RocksDB would take a directory without its CURRENT file for a new one, and delete what is there.
Result<void> check_complete(rocksdb::FileSystem& files, const std::string& directory,
                            const std::vector<std::string>& names) {
  const rocksdb::IOStatus current = files.FileExists(path_in(directory, "CURRENT"), {}, nullptr);
  if (!current.IsNotFound()) return checked(current, "cannot look into " + directory);
  for (const std::string& name : names) {
    if (name.ends_with(".sst") || name.ends_with(".log"))
      return Error{Code::kCorrupt, directory + " holds data (" + name +
                                       ") but its CURRENT file is missing. Restore it, or a checkpoint."};
  }
  return {};
}

}  // namespace

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string parent_of(const std::string& path) {
  const std::string bare = without_slashes(path);
  const size_t slash = bare.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : bare.substr(0, slash);
}

Result<void> sync_directory(rocksdb::FileSystem& files, const std::string& directory) {
  const rocksdb::IOOptions io;
  std::unique_ptr<rocksdb::FSDirectory> folder;
  TRY(checked(files.NewDirectory(directory, io, &folder, nullptr), "cannot open " + directory));
  return checked(folder->Fsync(io, nullptr), "cannot sync " + directory);
}

Result<void> create_private_directory(rocksdb::FileSystem& files, const std::string& directory) {
  if (&files != rocksdb::FileSystem::Default().get())
    return checked(files.CreateDirIfMissing(directory, {}, nullptr), "cannot create " + directory);
  if (::mkdir(directory.c_str(), S_IRWXU) == 0 || errno == EEXIST) return {};
  return Error{Code::kIo, "cannot create " + directory + ": " + std::strerror(errno)};
}

void make_private(rocksdb::FileSystem& files, const std::string& directory) {
  if (&files == rocksdb::FileSystem::Default().get()) ::chmod(directory.c_str(), S_IRWXU);
}

Result<void> write_format(rocksdb::FileSystem& files, const std::string& directory) {
  // Under another name first: a crash must not leave half a FORMAT file.
  const std::string path = path_in(directory, kFormatFile);
  const std::string fresh = path + ".new";
  const rocksdb::IOOptions io;
  std::unique_ptr<rocksdb::FSWritableFile> file;
  TRY(checked(files.NewWritableFile(fresh, rocksdb::FileOptions(), &file, nullptr),
              "cannot create " + fresh));
  const std::string text = std::string(kFormatWord) + std::to_string(kFormatVersion) + "\n";
  TRY(checked(file->Append(text, io, nullptr), "cannot write " + fresh));
  TRY(checked(file->Fsync(io, nullptr), "cannot sync " + fresh));
  TRY(checked(file->Close(io, nullptr), "cannot close " + fresh));
  TRY(checked(files.RenameFile(fresh, path, io, nullptr), "cannot rename " + fresh));
  return sync_directory(files, directory);
}

Result<void> check_access(const std::string& directory) {
  struct stat found {};
  const bool is_there = ::stat(directory.c_str(), &found) == 0;
  if (is_there && !S_ISDIR(found.st_mode))
    return Error{Code::kIo, "cannot open " + directory + ": it is no directory"};
  if (::access(directory.c_str(), R_OK | W_OK | X_OK) != 0 && errno == EACCES)
    return Error{Code::kIo, "cannot open " + directory + ": permission denied"};
  return {};
}

Result<void> claim_directory(rocksdb::FileSystem& files, const std::string& directory) {
  const rocksdb::IOOptions io;
  if (!files.FileExists(directory, io, nullptr).ok()) TRY(create_private_directory(files, directory));
  std::vector<std::string> names;
  TRY(checked(files.GetChildren(directory, io, &names, nullptr), "cannot list " + directory));

  const std::string path = path_in(directory, kFormatFile);
  if (std::find(names.begin(), names.end(), kFormatFile) != names.end()) {
    const int version = TRY(parse_format(TRY(read_file(files, path)), directory));
    if (version <= kFormatVersion) return check_complete(files, directory, names);
    return Error{Code::kNewerFormat, directory + " has format " + std::to_string(version) +
                                         ", written by a newer Sheaf; this one reads formats up to " +
                                         std::to_string(kFormatVersion) +
                                         ". Open it with the newer version."};
  }
  for (const std::string& name : names) {
    if (name == "." || name == ".." || name == "FORMAT.new") continue;
    return Error{Code::kInvalid, directory + " is not a Sheaf data directory (it holds " + name +
                                     " but no FORMAT file). Name an empty or a new directory."};
  }
  // The directory's own entry first: nothing in it is durable before it is.
  TRY(sync_directory(files, parent_of(directory)));
  return write_format(files, directory);
}

}  // namespace sheaf::store
