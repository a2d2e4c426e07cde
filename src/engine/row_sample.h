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

  void add(std::string_view key, uint64_t bytes) {
    if ((seen_++ & (stride_ - 1)) != phase_) return;
    if (size_ == kRowsMax && !halve()) return;
    rows_[size_++] = {.at = keys().size(), .length = key.size(), .bytes = bytes};
    append(key);
    bytes_ += bytes;
  }

  size_t size() const { return size_; }
  // How many rows each stands for.
  uint64_t stride() const { return stride_; }
  std::string_view key(size_t i) const { return keys().substr(rows_[i].at, rows_[i].length); }
  // Of `whole`, the part that a row has by its bytes.
  uint64_t part(size_t i, uint64_t whole) const { return bytes_ == 0 ? 0 : whole * rows_[i].bytes / bytes_; }

 private:
  static constexpr size_t kKeyBytesUsual = 64 * kRowsMax;

  struct Row {
    size_t at;
    size_t length;
    uint64_t bytes;
  };

  // Leaves out every second row. Whether the row that was just counted is of those that stay.
  bool halve();

  // The keys one after the other, also of rows that were left out.
  std::string_view keys() const {
    return long_keys_.empty() ? std::string_view(short_keys_.data(), short_size_) : long_keys_;
  }
  void append(std::string_view key) {
    if (long_keys_.empty() && short_size_ + key.size() <= short_keys_.size()) {
      key.copy(short_keys_.data() + short_size_, key.size());
      short_size_ += key.size();
      return;
    }
    if (long_keys_.empty()) long_keys_.assign(short_keys_.data(), short_size_);
    long_keys_.append(key);
  }

  std::array<char, kKeyBytesUsual> short_keys_;
  size_t short_size_ = 0;
  std::string long_keys_;  // all of them, if they are more than usual
  std::array<Row, kRowsMax> rows_;
  size_t size_ = 0;
  uint64_t bytes_ = 0;  // of the rows
  uint64_t seen_ = 0;
  uint64_t stride_ = 1;  // a power of two
  uint64_t phase_ = 0;
};

}  // namespace sheaf::engine
