// Bytes in one piece, counted against a budget by what is allocated for them.
#pragma once

#include <cstddef>

#include "http/memory_budget.h"

namespace sheaf::http {

class Buffer {
 public:
  // Without a budget nothing is counted. The budget must outlive the buffer.
  explicit Buffer(MemoryBudget* budget) : budget_(budget) {}
  ~Buffer() { clear(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  char* data() { return data_; }
  const char* data() const { return data_; }
  size_t capacity() const { return capacity_; }

  // Allocates exactly `bytes`, which may be less than before; contents are kept as far as they fit. Also
  // beyond the hard line.
  void resize(size_t bytes);
  // As resize, but false, and nothing changes, if that would lead beyond the hard line.
  [[nodiscard]] bool try_resize(size_t bytes);
  void clear();

 private:
  void reallocate(size_t bytes);

  MemoryBudget* const budget_;
  char* data_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace sheaf::http
