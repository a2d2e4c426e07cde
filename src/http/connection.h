// One client: its socket, and the request that it is at.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "http/content_coding.h"
#include "http/event_loop.h"
#include "http/exchange.h"
#include "http/response_head.h"
#include "http/server_figures.h"
#include "http/socket.h"
#include "http/tls.h"
#include "http/workspace.h"

namespace sheaf::http {

class Connection;

struct ConnectionLimits {
  size_t body_bytes_max = kBodyBytesMax;  // also after its content coding was undone
  int64_t idle_ms = 300'000;              // between requests
  int64_t head_ms = 10'000;  // for the TLS handshake; from a request's first byte to its headers' end
  // A body must be there, and an answer be read, after this time and what its bytes take at the lowest rate.
  int64_t transfer_ms = 10'000;
  int64_t transfer_bytes_per_s_min = 16 << 10;
  int64_t linger_ms = 2'000;  // for a client that is refused to stop sending and read the answer
  // Above the soft line of the memory budget: until who leaves an answer lying is cut off, and a request is
  // throttled.
  int64_t memory_wait_ms = 1'000;
  int64_t drain_ms = 1'000;  // for a request that has begun to arrive when the server is going to stop
};

// When a transfer that began at `begin_ms` and has come to `bytes` is too slow.
int64_t transfer_deadline_ms(const ConnectionLimits& limits, int64_t begin_ms, uint64_t bytes);

// What the connections of one loop share. Used on that loop, but for the counters.
class ConnectionHost {
 public:
  struct Parts {
    EventLoop& loop;
    Handler& handler;
    const ConnectionLimits& limits;
    MemoryBudget* budget;   // may be null
    const TlsContext* tls;  // null: not encrypted
    const Clock& clock;
  };
  explicit ConnectionHost(const Parts& parts)
      : loop(parts.loop),
        handler(parts.handler),
        limits(parts.limits),
        budget(parts.budget),
        tls(parts.tls),
        workspaces(parts.budget, parts.limits.body_bytes_max),
        heads(parts.clock) {}

  EventLoop& loop;
  Handler& handler;
  const ConnectionLimits& limits;
  MemoryBudget* const budget;
  const TlsContext* const tls;
  WorkspacePool workspaces;
  ResponseHeads heads;
  GzipDecoder gzip;
  LoopCounters counters;
  bool is_draining = false;    // every connection closes behind the answer that it owes
  int64_t drain_until_ms = 0;  // for requests that are not there yet
  bool is_in_turn = false;     // one of the connections is being served

  // It is closed; destroys it by a task that is posted now.
  virtual void retire(Connection& connection) = 0;
  // Calls its resume() when there is memory again.
  virtual void await_memory(Connection& connection) = 0;
  virtual void forget_memory(Connection& connection) = 0;
  // Cuts off, on every loop, who leaves an answer lying: before others are throttled for it.
  virtual void cut_off_stalled() = 0;

 protected:
  ~ConnectionHost() = default;
};

// Everything happens on the host's loop. Reads a request, has it handled, writes the answer, and only then
// turns to the next one: a client that does not read is not read from either.
class Connection final : public Watcher, public Timed {
 public:
  Connection(ConnectionHost& host, Descriptor descriptor, std::string peer);
  ~Connection();

  void start();
  void on_events(uint32_t events) override;
  void on_deadline() override;
  // There is memory for a request again.
  void resume();
  // The server is going to stop: closes unless a request has begun to arrive.
  void drain();
  // Whether an answer is on its way out, for longer than a request waits for memory, and more slowly than the
  // lowest rate.
  bool is_stalled() const;
  // At once, whatever is under way; the client learns that it did not get everything.
  void cut_off();
  // At once, whatever is under way.
  void close();

  // Of its host: where it is kept, and where it waits for memory.
  size_t index = 0;
  std::list<Connection*>::iterator waiting;

 private:
  enum class State : uint8_t {
    kHandshake,
    kReading,    // idle, or a request is arriving
    kHandling,   // a request is with the handler
    kClosing,    // as soon as the output is written
    kLingering,  // the answer is written; what still comes in is thrown away
    kClosed,
  };
  // Answers on their way out: small ones together in `head`; of a large one, `body` is apart.
  struct Output {
    std::string head;
    std::string body;
    size_t written_bytes = 0;
    bool empty() const { return head.empty() && body.empty(); }
  };

  void turn();
  bool advance();
  void settle();
  void settle_reading();
  void continue_later();

  bool shake_hands();
  bool receive();
  bool take_workspace();
  void release_workspace();
  bool may_read() const { return socket_.may_read() || (tls_ != nullptr && tls_->may_read()); }
  Io read(char* to, size_t bytes);

  void dispatch();
  void inflate();
  void finish_inflating(Inflated outcome, size_t bytes);
  void hand_over();
  void hand_over_overloaded();
  void answer(Response response);
  void refuse(Refusal reason);
  void write_answer(Response response, bool keeps_alive);

  bool flush();
  Io write();
  void charge_output();
  void finish_closing();
  void discard_input();

  ConnectionHost& host_;
  Socket socket_;
  std::unique_ptr<TlsSession> tls_;
  // While there is a request or a part of one. Shared with the Respond that the handler has.
  std::shared_ptr<Workspace> workspace_;
  Output output_;
  const std::string peer_;
  uint64_t charged_bytes_ = 0;       // for output that the client does not read
  uint64_t blocked_sent_bytes_ = 0;  // since it was found not to
  int64_t blocked_since_ms_ = 0;
  int64_t begun_ms_ = 0;  // when the first bytes of the request came, if they were not all; or the connection
  size_t turn_bytes_ = 0;
  int turn_requests_ = 0;
  State state_ = State::kReading;
  bool is_in_turn_ = false;
  bool continues_ = false;      // a task was posted that goes on
  bool is_blocked_ = false;     // the output is
  bool is_overloaded_ = false;  // the request is answered as throttled
  bool waits_for_memory_ = false;
  bool sent_continue_ = false;
  bool lingers_ = false;  // something that was sent will not be read
  bool has_ended_ = false;
};

}  // namespace sheaf::http
