// What a dump writes: a file that grows, or the standard output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "transfer/format.h"

namespace sheaf::transfer {

// `text` compressed as a member or frame of its own, so that a file can be cut off behind it.
std::string packed(std::string_view text, Compression compression);

// For one thread at a time.
class OutputFile {
 public:
  // Makes it; kInvalid if it is there.
  static Result<OutputFile> create(const std::string& path);
  // Opens it and cuts off what lies behind its first `bytes`; kInvalid if it has fewer.
  static Result<OutputFile> open_at(const std::string& path, uint64_t bytes);
  static OutputFile standard_output();

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  Result<void> append(std::string_view bytes);
  Result<void> sync();
  uint64_t bytes() const { return bytes_; }

 private:
  OutputFile(int file, std::string path, uint64_t bytes)
      : file_(file), path_(std::move(path)), bytes_(bytes) {}

  int file_;
  std::string path_;
  uint64_t bytes_;
};

}  // namespace sheaf::transfer
