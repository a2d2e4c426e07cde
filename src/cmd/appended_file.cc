#include "cmd/appended_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/try.h"

namespace sheaf::cmd {

Error AppendedFile::failed(std::string_view what) const {
  return {Code::kUnavailable, "cannot " + std::string(what) + " " + path_ + ": " + std::strerror(errno)};
}

Result<AppendedFile> AppendedFile::open(const std::string& path) {
  AppendedFile made(path,
                    http::Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)));
  const int file = made.file_.get();
  if (!made.file_.is_open()) return made.failed("open");
  struct stat state {};
  if (::fstat(file, &state) != 0) return made.failed("read");
  if (!S_ISREG(state.st_mode)) return Error{Code::kInvalid, path + " is no file"};
  off_t end = state.st_size;
  for (char last = 0; end > 0; --end) {
    if (::pread(file, &last, 1, end - 1) != 1) return made.failed("read");
    if (last == '\n') break;
  }
  if (end < state.st_size && ::ftruncate(file, end) != 0) return made.failed("write");
  // Its name must be there after a crash, too.
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const http::Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open() || ::fsync(directory.get()) != 0) return made.failed("write");
  return made;
}

Result<void> AppendedFile::append(std::string_view lines) {
  while (!lines.empty()) {
    const ssize_t written = ::write(file_.get(), lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failed("write");
    lines.remove_prefix(static_cast<size_t>(written));
  }
  if (::fdatasync(file_.get()) != 0) return failed("write");
  return {};
}

}  // namespace sheaf::cmd
