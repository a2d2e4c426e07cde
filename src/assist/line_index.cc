#include "assist/line_index.h"

#include <algorithm>

namespace sheaf::assist {
namespace {

// Of the character at the beginning of `text`. What is no UTF-8 counts as one byte, one unit.
size_t bytes_of(std::string_view text) { return std::max<size_t>(language::character_bytes(text), 1); }
uint32_t units_of(size_t bytes) { return bytes == 4 ? 2 : 1; }

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || (text[i] == '\r' && !is_pair)) starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

EditorPosition LineIndex::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  EditorPosition found{.line = static_cast<uint32_t>(next - starts_.begin() - 1)};
  for (size_t at = *(next - 1); at < offset;) {
    const size_t bytes = bytes_of(text_.substr(at));
    if (at + bytes > offset) break;
    found.unit += units_of(bytes);
    at += bytes;
  }
  return found;
}

uint32_t LineIndex::offset(EditorPosition position) const {
  if (position.line >= starts_.size()) return static_cast<uint32_t>(text_.size());
  size_t at = starts_[position.line];
  for (uint32_t unit = 0; unit < position.unit && at < text_.size();) {
    if (text_[at] == '\n' || text_[at] == '\r') break;
    const size_t bytes = bytes_of(text_.substr(at));
    if (unit + units_of(bytes) > position.unit) break;
    unit += units_of(bytes);
    at += bytes;
  }
  return static_cast<uint32_t>(at);
}

}  // namespace sheaf::assist
