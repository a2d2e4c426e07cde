// Any bytes on a connection to a server with two tables, from the socket to the answers: they are HTTP and
// JSON, none says that the server broke, and what they took of the memory budget is given back.
//
// The bytes are requests in pipeline, as they are sent. They start from request_samples.h and are changed as
// requests: values and members of the JSON go from one to another, and lengths are mended most of the time.
// Each input finds the same database, so that what fails once fails again.
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "http/acceptor.h"
#include "http/gzip_fixture.h"
#include "http/parser_outcome.h"
#include "server/endpoint.h"
#include "server/request_samples.h"
#include "store/memory_store.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace sheaf::server {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

constexpr int64_t kNowUs = int64_t{1'800'000'000} * 1'000'000;
// Small, so that it is met; what gzip makes of little is beyond it.
constexpr size_t kBodyBytesMaxHere = 64 << 10;

// A client that sends its bytes in two pieces, says that this was all, and reads until the server closes.
class Client final : public http::Watcher {
 public:
  Client(http::EventLoop& loop, http::Descriptor socket, std::string_view bytes, Task done)
      : loop_(loop),
        socket_(std::move(socket)),
        pieces_{bytes.substr(0, bytes.size() / 2), bytes.substr(bytes.size() / 2)},
        done_(std::move(done)) {
    require(loop_.watch(socket_.get(), *this).ok());
  }

  void on_events(uint32_t) override {
    if (!socket_.is_open()) return;
    send();
    receive();
  }
  const std::string& received() const { return received_; }

 private:
  // The second piece goes when the server has seen the first.
  void send() {
    while (piece_ < pieces_.size()) {
      std::string_view& piece = pieces_[piece_];
      const ssize_t sent = ::send(socket_.get(), piece.data(), piece.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EAGAIN) return;
      piece.remove_prefix(sent < 0 ? piece.size() : static_cast<size_t>(sent));
      if (!piece.empty()) continue;
      if (++piece_ == pieces_.size()) {
        ::shutdown(socket_.get(), SHUT_WR);
      } else {
        return loop_.post([this] { on_events(0); });
      }
    }
  }

  void receive() {
    std::array<char, 16 << 10> room;
    for (;;) {
      const ssize_t got = ::recv(socket_.get(), room.data(), room.size(), 0);
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) break;
      received_.append(room.data(), static_cast<size_t>(got));
    }
    socket_.close();
    done_();
  }

  http::EventLoop& loop_;
  http::Descriptor socket_;
  std::array<std::string_view, 2> pieces_;
  size_t piece_ = 0;
  std::string received_;
  Task done_;
};

// Not of the internet's kind: there are no ports to run out of.
class Listener {
 public:
  Listener() : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    address_.sun_family = AF_UNIX;  // the system chooses a name
    require(::bind(socket_.get(), address(), sizeof address_.sun_family) == 0);
    require(::listen(socket_.get(), 8) == 0);
    require(::getsockname(socket_.get(), address(), &address_bytes_) == 0);
  }

  http::Descriptor copy() const { return http::Descriptor(::dup(socket_.get())); }
  http::Descriptor connect() {
    http::Descriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    require(::connect(client.get(), address(), address_bytes_) == 0);
    return client;
  }

 private:
  sockaddr* address() { return reinterpret_cast<sockaddr*>(&address_); }

  http::Descriptor socket_;
  sockaddr_un address_{};
  socklen_t address_bytes_ = sizeof address_;
};

// A server with the tables "abc" and "def" on one thread: the caller's.
class Target {
 public:
  Target() {
    const KeySchema key{.partition = {{"pk", Type::kString}}, .sort = {{"sk", Type::kNumber}}};
    const CreateTable abc{
        .table = "abc",
        .key = key,
        .local_indexes = {{.name = "lsi",
                           .key = {.partition = key.partition, .sort = {{"l", Type::kNumber}}}}},
        .global_indexes = {{.name = "gsi", .key = {.partition = {{"g", Type::kString}}}}},
        .stream = StreamView::kNewAndOldImages};
    require(database_.create_table(abc).ok());
    require(database_.create_table({.table = "def", .key = {.partition = {{"id", Type::kBinary}}}}).ok());
    for (const char* number : {"1", "2"}) {
      const Item item{{"pk", "a"}, {"sk", *Number::parse(number)}, {"g", "x"}, {"l", *Number::parse("1")}};
      require(database_.put_item({.table = "abc", .item = item}).ok());
    }
    made_ = database_.engine().store.last_stamp();
  }

  // Nothing was written since it was made.
  bool is_as_made() { return database_.engine().store.last_stamp() == made_; }

  // What the server says to `bytes`.
  std::string exchange(std::string_view bytes) {
    static Listener listener;
    const std::unique_ptr<http::EventLoop> loop = std::move(*http::EventLoop::create());
    const http::ConnectionLimits limits{.body_bytes_max = kBodyBytesMaxHere};
    http::MemoryBudget budget{http::MemoryBudgetOptions()};
    std::string received;
    {
      std::vector<std::unique_ptr<http::Acceptor>> acceptors;
      const http::ConnectionHost::Parts parts{.loop = *loop,
                                              .handler = endpoint_,
                                              .limits = limits,
                                              .budget = &budget,
                                              .tls = nullptr,
                                              .clock = clock_};
      acceptors.push_back(std::make_unique<http::Acceptor>(parts, listener.copy(), 8));
      Client client(*loop, listener.connect(), bytes,
                    [&] { acceptors.front()->drain([&] { loop->stop(); }); });
      acceptors.front()->start(acceptors);
      loop->run();
      received = client.received();
    }
    require(budget.used_bytes() == 0);
    return received;
  }

 private:
  ManualClock clock_{kNowUs};
  api::LocalDatabase database_{store::open_memory_store(clock_), clock_,
                               OpenOptions{.background_thread = false}};
  RequestMetrics metrics_;
  Endpoint endpoint_{{.database = database_,
                      .account = {},
                      .guard = *http::OriginGuard::create(
                          {.development = true, .allowed_origins = {"http://localhost:3000"}}),
                      .credentials = nullptr,
                      .signatures = {},
                      .audit = nullptr,
                      .metrics = metrics_,
                      .clock = clock_}};
  store::Stamp made_ = 0;
};

// As it was made, whatever came before.
Target& fresh_target() {
  static std::unique_ptr<Target> target;
  if (!target || !target->is_as_made()) target = std::make_unique<Target>();
  return *target;
}

// --- What must hold of the answers.

std::string_view header_of(std::string_view head, std::string_view name) {
  const size_t at = head.find("\r\n" + std::string(name) + ": ");
  if (at == std::string_view::npos) return {};
  const size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

// Checks the first answer of `text` and takes it off; false if it only says that one will come.
bool take_answer(std::string_view& text) {
  require(text.starts_with("HTTP/1.1 "));
  const size_t head_bytes = text.find("\r\n\r\n");
  require(head_bytes != std::string_view::npos);
  const std::string_view head = text.substr(0, head_bytes + 2);
  text.remove_prefix(head_bytes + 4);
  const int status = std::atoi(head.substr(9, 3).data());
  if (status == 100) return false;
  require(status == 200 || status == 204 || (status >= 400 && status < 500) || status == 501 ||
          status == 505);
  const size_t length =
      static_cast<size_t>(std::atoll(std::string(header_of(head, "Content-Length")).c_str()));
  if (text.empty() || text.starts_with("HTTP/1.1 ")) return true;  // to a HEAD, or there is none
  require(length <= text.size());
  const std::string_view body = text.substr(0, length);
  text.remove_prefix(length);
  if (!header_of(head, "Content-Type").starts_with("application/x-amz-json")) return true;
  simdjson::dom::parser parser;
  require(parser.parse(body.data(), body.size()).error() == simdjson::SUCCESS);
  const std::string_view checksum = header_of(head, "x-amz-crc32");
  require(checksum.empty() || checksum == std::to_string(http::crc32(body)));
  return true;
}

void check(std::string_view bytes) {
  const std::string answers = fresh_target().exchange(bytes);
  const size_t requests = http::feed_at_once(bytes, kBodyBytesMaxHere).requests.size();
  size_t answered = 0;
  for (std::string_view rest = answers; !rest.empty();) answered += take_answer(rest);
  // What is no request may be told so, and behind an answer the connection may be closed.
  require(answered <= requests + 1 && (requests == 0 || answered > 0));
}

// --- Requests and their parts.

struct Message {
  std::string head;  // with the empty line at its end
  std::string body;
};

constexpr std::string_view kRequestLine = "POST / HTTP/1.1\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kLength = "\r\nContent-Length: ";

std::vector<Message> split(std::string_view text) {
  std::vector<Message> messages;
  while (!text.empty()) {
    const size_t head =
        std::min(text.find(kHeadEnd), text.size() - std::min(text.size(), kHeadEnd.size())) + 4;
    const size_t begin = std::min(head, text.size());
    const size_t end = std::min(text.find(kRequestLine, begin), text.size());
    messages.push_back({std::string(text.substr(0, begin)), std::string(text.substr(begin, end - begin))});
    text.remove_prefix(end);
  }
  return messages;
}

// Sets the length that the head tells, if it tells one.
void mend_length(Message& message) {
  const size_t at = message.head.find(kLength);
  if (at == std::string::npos) return;
  const size_t begin = at + kLength.size();
  const size_t end = std::min(message.head.find("\r\n", begin), message.head.size());
  message.head.replace(begin, end - begin, std::to_string(message.body.size()));
}

Message message_of(std::string_view target, std::string body) {
  Message message{
      .head = std::string(kRequestLine) +
              "Host: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: " +
              std::string(target) +
              "\r\nX-Amz-Date: 20270115T080000Z\r\nAuthorization: AWS4-HMAC-SHA256 "
              "Credential=a/20270115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"
              "\r\nContent-Length: 0\r\n\r\n",
      .body = std::move(body)};
  mend_length(message);
  return message;
}

// The values and the members ("name":value) in a text that is mostly JSON.
struct JsonParts {
  std::vector<std::string_view> values;
  std::vector<std::string_view> members;
};

JsonParts parts_of(std::string_view text) {
  struct Begin {
    size_t value;
    size_t name;
  };
  JsonParts parts;
  std::vector<Begin> open;
  size_t name = std::string_view::npos;
  const auto add = [&](const Begin& begin, size_t end) {
    parts.values.push_back(text.substr(begin.value, end - begin.value));
    if (begin.name != std::string_view::npos)
      parts.members.push_back(text.substr(begin.name, end - begin.name));
    name = std::string_view::npos;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') {
      open.push_back({i, std::exchange(name, std::string_view::npos)});
    } else if ((c == '}' || c == ']') && !open.empty()) {
      add(open.back(), i + 1);
      open.pop_back();
    } else if (c == '"') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      if (end < text.size() && text[end] == ':') {
        name = i;
      } else {
        add({i, name}, end);
      }
      i = end - 1;
    } else if (c == '-' || std::isalnum(static_cast<unsigned char>(c))) {
      const size_t end = std::min(text.find_first_of(",]} \t\r\n", i), text.size());
      add({i, name}, end);
      i = end - 1;
    }
  }
  return parts;
}

// --- Changes.

// A text between `before` and the next quotation mark.
std::string learn(const std::string& answers, std::string_view before) {
  const size_t at = answers.find(before);
  require(at != std::string::npos);
  const size_t begin = at + before.size();
  return answers.substr(begin, answers.find('"', begin) - begin);
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// The samples, with the names that streams have here.
std::vector<Message> make_samples() {
  const auto ask = [](std::string_view operation, const std::string& body) {
    const Message message = message_of("DynamoDBStreams_20120810." + std::string(operation), body);
    return fresh_target().exchange(message.head + message.body);
  };
  const std::string stream = learn(ask("ListStreams", "{}"), R"("StreamArn":")");
  const std::string of_stream = R"({"StreamArn":")" + stream + '"';
  const std::string shard = learn(ask("DescribeStream", of_stream + "}"), R"("ShardId":")");
  const std::string at_shard = R"(,"ShardId":")" + shard + R"(","ShardIteratorType":"TRIM_HORIZON"})";
  const std::string iterator = learn(ask("GetShardIterator", of_stream + at_shard), R"("ShardIterator":")");
  std::vector<Message> samples;
  for (const RequestSample& sample : kRequestSamples) {
    std::string body(sample.body);
    replace_all(body, "STREAM", stream);
    replace_all(body, "SHARD", shard);
    replace_all(body, "ITERATOR", iterator);
    samples.push_back(message_of(sample.target, std::move(body)));
  }
  return samples;
}

constexpr std::string_view kHeaders[] = {
    "Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n",   "Connection: close\r\n",
    "Connection: keep-alive\r\n", "Host: 127.0.0.1:8000\r\n",
    "Host: example.com\r\n",      "Origin: http://localhost:3000\r\n",
    "Origin: null\r\n",           "Access-Control-Request-Method: POST\r\n",
    "Content-Length: 5\r\n",      "Content-Type: application/x-amz-json-1.1\r\n",
    "X-Amz-Security-Token: x\r\n"};
constexpr std::string_view kRequestLines[] = {"GET /healthz HTTP/1.1\r\n", "GET / HTTP/1.0\r\n",
                                              "HEAD / HTTP/1.1\r\n",       "OPTIONS / HTTP/1.1\r\n",
                                              "POST / HTTP/1.0\r\n",       kRequestLine};

class Mutator {
  size_t below(size_t end) { return chance_() % end; }
  template <typename List>
  auto& pick(List& list) {
    return list[below(std::size(list))];
  }
  ptrdiff_t place(const std::vector<Message>& messages) {
    return static_cast<ptrdiff_t>(below(std::max<size_t>(messages.size(), 1)));
  }

 public:
  explicit Mutator(unsigned seed) : chance_(seed) {}

  std::vector<Message> mutate(std::vector<Message> messages, size_t bytes_max) {
    if (messages.empty() || below(16) == 0)
      messages.insert(messages.begin() + place(messages), pick(samples()));
    if (messages.size() > 1 && below(16) == 0) messages.erase(messages.begin() + place(messages));
    if (messages.empty()) return messages;
    Message& message = pick(messages);
    switch (below(8)) {
      case 0:
        change_bytes(message.head, bytes_max);
        break;
      case 1:
        change_head(message);
        break;
      case 2:
        encode_body(message);
        break;
      case 3:
        change_bytes(message.body, bytes_max);
        break;
      default:
        change_json(message.body);
    }
    if (below(8) != 0) mend_length(message);
    return messages;
  }

 private:
  static const std::vector<Message>& samples() {
    static const std::vector<Message> kept = make_samples();
    return kept;
  }
  static const JsonParts& parts() {
    static const JsonParts kept = [] {
      JsonParts all;
      for (const Message& sample : samples()) {
        const JsonParts some = parts_of(sample.body);
        all.values.insert(all.values.end(), some.values.begin(), some.values.end());
        all.members.insert(all.members.end(), some.members.begin(), some.members.end());
      }
      return all;
    }();
    return kept;
  }

  void change_bytes(std::string& text, size_t bytes_max) {
    const size_t size = text.size();
    text.resize(std::max(bytes_max, size));
    text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), size, text.size()));
  }

  void change_head(Message& message) {
    std::string& head = message.head;
    const size_t first_end = head.find("\r\n");
    if (first_end == std::string::npos) return;
    switch (below(3)) {
      case 0:
        head.replace(0, first_end + 2, pick(kRequestLines));
        break;
      case 1:
        head.insert(first_end + 2, pick(kHeaders));
        break;
      case 2: {  // another operation with the same body
        const Message& other = pick(samples());
        head = other.head;
        break;
      }
    }
  }

  void encode_body(Message& message) {
    const size_t first_end = message.head.find("\r\n");
    if (first_end == std::string::npos) return;
    if (below(2) == 0) {
      message.head.insert(first_end + 2, kHeaders[0]);
      message.body = http::gzip(message.body);
      return;
    }
    std::string chunks;
    for (std::string_view rest = message.body; !rest.empty();) {
      const std::string_view chunk = rest.substr(0, below(300) + 1);
      rest.remove_prefix(chunk.size());
      std::array<char, 24> size;
      const int digits = std::snprintf(size.data(), size.size(), "%zx\r\n", chunk.size());
      chunks.append(size.data(), static_cast<size_t>(digits)).append(chunk).append("\r\n");
    }
    message.body = chunks + "0\r\n\r\n";
    const size_t length = message.head.find(kLength);
    if (length == std::string::npos) return;
    message.head.replace(length + 2, message.head.find("\r\n", length + 2) - length, kHeaders[1]);
  }

  void change_json(std::string& body) {
    const JsonParts found = parts_of(body);
    if (found.values.empty()) {
      body = pick(samples()).body;
      return;
    }
    const auto offset = [&](std::string_view part) { return static_cast<size_t>(part.data() - body.data()); };
    switch (below(4)) {
      case 0: {
        const std::string_view value = pick(found.values);
        body.replace(offset(value), value.size(), pick(parts().values));
        break;
      }
      case 1: {  // one member more
        const size_t brace = offset(pick(found.values));
        if (body[brace] != '{') return;
        const bool empty = brace + 1 < body.size() && body[brace + 1] == '}';
        body.insert(brace + 1, std::string(pick(parts().members)) + (empty ? "" : ","));
        break;
      }
      case 2: {  // one less
        if (found.members.empty()) return;
        const std::string_view member = pick(found.members);
        const size_t begin = offset(member);
        const bool comma = begin + member.size() < body.size() && body[begin + member.size()] == ',';
        body.erase(begin, member.size() + comma);
        break;
      }
      case 3: {  // the same twice in a list
        const std::string_view value = pick(found.values);
        const std::string copy(value);
        body.insert(offset(value), copy + ",");
        break;
      }
    }
  }

  std::minstd_rand chance_;
};

}  // namespace
}  // namespace sheaf::server

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sheaf::server::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace sheaf::server;
  const std::string_view before(reinterpret_cast<const char*>(data), size);
  std::string after;
  for (const Message& message : Mutator(seed).mutate(split(before), max_size))
    after += message.head + message.body;
  const size_t kept = std::min(after.size(), max_size);
  std::copy_n(after.begin(), kept, data);
  return kept;
}
