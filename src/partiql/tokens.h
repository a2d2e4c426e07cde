// PartiQL's lexemes: what the text of a statement is made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::partiql {

// Where something stands in a statement, as AWS tells it: counted in characters, from 1.
struct Place {
  uint32_t line = 1;
  uint32_t column = 1;
  uint32_t length = 0;

  // "1:8:5"
  std::string to_string() const;
};

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kIdentifier,
    kQuotedIdentifier,
    kKeyword,  // `text` in lower case; two words that are one operator are joined: "not in", "is not"
    kString,   // `text` without quotes
    kNumber,
    kOperator,  // + - / % * < <= > >= = <> ||
    kLeftParenthesis,
    kRightParenthesis,
    kLeftBracket,
    kRightBracket,
    kLeftBrace,
    kRightBrace,
    kLeftBag,  // <<
    kRightBag,
    kColon,
    kComma,
    kDot,
    kSemicolon,
    kParameter,  // ?
  };
  Kind kind = Kind::kEnd;
  std::string text;
  Place place;

  bool is(Kind wanted) const { return kind == wanted; }
  bool is_keyword(std::string_view word) const { return kind == Kind::kKeyword && text == word; }
  bool is_operator(std::string_view sign) const { return kind == Kind::kOperator && text == sign; }
  bool is_name() const { return kind == Kind::kIdentifier || kind == Kind::kQuotedIdentifier; }
};

// What the grammar calls such a token in its complaints: "RIGHT_PAREN".
std::string_view kind_name(Token::Kind kind);

// "Statement wasn't well formed, can't be processed: " and `problem`.
Error not_well_formed(std::string_view problem);

// All of them, and kEnd. Comments (-- to the end of the line, /* */) count as space. What is wrong is told
// without a detail.
Result<std::vector<Token>> tokenize(std::string_view statement);

}  // namespace sheaf::partiql
