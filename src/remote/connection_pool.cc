#include "remote/connection_pool.h"

namespace sheaf::remote {

Result<ConnectionPool::Lease> ConnectionPool::take(Deadline deadline) {
  std::unique_lock lock(mutex_);
  if (!freed_.wait_until(lock, deadline, [this] { return taken_ < limits_.connections_max; }))
    return Error{Code::kUnavailable, "all connections are in use"};
  ++taken_;
  std::unique_ptr<Connection> connection = take_idle();
  lock.unlock();
  if (connection) return Lease(*this, std::move(connection));
  Result<std::unique_ptr<Connection>> opened = open_(deadline);
  if (opened.ok()) return Lease(*this, std::move(*opened));
  close(nullptr);
  return std::move(opened).error();
}

// Under the lock. Those that were not used for long, or that the other side has closed, are dropped on the
// way.
std::unique_ptr<Connection> ConnectionPool::take_idle() {
  const Deadline oldest = std::chrono::steady_clock::now() - std::chrono::milliseconds(limits_.idle_ms);
  while (!idle_.empty()) {
    Idle last = std::move(idle_.back());
    idle_.pop_back();
    if (last.since >= oldest && last.connection->is_quiet()) return std::move(last.connection);
  }
  return nullptr;
}

void ConnectionPool::give_back(std::unique_ptr<Connection> connection) {
  std::lock_guard lock(mutex_);
  idle_.push_back({.connection = std::move(connection), .since = std::chrono::steady_clock::now()});
  --taken_;
  freed_.notify_one();
}

void ConnectionPool::close(std::unique_ptr<Connection> connection) {
  connection.reset();
  std::lock_guard lock(mutex_);
  --taken_;
  freed_.notify_one();
}

}  // namespace sheaf::remote
