#include "http/buffer.h"

#include <cstdlib>

namespace sheaf::http {

void Buffer::resize(size_t bytes) {
  if (budget_ != nullptr && bytes > capacity_) budget_->take(bytes - capacity_);
  reallocate(bytes);
}

bool Buffer::try_resize(size_t bytes) {
  if (budget_ != nullptr && bytes > capacity_ && !budget_->try_take(bytes - capacity_)) return false;
  reallocate(bytes);
  return true;
}

void Buffer::clear() {
  std::free(data_);
  data_ = nullptr;
  if (budget_ != nullptr && capacity_ > 0) budget_->release(capacity_);
  capacity_ = 0;
}

// realloc moves large pieces by mapping their pages elsewhere, without copying.
void Buffer::reallocate(size_t bytes) {
  char* const moved = static_cast<char*>(std::realloc(data_, bytes));
  if (moved == nullptr) std::abort();  // out of memory, where nobody could go on
  if (budget_ != nullptr && bytes < capacity_) budget_->release(capacity_ - bytes);
  data_ = moved;
  capacity_ = bytes;
}

}  // namespace sheaf::http
