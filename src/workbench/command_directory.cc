#include "workbench/command_directory.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace sheaf::workbench {
namespace {

namespace fs = std::filesystem;

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
  given_ = std::move(other.given_);
  return *this;
}

Result<CommandDirectory> CommandDirectory::make(const std::map<std::string, std::string>& files) {
  std::error_code missing;
  const fs::path place = fs::temp_directory_path(missing);
  if (missing)
    return Error{Code::kUnavailable, "there is no directory for temporary files: " + missing.message()};
  std::string path = (place / "sheaf-workbench-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr)
    return Error{Code::kUnavailable, "no directory can be made for the command: " + path};
  CommandDirectory directory;
  directory.path_ = path;
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
  path_.clear();
  given_.clear();
}

}  // namespace sheaf::workbench
