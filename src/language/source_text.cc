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

size_t character_count(std::string_view bytes) {
  return static_cast<size_t>(std::count_if(bytes.begin(), bytes.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  }));
}

}  // namespace sheaf::language
