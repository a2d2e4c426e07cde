#include "language/lexer.h"

#include <array>

namespace sheaf::language {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_foreign(char c) { return static_cast<unsigned char>(c) >= 0x80; }

constexpr std::array<std::string_view, 3> kCardinalities = {"1--1", "1--*", "*--*"};
constexpr std::array<std::string_view, 3> kLongMarks = {"<=", ">=", "<>"};

// What other languages write, and what it is here.
struct ForeignMark {
  std::string_view text;
  Token::Kind kind;
  std::string_view meant;
};
constexpr std::array<ForeignMark, 3> kForeignMarks = {
    {{"==", Token::Kind::kMark, "="}, {"!=", Token::Kind::kMark, "<>"}, {"&&", Token::Kind::kName, "and"}}};
constexpr std::string_view kMarks = "{}()[];,:./+-*^?|$=<>";
// Some editors begin a file with it.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

char32_t character_at(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  switch (character_bytes(text)) {
    case 2:
      return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
    case 3:
      return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
    case 4:
      return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
    default:
      return byte(0);
  }
}

// Spaces, dashes and quotes that word processors put in: no letters.
bool is_typographic(std::string_view text) {
  const char32_t c = character_at(text);
  return c == 0xA0 || (c >= 0x2000 && c <= 0x206F) || c == 0x3000 || c == 0xFEFF;
}

bool is_typographic_quote(std::string_view text) {
  const char32_t c = character_at(text);
  return c == 0x2018 || c == 0x2019 || c == 0x201C || c == 0x201D || c == 0x201E;
}

class Lexer {
 public:
  Lexer(const SourceText& source, Diagnostics& diagnostics)
      : text_(source.text()), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    if (rest().starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    while (true) {
      skip_space();
      begin_ = at_;
      if (at_ == text_.size()) break;
      take_token();
    }
    add(Token::Kind::kEnd);
    return std::move(tokens_);
  }

 private:
  using Kind = Token::Kind;

  std::string_view rest() const { return text_.substr(at_); }
  bool at_character(char c) const { return at_ < text_.size() && text_[at_] == c; }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
      if (text_[at_] == '\n') first_in_line_ = true;
      ++at_;
    }
  }

  void add(Kind kind) {
    tokens_.push_back({.kind = kind,
                       .text = text_.substr(begin_, at_ - begin_),
                       .span = span(),
                       .first_in_line = first_in_line_});
    first_in_line_ = false;
  }

  Span span() const { return {.begin = static_cast<uint32_t>(begin_), .end = static_cast<uint32_t>(at_)}; }

  void take_token() {
    for (const std::string_view cardinality : kCardinalities) {
      if (rest().starts_with(cardinality)) return take(cardinality.size(), Kind::kCardinality);
    }
    const char c = text_[at_];
    if (rest().starts_with("//")) return take_comment();
    if (is_letter(c) || (is_foreign(c) && character_bytes(rest()) > 0 && !is_typographic(rest())))
      return take_name();
    if (is_digit(c)) return take_number();
    if (rest().starts_with("/*") || c == '#' || (rest().starts_with("--") && first_in_line_))
      return take_foreign_comment();
    if (is_typographic_quote(rest())) return take_typographic();
    if (c == '\'' && rest().substr(1, rest().find('\n')).find('\'') != std::string_view::npos)
      return take_single_quoted();
    for (const ForeignMark& mark : kForeignMarks) {
      if (rest().starts_with(mark.text)) return take_foreign_mark(mark);
    }
    if (c == '"') return take_quoted('"', Kind::kString);
    if (c == '`') return take_quoted('`', Kind::kQuotedName);
    for (const std::string_view mark : kLongMarks) {
      if (rest().starts_with(mark)) return take(mark.size(), Kind::kMark);
    }
    if (kMarks.find(c) != std::string_view::npos) return take(1, Kind::kMark);
    const size_t bytes = character_bytes(rest());
    take(std::max<size_t>(bytes, 1), Kind::kBad);
    if (bytes > 1) {
      return tell("bad-character", "this space, dash or quote is none that can be typed",
                  "replace it by the plain one: a space, - or \"");
    }
    if (bytes == 0) {
      tell("bad-text", "this byte is not UTF-8", "save the file as UTF-8");
    } else {
      tell("bad-character", "the character " + std::string(tokens_.back().text) + " means nothing here",
           "remove it, or put the text in double quotes");
    }
  }

  void take(size_t bytes, Kind kind) {
    at_ += bytes;
    add(kind);
  }

  void take_name() {
    if (at_bare_template()) return take_bare_template();
    bool is_plain = true;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || is_foreign(text_[at_]))) {
      const size_t bytes = character_bytes(rest());
      if (bytes == 0 || (bytes > 1 && is_typographic(rest()))) break;
      is_plain = is_plain && bytes == 1;
      at_ += bytes;
    }
    add(Kind::kName);
    tell_unless_plain(is_plain);
  }

  void tell_unless_plain(bool is_plain) {
    if (is_plain) return;
    const std::string name(tokens_.back().text);
    tell("bad-name", name + " has letters other than a to z", "put it in backquotes: `" + name + "`");
  }

  void take_number() {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_character('.') && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
    const bool is_exponent = at_character('e') || at_character('E');
    const bool is_grouped = at_character('_');
    if (at_ == text_.size() || !is_letter(text_[at_])) return add(Kind::kNumber);
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string text(text_.substr(begin_, at_ - begin_));
    const bool is_number =
        (is_exponent || is_grouped) && text.find_first_not_of("0123456789_eE.") == std::string::npos;
    add(is_number ? Kind::kNumber : Kind::kName);
    if (is_number) {
      tokens_.back().text = "1";  // what can be used
      tell("bad-number", text + " is not written out", "write its digits, without exponent or _");
    } else {
      tell("bad-name", "the name " + text + " begins with a digit", "put it in backquotes: `" + text + "`");
    }
  }

  // #, -- and /* */ of other languages.
  void take_foreign_comment() {
    const bool is_block = rest().starts_with("/*");
    const size_t end = is_block ? rest().find("*/") : rest().find('\n');
    at_ = end == std::string_view::npos ? text_.size() : at_ + end + (is_block ? 2 : 0);
    add(Kind::kBad);
    tell("bad-character", "a comment begins with //", "write // before each line of it");
  }

  void take_single_quoted() {
    at_ += 1 + rest().substr(1).find('\'') + 1;
    add(Kind::kString);
    tokens_.back().inside = tokens_.back().text.substr(1, tokens_.back().text.size() - 2);
    tell_quotes();
  }

  void tell_quotes() {
    tell("bad-character", "a string has double quotes",
         "write \"" + std::string(tokens_.back().inside) + "\"");
  }

  // Of a word processor: as long as there are two of them in the line, they quote something.
  void take_typographic() {
    constexpr size_t kQuoteBytes = 3;
    size_t end = at_ + kQuoteBytes;
    while (end < text_.size() && text_[end] != '\n' && !is_typographic_quote(text_.substr(end))) ++end;
    const bool is_pair = end < text_.size() && text_[end] != '\n';
    at_ = is_pair ? end + kQuoteBytes : at_ + kQuoteBytes;
    add(is_pair ? Kind::kString : Kind::kBad);
    if (is_pair) tokens_.back().inside = tokens_.back().text.substr(kQuoteBytes, end - begin_ - kQuoteBytes);
    tell_quotes();
  }

  // C#<id> without its quotes.
  bool at_bare_template() const {
    size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return end > at_ && end < text_.size() && text_[end] == '#';
  }

  void take_bare_template() {
    at_ += std::min(rest().find_first_of(" \t\r\n;,{}\""), rest().size());
    add(Kind::kString);
    tokens_.back().inside = tokens_.back().text;
    tell_quotes();
  }

  // Read as what is meant, so that only the mark itself is told.
  void take_foreign_mark(const ForeignMark& mark) {
    take(mark.text.size(), mark.kind);
    tokens_.back().text = mark.meant;
    tell("bad-character", std::string(mark.text) + " means nothing here", "write " + std::string(mark.meant));
  }

  void take_comment() {
    const bool doc = rest().starts_with("///") && !rest().starts_with("////");
    while (at_ < text_.size() && text_[at_] != '\n') {
      const size_t bytes = character_bytes(rest());
      if (bytes == 0) {
        begin_bad();
        tell("bad-text", "this byte is not UTF-8", "save the file as UTF-8");
        at_ = bad_end_;
        begin_ = token_begin_;
      } else {
        at_ += bytes;
      }
    }
    if (text_[at_ - 1] == '\r') --at_;
    add(doc ? Kind::kDoc : Kind::kComment);
  }

  void take_quoted(char quote, Kind kind) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      const size_t bytes = character_bytes(rest());
      if (bytes == 0) {
        begin_bad();
        tell("bad-text", "this byte is not UTF-8", "save the file as UTF-8");
        at_ = bad_end_;
        begin_ = token_begin_;
      } else {
        at_ += bytes;
      }
    }
    const bool is_finished = at_character(quote);
    if (is_finished) {
      ++at_;
    } else {
      at_ = begin_ + unfinished(text_.substr(begin_, at_ - begin_));
    }
    add(kind);
    tokens_.back().inside = tokens_.back().text.substr(1, tokens_.back().text.size() - (is_finished ? 2 : 1));
    if (!is_finished) {
      tell("unfinished-string", quote == '"' ? "this string has no end" : "this name has no end",
           std::string("close it with ") + quote + " on the same line");
    } else if (kind == Kind::kQuotedName && tokens_.back().text.size() == 2) {
      tell("bad-name", "a name cannot be empty", "write at least one character between the backquotes");
    }
  }

  // How much of it belongs to the string, probably: what ends the block or the line is left.
  static size_t unfinished(std::string_view text) {
    text = text.substr(0, text.find(" //"));
    return std::max<size_t>(text.find_last_not_of(" \t\r;}") + 1, 1);
  }

  // A single byte inside a longer token.
  void begin_bad() {
    token_begin_ = begin_;
    begin_ = at_;
    bad_end_ = ++at_;
  }

  void tell(ErrorId id, std::string message, std::string fix) {
    diagnostics_.add({.id = id, .span = span(), .message = std::move(message), .fix = std::move(fix)});
  }

  const std::string_view text_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  size_t begin_ = 0;
  size_t token_begin_ = 0;
  size_t bad_end_ = 0;
  bool first_in_line_ = true;
};

}  // namespace

std::vector<Token> tokens_of(const SourceText& source, Diagnostics& diagnostics) {
  return Lexer(source, diagnostics).run();
}

bool is_comment(const Token& token) {
  return token.kind == Token::Kind::kComment || token.kind == Token::Kind::kDoc;
}

bool is_unfinished(const Token& token, uint32_t end) {
  if (token.kind == Token::Kind::kName) return token.span.end == end;
  const bool is_quoted = token.text.starts_with('"') || token.text.starts_with('`');
  return is_quoted && token.inside.size() + 1 == token.text.size();
}

std::string unescaped(char c) {
  if (c == 'n') return "\n";
  if (c == 't') return "\t";
  // Others stay as they are: a regular expression says \d.
  const bool is_escape = c == '"' || c == '\\' || c == '<' || c == '>';
  return is_escape ? std::string(1, c) : std::string{'\\', c};
}

std::string unquoted(const Token& token) {
  if (token.text.front() != '"') return std::string(token.inside);
  std::string out;
  for (size_t i = 0; i < token.inside.size(); ++i) {
    if (token.inside[i] != '\\' || i + 1 == token.inside.size()) {
      out += token.inside[i];
      continue;
    }
    out += unescaped(token.inside[++i]);
  }
  return out;
}

}  // namespace sheaf::language
