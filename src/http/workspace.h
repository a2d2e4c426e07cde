// What a connection needs while it has a request, and only then: an idle connection has none.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/buffer.h"
#include "http/exchange.h"
#include "http/request_parser.h"

namespace sheaf::http {

class Connection;

// The bytes that have arrived: those of the present request first, then those of the next ones.
class Input {
 public:
  // Room for every head, so that only bodies make it grow.
  static constexpr size_t kCapacityFirst = kHeadBytesMax + 4096;

  explicit Input(MemoryBudget* budget) : buffer_(budget) { buffer_.resize(kCapacityFirst); }

  char* data() { return buffer_.data() + begin_; }
  const char* data() const { return buffer_.data() + begin_; }
  size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  // After bytes were put behind the end or taken out before it.
  void set_size(size_t bytes) { end_ = begin_ + bytes; }
  // Where to read to. kPadding bytes behind stay free.
  char* room() { return buffer_.data() + end_; }
  size_t room_bytes() const { return buffer_.capacity() - kPadding - end_; }

  // Makes room, moving what is there; if need be, by allocating twice as much, but no more than a request of
  // `bytes_expected` needs, if that is known. False beyond the hard line of the budget.
  [[nodiscard]] bool make_room(size_t bytes_expected);
  bool is_grown() const { return buffer_.capacity() > kCapacityFirst; }
  // Drops the first bytes, which were a request.
  void drop(size_t bytes);
  void clear();

 private:
  void move_to_front();

  Buffer buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

// Shared, because a handler may still work on the request, on another thread, when its connection is gone:
// the connection and the Respond that was given to the handler hold it.
struct Workspace {
  Workspace(MemoryBudget* budget, size_t body_bytes_max)
      : input(budget), parser(body_bytes_max), inflated(budget) {}

  Connection* connection = nullptr;  // null when that is gone. Touched on its loop only
  Input input;
  RequestParser parser;
  Request request;
  Buffer inflated;   // the body without its content coding
  std::string peer;  // what request.peer shows
  std::string out;   // lent to the connection for its answers
};

// Of one loop. The budget must outlive it and what it gave away.
class WorkspacePool {
 public:
  WorkspacePool(MemoryBudget* budget, size_t body_bytes_max)
      : budget_(budget), body_bytes_max_(body_bytes_max) {}

  std::shared_ptr<Workspace> take();
  // Keeps it for the next one, if it can.
  void give_back(std::shared_ptr<Workspace> workspace);

 private:
  static constexpr size_t kKeptMax = 32;
  static constexpr size_t kOutBytesKept = 64 << 10;

  MemoryBudget* const budget_;
  const size_t body_bytes_max_;
  std::vector<std::shared_ptr<Workspace>> kept_;  // the last one given back is the one still in the caches
};

}  // namespace sheaf::http
