// A closed loop: so many connections, each of which sends its next request when the last is answered. One
// thread, in the process of the benchmark; the servers are other processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

#include "bench/answer_framing.h"
#include "bench/client_socket.h"

namespace sheaf::bench {

// What was measured, of a server or of something beside one.
struct Sample {
  double operations = 0;
  double seconds = 0;
  std::optional<double> cpu_us;  // the server's, for all operations together, if it can be seen
  double client_cpu_us = 0;      // what driving it took

  double rate() const { return operations / seconds; }
};

// Where requests come from.
class Source {
 public:
  virtual ~Source() = default;
  // Before a measurement, at nobody's expense.
  virtual void prepare(size_t connections) = 0;
  // The next request; it stays until the connection's next.
  virtual std::string_view next(size_t connection) = 0;
  // Whether this is the answer to the last request of the connection. Asked about a part of the answers;
  // that all of them are successes is known without it.
  virtual bool is_right(size_t connection, std::string_view answer) = 0;
};

struct LoadTarget {
  Address address;
  Protocol protocol = Protocol::kHttp;
  std::vector<std::string> greeting;      // sent over a new connection and answered, one after the other
  std::function<double()> server_cpu_us;  // so far; none if it cannot be seen
};

struct LoadOptions {
  size_t connections = 1;
  // Measured for so long, after some time that is not; or until so many requests are answered, and then from
  // the first to the last.
  double seconds = 0;
  uint64_t requests = 0;
  size_t checked_each = 64;  // one answer in so many
};

// Fails if a request does, or if an answer is wrong.
Result<Sample> run_load(const LoadTarget& target, Source& source, const LoadOptions& options);

}  // namespace sheaf::bench
