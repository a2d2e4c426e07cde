#include "partiql/tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/try.h"
#include "partiql/keywords.h"

namespace sheaf::partiql {
namespace {

using TokenKind = Token::Kind;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
// A byte that does not go on with the character before it.
bool is_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

TokenKind punctuation(char c) {
  switch (c) {
    case '(':
      return TokenKind::kLeftParenthesis;
    case ')':
      return TokenKind::kRightParenthesis;
    case '[':
      return TokenKind::kLeftBracket;
    case ']':
      return TokenKind::kRightBracket;
    case '{':
      return TokenKind::kLeftBrace;
    case '}':
      return TokenKind::kRightBrace;
    case ':':
      return TokenKind::kColon;
    case ',':
      return TokenKind::kComma;
    case '.':
      return TokenKind::kDot;
    case ';':
      return TokenKind::kSemicolon;
    case '?':
      return TokenKind::kParameter;
    default:
      return TokenKind::kEnd;
  }
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    for (;;) {
      TRY(skip_space());
      start_ = at_;
      start_line_ = line_;
      start_column_ = column_;
      if (at_ == text_.size()) break;
      TRY(read());
    }
    add(TokenKind::kEnd, "");
    return join_words(std::move(tokens_));
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void advance() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if (is_character(peek())) {
      ++column_;
    }
  }
  void advance(size_t count) {
    for (size_t i = 0; i < count; ++i) advance();
  }

  void add(TokenKind kind, std::string text) {
    const auto length = std::count_if(text_.begin() + static_cast<ptrdiff_t>(start_),
                                      text_.begin() + static_cast<ptrdiff_t>(at_), is_character);
    tokens_.push_back(
        {.kind = kind,
         .text = std::move(text),
         .place = {.line = start_line_, .column = start_column_, .length = static_cast<uint32_t>(length)}});
  }

  Result<void> skip_space() {
    for (;;) {
      if (is_space(peek()) && at_ < text_.size()) {
        advance();
      } else if (peek() == '-' && peek(1) == '-') {
        while (at_ < text_.size() && peek() != '\n') advance();
      } else if (peek() == '/' && peek(1) == '*') {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return not_well_formed("");
        advance(end + 2 - at_);
      } else {
        return {};
      }
    }
  }

  Result<void> read() {
    const char c = peek();
    if (is_name_start(c)) return read_word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return read_number();
    if (c == '\'') return read_quoted(TokenKind::kString);
    if (c == '"') return read_quoted(TokenKind::kQuotedIdentifier);
    static constexpr std::array<std::string_view, 7> kTwo = {"<<", ">>", "<=", "<>", ">=", "!=", "||"};
    for (const std::string_view sign : kTwo) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      advance(2);
      if (sign == "<<" || sign == ">>") {
        add(sign == "<<" ? TokenKind::kLeftBag : TokenKind::kRightBag, std::string(sign));
      } else {
        add(TokenKind::kOperator, std::string(sign == "!=" ? "<>" : sign));
      }
      return {};
    }
    if (std::string_view("+-/%*<>=@").find(c) != std::string_view::npos) {
      advance();
      add(TokenKind::kOperator, std::string(1, c));
      return {};
    }
    const TokenKind kind = punctuation(c);
    if (kind == TokenKind::kEnd) return not_well_formed("");
    advance();
    add(kind, std::string(1, c));
    return {};
  }

  Result<void> read_word() {
    while (at_ < text_.size() && is_name_part(peek())) advance();
    const std::string_view word = text_.substr(start_, at_ - start_);
    std::string small = lower(word);
    const bool is_word = is_reserved(small);
    add(is_word ? TokenKind::kKeyword : TokenKind::kIdentifier,
        is_word ? std::move(small) : std::string(word));
    return {};
  }

  Result<void> read_number() {
    const auto digits = [&] {
      const size_t before = at_;
      while (is_digit(peek())) advance();
      return at_ > before;
    };
    digits();
    if (peek() == '.') {
      advance();
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      advance();
      if (peek() == '+' || peek() == '-') advance();
      if (!digits()) return not_well_formed("");
    }
    add(TokenKind::kNumber, std::string(text_.substr(start_, at_ - start_)));
    return {};
  }

  // A quote inside is written twice.
  Result<void> read_quoted(TokenKind kind) {
    const char quote = peek();
    std::string content;
    advance();
    for (;;) {
      if (at_ == text_.size()) return not_well_formed("");
      const char c = peek();
      advance();
      if (c != quote) {
        content += c;
      } else if (peek() == quote && at_ < text_.size()) {
        content += quote;
        advance();
      } else {
        break;
      }
    }
    add(kind, std::move(content));
    return {};
  }

  static std::vector<Token> join_words(std::vector<Token> tokens) {
    static constexpr std::array<std::array<std::string_view, 2>, 7> kPairs = {{{"not", "in"},
                                                                               {"is", "not"},
                                                                               {"not", "between"},
                                                                               {"not", "like"},
                                                                               {"order", "by"},
                                                                               {"double", "precision"},
                                                                               {"character", "varying"}}};
    std::vector<Token> joined;
    for (Token& token : tokens) {
      const bool is_second =
          !joined.empty() && std::any_of(kPairs.begin(), kPairs.end(), [&](const auto& pair) {
            return joined.back().is_keyword(pair[0]) && token.is_keyword(pair[1]);
          });
      if (is_second) {
        joined.back().text += " " + token.text;
      } else {
        joined.push_back(std::move(token));
      }
    }
    return joined;
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1, column_ = 1;
  size_t start_ = 0;
  uint32_t start_line_ = 1, start_column_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::string Place::to_string() const {
  return std::to_string(line) + ":" + std::to_string(column) + ":" + std::to_string(length);
}

std::string_view kind_name(TokenKind kind) {
  switch (kind) {
    case TokenKind::kLeftParenthesis:
      return "LEFT_PAREN";
    case TokenKind::kRightParenthesis:
      return "RIGHT_PAREN";
    case TokenKind::kRightBracket:
      return "RIGHT_BRACKET";
    case TokenKind::kRightBrace:
      return "RIGHT_CURLY";
    case TokenKind::kRightBag:
      return "RIGHT_DOUBLE_ANGLE_BRACKET";
    case TokenKind::kColon:
      return "COLON";
    case TokenKind::kComma:
      return "COMMA";
    default:
      return "IDENTIFIER";
  }
}

Error not_well_formed(std::string_view problem) {
  return {Code::kInvalid, "Statement wasn't well formed, can't be processed: " + std::string(problem)};
}

Result<std::vector<Token>> tokenize(std::string_view statement) { return Lexer(statement).run(); }

}  // namespace sheaf::partiql
