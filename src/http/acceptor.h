// One loop's share of a server: its listening socket and its connections.
#pragma once

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/function.h"
#include "http/connection.h"

namespace sheaf::http {

// All but load belongs to the loop's thread, or to whoever has the loop to itself.
class Acceptor final : public ConnectionHost, public Watcher, public Timed {
 public:
  // Takes over `listener`, which does not block.
  Acceptor(const Parts& parts, Descriptor listener, size_t connections_max);
  ~Acceptor();

  // All acceptors of the server, this one among them: new connections go to the one that has the fewest, and
  // together they have no more than connections_max.
  void start(const std::vector<std::unique_ptr<Acceptor>>& all);
  // Accepts no more. `emptied` is called once, as soon as no connection is left.
  void drain(Task emptied);
  void close_all();

  size_t load() const { return load_.load(std::memory_order_relaxed); }

  void on_events(uint32_t events) override;
  void on_deadline() override;
  void retire(Connection& connection) override;
  void await_memory(Connection& connection) override;
  void forget_memory(Connection& connection) override;
  void cut_off_stalled() override;

 private:
  void listen();
  void accept_ready(int count_max);
  void place(Descriptor descriptor, std::string peer);
  void adopt(Descriptor descriptor, std::string peer);
  void resume_waiting();
  void cut_off_stalled_here();
  void stop_listening();
  void tell_if_emptied();

  Descriptor listener_;
  const size_t connections_max_;
  const std::vector<std::unique_ptr<Acceptor>>* all_ = nullptr;
  std::atomic<size_t> load_{0};  // connections here and on their way to here
  std::vector<std::unique_ptr<Connection>> connections_;
  std::list<Connection*> waiting_;  // for memory, in the order in which they came
  bool is_notified_ = false;        // the budget has been asked to tell
  Task emptied_;
};

}  // namespace sheaf::http
