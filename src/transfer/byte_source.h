// Bytes from files, front to back, compressed or not.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::transfer {

// For one thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Some bytes, which live until the next call; none at the end. kWouldBlock if a pipe or a terminal has
  // given nothing for a moment: the next call goes on.
  virtual Result<std::string_view> next() = 0;
  // How many were used up where they lie: compressed, if they are.
  virtual uint64_t taken_bytes() const = 0;
};

// A file, or the standard input if `path` is "-".
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path);
// For tests: `text`, so many bytes at a time.
std::unique_ptr<ByteSource> source_of(std::string text, size_t at_once);

// What `packed` holds, decompressed if it begins as gzip or zstd does: one member or frame, or several, one
// after the other. What is damaged or cut off is kCorrupt; what is packed or encoded as nothing here reads it
// is kInvalid, with its name.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> packed);

}  // namespace sheaf::transfer
