#include "language/source_text.h"

#include <algorithm>

namespace sheaf::language {

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

std::string_view SourceText::text(Span span) const {
  return std::string_view(text_).substr(span.begin, span.end - span.begin);
}

Position SourceText::position(uint32_t offset) const {
  const size_t line = static_cast<size_t>(std::upper_bound(line_starts_.begin(), line_starts_.end(), offset) -
                                          line_starts_.begin());
  const uint32_t start = line_starts_[line - 1];
  return {.line = line, .column = 1 + character_count(text({.begin = start, .end = offset}))};
}

std::string_view SourceText::line(size_t number) const {
  const uint32_t begin = line_starts_[number - 1];
  const uint32_t end =
      number < line_starts_.size() ? line_starts_[number] - 1 : static_cast<uint32_t>(text_.size());
  std::string_view line = text({.begin = begin, .end = end});
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

size_t character_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const size_t bytes = first >= 0xF0 && first < 0xF5   ? 4
                       : first >= 0xE0 && first < 0xF0 ? 3
                       : first >= 0xC2 && first < 0xE0 ? 2
                                                       : 0;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (bytes == 3 && ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0))) return 0;
  if (bytes == 4 && ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90))) return 0;
  return bytes;
}

size_t character_count(std::string_view bytes) {
  return static_cast<size_t>(std::count_if(bytes.begin(), bytes.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  }));
}

}  // namespace sheaf::language
