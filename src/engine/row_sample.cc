#include "engine/row_sample.h"

#include "base/quick_random.h"

namespace sheaf::engine {

bool RowSample::halve() {
  const size_t first = quick_random() >> 32 & 1;
  std::string keys;
  std::vector<Row> rows;
  bytes_ = 0;
  for (size_t i = first; i < rows_.size(); i += 2) {
    rows.push_back({.at = keys.size(), .length = rows_[i].length, .bytes = rows_[i].bytes});
    keys.append(key(i));
    bytes_ += rows_[i].bytes;
  }
  keys_ = std::move(keys);
  rows_ = std::move(rows);
  phase_ += first * stride_;
  stride_ *= 2;
  return ((seen_ - 1) & (stride_ - 1)) == phase_;
}

}  // namespace sheaf::engine
