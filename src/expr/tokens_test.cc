#include "expr/tokens.h"

#include <gtest/gtest.h>

#include <vector>

namespace sheaf::expr {
namespace {

using Kind = Token::Kind;

std::vector<std::string> texts(std::string_view expression) {
  std::vector<std::string> texts;
  for (Tokens tokens(expression); tokens.kind() != Kind::kEnd; tokens.advance()) {
    texts.emplace_back(tokens.current().text);
  }
  return texts;
}

// The complaint about the token at a position.
std::string complaint(std::string_view expression, int position) {
  Tokens tokens(expression);
  for (int i = 0; i < position; ++i) tokens.advance();
  return tokens.syntax_error();
}

TEST(Tokens, SeparatesNamesPlaceholdersNumbersAndSigns) {
  EXPECT_EQ(texts("SET #n.a_1[20]=:v2+if_not_exists(b,:_)"),
            (std::vector<std::string>{"SET", "#n", ".", "a_1", "[", "20", "]", "=", ":v2", "+",
                                      "if_not_exists", "(", "b", ",", ":_", ")"}));
}

TEST(Tokens, ReadsTheLongestComparator) {
  EXPECT_EQ(texts("a<>b<=c>=d<e>f=g"),
            (std::vector<std::string>{"a", "<>", "b", "<=", "c", ">=", "d", "<", "e", ">", "f", "=", "g"}));
}

TEST(Tokens, SkipsSpacesTabsAndLineEnds) {
  EXPECT_EQ(texts(" \ta\r\n = \n:b "), (std::vector<std::string>{"a", "=", ":b"}));
  EXPECT_TRUE(texts(" \t\r\n").empty());
}

TEST(Tokens, DoNotBeginNamesWithDigitsOrUnderscores) {
  EXPECT_EQ(texts("_123"), (std::vector<std::string>{"_", "123"}));
  EXPECT_EQ(texts("12ab"), (std::vector<std::string>{"12", "ab"}));
  EXPECT_EQ(texts("#12ab :3"), (std::vector<std::string>{"#12ab", ":3"}));
}

TEST(Tokens, TakeALoneHashOrColonForAnUnknownCharacter) {
  for (const std::string_view text : {"#", ":", "# a", "!", "\"", "@"}) {
    EXPECT_EQ(Tokens(text).kind(), Kind::kUnknown) << text;
  }
}

TEST(Tokens, KeepTheBytesOfOneCharacterTogether) {
  EXPECT_EQ(texts("ü𝄞"), (std::vector<std::string>{"ü", "𝄞"}));
}

TEST(Tokens, CompareWordsWithoutRegardToCase) {
  EXPECT_TRUE(Tokens("beTWeen").current().is_word("BETWEEN"));
  EXPECT_FALSE(Tokens("betweens").current().is_word("BETWEEN"));
  EXPECT_FALSE(Tokens("#between").current().is_word("BETWEEN"));
}

TEST(Tokens, ComplainWithTheNeighboursOfTheToken) {
  EXPECT_EQ(complaint("INVALID SYNTAX HERE", 0), R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")");
  EXPECT_EQ(complaint("ADD hits : incr", 2), R"(Syntax error; token: ":", near: "hits : incr")");
  EXPECT_EQ(complaint("SET _123", 1), R"(Syntax error; token: "_", near: "SET _123")");
  EXPECT_EQ(complaint("a b", 1), R"(Syntax error; token: "b", near: "a b")");
  EXPECT_EQ(complaint("x", 0), R"(Syntax error; token: "x", near: "x")");
}

TEST(Tokens, ComplainAboutTheEndWithTheLastToken) {
  EXPECT_EQ(complaint("contains (themes, :theme", 5), R"(Syntax error; token: "<EOF>", near: ":theme")");
  EXPECT_EQ(complaint("SET a = :a,  ", 5), R"(Syntax error; token: "<EOF>", near: ",")");
  EXPECT_EQ(complaint("  ", 0), R"(Syntax error; token: "<EOF>", near: "")");
}

}  // namespace
}  // namespace sheaf::expr
