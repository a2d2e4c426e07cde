#include "language/excerpt.h"

#include <algorithm>

namespace sheaf::language {

void append_excerpt(std::string& out, std::string_view line, Position position, size_t marked) {
  const std::string number = std::to_string(position.line);
  const std::string margin(std::max<size_t>(number.size(), 4), ' ');
  out += std::string(margin.size() - number.size(), ' ') + number + " | " + std::string(line) + "\n";
  out += margin + " | ";
  // Tabs stay tabs, so that the marks stand below what they mark.
  size_t column = 1;
  for (size_t i = 0; i < line.size() && column < position.column; ++i) {
    if ((static_cast<unsigned char>(line[i]) & 0xC0) == 0x80) continue;
    out += line[i] == '\t' ? '\t' : ' ';
    ++column;
  }
  const size_t room = character_count(line) + 1 - std::min(character_count(line), position.column - 1);
  out += std::string(std::clamp<size_t>(marked, 1, std::max<size_t>(room, 1)), '^') + "\n";
}

std::string repaired_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t bytes = character_bytes(text);
    out += bytes == 0 ? "\xEF\xBF\xBD" : text.substr(0, bytes);
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return out;
}

}  // namespace sheaf::language
