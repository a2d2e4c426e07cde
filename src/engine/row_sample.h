// Some of the rows of a page, each standing for as many as were left out beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::engine {

// All rows of a short page; of a long one, every second, fourth, ... of which at random none is preferred.
class RowSample {
 public:
  static constexpr size_t kRowsMax = 4;

  RowSample() { keys_.reserve(kKeyBytesUsual * kRowsMax); }

  void add(std::string_view key, uint64_t bytes) {
    if ((seen_++ & (stride_ - 1)) != phase_) return;
    if (size_ == kRowsMax && !halve()) return;
    rows_[size_++] = {.at = keys_.size(), .length = key.size(), .bytes = bytes};
    keys_.append(key);
    bytes_ += bytes;
  }

  size_t size() const { return size_; }
  // How many rows each stands for.
  uint64_t stride() const { return stride_; }
  std::string_view key(size_t i) const {
    return std::string_view(keys_).substr(rows_[i].at, rows_[i].length);
  }
  // Of `whole`, the part that a row has by its bytes.
  uint64_t part(size_t i, uint64_t whole) const { return bytes_ == 0 ? 0 : whole * rows_[i].bytes / bytes_; }

 private:
  static constexpr size_t kKeyBytesUsual = 64;

  struct Row {
    size_t at;
    size_t length;
    uint64_t bytes;
  };

  // Leaves out every second row. Whether the row that was just counted is of those that stay.
  bool halve();

  std::string keys_;  // also of rows that were left out
  std::array<Row, kRowsMax> rows_;
  size_t size_ = 0;
  uint64_t bytes_ = 0;  // of the rows
  uint64_t seen_ = 0;
  uint64_t stride_ = 1;  // a power of two
  uint64_t phase_ = 0;
};

}  // namespace sheaf::engine
