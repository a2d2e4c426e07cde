// Everything that a parser says about some bytes, to compare one way of feeding them with another.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/request_parser.h"

namespace sheaf::http {

struct ParsedRequest {
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool keeps_alive = false;
  bool expects_continue = false;
  int minor_version = 0;

  bool operator==(const ParsedRequest&) const = default;
};

struct ParserOutcome {
  std::vector<ParsedRequest> requests;                       // in pipeline
  std::optional<Refusal> refusal;                            // of what came behind them
  RequestParser::State state = RequestParser::State::kHead;  // of the last, which is not whole

  bool operator==(const ParserOutcome&) const = default;
};

inline ParsedRequest copy_request(const RequestParser& parser, const char* data) {
  Request request;
  parser.fill(data, request);
  ParsedRequest copy{.method = std::string(request.method),
                     .target = std::string(request.target),
                     .body = std::string(request.body),
                     .keeps_alive = parser.keeps_alive(),
                     .expects_continue = parser.expects_continue(),
                     .minor_version = parser.minor_version()};
  for (const Header& header : request.headers) copy.headers.emplace_back(header.name, header.value);
  return copy;
}

// Feeds `bytes` in pieces; `next_piece` gives the size of each. The parser sees a buffer that ends where the
// bytes end, so that a sanitizer notices a look beyond.
template <typename NextPiece>
ParserOutcome feed(std::string_view bytes, size_t body_bytes_max, NextPiece next_piece) {
  RequestParser parser(body_bytes_max);
  ParserOutcome outcome;
  std::string pending;  // of the request that is not whole
  while (!bytes.empty()) {
    const size_t piece = std::min<size_t>(next_piece(), bytes.size());
    pending.append(bytes.substr(0, piece));
    bytes.remove_prefix(piece);
    for (;;) {
      size_t size = pending.size();
      const std::unique_ptr<char[]> exact(new char[size]);
      std::memcpy(exact.get(), pending.data(), size);
      outcome.state = parser.advance(exact.get(), size);
      pending.assign(exact.get(), size);
      if (outcome.state == RequestParser::State::kFailed) {
        outcome.refusal = parser.failure();
        return outcome;
      }
      if (outcome.state != RequestParser::State::kDone) break;
      outcome.requests.push_back(copy_request(parser, exact.get()));
      pending.erase(0, parser.bytes_taken());
      parser.reset();
      outcome.state = RequestParser::State::kHead;
      if (pending.empty()) break;
    }
  }
  return outcome;
}

inline ParserOutcome feed_at_once(std::string_view bytes, size_t body_bytes_max = kBodyBytesMax) {
  return feed(bytes, body_bytes_max, [&bytes] { return bytes.size(); });
}

inline ParserOutcome feed_byte_by_byte(std::string_view bytes, size_t body_bytes_max = kBodyBytesMax) {
  return feed(bytes, body_bytes_max, [] { return 1; });
}

}  // namespace sheaf::http
