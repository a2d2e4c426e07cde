// Walks over the tokens of a model for the parser, and keeps its head after a mistake.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/diagnostic.h"
#include "language/lexer.h"
#include "language/probe.h"
#include "language/syntax.h"

namespace sheaf::language {

// After the first mistake in a statement nothing more is told or taken until `recover`: `is_lost` is then
// true, and everything that is taken is empty. So the parser's functions need not look after each step.
class TokenReader {
 public:
  // All outlive it. With `probe`, the last token is what is being written: it is none of those that are asked
  // for, and what is asked for there is noted.
  TokenReader(const SourceText& source, Diagnostics& diagnostics, Probe* probe = nullptr);

  bool is_lost() const { return is_lost_; }
  bool at_end() const { return token().kind == Token::Kind::kEnd; }
  bool at_mark(std::string_view mark) const;
  // A plain name with this text: a word that could be a keyword is one.
  bool at_word(std::string_view word) const;
  bool at_one_of(std::initializer_list<std::string_view> words) const;
  // The word, and then one of those.
  bool at_words(std::string_view word, std::initializer_list<std::string_view> next) const;
  bool at_kind(Token::Kind kind) const { return !is_lost_ && token().kind == kind; }
  bool at_name() const;
  // The next token but one.
  bool mark_follows(std::string_view mark) const;
  // Whether a declaration of the model's own block seems to begin here: `entity NAME {`, `pattern NAME (`. No
  // clause inside of a declaration looks like this.
  bool at_declaration() const;

  // Whether what is being written is next.
  bool at_probe() const;
  // Notes what could be written there, where nothing below asks for it.
  void offer(std::initializer_list<std::string_view> words) const;
  void offer_kind(std::string_view kind) const;

  bool take_mark(std::string_view mark);
  bool take_word(std::string_view word);
  // These tell what was expected if it is not there. `what` says for what the name is: "an entity".
  void expect_mark(std::string_view mark);
  void expect_word(std::string_view word);
  Name expect_name(std::string_view what);
  Text expect_string(std::string_view what);
  Whole expect_whole(std::string_view what);
  std::string expect_number(std::string_view what);
  Cardinality expect_cardinality();

  // The doc comment before the token that is next.
  std::string doc() const;
  Span here() const { return token().span; }
  // From `begin` to the end of what was taken last.
  Span since(Span begin) const;
  // Of one declaration the first few mistakes are told: more of them follow from those.
  void begin_declaration() { told_in_declaration_ = 0; }
  // How many mistakes there were.
  size_t mistake_count() const { return mistake_count_; }
  std::string_view text() const { return token().text; }
  const Token& token() const { return tokens_[at_]; }
  const Token& take();

  void fail(ErrorId id, Span span, std::string message, std::string fix);
  // "expected ..., found ..."
  void fail_expected(std::string_view what, std::string fix = {});
  // "expected one, two or three, found ...", with the word that was probably meant.
  void fail_expected_word(std::initializer_list<std::string_view> words);
  // Told without getting lost.
  void tell(Diagnostic diagnostic);
  // The same, of a ; that is missing before a clause: that the clause is none is not told as well.
  void tell_missing_semicolon();
  // The end of the file, inside of the block that begins at `begin`.
  void fail_unclosed(Span begin);

  // Goes on behind the `;` that ends this statement, or before the `}` that ends its block.
  void recover_in_block();
  // Goes on before the next of these words that begins a line of the model's own block, or before its end.
  void recover_before(std::initializer_list<std::string_view> words, Span statement);

 private:
  // With `column_max`, also ends before a declaration that stands so far left: the block is not closed.
  void skip_block(size_t column_max = 0);
  size_t column_of(Span span) const { return source_.position(span.begin).column; }

  const SourceText& source_;
  Diagnostics& diagnostics_;
  Probe* probe_;                   // null once it was failed at
  std::vector<Token> tokens_;      // without comments
  std::vector<std::string> docs_;  // one a token
  size_t at_ = 0;
  bool is_lost_ = false;
  bool is_end_told_ = false;
  std::optional<uint32_t> silent_at_;
  size_t mistake_count_ = 0;
  size_t told_in_declaration_ = 0;
};

}  // namespace sheaf::language
