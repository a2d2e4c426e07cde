#include "transfer/output_file.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/errors.h"

namespace sheaf::transfer {
namespace {

constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;

Error output_failed(std::string_view what, const std::string& path) {
  return {Code::kIo, "cannot " + std::string(what) + " " + path + ": " + std::strerror(errno)};
}

std::string gzip_packed(std::string_view text) {
  using Compressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;
  thread_local const Compressor compressor(libdeflate_alloc_compressor(kGzipLevel),
                                           libdeflate_free_compressor);
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), text.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), text.data(), text.size(), out.data(), out.size()));
  return out;
}

std::string zstd_packed(std::string_view text) {
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compressor(ZSTD_createCCtx(),
                                                                                     ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress2(compressor.get(), out.data(), out.size(), text.data(), text.size()));
  return out;
}

}  // namespace

std::string packed(std::string_view text, Compression compression) {
  switch (compression) {
    case Compression::kGzip:
      return gzip_packed(text);
    case Compression::kZstd:
      return zstd_packed(text);
    case Compression::kNone:
      break;
  }
  return std::string(text);
}

Result<OutputFile> OutputFile::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST) return invalid(path + " is there already; name another, or remove it");
  if (file < 0) return output_failed("create", path);
  return OutputFile(file, path, 0);
}

Result<OutputFile> OutputFile::open_at(const std::string& path, uint64_t bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return output_failed("open", path);
  OutputFile output(file, path, bytes);
  struct stat found {};
  if (::fstat(file, &found) != 0) return output_failed("look at", path);
  if (static_cast<uint64_t>(found.st_size) < bytes)
    return invalid(path + " has " + std::to_string(found.st_size) + " bytes, and " + std::to_string(bytes) +
                   " were written: is it the same file?");
  if (::ftruncate(file, static_cast<off_t>(bytes)) != 0) return output_failed("cut off the end of", path);
  if (::lseek(file, 0, SEEK_END) < 0) return output_failed("go to the end of", path);
  return output;
}

OutputFile OutputFile::standard_output() { return OutputFile(STDOUT_FILENO, "the standard output", 0); }

OutputFile::OutputFile(OutputFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)), path_(std::move(other.path_)), bytes_(other.bytes_) {}

OutputFile::~OutputFile() {
  if (file_ > STDOUT_FILENO) ::close(file_);
}

Result<void> OutputFile::append(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return output_failed("write", path_);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Result<void> OutputFile::sync() {
  if (file_ == STDOUT_FILENO || ::fsync(file_) == 0) return {};
  return output_failed("sync", path_);
}

}  // namespace sheaf::transfer
