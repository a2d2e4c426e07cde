#include "expr/tokens.h"

#include <array>

namespace sheaf::expr {
namespace {

using TokenKind = Token::Kind;

enum : uint8_t { kSpace = 1, kDigit = 2, kLetter = 4, kUnderscore = 8 };

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\r', '\n'}) classes[static_cast<uint8_t>(c)] = kSpace;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kLetter;
  classes['_'] = kUnderscore;
  return classes;
}();

bool is(char c, uint8_t classes) { return (kClasses[static_cast<uint8_t>(c)] & classes) != 0; }

const char* skip(const char* position, const char* end, uint8_t classes) {
  while (position < end && is(*position, classes)) ++position;
  return position;
}

// The bytes of one character, so that a message never holds half of one.
const char* skip_character(const char* position, const char* end) {
  ++position;
  while (position < end && (static_cast<uint8_t>(*position) & 0xc0) == 0x80) ++position;
  return position;
}

}  // namespace

bool Token::is_word(std::string_view word) const {
  if (kind != TokenKind::kWord || text.size() != word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if ((text[i] & ~0x20) != word[i]) return false;
  }
  return true;
}

Tokens::Tokens(std::string_view text)
    : text_(text), current_(read(text.data())), previous_(current_.text.data()) {}

void Tokens::advance() {
  previous_ = current_.text.data();
  current_ = read(current_.text.data() + current_.text.size());
}

bool Tokens::take(Token::Kind kind) {
  if (current_.kind != kind) return false;
  advance();
  return true;
}

Token Tokens::read(const char* position) const {
  const char* const end = text_.data() + text_.size();
  position = skip(position, end, kSpace);
  const auto token = [&](TokenKind kind, const char* behind) {
    return Token{kind, {position, static_cast<size_t>(behind - position)}};
  };
  if (position == end) return token(TokenKind::kEnd, end);
  const char* const next = position + 1;
  const char following = next < end ? *next : '\0';
  switch (*position) {
    case '#':
    case ':': {
      const char* const behind = skip(next, end, kLetter | kDigit | kUnderscore);
      if (behind == next) return token(TokenKind::kUnknown, next);
      return token(*position == '#' ? TokenKind::kNamePlaceholder : TokenKind::kValuePlaceholder, behind);
    }
    case '(':
      return token(TokenKind::kOpen, next);
    case ')':
      return token(TokenKind::kClose, next);
    case '[':
      return token(TokenKind::kOpenBracket, next);
    case ']':
      return token(TokenKind::kCloseBracket, next);
    case ',':
      return token(TokenKind::kComma, next);
    case '.':
      return token(TokenKind::kDot, next);
    case '+':
      return token(TokenKind::kPlus, next);
    case '-':
      return token(TokenKind::kMinus, next);
    case '=':
      return token(TokenKind::kEqual, next);
    case '<':
      if (following == '>') return token(TokenKind::kNotEqual, next + 1);
      if (following == '=') return token(TokenKind::kLessEqual, next + 1);
      return token(TokenKind::kLess, next);
    case '>':
      if (following == '=') return token(TokenKind::kGreaterEqual, next + 1);
      return token(TokenKind::kGreater, next);
    default:
      break;
  }
  // An underscore does not begin a name: AWS takes it for a token of its own.
  if (is(*position, kLetter)) return token(TokenKind::kWord, skip(next, end, kLetter | kDigit | kUnderscore));
  if (is(*position, kDigit)) return token(TokenKind::kInteger, skip(next, end, kDigit));
  return token(TokenKind::kUnknown, skip_character(position, end));
}

std::string Tokens::syntax_error() const {
  std::string message = "Syntax error; token: \"";
  std::string_view last = current_.text;
  if (current_.kind == TokenKind::kEnd) {
    message += "<EOF>";
    last = previous_ < current_.text.data() ? read(previous_).text : current_.text;
  } else {
    message += current_.text;
    const Token next = read(current_.text.data() + current_.text.size());
    if (next.kind != TokenKind::kEnd) last = next.text;
  }
  message += "\", near: \"";
  message.append(previous_, last.data() + last.size());
  message += "\"";
  return message;
}

}  // namespace sheaf::expr
