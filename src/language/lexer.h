// Cuts a model file into tokens. Never fails: what is no token becomes one of its own, kBad.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/diagnostic.h"
#include "language/source_text.h"

namespace sheaf::language {

struct Token {
  enum class Kind : uint8_t {
    kName,         // entity, orders
    kQuotedName,   // `order`: never a keyword
    kString,       // "ORG#<name>"
    kNumber,       // 20, 0.5
    kCardinality,  // 1--1, 1--*, *--*
    kMark,         // { } ( ) [ ] ; , : . / + - * ^ ? | $ = < > <= >= <>
    kComment,      // to the end of the line
    kDoc,          // likewise, with three slashes
    kBad,
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string_view text;    // as it is written
  std::string_view inside;  // kString, kQuotedName: without its quotes, escapes as they are written
  Span span;
  bool first_in_line = false;
};

// All tokens, comments among them, and kEnd last. Bytes that are not UTF-8, unfinished strings and characters
// that mean nothing are told to `diagnostics`.
std::vector<Token> tokens_of(const SourceText& source, Diagnostics& diagnostics);

bool is_comment(const Token& token);
// Whether it goes on if more is written at `end`, where the text ends: a name that reaches it, a string
// without its second quote.
bool is_unfinished(const Token& token, uint32_t end);

// What a backslash and `c` stand for in a string.
std::string unescaped(char c);

// The contents of a string or quoted name: without quotes and escapes.
std::string unquoted(const Token& token);

}  // namespace sheaf::language
