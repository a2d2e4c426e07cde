// What a server counts, for its metrics.
#pragma once

#include <atomic>
#include <cstdint>

namespace sheaf::http {

// Written by one thread, read by any: adding costs no more than on a plain number.
class Counter {
 public:
  void add(uint64_t by = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// Of one loop.
struct LoopCounters {
  Counter accepted;
  Counter refused_connections;
  Counter requests;
  Counter refused_requests;
  Counter cut_off;
  Counter throttled;
  Counter waited_for_memory;
  Counter bytes_received;
  Counter bytes_sent;
};

// Of all loops together, since the start.
struct ServerFigures {
  uint64_t connections_open = 0;  // now
  uint64_t connections_accepted = 0;
  uint64_t connections_refused = 0;  // beyond the maximum, or without a descriptor left for them
  uint64_t requests = 0;             // handed to the handler, throttled ones included
  uint64_t requests_refused = 0;     // malformed or beyond a limit
  uint64_t cut_off = 0;              // connections given up because the client was too slow
  uint64_t throttled = 0;            // handled as overloaded
  uint64_t waited_for_memory = 0;    // how often a connection was read no further for want of memory
  uint64_t bytes_received = 0;       // of requests, after decryption
  uint64_t bytes_sent = 0;           // of answers, before encryption
  uint64_t loop_iterations = 0;
};

}  // namespace sheaf::http
