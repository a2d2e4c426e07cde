#include "transfer/record_reader.h"

#include <algorithm>
#include <cstring>

#include "base/try.h"

namespace sheaf::transfer {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

Error in_line(uint64_t line, const std::string& problem) {
  return {Code::kInvalid, "line " + std::to_string(line) + problem};
}

}  // namespace

Result<bool> RecordReader::fill() {
  if (is_ended_) return false;
  if (at_ > 0) {
    buffer_.erase(0, at_);
    documents_.drop(at_);
    seen_ -= at_;
    at_ = 0;
  }
  const std::string_view more = TRY(source_->next());
  if (more.empty()) is_ended_ = true;
  buffer_.append(more);
  return !more.empty();
}

Result<std::string_view> RecordReader::beginning() {
  constexpr std::string_view kBlanks = " \t\r\n";
  while (!is_begun_) {
    const bool has_more = TRY(fill());
    const size_t mark = buffer_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    const size_t begin = std::min(buffer_.find_first_not_of(kBlanks, mark), buffer_.size());
    if (has_more && buffer_.size() - begin <= kRecordBytesMax &&
        buffer_.find('\n', begin) == std::string::npos)
      continue;
    at_ = seen_ = mark;
    place_.bytes = mark;
    documents_.skip_to(mark);
    is_begun_ = true;
  }
  const std::string_view rest = std::string_view(buffer_).substr(at_);
  const std::string_view line = rest.substr(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  return line.substr(0, line.find('\n'));
}

uint64_t RecordReader::taken_bytes() const {
  const uint64_t taken = source_->taken_bytes();
  const uint64_t waiting = buffer_.size() - at_;
  if (waiting == 0) return taken;
  return static_cast<uint64_t>(static_cast<double>(taken) * static_cast<double>(place_.bytes) /
                               static_cast<double>(place_.bytes + waiting));
}

std::optional<size_t> RecordReader::find_end() {
  if (form_ == Form::kCsv) return find_end_of_row();
  const char* const data = buffer_.data();
  const void* const found = std::memchr(data + seen_, '\n', buffer_.size() - seen_);
  if (found != nullptr) return static_cast<size_t>(static_cast<const char*>(found) - data) + 1;
  seen_ = buffer_.size();
  return std::nullopt;
}

// As split_cells reads rows: a quote in the midst of a cell is that row's mistake, and not to be taken for
// the beginning of a cell of many lines.
std::optional<size_t> RecordReader::find_end_of_row() {
  for (; seen_ < buffer_.size(); ++seen_) {
    const char c = buffer_[seen_];
    if (cell_ == Cell::kQuoted) {
      if (c == '"') cell_ = Cell::kQuote;
      if (c == '\n') ++breaks_;
      continue;
    }
    if (c == '\n') return seen_ + 1;
    if (c == '"' && cell_ != Cell::kBare) {
      cell_ = Cell::kQuoted;
    } else {
      cell_ = c == ',' ? Cell::kBegin : Cell::kBare;
    }
  }
  return std::nullopt;
}

Result<std::optional<Record>> RecordReader::next() {
  TRY(beginning());
  if (form_ == Form::kDocuments) return next_object();
  while (true) {
    std::optional<size_t> end = find_end();
    if (!end && buffer_.size() - at_ <= kRecordBytesMax && TRY(fill())) continue;
    if (!end && cell_ == Cell::kQuoted)
      return in_line(place_.lines + 1, ": a quote opens a cell in this row, and nothing closes it");
    if (!end && buffer_.size() - at_ > kRecordBytesMax)
      return in_line(place_.lines + 1, " is longer than " + std::to_string(kRecordBytesMax >> 20) + " MB");
    if (!end && at_ == buffer_.size()) return std::optional<Record>();
    const size_t behind = end.value_or(buffer_.size());
    std::string_view text = std::string_view(buffer_).substr(at_, behind - at_);
    const uint64_t line = place_.lines + 1;
    place_.bytes += text.size();
    place_.lines += breaks_ + 1;
    at_ = seen_ = behind;
    breaks_ = 0;
    cell_ = Cell::kBegin;
    if (is_blank(text)) continue;
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    return std::optional<Record>(Record{.text = text, .line = line});
  }
}

Result<std::optional<Record>> RecordReader::next_object() {
  const auto pass = [this](size_t to) {
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
    place_.lines +=
        static_cast<uint64_t>(std::count(from, buffer_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    place_.bytes += to - at_;
    at_ = seen_ = to;
  };
  while (true) {
    const JsonDocuments::Found found = documents_.next(buffer_, is_ended_);
    pass(documents_.begin());
    const uint64_t line = place_.lines + 1;
    if (found == JsonDocuments::Found::kProblem) return in_line(line, ": " + documents_.problem());
    if (found == JsonDocuments::Found::kObject) {
      const std::string_view text = std::string_view(buffer_).substr(at_, documents_.end() - at_);
      pass(documents_.end());
      return std::optional<Record>(Record{.text = text, .line = line});
    }
    if (is_ended_) return std::optional<Record>();
    if (buffer_.size() - at_ > kRecordBytesMax)
      return in_line(line, ": an object is longer than " + std::to_string(kRecordBytesMax >> 20) + " MB");
    TRY(fill());
  }
}

Result<void> RecordReader::skip_to(const Place& place) {
  TRY(beginning());
  // Where one is in a document is known only to who has read it.
  while (form_ == Form::kDocuments && place_.bytes < place.bytes && TRY(next()).has_value()) continue;
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
