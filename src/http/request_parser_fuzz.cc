// Any bytes as requests: the outcome does not depend on how they arrive, and keeps the limits.
#include <cstdlib>

#include "http/parser_outcome.h"

namespace sheaf::http {
namespace {

// Small, so that the limit is met.
constexpr size_t kBodyBytesMaxHere = 100;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(std::string_view bytes, uint8_t first) {
  const ParserOutcome at_once = feed_at_once(bytes, kBodyBytesMaxHere);
  require(at_once == feed_byte_by_byte(bytes, kBodyBytesMaxHere));
  size_t piece = first % 7 + 1;
  require(at_once == feed(bytes, kBodyBytesMaxHere, [&piece] { return piece = piece * 5 % 23 + 1; }));
  for (const ParsedRequest& request : at_once.requests) {
    require(!request.method.empty() && request.method.size() <= kMethodBytesMax);
    require(!request.target.empty());
    require(request.headers.size() <= kHeadersMax);
    require(request.body.size() <= kBodyBytesMaxHere);
    for (const auto& [name, value] : request.headers) {
      require(!name.empty() && name.find_first_of(" \t\r\n:") == std::string::npos);
      require(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace sheaf::http

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::http;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const uint8_t first = size == 0 ? 0 : data[0];
  check(bytes, first);
  // Behind a right beginning, so that chunks and headers are reached at once.
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  check(head + std::string(bytes), first);
  check(head + "Transfer-Encoding: chunked\r\n\r\n" + std::string(bytes), first);
  return 0;
}
