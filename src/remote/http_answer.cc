#include "remote/http_answer.h"

#include <algorithm>
#include <charconv>

#include "http/header_list.h"
#include "http/header_name.h"

namespace sheaf::remote {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <typename Number>
bool parse_whole(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_same_text(std::string_view text, std::string_view lower) { return http::is_same_name(text, lower); }

}  // namespace

void HttpAnswerParser::fail(std::string_view problem) {
  state_ = State::kFailed;
  problem_ = problem;
}

size_t HttpAnswerParser::feed(std::string_view bytes) {
  size_t taken = 0;
  while (taken < bytes.size() && state_ != State::kDone && state_ != State::kFailed) {
    if (part_ == Part::kLength || part_ == Part::kUntilEnd || part_ == Part::kChunk) {
      taken += take_body_bytes(bytes.substr(taken));
    } else if (take_line(bytes.substr(taken), taken)) {
      note_line();
      line_.clear();
    }
  }
  return taken;
}

void HttpAnswerParser::end() {
  if (state_ == State::kDone || state_ == State::kFailed) return;
  if (part_ == Part::kUntilEnd) {
    state_ = State::kDone;
  } else {
    fail("it was cut off");
  }
}

size_t HttpAnswerParser::take_body_bytes(std::string_view bytes) {
  size_t count = bytes.size();
  if (part_ != Part::kUntilEnd) count = std::min(count, body_bytes_left_);
  if (body_.size() + count > body_bytes_max_) return fail("it is too large"), 0;
  body_.append(bytes.substr(0, count));
  if (part_ == Part::kUntilEnd) return count;
  body_bytes_left_ -= count;
  if (body_bytes_left_ > 0) return count;
  if (part_ == Part::kLength) {
    state_ = State::kDone;
  } else {
    part_ = Part::kChunkEnd;
  }
  return count;
}

bool HttpAnswerParser::take_line(std::string_view bytes, size_t& taken) {
  const size_t end = bytes.find('\n');
  const size_t count = end == std::string_view::npos ? bytes.size() : end + 1;
  head_bytes_ += count;
  if (line_.size() + count > kAnswerLineBytesMax || head_bytes_ > kAnswerHeadBytesMax)
    return fail("its head is too large"), false;
  line_.append(bytes.substr(0, count));
  taken += count;
  if (end == std::string_view::npos) return false;
  if (!line_.ends_with("\r\n")) return fail("a line does not end as lines do"), false;
  line_.resize(line_.size() - 2);
  return true;
}

void HttpAnswerParser::note_line() {
  switch (part_) {
    case Part::kStatus:
      return note_status();
    case Part::kHeaders:
      return line_.empty() ? note_head_end() : note_header();
    case Part::kChunkSize:
      return note_chunk_size();
    case Part::kChunkEnd:
      part_ = Part::kChunkSize;
      return line_.empty() ? void() : fail("a chunk is longer than it says");
    case Part::kTrailers:
      if (line_.empty()) state_ = State::kDone;
      return;
    case Part::kLength:
    case Part::kUntilEnd:
    case Part::kChunk:
      break;
  }
}

// HTTP/1.1 200 OK
void HttpAnswerParser::note_status() {
  const std::string_view line = line_;
  const bool is_http = line.size() >= 12 && line.starts_with("HTTP/1.") && is_digit(line[7]) &&
                       line[8] == ' ' && std::all_of(line.begin() + 9, line.begin() + 12, is_digit) &&
                       (line.size() == 12 || line[12] == ' ');
  if (!is_http) return fail("it is not HTTP/1.1");
  minor_version_ = line[7] - '0';
  parse_whole(line.substr(9, 3), status_, 10);
  if (status_ < 100) return fail("it has no status");
  part_ = Part::kHeaders;
}

void HttpAnswerParser::note_header() {
  const std::string_view line = line_;
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return fail("a header has no name");
  headers_.emplace_back(line.substr(0, colon), http::trim_blanks(line.substr(colon + 1)));
}

void HttpAnswerParser::note_head_end() {
  if (status_ < 200) {  // the answer is yet to come
    headers_.clear();
    part_ = Part::kStatus;
    return;
  }
  state_ = State::kBody;
  if (status_ == 204 || status_ == 304) {
    state_ = State::kDone;
  } else if (const auto coding = find("transfer-encoding")) {
    if (!is_same_text(*coding, "chunked")) return fail("its transfer coding is not chunked");
    part_ = Part::kChunkSize;
    head_bytes_ = 0;
  } else if (const auto length = find("content-length")) {
    if (!parse_whole(*length, body_bytes_left_, 10)) return fail("its length is no number");
    if (body_bytes_left_ > body_bytes_max_) return fail("it is too large");
    part_ = Part::kLength;
    if (body_bytes_left_ == 0) state_ = State::kDone;
    body_.reserve(body_bytes_left_);
  } else {
    part_ = Part::kUntilEnd;
  }
}

void HttpAnswerParser::note_chunk_size() {
  const std::string_view line = line_;
  const std::string_view digits = http::trim_blanks(line.substr(0, line.find(';')));
  if (!parse_whole(digits, body_bytes_left_, 16)) return fail("a chunk has no size");
  if (body_bytes_left_ > body_bytes_max_) return fail("it is too large");
  head_bytes_ = 0;
  part_ = body_bytes_left_ == 0 ? Part::kTrailers : Part::kChunk;
}

std::optional<std::string_view> HttpAnswerParser::find(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers_) {
    if (http::is_same_name(name, lower_case_name)) return value;
  }
  return std::nullopt;
}

bool HttpAnswerParser::keeps_alive() const {
  if (part_ == Part::kUntilEnd) return false;
  bool keeps = minor_version_ >= 1;
  std::string_view list = find("connection").value_or("");
  while (!list.empty()) {
    const std::string_view element = http::take_element(list);
    if (is_same_text(element, "close")) return false;
    if (is_same_text(element, "keep-alive")) keeps = true;
  }
  return keeps;
}

}  // namespace sheaf::remote
