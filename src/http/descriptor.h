// Owns a file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace sheaf::http {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    value_ = other.release();
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  int release() { return std::exchange(value_, -1); }
  void close() {
    if (value_ >= 0) ::close(value_);
    value_ = -1;
  }

 private:
  int value_ = -1;
};

}  // namespace sheaf::http
