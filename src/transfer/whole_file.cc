#include "transfer/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/errors.h"
#include "base/try.h"
#include "transfer/byte_source.h"

namespace sheaf::transfer {
namespace {

constexpr size_t kWholeBytesMax = size_t{64} << 20;

Error file_failed(const std::string& path) {
  return {Code::kIo, "cannot write " + path + ": " + std::strerror(errno)};
}

bool write_and_sync(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return ::fsync(file) == 0;
}

}  // namespace

Result<bool> is_there(const std::string& path) {
  std::error_code failed;
  const bool found = std::filesystem::exists(path, failed);
  if (failed) return Error{Code::kIo, "cannot look at " + path + ": " + failed.message()};
  return found;
}

Result<bool> is_folder(const std::string& path) {
  if (!TRY(is_there(path))) return false;
  std::error_code failed;
  const bool found = std::filesystem::is_directory(path, failed);
  if (failed) return Error{Code::kIo, "cannot look at " + path + ": " + failed.message()};
  return found;
}

Result<std::string> read_whole_file(const std::string& path) {
  const std::unique_ptr<ByteSource> file = TRY(open_file(path));
  std::string text;
  while (true) {
    const Result<std::string_view> more = file->next();
    if (!more.ok() && more.error().code == Code::kWouldBlock) continue;
    if (!more.ok()) return more.error();
    if (more->empty()) return text;
    text.append(*more);
    if (text.size() > kWholeBytesMax) return invalid(path + " is too large for what it should be");
  }
}

Result<void> write_whole_file(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return file_failed(fresh);
  const bool is_written = write_and_sync(file, text);
  const Error failed = file_failed(fresh);
  ::close(file);
  if (!is_written) return failed;
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return file_failed(path);
  return {};
}

}  // namespace sheaf::transfer
