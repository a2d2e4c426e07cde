#include "lsp/session.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sheaf::lsp {

void Session::receive(std::string_view bytes) {
  if (is_broken_) return;
  stream_.add(bytes);
  while (true) {
    Result<std::optional<std::string>> next = stream_.next();
    if (!next.ok()) {
      is_broken_ = true;
      waiting_.push_back(
          {.message = {}, .refusal = error_answer("null", ErrorCode::kParseError, next.error().message)});
      return;
    }
    if (!*next) return;
    take(**next);
  }
}

void Session::take(const std::string& body) {
  Result<Message> message = read_message(body);
  if (!message.ok()) {
    waiting_.push_back(
        {.message = {}, .refusal = error_answer("null", ErrorCode::kParseError, message.error().message)});
    return;
  }
  if (message->method == "$/cancelRequest" && !message->id) {
    const language::Json& id = member(message->params, "id");
    language::JsonWriter writer;
    if (id.kind == language::Json::Kind::kString) writer.text(id.text);
    const std::string wanted = id.kind == language::Json::Kind::kString ? writer.take() : id.text + "\n";
    for (Waiting& each : waiting_) {
      if (each.message.id && *each.message.id + "\n" == wanted) each.is_cancelled = true;
    }
    return;
  }
  waiting_.push_back({.message = std::move(*message), .refusal = {}});
}

std::string Session::step() {
  if (waiting_.empty()) return {};
  const Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  if (!next.refusal.empty()) return next.refusal;
  if (next.is_cancelled) return error_answer(*next.message.id, ErrorCode::kRequestCancelled, "cancelled");
  return server_.handle(next.message);
}

namespace {

// Longer than the time between two keys of somebody who writes fast.
constexpr int kQuietMs = 150;
// What came is read before it is handled, so that it can be cancelled; but not without end.
constexpr size_t kWaitingMax = 256;

// False if nobody reads any more.
bool send(int out, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(out, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace

int serve(int in, int out, ServerOptions options) {
  Session session(std::move(options));
  std::array<char, 65536> buffer;
  bool is_open = true;
  while (!session.is_done()) {
    if (is_open && session.waiting_count() < kWaitingMax) {
      pollfd polled{.fd = in, .events = POLLIN, .revents = 0};
      const int timeout_ms = session.has_work() ? 0 : session.wants_idle() ? kQuietMs : -1;
      const int ready = ::poll(&polled, 1, timeout_ms);
      if (ready < 0 && errno != EINTR) return 1;
      if (ready > 0) {
        const ssize_t count = ::read(in, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        is_open = count > 0;
        if (is_open) session.receive({buffer.data(), static_cast<size_t>(count)});
        continue;
      }
    }
    if (!session.has_work() && !is_open) break;
    if (!send(out, session.has_work() ? session.step() : session.idle())) break;
  }
  return session.exit_status();
}

}  // namespace sheaf::lsp
