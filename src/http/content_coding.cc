#include "http/content_coding.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "http/header_list.h"
#include "http/header_name.h"

namespace sheaf::http {
namespace {

constexpr size_t kGrowthMax = 1032;   // of deflate: 258 bytes for 2 bits
constexpr size_t kBytesFirst = 1024;  // where the size claimed is smaller

// The size that a gzip file claims for its last member, in its last four bytes.
size_t claimed_bytes(std::string_view compressed) {
  if (compressed.size() < 4) return 0;
  unsigned char last[4];
  std::memcpy(last, compressed.data() + compressed.size() - 4, 4);
  return size_t{last[0]} | size_t{last[1]} << 8 | size_t{last[2]} << 16 | size_t{last[3]} << 24;
}

}  // namespace

ContentCoding parse_content_coding(std::string_view value) {
  ContentCoding coding = ContentCoding::kIdentity;
  while (!value.empty()) {
    const std::string_view element = take_element(value);
    if (element.empty() || is_same_name(element, "identity")) continue;
    const bool is_gzip = is_same_name(element, "gzip") || is_same_name(element, "x-gzip");
    // Twice compressed is nothing that a client does by itself.
    if (!is_gzip || coding == ContentCoding::kGzip) return ContentCoding::kUnsupported;
    coding = ContentCoding::kGzip;
  }
  return coding;
}

uint32_t crc32(std::string_view bytes) { return libdeflate_crc32(0, bytes.data(), bytes.size()); }

void GzipDecoder::Deleter::operator()(libdeflate_decompressor* decompressor) const {
  libdeflate_free_decompressor(decompressor);
}

GzipDecoder::GzipDecoder() = default;
GzipDecoder::~GzipDecoder() = default;

Inflated GzipDecoder::decode(std::string_view compressed, const Limits& limits, Buffer& to, size_t& bytes) {
  if (decompressor_ == nullptr) decompressor_.reset(libdeflate_alloc_decompressor());
  if (decompressor_ == nullptr) return Inflated::kNoMemory;

  const size_t reachable = std::min(limits.bytes_max, compressed.size() * kGrowthMax);
  size_t room = std::min(std::max(claimed_bytes(compressed), kBytesFirst), reachable);
  if (!to.try_resize(room + limits.padding_bytes)) return Inflated::kNoMemory;
  bytes = 0;
  do {
    size_t taken = 0;
    size_t given = 0;
    const libdeflate_result result =
        libdeflate_gzip_decompress_ex(decompressor_.get(), compressed.data(), compressed.size(),
                                      to.data() + bytes, room - bytes, &taken, &given);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      // The claim was too small: it is wrong, or that of the last of several members.
      if (room == limits.bytes_max) return Inflated::kTooLarge;
      if (room >= reachable) return Inflated::kMalformed;
      room = std::min(room * 2, reachable);
      if (!to.try_resize(room + limits.padding_bytes)) return Inflated::kNoMemory;
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS) return Inflated::kMalformed;
    bytes += given;
    compressed.remove_prefix(taken);
  } while (!compressed.empty());
  return Inflated::kDone;
}

}  // namespace sheaf::http
