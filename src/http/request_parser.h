// HTTP/1.0 and 1.1 requests, byte by byte or all at once, with the same outcome. What two programs could
// understand differently is refused: a request must not hide in another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/exchange.h"

namespace sheaf::http {

inline constexpr size_t kHeadBytesMax = 16 << 10;  // request line and headers; the trailers of a chunked body
inline constexpr size_t kHeadersMax = 100;
inline constexpr size_t kMethodBytesMax = 32;
inline constexpr size_t kChunkLineBytesMax =
    256;  // the size of a chunk and its extensions, which are ignored
inline constexpr size_t kBodyBytesMax = 16 << 20;

// Parses one request at a time in a buffer of the caller's.
class RequestParser {
 public:
  enum class State : uint8_t { kHead, kBody, kDone, kFailed };

  explicit RequestParser(size_t body_bytes_max = kBodyBytesMax) : body_bytes_max_(body_bytes_max) {}

  // For the next request.
  void reset() { at_ = {}; }

  // `data` holds `size` bytes from the beginning of the request: those of the last call as that left them,
  // and new ones behind. The framing of chunks is taken out in place, so `size` may shrink. kHead and kBody:
  // more bytes are needed.
  State advance(char* data, size_t& size);
  State state() const { return at_.state; }

  // If kFailed.
  Refusal failure() const { return at_.failure; }

  // From here on: once the head is there.
  bool keeps_alive() const { return at_.keeps_alive; }
  bool expects_continue() const { return at_.expects_continue; }
  int minor_version() const { return at_.minor_version; }  // of HTTP/1
  // Fills in what was sent: of the body, what has arrived.
  void fill(const char* data, Request& request) const;
  // The size of head and body together, if a Content-Length tells it; otherwise 0.
  size_t bytes_expected() const { return at_.has_length ? at_.body_begin + at_.length : 0; }

  // If kDone: how many bytes of the buffer were the request. Behind them are the next one's.
  size_t bytes_taken() const { return at_.position; }

 private:
  // Within a head, 16 bits are enough.
  struct Span {
    uint16_t begin;
    uint16_t bytes;
  };
  struct HeaderSpan {
    Span name;
    Span value;
  };
  enum class Line : uint8_t { kWhole, kPartial, kTooLong, kBroken };
  enum class ChunkPart : uint8_t { kSize, kData, kEnd, kTrailers };

  struct Progress {
    State state = State::kHead;
    Refusal failure = Refusal::kMalformed;
    ChunkPart chunk_part = ChunkPart::kSize;
    bool has_request_line = false;
    bool has_host = false;
    bool has_length = false;
    bool has_transfer_coding = false;
    bool is_chunked = false;
    bool says_close = false;
    bool says_keep_alive = false;
    bool keeps_alive = false;
    bool expects_continue = false;
    int minor_version = 1;
    Span method{};
    Span target{};
    size_t header_count = 0;
    size_t position = 0;        // everything before it is understood
    size_t searched_bytes = 0;  // that many behind it contain no end of a line
    size_t body_begin = 0;
    size_t body_bytes = 0;  // arrived, without framing
    size_t length = 0;      // of the body; of a chunked one, what the present chunk lacks
    size_t trailer_bytes = 0;
  };

  void fail(Refusal reason);
  Line take_line(const char* data, size_t size, size_t bytes_max, std::string_view& line);
  void advance_head(const char* data, size_t size);
  bool parse_request_line(const char* data, std::string_view line);
  bool parse_header(const char* data, std::string_view line);
  bool note_header(std::string_view name, std::string_view value);
  bool note_length(std::string_view value);
  void note_connection(std::string_view value);
  void finish_head();
  void advance_body(size_t size);
  void advance_chunks(char* data, size_t& size);
  bool advance_chunk(char* data, size_t size);
  bool note_chunk_size(std::string_view line);

  Progress at_;
  const size_t body_bytes_max_;
  std::array<HeaderSpan, kHeadersMax> headers_;
};

}  // namespace sheaf::http
