#include "http/request_parser.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

#include "http/header_list.h"
#include "http/header_name.h"

namespace sheaf::http {
namespace {

static_assert(kHeadBytesMax <= std::numeric_limits<uint16_t>::max());

// Control characters but the tab: in a line of text, only its end has them.
bool is_control(char c) {
  const unsigned char byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

// Where the first control character is, or `to`.
size_t find_control(const char* data, size_t from, size_t to) {
#ifdef __SSE2__
  const __m128i control_max = _mm_set1_epi8(0x1f);
  const __m128i tab = _mm_set1_epi8('\t');
  const __m128i del = _mm_set1_epi8(0x7f);
  for (; from + 16 <= to; from += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + from));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, control_max), bytes);
    const __m128i found =
        _mm_or_si128(_mm_andnot_si128(_mm_cmpeq_epi8(bytes, tab), low), _mm_cmpeq_epi8(bytes, del));
    const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (mask != 0) return from + static_cast<size_t>(std::countr_zero(mask));
  }
#endif
  while (from < to && !is_control(data[from])) ++from;
  return from;
}

// What names of methods and headers are made of.
constexpr std::array<bool, 256> kTokenBytes = [] {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[c] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[c] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

size_t token_bytes(std::string_view text) {
  size_t bytes = 0;
  while (bytes < text.size() && kTokenBytes[static_cast<unsigned char>(text[bytes])]) ++bytes;
  return bytes;
}

// Whether `line`, the beginning of a request line, can still become one. Nobody should have to wait for the
// end of a line to learn that these bytes are not HTTP.
bool may_begin_request(std::string_view line) {
  if (line.empty() || line[0] == '\r') return true;
  const size_t method_bytes = token_bytes(line.substr(0, kMethodBytesMax + 1));
  if (method_bytes > kMethodBytesMax) return false;
  return method_bytes == line.size() || (method_bytes > 0 && line[method_bytes] == ' ');
}

bool is_target(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void RequestParser::fail(Refusal reason) {
  at_.state = State::kFailed;
  at_.failure = reason;
}

RequestParser::State RequestParser::advance(char* data, size_t& size) {
  if (at_.state == State::kHead) advance_head(data, size);
  if (at_.state == State::kBody) {
    if (at_.is_chunked) {
      advance_chunks(data, size);
    } else {
      advance_body(size);
    }
  }
  return at_.state;
}

// Takes the line at the present position, without its end, unless it is longer than `bytes_max` with it.
RequestParser::Line RequestParser::take_line(const char* data, size_t size, size_t bytes_max,
                                             std::string_view& line) {
  const size_t limit = at_.position + bytes_max;
  const size_t stop = std::min(size, limit);
  const size_t end = find_control(data, at_.position + at_.searched_bytes, stop);
  if (end < stop && data[end] != '\r') return Line::kBroken;
  if (end + 1 >= stop) {
    at_.searched_bytes = end - at_.position;
    return stop == limit ? Line::kTooLong : Line::kPartial;
  }
  if (data[end + 1] != '\n') return Line::kBroken;
  line = {data + at_.position, end - at_.position};
  at_.position = end + 2;
  at_.searched_bytes = 0;
  return Line::kWhole;
}

void RequestParser::advance_head(const char* data, size_t size) {
  for (;;) {
    if (!at_.has_request_line) {
      const size_t stop = std::min(size, kHeadBytesMax);
      if (!may_begin_request({data + at_.position, stop - at_.position})) return fail(Refusal::kMalformed);
    }
    std::string_view line;
    switch (take_line(data, size, kHeadBytesMax - at_.position, line)) {
      case Line::kPartial:
        return;
      case Line::kTooLong:
        return fail(Refusal::kHeadTooLarge);
      case Line::kBroken:
        return fail(Refusal::kMalformed);
      case Line::kWhole:
        break;
    }
    if (line.empty()) {
      if (at_.has_request_line) return finish_head();
      continue;  // some clients send one behind a body
    }
    if (!(at_.has_request_line ? parse_header(data, line) : parse_request_line(data, line))) return;
  }
}

bool RequestParser::parse_request_line(const char* data, std::string_view line) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return fail(Refusal::kMalformed), false;
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_target(target)) return fail(Refusal::kMalformed), false;
  if (version.size() != 8 || !version.starts_with("HTTP/") || !is_digit(version[5]) || version[6] != '.' ||
      !is_digit(version[7]))
    return fail(Refusal::kMalformed), false;
  if (version[5] != '1') return fail(Refusal::kUnsupportedVersion), false;

  const size_t begin = static_cast<size_t>(line.data() - data);
  at_.method = {static_cast<uint16_t>(begin), static_cast<uint16_t>(first)};
  at_.target = {static_cast<uint16_t>(begin + first + 1), static_cast<uint16_t>(target.size())};
  at_.minor_version = version[7] - '0';
  at_.has_request_line = true;
  return true;
}

// A blank before the colon and a continued line both fail as what they are: no token followed by a colon.
bool RequestParser::parse_header(const char* data, std::string_view line) {
  const size_t name_bytes = token_bytes(line);
  if (name_bytes == 0 || name_bytes == line.size() || line[name_bytes] != ':')
    return fail(Refusal::kMalformed), false;
  if (at_.header_count == kHeadersMax) return fail(Refusal::kHeadTooLarge), false;
  const std::string_view name = line.substr(0, name_bytes);
  const std::string_view value = trim_blanks(line.substr(name_bytes + 1));
  headers_[at_.header_count++] = {
      .name = {static_cast<uint16_t>(name.data() - data), static_cast<uint16_t>(name.size())},
      .value = {static_cast<uint16_t>(value.data() - data), static_cast<uint16_t>(value.size())}};
  if (!note_header(name, value)) return fail(Refusal::kMalformed), false;
  return true;
}

// Of the headers, those that say where the request ends and what happens then. False if they are wrong.
bool RequestParser::note_header(std::string_view name, std::string_view value) {
  switch (name.size()) {
    case 4:
      if (!is_same_name(name, "host")) break;
      return !std::exchange(at_.has_host, true);
    case 6:
      if (is_same_name(name, "expect")) at_.expects_continue = is_same_name(value, "100-continue");
      break;
    case 10:
      if (is_same_name(name, "connection")) note_connection(value);
      break;
    case 14:
      if (!is_same_name(name, "content-length")) break;
      return !std::exchange(at_.has_length, true) && note_length(value);
    case 17:
      if (!is_same_name(name, "transfer-encoding")) break;
      at_.is_chunked = is_same_name(value, "chunked");
      return !std::exchange(at_.has_transfer_coding, true);
    default:
      break;
  }
  return true;
}

bool RequestParser::note_length(std::string_view value) {
  if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit)) return false;
  for (const char c : value)  // one too many stands for all that are too many
    at_.length = std::min(at_.length * 10 + static_cast<size_t>(c - '0'), body_bytes_max_ + 1);
  return true;
}

void RequestParser::note_connection(std::string_view value) {
  while (!value.empty()) {
    const std::string_view element = take_element(value);
    if (is_same_name(element, "close")) at_.says_close = true;
    if (is_same_name(element, "keep-alive")) at_.says_keep_alive = true;
  }
}

void RequestParser::finish_head() {
  const bool is_old = at_.minor_version == 0;
  if (!at_.has_host && !is_old) return fail(Refusal::kMalformed);
  if (at_.has_transfer_coding) {
    if (at_.has_length || is_old) return fail(Refusal::kMalformed);
    if (!at_.is_chunked) return fail(Refusal::kUnsupportedTransferCoding);
  }
  if (at_.length > body_bytes_max_) return fail(Refusal::kBodyTooLarge);
  at_.keeps_alive = !at_.says_close && (!is_old || at_.says_keep_alive);
  if (is_old) at_.expects_continue = false;
  at_.body_begin = at_.position;
  at_.state = State::kBody;
}

void RequestParser::advance_body(size_t size) {
  at_.body_bytes = std::min(size - at_.body_begin, at_.length);
  at_.position = at_.body_begin + at_.body_bytes;
  if (at_.body_bytes == at_.length) at_.state = State::kDone;
}

void RequestParser::advance_chunks(char* data, size_t& size) {
  while (at_.state == State::kBody && advance_chunk(data, size)) {
  }
  if (at_.state != State::kBody) return;
  // What was not understood yet moves up to the body, so that framing takes no room.
  const size_t body_end = at_.body_begin + at_.body_bytes;
  const size_t rest_bytes = size - at_.position;
  if (at_.position != body_end) std::memmove(data + body_end, data + at_.position, rest_bytes);
  at_.position = body_end;
  size = body_end + rest_bytes;
}

// One step in a chunked body; false if it needs more bytes.
bool RequestParser::advance_chunk(char* data, size_t size) {
  switch (at_.chunk_part) {
    case ChunkPart::kSize: {
      std::string_view line;
      const Line found = take_line(data, size, kChunkLineBytesMax, line);
      if (found == Line::kPartial) return false;
      if (found != Line::kWhole) return fail(Refusal::kMalformed), false;
      return note_chunk_size(line);
    }
    case ChunkPart::kData: {
      const size_t bytes = std::min(at_.length, size - at_.position);
      char* const body_end = data + at_.body_begin + at_.body_bytes;
      if (body_end != data + at_.position) std::memmove(body_end, data + at_.position, bytes);
      at_.position += bytes;
      at_.body_bytes += bytes;
      at_.length -= bytes;
      if (at_.length > 0) return false;
      at_.chunk_part = ChunkPart::kEnd;
      return true;
    }
    case ChunkPart::kEnd: {
      const std::string_view end("\r\n");
      const std::string_view there(data + at_.position, std::min(size - at_.position, end.size()));
      if (there != end.substr(0, there.size())) return fail(Refusal::kMalformed), false;
      if (there.size() < end.size()) return false;
      at_.position += end.size();
      at_.chunk_part = ChunkPart::kSize;
      return true;
    }
    case ChunkPart::kTrailers: {
      std::string_view line;
      const Line found = take_line(data, size, kHeadBytesMax - at_.trailer_bytes, line);
      if (found == Line::kPartial) return false;
      if (found == Line::kTooLong) return fail(Refusal::kHeadTooLarge), false;
      if (found == Line::kBroken) return fail(Refusal::kMalformed), false;
      if (line.empty()) return at_.state = State::kDone, false;
      const size_t name_bytes = token_bytes(line);
      if (name_bytes == 0 || name_bytes == line.size() || line[name_bytes] != ':')
        return fail(Refusal::kMalformed), false;
      at_.trailer_bytes += line.size() + 2;
      return true;
    }
  }
  return false;
}

bool RequestParser::note_chunk_size(std::string_view line) {
  size_t digits = 0;
  assert(at_.length == 0);
  for (; digits < line.size() && hex_value(line[digits]) >= 0; ++digits)
    at_.length =
        std::min(at_.length * 16 + static_cast<size_t>(hex_value(line[digits])), body_bytes_max_ + 1);
  const std::string_view extensions = trim_blanks(line.substr(digits));
  if (digits == 0 || (!extensions.empty() && extensions[0] != ';')) return fail(Refusal::kMalformed), false;
  if (at_.length > body_bytes_max_ - at_.body_bytes) return fail(Refusal::kBodyTooLarge), false;
  at_.chunk_part = at_.length == 0 ? ChunkPart::kTrailers : ChunkPart::kData;
  return true;
}

void RequestParser::fill(const char* data, Request& request) const {
  const auto view = [data](Span span) { return std::string_view(data + span.begin, span.bytes); };
  request.method = view(at_.method);
  request.target = view(at_.target);
  request.headers.clear();
  for (size_t i = 0; i < at_.header_count; ++i)
    request.headers.push_back({.name = view(headers_[i].name), .value = view(headers_[i].value)});
  request.raw_body = {data + at_.body_begin, at_.body_bytes};
  request.body = request.raw_body;
}

}  // namespace sheaf::http
