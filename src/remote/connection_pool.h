// Connections to one endpoint, kept from one call to the next.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "remote/connection.h"

namespace sheaf::remote {

// Thread-safe.
class ConnectionPool {
 public:
  using Open = std::function<Result<std::unique_ptr<Connection>>(Deadline deadline)>;
  struct Limits {
    size_t connections_max = 16;  // beyond them, callers wait for one
    // Some servers close a connection that was not used for five seconds; what was just sent on it is lost.
    int64_t idle_ms = 4'000;
  };

  ConnectionPool(Open open, const Limits& limits) : open_(std::move(open)), limits_(limits) {}

  // A connection for one exchange.
  class Lease {
   public:
    Lease(ConnectionPool& pool, std::unique_ptr<Connection> connection)
        : pool_(&pool), connection_(std::move(connection)) {}
    Lease(Lease&& other) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    // Closes it, unless it was kept.
    ~Lease() {
      if (connection_) pool_->close(std::move(connection_));
    }

    Connection* operator->() { return connection_.get(); }
    // It can be used again.
    void keep() { pool_->give_back(std::move(connection_)); }

   private:
    ConnectionPool* pool_;
    std::unique_ptr<Connection> connection_;
  };

  // One that was used before, or else a new one. kUnavailable if none can be had until then.
  Result<Lease> take(Deadline deadline);

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    Deadline since;
  };

  std::unique_ptr<Connection> take_idle();
  void give_back(std::unique_ptr<Connection> connection);
  void close(std::unique_ptr<Connection> connection);

  const Open open_;
  const Limits limits_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<Idle> idle_;  // the one used last at the end
  size_t taken_ = 0;
};

}  // namespace sheaf::remote
