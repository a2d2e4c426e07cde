#include "http/connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace sheaf::http {
namespace {

// Larger bodies are written from where they are, together with their head.
constexpr size_t kCopiedBodyBytesMax = 8 << 10;
// Answers to pipelined requests are written together up to about this size.
constexpr size_t kFlushBytes = 64 << 10;
// Then it is the other connections' turn.
constexpr size_t kTurnBytesMax = 256 << 10;
constexpr int kTurnRequestsMax = 64;
constexpr int kTurnDiscardsMax = 16;
// What takes longer to inflate than to hand to another thread.
constexpr size_t kInflatedHereBytesMax = 16 << 10;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

int64_t transfer_deadline_ms(const ConnectionLimits& limits, int64_t begin_ms, uint64_t bytes) {
  return begin_ms + limits.transfer_ms + static_cast<int64_t>(bytes) * 1000 / limits.transfer_bytes_per_s_min;
}

Connection::Connection(ConnectionHost& host, Descriptor descriptor, std::string peer)
    : host_(host), socket_(std::move(descriptor)), peer_(std::move(peer)) {
  if (host_.tls == nullptr) return;
  tls_ = std::make_unique<TlsSession>(*host_.tls, socket_);
  begun_ms_ = host_.loop.now_ms();
  state_ = State::kHandshake;
}

Connection::~Connection() { assert(state_ == State::kClosed); }

void Connection::start() {
  if (!host_.loop.watch(socket_.descriptor(), *this).ok()) return close();
  if (host_.is_draining) return drain();
  settle();  // whatever is there already comes as an event
}

void Connection::on_events(uint32_t events) {
  if (state_ == State::kClosed) return;
  if (events & (EPOLLERR | EPOLLHUP)) return close();  // nobody is left to answer
  socket_.note_events(events);
  if (state_ == State::kHandling && !is_blocked_) return;
  turn();
}

void Connection::on_deadline() {
  if (waits_for_memory_) {
    host_.forget_memory(*this);
    host_.cut_off_stalled();
    is_overloaded_ = host_.budget->is_above_soft_line();
    return resume();
  }
  // A handshake has nothing to lose; an answer that nobody reads should not stay in the kernel either.
  if (is_blocked_ || state_ == State::kHandshake) return cut_off();
  if (state_ == State::kHandling) return;
  if (state_ == State::kReading && begun_ms_ != 0) {
    host_.counters.cut_off.add();
    if (workspace_ == nullptr) return close();
    refuse(Refusal::kTimeout);
    return turn();
  }
  close();
}

void Connection::resume() {
  waits_for_memory_ = false;
  turn();
}

void Connection::drain() {
  if (state_ == State::kHandshake || state_ == State::kLingering) return close();
  // What has just arrived is still served: there may be bytes that no event has told about yet.
  socket_.note_events(EPOLLIN);
  turn();
}

bool Connection::is_stalled() const {
  if (!is_blocked_) return false;
  const int64_t blocked_ms = host_.loop.now_ms() - blocked_since_ms_;
  return blocked_ms >= host_.limits.memory_wait_ms && static_cast<int64_t>(blocked_sent_bytes_) * 1000 <
                                                          blocked_ms * host_.limits.transfer_bytes_per_s_min;
}

void Connection::cut_off() {
  host_.counters.cut_off.add();
  socket_.abort();
  close();
}

void Connection::close() {
  if (state_ == State::kClosed) return;
  const bool is_handled = state_ == State::kHandling;
  state_ = State::kClosed;
  if (std::exchange(waits_for_memory_, false)) host_.forget_memory(*this);
  is_blocked_ = false;
  charge_output();
  output_ = {};
  if (is_handled) {  // the handler goes on reading the request
    workspace_->connection = nullptr;
    workspace_.reset();
  }
  release_workspace();
  host_.loop.deadlines().clear(*this);
  tls_.reset();
  // Closing alone takes it off the loop only if nobody else has it: a process that is just being started
  // does.
  host_.loop.unwatch(socket_.descriptor());
  socket_.close();
  host_.retire(*this);
}

// Serves the connection as far as it goes without waiting.
void Connection::turn() {
  if (state_ == State::kClosed || is_in_turn_) return;
  const bool is_nested = std::exchange(host_.is_in_turn, true);
  is_in_turn_ = true;
  turn_bytes_ = 0;
  turn_requests_ = 0;
  while (advance()) {
  }
  is_in_turn_ = false;
  host_.is_in_turn = is_nested;
  if (state_ != State::kClosed) settle();
}

// One step; false if there is something to wait for.
bool Connection::advance() {
  if (is_blocked_ && !flush()) return false;
  if (state_ == State::kHandshake) return shake_hands();
  if (state_ == State::kLingering) return discard_input(), false;
  if (state_ != State::kReading || waits_for_memory_) return false;
  if ((!output_.body.empty() || output_.head.size() >= kFlushBytes) && !flush()) return false;
  if (turn_requests_ == kTurnRequestsMax) return continue_later(), false;
  if (!receive()) return false;
  ++turn_requests_;
  dispatch();
  return true;
}

// The end of a turn: writes what there is to write, lets go what is not needed, and decides how long to wait.
void Connection::settle() {
  Deadlines& deadlines = host_.loop.deadlines();
  if (!flush()) {
    if (state_ == State::kClosed) return;
    if (workspace_ != nullptr && state_ != State::kHandling && workspace_->input.empty()) release_workspace();
    deadlines.set(*this, transfer_deadline_ms(host_.limits, blocked_since_ms_, blocked_sent_bytes_));
    return;
  }
  switch (state_) {
    case State::kHandshake:
      deadlines.set(*this, begun_ms_ + host_.limits.head_ms);
      break;
    case State::kReading:
      settle_reading();
      break;
    case State::kHandling:
      deadlines.set(*this, Deadlines::kNever);
      break;
    case State::kClosing:
      finish_closing();
      break;
    case State::kLingering:
      break;  // has its deadline already
    case State::kClosed:
      break;
  }
}

void Connection::settle_reading() {
  Deadlines& deadlines = host_.loop.deadlines();
  const int64_t now_ms = host_.loop.now_ms();
  if (waits_for_memory_) return;  // and the deadline is set
  if (workspace_ != nullptr && workspace_->input.empty()) release_workspace();
  // A part of an encrypted record is the beginning of a request as well, and takes memory.
  if (workspace_ == nullptr && (tls_ == nullptr || !tls_->may_read())) {
    if (host_.is_draining && !continues_) return close();
    begun_ms_ = 0;
    return deadlines.set(*this, now_ms + host_.limits.idle_ms);
  }
  if (begun_ms_ == 0) begun_ms_ = now_ms;
  const bool is_head = workspace_ == nullptr || workspace_->parser.state() == RequestParser::State::kHead;
  int64_t until_ms = is_head ? begun_ms_ + host_.limits.head_ms
                             : transfer_deadline_ms(host_.limits, begun_ms_, workspace_->input.size());
  if (host_.is_draining) until_ms = std::min(until_ms, host_.drain_until_ms);
  deadlines.set(*this, until_ms);
}

void Connection::continue_later() {
  if (std::exchange(continues_, true)) return;
  // Runs before a task that destroys it: that is posted only when it is closed, and then this is not.
  host_.loop.post([this] {
    continues_ = false;
    turn();
  });
}

bool Connection::shake_hands() {
  const Io io = tls_->shake_hands();
  if (io.state == IoState::kBlocked) return false;
  if (io.state != IoState::kDone) return close(), false;
  state_ = State::kReading;
  begun_ms_ = 0;
  return true;
}

// Reads until a request is whole: true.
bool Connection::receive() {
  for (;;) {
    if (workspace_ == nullptr && (!may_read() || !take_workspace())) return false;
    Input& input = workspace_->input;
    RequestParser& parser = workspace_->parser;
    if (!input.empty()) {
      size_t size = input.size();
      const RequestParser::State state = parser.advance(input.data(), size);
      input.set_size(size);
      if (state == RequestParser::State::kDone) return true;
      if (state == RequestParser::State::kFailed) return refuse(parser.failure()), false;
      if (state == RequestParser::State::kBody && parser.expects_continue() && !sent_continue_) {
        sent_continue_ = true;
        output_.head += kContinue;
      }
    }
    if (turn_bytes_ >= kTurnBytesMax) return continue_later(), false;
    const bool is_full = input.size() + kPadding >= Input::kCapacityFirst;
    if ((is_overloaded_ && is_full) ||
        !input.make_room(parser.state() == RequestParser::State::kBody ? parser.bytes_expected() : 0))
      return hand_over_overloaded(), false;
    const Io io = read(input.room(), input.room_bytes());
    switch (io.state) {
      case IoState::kDone:
        input.set_size(input.size() + io.bytes);
        turn_bytes_ += io.bytes;
        host_.counters.bytes_received.add(io.bytes);
        break;
      case IoState::kBlocked:
        // Without memory for it, nobody waits for the rest.
        if (is_overloaded_ && !input.empty()) hand_over_overloaded();
        return false;
      case IoState::kEnded:
        has_ended_ = true;
        if (input.empty()) {
          state_ = State::kClosing;
        } else {
          refuse(Refusal::kMalformed);
        }
        return false;
      case IoState::kFailed:
        return close(), false;
    }
  }
}

Io Connection::read(char* to, size_t bytes) {
  return tls_ != nullptr ? tls_->read(to, bytes) : socket_.read(to, bytes);
}

// False: there is too little memory for another request, and the connection waits for it.
bool Connection::take_workspace() {
  if (host_.budget != nullptr && !is_overloaded_ && host_.budget->is_above_soft_line()) {
    if (!host_.budget->is_above_hard_line()) {
      waits_for_memory_ = true;
      host_.loop.deadlines().set(*this, host_.loop.now_ms() + host_.limits.memory_wait_ms);
      host_.counters.waited_for_memory.add();
      host_.await_memory(*this);
      return false;
    }
    is_overloaded_ = true;
  }
  workspace_ = host_.workspaces.take();
  workspace_->connection = this;
  output_.head.swap(workspace_->out);
  return true;
}

void Connection::release_workspace() {
  if (workspace_ == nullptr) return;
  if (output_.empty()) output_.head.swap(workspace_->out);
  workspace_->connection = nullptr;
  host_.workspaces.give_back(std::move(workspace_));
  is_overloaded_ = false;
  sent_continue_ = false;
}

void Connection::dispatch() {
  state_ = State::kHandling;
  Request& request = workspace_->request;
  workspace_->parser.fill(workspace_->input.data(), request);
  workspace_->peer = peer_;
  request.peer = workspace_->peer;
  request.encrypted = tls_ != nullptr;
  if (const auto coding = request.find("content-encoding"); coding && !request.raw_body.empty()) {
    switch (parse_content_coding(*coding)) {
      case ContentCoding::kIdentity:
        break;
      case ContentCoding::kGzip:
        return inflate();
      case ContentCoding::kUnsupported:
        return refuse(Refusal::kUnsupportedContentCoding);
    }
  }
  hand_over();
}

void Connection::inflate() {
  const GzipDecoder::Limits limits{.bytes_max = host_.limits.body_bytes_max, .padding_bytes = kPadding};
  if (workspace_->request.raw_body.size() <= kInflatedHereBytesMax) {
    size_t bytes = 0;
    const Inflated outcome =
        host_.gzip.decode(workspace_->request.raw_body, limits, workspace_->inflated, bytes);
    return finish_inflating(outcome, bytes);
  }
  host_.loop.run_blocking([workspace = workspace_, loop = &host_.loop, limits]() mutable {
    static thread_local GzipDecoder decoder;
    size_t bytes = 0;
    const Inflated outcome = decoder.decode(workspace->request.raw_body, limits, workspace->inflated, bytes);
    loop->post([workspace = std::move(workspace), outcome, bytes]() mutable {
      Connection* const connection = workspace->connection;
      workspace.reset();
      if (connection != nullptr) connection->finish_inflating(outcome, bytes);
    });
  });
}

void Connection::finish_inflating(Inflated outcome, size_t bytes) {
  switch (outcome) {
    case Inflated::kDone:
      workspace_->request.body = {workspace_->inflated.data(), bytes};
      hand_over();
      break;
    case Inflated::kMalformed:
      refuse(Refusal::kMalformed);
      break;
    case Inflated::kTooLarge:
      refuse(Refusal::kBodyTooLarge);
      break;
    case Inflated::kNoMemory:
      hand_over_overloaded();
      break;
  }
  if (!is_in_turn_) turn();
}

void Connection::hand_over() {
  assert(state_ == State::kHandling);
  host_.counters.requests.add();
  // Holds the workspace, and through it finds the connection, if that is still there. Lets go of it first:
  // the connection wants to be its only holder when it is done with it.
  Respond respond([workspace = workspace_](Response response) mutable {
    if (workspace == nullptr) return;
    Connection* const connection = workspace->connection;
    workspace.reset();
    if (connection != nullptr) connection->answer(std::move(response));
  });
  if (is_overloaded_ || (host_.budget != nullptr && host_.budget->is_above_hard_line())) {
    host_.counters.throttled.add();
    host_.handler.handle_overloaded(workspace_->request, host_.loop, std::move(respond));
  } else {
    host_.handler.handle(workspace_->request, host_.loop, std::move(respond));
  }
}

// Has a request answered that there is no memory to receive or inflate.
void Connection::hand_over_overloaded() {
  is_overloaded_ = true;
  lingers_ = true;
  if (workspace_->parser.state() == RequestParser::State::kHead) {
    host_.counters.throttled.add();
    return refuse(Refusal::kOverloaded);
  }
  Request& request = workspace_->request;
  workspace_->parser.fill(workspace_->input.data(), request);
  request.raw_body = request.body = {};
  workspace_->peer = peer_;
  request.peer = workspace_->peer;
  request.encrypted = tls_ != nullptr;
  state_ = State::kHandling;
  hand_over();
}

void Connection::answer(Response response) {
  assert(host_.loop.is_current());
  if (state_ != State::kHandling) return;
  const RequestParser& parser = workspace_->parser;
  const bool keeps_alive = parser.keeps_alive() && !response.close && !host_.is_draining && !lingers_;
  write_answer(std::move(response), keeps_alive);
  workspace_->input.drop(parser.state() == RequestParser::State::kDone ? parser.bytes_taken()
                                                                       : workspace_->input.size());
  workspace_->parser.reset();
  workspace_->inflated.clear();
  begun_ms_ = 0;
  is_overloaded_ = false;
  sent_continue_ = false;
  state_ = keeps_alive ? State::kReading : State::kClosing;
  if (is_in_turn_) return;
  // From within another connection's turn, as when one request lets others go on: after that.
  if (host_.is_in_turn) return continue_later();
  turn();
}

void Connection::refuse(Refusal reason) {
  if (reason != Refusal::kTimeout && reason != Refusal::kOverloaded) host_.counters.refused_requests.add();
  lingers_ = true;
  write_answer(host_.handler.refuse(reason), false);
  state_ = State::kClosing;
}

void Connection::write_answer(Response response, bool keeps_alive) {
  host_.heads.append(output_.head, response,
                     {.minor_version = workspace_->parser.minor_version(),
                      .keeps_alive = keeps_alive,
                      .steady_now_ms = host_.loop.now_ms()});
  const bool is_head_only = state_ == State::kHandling && workspace_->request.method == "HEAD";
  if (!is_head_only && may_have_body(response.status)) {
    if (tls_ != nullptr || response.body.size() <= kCopiedBodyBytesMax) {
      output_.head += response.body;
    } else {
      output_.body = std::move(response.body);
    }
  }
  if (is_blocked_) charge_output();
}

// Writes out all there is: true. Otherwise the client does not read, or is gone.
bool Connection::flush() {
  while (!output_.empty()) {
    const Io io = write();
    if (io.state == IoState::kDone) {
      host_.counters.bytes_sent.add(io.bytes);
      output_.written_bytes += io.bytes;
      blocked_sent_bytes_ += io.bytes;
      if (output_.written_bytes < output_.head.size() + output_.body.size()) continue;
      output_.head.clear();
      output_.body = std::string();
      output_.written_bytes = 0;
      continue;
    }
    if (io.state != IoState::kBlocked) return close(), false;
    if (!std::exchange(is_blocked_, true)) {
      blocked_since_ms_ = host_.loop.now_ms();
      blocked_sent_bytes_ = 0;
      charge_output();
    }
    return false;
  }
  if (std::exchange(is_blocked_, false)) charge_output();
  if (workspace_ == nullptr) output_.head = std::string();
  return true;
}

Io Connection::write() {
  std::string_view head = output_.head;
  std::string_view body = output_.body;
  const size_t of_head = std::min(output_.written_bytes, head.size());
  head.remove_prefix(of_head);
  body.remove_prefix(output_.written_bytes - of_head);
  if (tls_ != nullptr) return tls_->write(head);
  return head.empty() ? socket_.write(body) : socket_.write(head, body);
}

// Output that the client leaves lying counts as memory; what is written at once does not stay long enough.
void Connection::charge_output() {
  if (host_.budget == nullptr) return;
  const uint64_t bytes = is_blocked_ ? output_.head.capacity() + output_.body.capacity() : 0;
  if (bytes > charged_bytes_) host_.budget->take_for_answer(bytes - charged_bytes_);
  if (bytes < charged_bytes_) host_.budget->release_answer(charged_bytes_ - bytes);
  charged_bytes_ = bytes;
}

// Closing a socket that holds unread bytes resets the connection, and the client may lose the answer.
void Connection::finish_closing() {
  if (tls_ != nullptr) tls_->end_writing();
  lingers_ = lingers_ || (workspace_ != nullptr && !workspace_->input.empty()) ||
             socket_.discard().state == IoState::kDone;
  if (has_ended_ || !lingers_) return close();
  socket_.end_writing();
  state_ = State::kLingering;
  release_workspace();
  host_.loop.deadlines().set(*this, host_.loop.now_ms() + host_.limits.linger_ms);
  discard_input();
}

void Connection::discard_input() {
  for (int i = 0; i < kTurnDiscardsMax; ++i) {
    const Io io = socket_.discard();
    if (io.state == IoState::kBlocked) return;
    if (io.state != IoState::kDone) return close();
  }
  continue_later();
}

}  // namespace sheaf::http
