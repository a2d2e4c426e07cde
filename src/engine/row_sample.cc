#include "engine/row_sample.h"

#include "base/quick_random.h"

namespace sheaf::engine {

bool RowSample::halve() {
  const size_t first = quick_random() >> 32 & 1;
  size_t kept = 0;
  bytes_ = 0;
  for (size_t i = first; i < size_; i += 2) {
    rows_[kept++] = rows_[i];
    bytes_ += rows_[i].bytes;
  }
  size_ = kept;
  phase_ += first * stride_;
  stride_ *= 2;
  return ((seen_ - 1) & (stride_ - 1)) == phase_;
}

}  // namespace sheaf::engine
