// Text that can be shown anywhere: on a terminal, in Markdown, in XML.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace sheaf::draw {

// Made of any bytes. What is no UTF-8 becomes U+FFFD; what has no shape of its own or moves other text
// (controls, ends of lines, changes of direction, noncharacters) is written out: \n, \u202e.
class ShownText {
 public:
  ShownText() = default;
  ShownText(std::string_view bytes);  // NOLINT: implicit, so that tables of text read well
  ShownText(const std::string& bytes) : ShownText(std::string_view(bytes)) {}  // NOLINT: likewise
  ShownText(const char* text) : ShownText(std::string_view(text)) {}           // NOLINT: likewise

  const std::string& utf8() const { return utf8_; }
  bool empty() const { return utf8_.empty(); }

  bool operator==(const ShownText&) const = default;

 private:
  std::string utf8_;
};

// Takes the first code point off `text`. Of bytes that are no UTF-8 it takes one, and gives U+FFFD.
char32_t take_code_point(std::string_view& text);
void append_utf8(std::string& out, char32_t code_point);

}  // namespace sheaf::draw
