// Compresses, for tests.
#pragma once

#include <libdeflate.h>

#include <memory>
#include <string>
#include <string_view>

namespace sheaf::http {

inline std::string gzip(std::string_view text) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(6), libdeflate_free_compressor);
  std::string compressed(libdeflate_gzip_compress_bound(compressor.get(), text.size()), '\0');
  compressed.resize(libdeflate_gzip_compress(compressor.get(), text.data(), text.size(), compressed.data(),
                                             compressed.size()));
  return compressed;
}

}  // namespace sheaf::http
