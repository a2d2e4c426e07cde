#include "transfer/byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/try.h"

namespace sheaf::transfer {
namespace {

constexpr size_t kBytesAtOnce = 256 * 1024;
constexpr std::string_view kGzipBegins = "\x1f\x8b";
constexpr std::string_view kZstdBegins = "\x28\xb5\x2f\xfd";
// So soon whoever waits for a pipe can look whether it is still wanted.
constexpr int kPipeWaitMs = 50;

struct Unreadable {
  std::string_view begins, problem;
};
constexpr Unreadable kUnreadable[] = {
    {"\xfd"
     "7zX",
     "it is compressed by xz, which is not read here: unpack it with xz -d"},
    {"BZh", "it is compressed by bzip2, which is not read here: unpack it with bunzip2"},
    {"PK\x03\x04", "it is a zip archive, which is not read here: unpack it with unzip"},
    {"\xff\xfe", "it is UTF-16, and UTF-8 is wanted: iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", "it is UTF-16, and UTF-8 is wanted: iconv -f UTF-16 -t UTF-8"},
};
// What bzip2 has behind its first letters, which could be those of a column.
constexpr std::string_view kBzipBlock = "1AY&SY";

const Unreadable* unreadable_kind(std::string_view beginning) {
  for (const Unreadable& kind : kUnreadable) {
    if (!beginning.starts_with(kind.begins)) continue;
    if (kind.begins == "BZh" && beginning.substr(std::min<size_t>(beginning.size(), 4), 6) != kBzipBlock)
      continue;
    return &kind;
  }
  return nullptr;
}

bool is_regular(int file) {
  struct stat found {};
  return ::fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

class FileSource final : public ByteSource {
 public:
  FileSource(int file, std::string path)
      : file_(file), path_(std::move(path)), waits_(!is_regular(file)), room_(kBytesAtOnce, '\0') {}
  ~FileSource() override {
    if (file_ != STDIN_FILENO) ::close(file_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::string_view> next() override {
    // A pipe may give one byte at a time; how the file is compressed can be seen from four.
    while (true) {
      if (waits_) {
        pollfd watched{.fd = file_, .events = POLLIN, .revents = 0};
        if (::poll(&watched, 1, kPipeWaitMs) <= 0)
          return Error{Code::kWouldBlock, path_ + " gives nothing yet"};
      }
      const ssize_t got = ::read(file_, room_.data() + filled_, room_.size() - filled_);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return Error{Code::kWouldBlock, path_ + " gives nothing yet"};
      if (got < 0) return Error{Code::kIo, "cannot read " + path_ + ": " + std::strerror(errno)};
      if (got == 0) break;
      filled_ += static_cast<size_t>(got);
      if (taken_ > 0 || filled_ >= kZstdBegins.size()) break;
    }
    taken_ += filled_;
    return std::string_view(room_).substr(0, std::exchange(filled_, 0));
  }
  uint64_t taken_bytes() const override { return taken_; }

 private:
  const int file_;
  const std::string path_;
  const bool waits_;  // for others: it is no file
  std::string room_;
  size_t filled_ = 0;  // of room_, not yet given
  uint64_t taken_ = 0;
};

class TextSource final : public ByteSource {
 public:
  TextSource(std::string text, size_t at_once) : text_(std::move(text)), at_once_(at_once) {}

  Result<std::string_view> next() override {
    const size_t least = taken_ == 0 ? kZstdBegins.size() : 1;
    const std::string_view part = std::string_view(text_).substr(taken_, at_once_ < least ? least : at_once_);
    taken_ += part.size();
    return part;
  }
  uint64_t taken_bytes() const override { return taken_; }

 private:
  const std::string text_;
  const size_t at_once_;
  size_t taken_ = 0;
};

Error damaged(std::string_view how) { return {Code::kCorrupt, std::string(how)}; }

class UnpackedSource final : public ByteSource {
 public:
  explicit UnpackedSource(std::unique_ptr<ByteSource> packed) : packed_(std::move(packed)) {}
  ~UnpackedSource() override {
    if (kind_ == Kind::kGzip) inflateEnd(&gzip_);
    ZSTD_freeDCtx(zstd_);
  }
  UnpackedSource(const UnpackedSource&) = delete;
  UnpackedSource& operator=(const UnpackedSource&) = delete;

  Result<std::string_view> next() override {
    if (kind_ == Kind::kUnseen) TRY(look());
    if (kind_ == Kind::kPlain && input_.empty()) return packed_->next();
    if (kind_ == Kind::kPlain) return std::exchange(input_, std::string_view());
    while (true) {
      if (input_.empty() && !is_ended_) {
        input_ = TRY(packed_->next());
        is_ended_ = input_.empty();
      }
      const size_t given = TRY(kind_ == Kind::kGzip ? inflate_some() : decompress_some());
      if (given > 0) return std::string_view(room_).substr(0, given);
      if (is_ended_ && input_.empty()) {
        if (is_inside_) return damaged("the compressed data is cut off");
        return std::string_view();
      }
    }
  }
  uint64_t taken_bytes() const override { return packed_->taken_bytes() - input_.size(); }

 private:
  enum class Kind : uint8_t { kUnseen, kPlain, kGzip, kZstd };

  Result<void> look() {
    input_ = TRY(packed_->next());
    if (const Unreadable* const kind = unreadable_kind(input_); kind != nullptr)
      return Error{Code::kInvalid, std::string(kind->problem)};
    kind_ = Kind::kPlain;
    if (input_.starts_with(kGzipBegins)) {
      // 16: with the head and the checksum of gzip.
      if (inflateInit2(&gzip_, MAX_WBITS + 16) != Z_OK) return damaged("no memory to decompress");
      kind_ = Kind::kGzip;
    } else if (input_.starts_with(kZstdBegins)) {
      zstd_ = ZSTD_createDCtx();
      kind_ = Kind::kZstd;
    }
    if (kind_ != Kind::kPlain) room_.resize(kBytesAtOnce);
    return {};
  }

  Result<size_t> inflate_some() {
    // Output may be waiting inside although there is no more input.
    if (input_.empty() && !is_inside_) return size_t{0};
    if (!is_inside_ && inflateReset(&gzip_) != Z_OK) return damaged("the gzip data is damaged");
    is_inside_ = true;
    gzip_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(input_.data()));
    gzip_.avail_in = static_cast<uInt>(input_.size());
    gzip_.next_out = reinterpret_cast<Bytef*>(room_.data());
    gzip_.avail_out = static_cast<uInt>(room_.size());
    const int outcome = inflate(&gzip_, Z_NO_FLUSH);
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR)
      return damaged("the gzip data is damaged");
    input_.remove_prefix(input_.size() - gzip_.avail_in);
    if (outcome == Z_STREAM_END) is_inside_ = false;
    return room_.size() - gzip_.avail_out;
  }

  Result<size_t> decompress_some() {
    ZSTD_inBuffer in{input_.data(), input_.size(), 0};
    ZSTD_outBuffer out{room_.data(), room_.size(), 0};
    if (input_.empty() && !is_inside_) return size_t{0};
    const size_t hint = ZSTD_decompressStream(zstd_, &out, &in);
    if (ZSTD_isError(hint)) return damaged("the zstd data is damaged");
    input_.remove_prefix(in.pos);
    is_inside_ = hint != 0;
    return out.pos;
  }

  std::unique_ptr<ByteSource> packed_;
  Kind kind_ = Kind::kUnseen;
  std::string_view input_;  // of packed_, not yet taken
  bool is_ended_ = false;
  bool is_inside_ = false;  // of a member or frame
  std::string room_;
  z_stream gzip_{};
  ZSTD_DCtx* zstd_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  if (path == "-") return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(STDIN_FILENO, "-"));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Error{Code::kIo, "cannot open " + path + ": " + std::strerror(errno)};
  return std::unique_ptr<ByteSource>(std::make_unique<FileSource>(file, path));
}

std::unique_ptr<ByteSource> source_of(std::string text, size_t at_once) {
  return std::make_unique<TextSource>(std::move(text), at_once);
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> packed) {
  return std::make_unique<UnpackedSource>(std::move(packed));
}

}  // namespace sheaf::transfer
