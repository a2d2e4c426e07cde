#include "draw/line_breaks.h"

#include "draw/shown_text.h"
#include "draw/text_width.h"

namespace sheaf::draw {
namespace {

constexpr std::string_view kSeparators = " #_/:;,.|@&=-";

// The end of the character that begins at `begin`, with the marks that sit on it.
size_t character_end(std::string_view text, size_t begin) {
  std::string_view rest = text.substr(begin);
  take_code_point(rest);
  while (!rest.empty()) {
    std::string_view behind = rest;
    if (columns(take_code_point(behind)) > 0) break;
    rest = behind;
  }
  return text.size() - rest.size();
}

bool may_break_behind(std::string_view character) {
  if (kSeparators.find(character) != std::string_view::npos) return true;
  return columns(take_code_point(character)) == 2;
}

}  // namespace

std::vector<std::string> broken_lines(std::string_view text, double width_max, const MeasureText& measure) {
  std::vector<std::string> lines;
  while (measure(text) > width_max) {
    size_t end = 0;       // of what fits
    size_t good_end = 0;  // of what fits up to a good place
    while (end < text.size()) {
      const size_t next = character_end(text, end);
      // A space that ends a line is not seen.
      const bool is_space = text.substr(end, next - end) == " ";
      if (end > 0 && !is_space && measure(text.substr(0, next)) > width_max) break;
      if (may_break_behind(text.substr(end, next - end))) good_end = next;
      end = next;
    }
    // A line that would be mostly empty is no better than a break inside a word.
    if (good_end > 0 && 3 * measure(text.substr(0, good_end)) >= measure(text.substr(0, end))) end = good_end;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    while (line.ends_with(' ')) line.remove_suffix(1);
    lines.emplace_back(line);
    if (text.empty()) return lines;
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace sheaf::draw
