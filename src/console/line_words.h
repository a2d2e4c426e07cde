// What somebody types into a shell, line by line: words of a command, or a statement that ends with a
// semicolon.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::console {

struct LineWords {
  std::vector<std::string> words;
  bool is_open = false;     // a quote has no end
  bool is_finished = true;  // a space is behind the last word, or there is none
  size_t last_begin = 0;    // where the last word begins, if it is not finished; else the line's end
};
// Words are set apart by spaces. 'a b' and "a b" are one word; a backslash takes the meaning from the
// character behind it, but not inside ''.
LineWords words_of_line(std::string_view line);

// The text of a statement up to its semicolon, if that is there; semicolons in quotes are no end. `rest` is
// what is behind it.
struct WholeStatement {
  std::string text;
  std::string rest;
};
std::optional<WholeStatement> whole_statement(std::string_view text);

}  // namespace sheaf::console
