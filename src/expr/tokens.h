// The words of an expression, one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::expr {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kWord,              // a name, a function or a keyword
    kNamePlaceholder,   // #n
    kValuePlaceholder,  // :v
    kInteger,
    kOpen,
    kClose,
    kOpenBracket,
    kCloseBracket,
    kComma,
    kDot,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kPlus,
    kMinus,
    kUnknown  // one character that begins nothing
  };
  Kind kind;
  std::string_view text;  // lies in the expression; of kEnd empty, at its end

  // Compares without regard to case; `word` is in capitals.
  bool is_word(std::string_view word) const;
};

// Reads forward only. Borrows the text.
class Tokens {
 public:
  explicit Tokens(std::string_view text);

  const Token& current() const { return current_; }
  Token::Kind kind() const { return current_.kind; }
  void advance();
  // Moves on if the current token is of this kind.
  bool take(Token::Kind kind);

  // AWS's complaint about the current token, with its neighbours:
  // Syntax error; token: "FROM", near: "a FROM b"
  std::string syntax_error() const;

 private:
  Token read(const char* position) const;

  std::string_view text_;
  Token current_;
  const char*
      previous_;  // where the token before the current one begins; the current one itself at the start
};

}  // namespace sheaf::expr
