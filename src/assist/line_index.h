// Places as editors count them: lines from 0, and in a line the units of UTF-16.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "language/source_text.h"

namespace sheaf::assist {

struct EditorPosition {
  uint32_t line = 0;
  uint32_t unit = 0;  // a character outside of the basic plane has two

  bool operator==(const EditorPosition&) const = default;
};

class LineIndex {
 public:
  // Borrows the text. A line ends with \n, \r\n or \r.
  explicit LineIndex(std::string_view text);

  EditorPosition position(uint32_t offset) const;
  // What lies behind the end of a line, or of the text, is its end. In the middle of a character: its
  // beginning.
  uint32_t offset(EditorPosition position) const;
  size_t line_count() const { return starts_.size(); }

 private:
  // Lines of bytes that are characters each need no counting.
  bool is_plain(size_t line) const { return plain_[line]; }
  uint32_t end_of(size_t line) const;

  std::string_view text_;
  std::vector<uint32_t> starts_;
  std::vector<bool> plain_;  // one a line
};

}  // namespace sheaf::assist
