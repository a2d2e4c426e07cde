#include "workbench/command_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <utility>

namespace sheaf::workbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "sheaf-workbench-";
// Between being made and being locked a directory looks abandoned.
constexpr time_t kAbandonedSeconds = 60;

// A descriptor that holds the directory's lock, or -1 if somebody else does. The lock ends with the process;
// what it starts does not inherit it.
int lock_directory(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

// One's own, and old enough; not where a link leads to.
bool may_be_abandoned(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
         found.st_mtime + kAbandonedSeconds <= std::time(nullptr);
}

std::string text_in(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

// Links are not followed: they may lead anywhere.
bool is_file(const fs::directory_entry& entry) {
  std::error_code ignored;
  return fs::is_regular_file(entry.symlink_status(ignored));
}

uint64_t size_of(const fs::directory_entry& entry) {
  std::error_code gone;
  const uintmax_t size = entry.file_size(gone);
  return gone ? 0 : size;
}

}  // namespace

CommandDirectory& CommandDirectory::operator=(CommandDirectory&& other) noexcept {
  remove();
  path_ = std::exchange(other.path_, {});
  lock_ = std::exchange(other.lock_, -1);
  given_ = std::move(other.given_);
  return *this;
}

Result<CommandDirectory> CommandDirectory::make(const std::map<std::string, std::string>& files) {
  std::error_code missing;
  const fs::path place = fs::temp_directory_path(missing);
  if (missing)
    return Error{Code::kUnavailable, "there is no directory for temporary files: " + missing.message()};
  static std::once_flag swept;
  std::call_once(swept, [&] { remove_abandoned_directories(place.string()); });
  std::string path = (place / (std::string(kPrefix) + "XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr)
    return Error{Code::kUnavailable, "no directory can be made for the command: " + path};
  CommandDirectory directory;
  directory.path_ = path;
  directory.lock_ = lock_directory(path);
  for (const auto& [name, text] : files) {
    std::ofstream file(fs::path(path) / name, std::ios::binary);
    file << text;
    if (!file.flush()) return Error{Code::kUnavailable, "cannot write " + name + " for the command"};
    directory.given_.emplace(name, Given{.bytes = text.size(), .digest = sha256(text)});
  }
  return directory;
}

uint64_t CommandDirectory::bytes() const {
  uint64_t bytes = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator each(path_, failed), end; !failed && each != end;
       each.increment(failed)) {
    if (is_file(*each)) bytes += size_of(*each);
  }
  return bytes;
}

WrittenFiles CommandDirectory::written(size_t bytes_max, size_t files_max) const {
  std::map<std::string, uint64_t> sizes;
  std::error_code failed;
  for (fs::directory_iterator each(path_, failed), end; !failed && each != end; each.increment(failed)) {
    if (is_file(*each)) sizes.emplace(each->path().filename().string(), size_of(*each));
  }
  WrittenFiles files;
  size_t bytes = 0;
  for (const auto& [name, size] : sizes) {
    const auto before = given_.find(name);
    const bool may_be_same = before != given_.end() && before->second.bytes == size;
    const bool fits = size <= bytes_max - bytes && files.texts.size() < files_max;
    std::string text = may_be_same || fits ? text_in(fs::path(path_) / name) : std::string();
    if (may_be_same && sha256(text) == before->second.digest) continue;
    if (!fits) {
      files.left_out.push_back(name);
      continue;
    }
    bytes += text.size();
    files.texts.emplace(name, std::move(text));
  }
  return files;
}

void CommandDirectory::remove() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(std::exchange(lock_, -1));
  path_.clear();
  given_.clear();
}

size_t remove_abandoned_directories(const std::string& place) {
  size_t removed = 0;
  std::error_code failed;
  for (fs::directory_iterator each(place, failed), end; !failed && each != end; each.increment(failed)) {
    const std::string path = each->path().string();
    if (!each->path().filename().string().starts_with(kPrefix) || !may_be_abandoned(path)) continue;
    const int lock = lock_directory(path);
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(path, ignored);
    ::close(lock);
    ++removed;
  }
  return removed;
}

}  // namespace sheaf::workbench
