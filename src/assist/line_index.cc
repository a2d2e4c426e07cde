#include "assist/line_index.h"

#include <algorithm>

namespace sheaf::assist {
namespace {

// Of the character at the beginning of `text`. What is no UTF-8 counts as one byte, one unit.
size_t bytes_of(std::string_view text) { return std::max<size_t>(language::character_bytes(text), 1); }
uint32_t units_of(size_t bytes) { return bytes == 4 ? 2 : 1; }

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0}, plain_{true} {
  for (size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0x80) plain_.back() = false;
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] != '\n' && (text[i] != '\r' || is_pair)) continue;
    starts_.push_back(static_cast<uint32_t>(i + 1));
    plain_.push_back(true);
  }
}

uint32_t LineIndex::end_of(size_t line) const {
  uint32_t end = line + 1 < starts_.size() ? starts_[line + 1] : static_cast<uint32_t>(text_.size());
  while (end > starts_[line] && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return end;
}

EditorPosition LineIndex::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  EditorPosition found{.line = static_cast<uint32_t>(next - starts_.begin() - 1)};
  if (is_plain(found.line)) {
    found.unit = offset - starts_[found.line];
    return found;
  }
  for (size_t at = starts_[found.line]; at < offset;) {
    const size_t bytes = bytes_of(text_.substr(at));
    if (at + bytes > offset) break;
    found.unit += units_of(bytes);
    at += bytes;
  }
  return found;
}

uint32_t LineIndex::offset(EditorPosition position) const {
  if (position.line >= starts_.size()) return static_cast<uint32_t>(text_.size());
  const uint32_t end = end_of(position.line);
  size_t at = starts_[position.line];
  if (is_plain(position.line)) return std::min(end, static_cast<uint32_t>(at) + std::min(position.unit, end));
  for (uint32_t unit = 0; unit < position.unit && at < end;) {
    const size_t bytes = bytes_of(text_.substr(at));
    if (unit + units_of(bytes) > position.unit) break;
    unit += units_of(bytes);
    at += bytes;
  }
  return static_cast<uint32_t>(at);
}

}  // namespace sheaf::assist
