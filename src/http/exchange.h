// A request and its answer, as the server hands them to whoever handles them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function.h"
#include "base/loop.h"

namespace sheaf::http {

struct Header {
  std::string_view name;   // as it was sent
  std::string_view value;  // without blanks around it
};

// Whole and well-formed. Everything in it lives until it has been answered, also if the client goes away.
struct Request {
  std::string_view method;  // "POST"
  std::string_view target;  // "/", with its query, as it was sent
  std::vector<Header> headers;
  // As it was sent, and after its content coding was undone; the same bytes where there was none. kPadding
  // bytes behind the latter may be read.
  std::string_view raw_body;
  std::string_view body;
  std::string_view peer;  // the client's address, without its port
  bool encrypted = false;

  // The value of the first header of this name, given in lower case.
  std::optional<std::string_view> find(std::string_view lower_case_name) const;
};

inline constexpr size_t kPadding = 64;

struct Response {
  int status = 200;
  std::string_view content_type;  // of static lifetime
  // Whole lines, each with its end: "x-amzn-RequestId: 42\r\n". The server adds Date, Content-Length,
  // Content-Type and Connection.
  std::string headers;
  std::string body;
  bool close = false;  // the connection, behind this answer
};

// Called once, on the loop of the request's connection. If the client is gone, nothing happens. May be moved
// to another thread and destroyed there.
using Respond = UniqueFunction<void(Response)>;

// Why the server answers without asking for a real answer. The connection is closed behind such an answer.
enum class Refusal : uint8_t {
  kMalformed,                  // 400
  kTimeout,                    // 408: the rest of the request did not come in time
  kBodyTooLarge,               // 413: also after its content coding was undone
  kUnsupportedContentCoding,   // 415
  kHeadTooLarge,               // 431
  kUnsupportedTransferCoding,  // 501
  kOverloaded,                 // 503: no memory is left to receive it
  kUnsupportedVersion,         // 505
};
int status_of(Refusal reason);
// One sentence for the client.
std::string_view text_of(Refusal reason);

// What the server calls with every request, on the loop of its connection: from several threads at a time.
// One connection has one request at a time; the next is read when this one is answered.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void handle(const Request& request, Loop& loop, Respond respond) = 0;

  // Instead of handle, when the memory for requests and answers is used up: to be answered at once and with
  // little. Where there is no room for the body, `request` comes without it, and the connection is closed
  // behind the answer. Answers refuse(kOverloaded) unless overridden.
  virtual void handle_overloaded(const Request& request, Loop& loop, Respond respond);

  // The answer to what is not a request, or one beyond the limits. Plain text unless overridden.
  virtual Response refuse(Refusal reason);
};

}  // namespace sheaf::http
