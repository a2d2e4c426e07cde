#include "assist/block_edits.h"

namespace sheaf::assist {

using language::Span;
using language::Token;

TextEdit add_clause(const Document& document, Span declaration, const std::string& clause) {
  const Token* close = nullptr;
  const Token* last = nullptr;  // before it, without comments
  for (const Token& token : document.tokens()) {
    if (is_comment(token) || token.span.end > declaration.end) continue;
    if (token.span.end == declaration.end && token.text == "}") {
      close = &token;
      break;
    }
    last = &token;
  }
  if (close == nullptr || last == nullptr)
    return {.span = {.begin = declaration.end, .end = declaration.end}, .text = " { " + clause + " }"};
  const std::string separator = last->text == ";" || last->text == "{" ? "" : ";";
  const language::SourceText& source = document.source();
  const language::Position last_place = source.position(last->span.begin);
  const language::Position close_place = source.position(close->span.begin);
  const Span behind{.begin = last->span.end, .end = last->span.end};
  if (last_place.line == close_place.line) return {.span = behind, .text = separator + " " + clause};
  // A line of its own, as deep as the one before it.
  const std::string_view line = source.line(last_place.line);
  std::string indent(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
  if (last->text == "{") indent += "  ";
  return {.span = behind, .text = separator + "\n" + indent + clause + ";"};
}

}  // namespace sheaf::assist
