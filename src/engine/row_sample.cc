#include "engine/row_sample.h"

namespace sheaf::engine {
namespace {

bool toss() {
  thread_local uint64_t state = 0x9e3779b97f4a7c15u ^ reinterpret_cast<uintptr_t>(&state);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 32 & 1) != 0;
}

}  // namespace

bool RowSample::halve() {
  const size_t first = toss() ? 1 : 0;
  std::string keys;
  std::vector<Row> rows;
  for (size_t i = first; i < rows_.size(); i += 2) {
    rows.push_back({.at = keys.size(), .length = rows_[i].length, .bytes = rows_[i].bytes});
    keys.append(key(i));
  }
  keys_ = std::move(keys);
  rows_ = std::move(rows);
  phase_ += first * stride_;
  stride_ *= 2;
  return (seen_ - 1) % stride_ == phase_;
}

}  // namespace sheaf::engine
