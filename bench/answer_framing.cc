#include "bench/answer_framing.h"

#include <strings.h>

#include <cstring>

namespace sheaf::bench {
namespace {

constexpr size_t kChunked = static_cast<size_t>(-1);
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";
constexpr std::string_view kLengthName = "content-length:";
constexpr std::string_view kCodingName = "transfer-encoding:";

// PostgreSQL's messages: a type, and a length that counts itself but not the type.
constexpr size_t kMessageHeadBytes = 5;
constexpr char kReadyForQuery = 'Z';
constexpr char kErrorResponse = 'E';
constexpr char kDataRow = 'D';

bool has_name(std::string_view head, size_t place, std::string_view name) {
  return head.size() >= place + name.size() &&
         ::strncasecmp(head.data() + place, name.data(), name.size()) == 0;
}

size_t number_at(std::string_view text, size_t place) {
  while (place < text.size() && text[place] == ' ') ++place;
  size_t number = 0;
  for (; place < text.size() && text[place] >= '0' && text[place] <= '9'; ++place)
    number = number * 10 + static_cast<size_t>(text[place] - '0');
  return number;
}

size_t message_bytes(std::string_view received, size_t place) {
  uint32_t length = 0;
  for (size_t i = 1; i < kMessageHeadBytes; ++i)
    length = length << 8 | static_cast<unsigned char>(received[place + i]);
  return 1 + length;
}

}  // namespace

bool AnswerFraming::is_whole(std::string_view received) {
  return protocol_ == Protocol::kHttp ? is_whole_http(received) : is_whole_postgres(received);
}

bool AnswerFraming::is_whole_http(std::string_view received) {
  if (whole_bytes_ == 0 && !read_head(received)) return false;
  if (whole_bytes_ == kChunked) return received.ends_with(kLastChunk);
  return received.size() >= whole_bytes_;
}

bool AnswerFraming::read_head(std::string_view received) {
  const void* const end = ::memmem(received.data(), received.size(), kHeadEnd.data(), kHeadEnd.size());
  if (end == nullptr) return false;
  const size_t head_bytes = static_cast<size_t>(static_cast<const char*>(end) - received.data());
  const std::string_view head = received.substr(0, head_bytes);
  body_offset_ = head_bytes + kHeadEnd.size();
  status_ = head.size() > 12 ? static_cast<int>(number_at(head, 9)) : 0;
  if (length_place_ == 0 || !has_name(head, length_place_, kLengthName)) {
    length_place_ = 0;
    for (size_t line = head.find('\n'); line != std::string_view::npos; line = head.find('\n', line + 1)) {
      if (has_name(head, line + 1, kLengthName)) length_place_ = line + 1;
      if (has_name(head, line + 1, kCodingName)) whole_bytes_ = kChunked;
    }
  }
  if (whole_bytes_ != kChunked) whole_bytes_ = body_offset_;
  if (length_place_ != 0) whole_bytes_ = body_offset_ + number_at(head, length_place_ + kLengthName.size());
  return true;
}

bool AnswerFraming::is_whole_postgres(std::string_view received) {
  if (scanned_ == 0) status_ = 200;
  while (scanned_ + kMessageHeadBytes <= received.size()) {
    const size_t end = scanned_ + message_bytes(received, scanned_);
    if (end > received.size()) return false;
    if (received[scanned_] == kErrorResponse) status_ = 500;
    if (received[scanned_] == kReadyForQuery) return true;
    scanned_ = end;
  }
  return false;
}

size_t rows_in(std::string_view answer) {
  size_t rows = 0;
  for (size_t place = 0; place + kMessageHeadBytes <= answer.size(); place += message_bytes(answer, place))
    if (answer[place] == kDataRow) ++rows;
  return rows;
}

}  // namespace sheaf::bench
