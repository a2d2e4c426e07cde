// The text of a model file and where things are in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::language {

// Bytes from `begin` to before `end`.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool operator==(const Span&) const = default;
};

inline Span joined(Span first, Span last) { return {.begin = first.begin, .end = last.end}; }

// As people count: from 1, a column is a character.
struct Position {
  size_t line = 1;
  size_t column = 1;
};

class SourceText {
 public:
  // `name` is shown in messages: the path of the file.
  SourceText(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view text(Span span) const;
  Position position(uint32_t offset) const;
  // Of the line with this number, without its end.
  std::string_view line(size_t number) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<uint32_t> line_starts_;
};

// Bytes of the UTF-8 character that `text` begins with; 0 if it begins with none.
size_t character_bytes(std::string_view text);

// How many characters (code points) `bytes` has, if it is UTF-8.
size_t character_count(std::string_view bytes);

}  // namespace sheaf::language
