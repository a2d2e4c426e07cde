#include "console/line_words.h"

namespace sheaf::console {
namespace {

bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r'; }

}  // namespace

LineWords words_of_line(std::string_view line) {
  LineWords all;
  std::string word;
  bool is_word = false;
  char quote = '\0';
  all.last_begin = line.size();
  for (size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (quote == '\0' && is_space(letter)) {
      if (is_word) all.words.push_back(std::move(word));
      word.clear();
      is_word = false;
      continue;
    }
    if (!is_word) all.last_begin = i;
    is_word = true;
    if (letter == '\\' && quote != '\'' && i + 1 < line.size()) {
      // Inside "" it stays before what has no meaning there.
      if (quote == '"' && line[i + 1] != '"' && line[i + 1] != '\\') word += letter;
      word += line[++i];
    } else if (quote == letter) {
      quote = '\0';
    } else if (quote == '\0' && (letter == '\'' || letter == '"')) {
      quote = letter;
    } else {
      word += letter;
    }
  }
  if (is_word) all.words.push_back(std::move(word));
  all.is_open = quote != '\0';
  all.is_finished = !is_word;
  if (all.is_finished) all.last_begin = line.size();
  return all;
}

std::optional<WholeStatement> whole_statement(std::string_view text) {
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    // A quote that is doubled inside a text ends it and begins it again.
    if (quote != '\0') {
      if (letter == quote) quote = '\0';
    } else if (letter == '\'' || letter == '"') {
      quote = letter;
    } else if (letter == ';') {
      return WholeStatement{.text = std::string(text.substr(0, i)), .rest = std::string(text.substr(i + 1))};
    }
  }
  return std::nullopt;
}

}  // namespace sheaf::console
