#include "language/lexer.h"

#include <gtest/gtest.h>

namespace sheaf::language {
namespace {

struct Cut {
  explicit Cut(std::string text)
      : source("test.sheaf", std::move(text)), tokens(tokens_of(source, diagnostics)) {}

  // "kind:text" of each, but kEnd.
  std::string shown() const {
    static constexpr const char* kKinds = "nqs#cm/db";
    std::string out;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (i > 0) out += ' ';
      out += kKinds[static_cast<size_t>(tokens[i].kind)];
      out += ':';
      out += tokens[i].text;
    }
    return out;
  }
  // "begin-end id" of each mistake.
  std::string mistakes() const {
    std::string out;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      out += std::to_string(diagnostic.span.begin) + "-" + std::to_string(diagnostic.span.end) + " " +
             std::string(diagnostic.id.text()) + "\n";
    }
    return out;
  }

  SourceText source;
  Diagnostics diagnostics;
  std::vector<Token> tokens;
};

TEST(Lexer, CutsNamesNumbersStringsAndMarks) {
  EXPECT_EQ(Cut("entity _a1 `order x` \"a<b>\" 20 0.5").shown(),
            "n:entity n:_a1 q:`order x` s:\"a<b>\" #:20 #:0.5");
  EXPECT_EQ(Cut("{}()[];,:./+-*^?|$=<><=>=").shown(),
            "m:{ m:} m:( m:) m:[ m:] m:; m:, m:: m:. m:/ m:+ m:- m:* m:^ m:? m:| m:$ m:= m:<> m:<= m:>=");
  EXPECT_EQ(Cut("1--1 1--* *--*").shown(), "c:1--1 c:1--* c:*--*");
  EXPECT_EQ(Cut("").shown(), "");
  EXPECT_EQ(Cut(" \t\r\n").shown(), "");
}

TEST(Lexer, TokensNeedNoSpaceBetweenThem) {
  EXPECT_EQ(Cut("a.b^2.c").shown(), "n:a m:. n:b m:^ #:2 m:. n:c");
  EXPECT_EQ(Cut("50/s").shown(), "#:50 m:/ n:s");
  EXPECT_EQ(Cut("a1--1").shown(), "n:a1 m:- m:- #:1") << "a name takes its digits first";
  EXPECT_EQ(Cut("1-1 *-* 1- -*").shown(), "#:1 m:- #:1 m:* m:- m:* #:1 m:- m:- m:*");
  EXPECT_EQ(Cut("list<list<x>>?").shown(), "n:list m:< n:list m:< n:x m:> m:> m:?");
  EXPECT_EQ(Cut("1.").shown(), "#:1 m:.");
  EXPECT_EQ(Cut("5<abc\"x\"`y`").shown(), "#:5 m:< n:abc s:\"x\" q:`y`");
}

TEST(Lexer, CommentsGoToTheEndOfTheLine) {
  EXPECT_EQ(Cut("a // b \" `\nc").shown(), "n:a /:// b \" ` n:c");
  EXPECT_EQ(Cut("/// doc\r\n//// no doc\r\n//").shown(), "d:/// doc /://// no doc /://");
  EXPECT_EQ(Cut("\"// no comment\"").shown(), "s:\"// no comment\"");
  EXPECT_EQ(Cut("///").shown(), "d:///");
}

TEST(Lexer, KnowsWhatBeginsALine) {
  const Cut cut("a b\n  c // d\ne");
  ASSERT_EQ(cut.tokens.size(), 6u);
  const bool expected[] = {true, false, true, false, true, false};
  for (size_t i = 0; i < cut.tokens.size(); ++i) EXPECT_EQ(cut.tokens[i].first_in_line, expected[i]) << i;
}

TEST(Lexer, EveryTokenKnowsItsPlace) {
  const Cut cut(" a \"\xC3\xA4\" // \xE2\x82\xAC\n1--* ");
  for (const Token& token : cut.tokens) EXPECT_EQ(cut.source.text(token.span), token.text);
  EXPECT_EQ(cut.tokens.back().kind, Token::Kind::kEnd);
  EXPECT_EQ(cut.tokens.back().span.begin, cut.source.text().size());
}

TEST(Lexer, AByteOrderMarkIsNothing) {
  const Cut cut("\xEF\xBB\xBFmodel");
  EXPECT_EQ(cut.shown(), "n:model");
  EXPECT_TRUE(cut.tokens[0].first_in_line);
  EXPECT_EQ(cut.mistakes(), "");
  EXPECT_EQ(Cut("a \xEF\xBB\xBF").mistakes(), "2-5 bad-character\n") << "only at the beginning";
}

TEST(Lexer, UnquotedTakesQuotesAndEscapesAway) {
  const auto contents = [](std::string text) { return unquoted(Cut(std::move(text)).tokens[0]); };
  EXPECT_EQ(contents(R"("a")"), "a");
  EXPECT_EQ(contents(R"("")"), "");
  EXPECT_EQ(contents(R"("a\"b\\c\nd\te\<")"), "a\"b\\c\nd\te<");
  EXPECT_EQ(contents(R"("\\")"), "\\");
  EXPECT_EQ(contents("`a\\n\"b`"), "a\\n\"b") << "a name has no escapes";
  EXPECT_EQ(contents("\""), "");
  EXPECT_EQ(contents("\"a"), "a");
}

TEST(Lexer, TellsWhatIsNoToken) {
  EXPECT_EQ(Cut("a @ b").mistakes(), "2-3 bad-character\n");
  EXPECT_EQ(Cut("a @ b").shown(), "n:a b:@ n:b");
  EXPECT_EQ(Cut("a \xFF b").mistakes(), "2-3 bad-text\n");
  EXPECT_EQ(Cut("gr\xC3\xB6\xC3\x9F"
                "e")
                .mistakes(),
            "0-7 bad-name\n");
  EXPECT_EQ(Cut("``").mistakes(), "0-2 bad-name\n");
  EXPECT_EQ(Cut("\"abc\nd").mistakes(), "0-4 unfinished-string\n");
  EXPECT_EQ(Cut("\"abc\nd").shown(), "s:\"abc n:d") << "the next line is read as usual";
  EXPECT_EQ(Cut("\"abc\\").mistakes(), "0-5 unfinished-string\n");
  EXPECT_EQ(Cut("\"abc\\\"").mistakes(), "0-6 unfinished-string\n");
  EXPECT_EQ(Cut("`abc").mistakes(), "0-4 unfinished-string\n");
}

TEST(Lexer, TellsBytesThatAreNotUtf8WhereverTheyAre) {
  EXPECT_EQ(Cut("\"a\xFF\" b").mistakes(), "2-3 bad-text\n");
  EXPECT_EQ(Cut("\"a\xFF\" b").shown(), "s:\"a\xFF\" n:b");
  EXPECT_EQ(Cut("`a\xC3`").mistakes(), "2-3 bad-text\n");
  EXPECT_EQ(Cut("// \xE2\x82\nb").mistakes(), "3-4 bad-text\n4-5 bad-text\n");
  EXPECT_EQ(Cut("\"\\\xFF\"").mistakes(), "2-3 bad-text\n");
  // Too long, half of a pair, beyond the last character.
  for (const char* bad : {"\"\xC0\x80\"", "\"\xE0\x80\x80\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"",
                          "\"\xF0\x80\x80\x80\""})
    EXPECT_NE(Cut(bad).mistakes().find("bad-text"), std::string::npos) << bad;
  for (const char* good : {"\"\xC2\x80\"", "\"\xE0\xA0\x80\"", "\"\xED\x9F\xBF\"", "\"\xF4\x8F\xBF\xBF\"",
                           "\"\xF0\x90\x80\x80\""})
    EXPECT_EQ(Cut(good).mistakes(), "") << good;
}

TEST(SourceText, CountsLinesAndCharacters) {
  const SourceText source("x", "a\n\xC3\xA4 b\r\n\nlast");
  EXPECT_EQ(source.position(0).line, 1u);
  EXPECT_EQ(source.position(0).column, 1u);
  EXPECT_EQ(source.position(1).column, 2u) << "the end of a line belongs to it";
  EXPECT_EQ(source.position(5).line, 2u);
  EXPECT_EQ(source.position(5).column, 3u) << "a column is a character";
  EXPECT_EQ(source.position(static_cast<uint32_t>(source.text().size())).line, 4u);
  EXPECT_EQ(source.position(static_cast<uint32_t>(source.text().size())).column, 5u);
  EXPECT_EQ(source.line(1), "a");
  EXPECT_EQ(source.line(2), "\xC3\xA4 b");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "last");
}

}  // namespace
}  // namespace sheaf::language
