#include "transfer/record_reader.h"

#include <cstring>

#include "base/try.h"

namespace sheaf::transfer {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr size_t kBeginningBytes = 64 * 1024;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

Result<bool> RecordReader::fill() {
  if (is_ended_) return false;
  if (at_ > 0) {
    buffer_.erase(0, at_);
    seen_ -= at_;
    at_ = 0;
  }
  const std::string_view more = TRY(source_->next());
  if (more.empty()) is_ended_ = true;
  buffer_.append(more);
  return !more.empty();
}

Result<std::string_view> RecordReader::beginning() {
  while (!is_begun_) {
    const bool has_more = TRY(fill());
    if (has_more && buffer_.size() < kBeginningBytes &&
        buffer_.find('\n', kByteOrderMark.size()) == std::string::npos)
      continue;
    if (buffer_.starts_with(kByteOrderMark)) {
      at_ = seen_ = kByteOrderMark.size();
      place_.bytes = at_;
    }
    is_begun_ = true;
  }
  const std::string_view rest = std::string_view(buffer_).substr(at_);
  return rest.substr(0, rest.find('\n'));
}

std::optional<size_t> RecordReader::find_end() {
  const char* const data = buffer_.data();
  if (!is_csv_) {
    const void* const found = std::memchr(data + seen_, '\n', buffer_.size() - seen_);
    if (found != nullptr) return static_cast<size_t>(static_cast<const char*>(found) - data) + 1;
    seen_ = buffer_.size();
    return std::nullopt;
  }
  for (; seen_ < buffer_.size(); ++seen_) {
    if (data[seen_] == '"') is_quoted_ = !is_quoted_;
    if (data[seen_] != '\n') continue;
    if (!is_quoted_) return seen_ + 1;
    ++breaks_;
  }
  return std::nullopt;
}

Result<std::optional<Record>> RecordReader::next() {
  TRY(beginning());
  while (true) {
    std::optional<size_t> end = find_end();
    if (!end && buffer_.size() - at_ <= kRecordBytesMax && TRY(fill())) continue;
    if (!end && buffer_.size() - at_ > kRecordBytesMax)
      return Error{Code::kInvalid, "line " + std::to_string(place_.lines + 1) + " is longer than " +
                                       std::to_string(kRecordBytesMax >> 20) + " MB"};
    if (!end && at_ == buffer_.size()) return std::optional<Record>();
    const size_t behind = end.value_or(buffer_.size());
    std::string_view text = std::string_view(buffer_).substr(at_, behind - at_);
    const uint64_t line = place_.lines + 1;
    place_.bytes += text.size();
    place_.lines += breaks_ + 1;
    at_ = seen_ = behind;
    breaks_ = 0;
    is_quoted_ = false;
    if (is_blank(text)) continue;
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return std::optional<Record>(Record{.text = text, .line = line});
  }
}

Result<void> RecordReader::skip_to(const Place& place) {
  TRY(beginning());
  while (place_.bytes < place.bytes) {
    const uint64_t here = std::min<uint64_t>(buffer_.size() - at_, place.bytes - place_.bytes);
    at_ += here;
    seen_ = at_;
    place_.bytes += here;
    if (here == 0 && !TRY(fill()))
      return Error{Code::kInvalid, "it has " + std::to_string(place_.bytes) + " bytes, and " +
                                       std::to_string(place.bytes) +
                                       " of it were loaded: is it the same file?"};
  }
  place_ = place;
  return {};
}

}  // namespace sheaf::transfer
