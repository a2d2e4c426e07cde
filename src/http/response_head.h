// The status line and headers of an answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/exchange.h"

namespace sheaf::http {

// "Not Found" for 404; a word for the class of those that it does not know.
std::string_view reason_of(int status);

// Whether an answer of this status has a body at all, be it empty.
bool may_have_body(int status);

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string format_http_date(int64_t now_us);

// Used from one thread. Formats the date once a second.
class ResponseHeads {
 public:
  explicit ResponseHeads(const Clock& clock) : clock_(clock) {}

  struct Framing {
    int minor_version = 1;      // of the request, HTTP/1
    bool keeps_alive = true;    // the connection is used on
    int64_t steady_now_ms = 0;  // tells when the date may have become old, without asking the clock
  };
  // Appends everything up to the body of `response`.
  void append(std::string& out, const Response& response, const Framing& framing);

 private:
  void refresh_date(int64_t steady_now_ms);

  const Clock& clock_;
  std::string date_line_;
  int64_t date_ends_ms_ = 0;
};

}  // namespace sheaf::http
