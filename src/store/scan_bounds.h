// Where a scan ends: what every store does with the range and the bounds of its caller (invariants 1 and 8).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "store/store.h"

namespace sheaf::store {

inline bool is_key(std::string_view key) {
  if (key.empty()) return false;
  const auto space = static_cast<unsigned char>(key.front());
  return space >= kSpaceMin && space <= kSpaceMax;
}

inline bool is_empty(const Range& range) { return range.begin >= range.end; }

// Whether `range`, which is not empty, goes on to the end of the space that it begins in.
inline bool ends_with_space(const Range& range) { return range.end.front() != range.begin.front(); }

// Counts rows until the slice is full.
class SliceBounds {
 public:
  explicit SliceBounds(const ScanOptions& options)
      : rows_left_(std::min(options.rows_max, kSliceRowsMax)),
        bytes_left_(std::min(options.bytes_max, kSliceBytesMax)) {}

  // Whether a row of this size still belongs to the slice. The first does whatever its size, or a row that is
  // larger than the bound would never come.
  bool take(size_t row_bytes) {
    if (rows_left_ == 0 || (row_bytes > bytes_left_ && !first_)) return false;
    first_ = false;
    --rows_left_;
    bytes_left_ -= std::min(row_bytes, bytes_left_);
    return true;
  }

 private:
  size_t rows_left_;
  size_t bytes_left_;
  bool first_ = true;
};

}  // namespace sheaf::store
