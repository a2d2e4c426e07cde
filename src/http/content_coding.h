// Compressed bodies, and checksums of answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "http/buffer.h"

struct libdeflate_decompressor;

namespace sheaf::http {

enum class ContentCoding : uint8_t { kIdentity, kGzip, kUnsupported };

// What a Content-Encoding header asks for.
ContentCoding parse_content_coding(std::string_view value);

// The checksum of X-Amz-Crc32 (and of gzip, PNG and Ethernet).
uint32_t crc32(std::string_view bytes);

enum class Inflated : uint8_t {
  kDone,
  kMalformed,  // not gzip, damaged, cut off, or followed by something else
  kTooLarge,   // more than bytes_max
  kNoMemory,   // beyond the budget's hard line
};

// Undoes gzip. One for each thread; its tables are allocated at the first use.
class GzipDecoder {
 public:
  GzipDecoder();
  ~GzipDecoder();

  // On kDone, `to` holds `bytes` bytes, and `padding_bytes` behind them that may be read. Several gzip
  // members count as one body. What is allocated follows what was sent, not what it claims: deflate cannot
  // grow it by more than 1,032 times.
  struct Limits {
    size_t bytes_max;
    size_t padding_bytes;
  };
  Inflated decode(std::string_view compressed, const Limits& limits, Buffer& to, size_t& bytes);

 private:
  struct Deleter {
    void operator()(libdeflate_decompressor* decompressor) const;
  };
  std::unique_ptr<libdeflate_decompressor, Deleter> decompressor_;
};

}  // namespace sheaf::http
