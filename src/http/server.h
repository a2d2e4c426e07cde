// An HTTP server: one event loop a thread, each with its own listening socket on the same port.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/result.h"

#include "base/clock.h"
#include "http/acceptor.h"
#include "http/connection.h"
#include "http/descriptor.h"
#include "http/event_loop.h"
#include "http/exchange.h"
#include "http/memory_budget.h"
#include "http/server_figures.h"
#include "http/tls.h"
#include "http/worker_pool.h"

namespace sheaf::http {

// What it points to must outlive the server.
struct ServerOptions {
  std::string address = "127.0.0.1";  // or a name that resolves to one
  uint16_t port = 0;                  // 0: any that is free
  size_t loops = 0;                   // 0: one for each processor
  size_t connections_max = 20'000;
  std::optional<TlsFiles> tls;
  ConnectionLimits limits;
  MemoryBudget* budget = nullptr;  // null: no bound but connections_max
  WorkerPool* workers = nullptr;   // for Loop::run_blocking
  const Clock* clock = nullptr;    // for the Date of answers; null: the system's
};

class Server {
 public:
  // Listens when it returns. `handler` must outlive the server. kIo if the address cannot be used, kInvalid
  // if it is none or the TLS files are wrong.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options, Handler& handler);
  // As shutdown(0). Nobody may post to its loops from now on: let workers and database finish before.
  ~Server();

  uint16_t port() const { return port_; }
  size_t loop_count() const { return loops_.size(); }
  EventLoop& loop(size_t index) { return *loops_[index]; }

  // Stops accepting, closes idle connections, and lets the others finish the request that they are at, for at
  // most `grace_ms`; then closes all and ends the threads. True if all were finished. Handlers that were not
  // may still answer; nothing happens then. Not from a loop; a second call does nothing.
  bool shutdown(int64_t grace_ms);

  // Thread-safe.
  ServerFigures figures() const;

 private:
  Server(const ServerOptions& options, Handler& handler) : options_(options), handler_(handler) {}
  Result<void> listen();

  const ServerOptions options_;
  Handler& handler_;
  SystemClock system_clock_;
  uint16_t port_ = 0;
  Descriptor held_port_;
  std::unique_ptr<TlsContext> tls_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  std::vector<std::thread> threads_;
  bool is_shut_down_ = false;
};

// Lets the process have as many descriptors as the system allows it; returns how many that is. A server with
// thousands of connections needs more than the usual 1,024.
uint64_t raise_descriptor_limit();

}  // namespace sheaf::http
