// A TCP socket that never waits, under an edge-triggered loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "http/descriptor.h"

namespace sheaf::http {

enum class IoState : uint8_t {
  kDone,     // some bytes, at least one
  kBlocked,  // none now; the loop tells when to try again
  kEnded,    // the other side will send no more
  kFailed,   // the connection is gone
};
struct Io {
  IoState state;
  size_t bytes = 0;
};

class Socket {
 public:
  explicit Socket(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int descriptor() const { return descriptor_.get(); }

  // What the loop told about it.
  void note_events(uint32_t events);
  // Whether a read may find something: from the first event that says so until a read gets less than it asked
  // for, which saves the call that would only find nothing.
  bool may_read() const { return may_read_; }

  Io read(char* to, size_t bytes);
  // Writes both, one behind the other, in one call. May write a part.
  Io write(std::string_view first, std::string_view second = {});
  // Reads what is there and throws it away: kBlocked, kEnded or kFailed, or kDone if there may be more.
  Io discard();

  // The other side reads the end; what it sends can still be read.
  void end_writing();
  // Forgets what was written and not yet sent.
  void abort();
  void close() { descriptor_.close(); }

 private:
  Descriptor descriptor_;
  bool may_read_ = false;
  bool is_ending_ = false;
};

}  // namespace sheaf::http
