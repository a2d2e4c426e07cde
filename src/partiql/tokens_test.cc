#include "partiql/tokens.h"

#include <gtest/gtest.h>

namespace sheaf::partiql {
namespace {

using Kind = Token::Kind;

std::vector<Token> tokens_of(std::string_view text) {
  Result<std::vector<Token>> tokens = tokenize(text);
  EXPECT_TRUE(tokens.ok()) << text;
  return tokens.ok() ? *tokens : std::vector<Token>();
}

std::string texts_of(std::string_view text) {
  std::string all;
  for (const Token& token : tokens_of(text)) all += (all.empty() ? "" : "|") + token.text;
  return all;
}

TEST(Tokens, KeywordsAreWordsInAnyCaseAndNamesKeepTheirs) {
  const auto tokens = tokens_of("sElEcT Size \"Size\" data");
  EXPECT_TRUE(tokens[0].is_keyword("select"));
  EXPECT_TRUE(tokens[1].is_keyword("size"));
  EXPECT_EQ(tokens[2].kind, Kind::kQuotedIdentifier);
  EXPECT_EQ(tokens[2].text, "Size");
  EXPECT_EQ(tokens[3].kind, Kind::kIdentifier);
  EXPECT_EQ(tokens[4].kind, Kind::kEnd);
}

TEST(Tokens, QuotesAreDoubledInside) { EXPECT_EQ(texts_of("'it''s' \"a\"\"b\" ''"), "it's|a\"b||"); }

TEST(Tokens, NumbersHaveManyForms) {
  EXPECT_EQ(texts_of("1 1.5 .73e1 7.31E+6 1. 1e-3 a.b[2]"), "1|1.5|.73e1|7.31E+6|1.|1e-3|a|.|b|[|2|]|");
}

TEST(Tokens, CommentsAreSpace) {
  EXPECT_EQ(texts_of("a/* b */c -- d\n e --"), "a|c|e|");
  EXPECT_EQ(texts_of("'-- no' '/* no */'"), "-- no|/* no */|");
}

TEST(Tokens, WordsThatAreOneOperatorAreJoined) {
  EXPECT_EQ(texts_of("a NOT  IN b is not null not between order by"),
            "a|not in|b|is not|null|not between|order by|");
}

TEST(Tokens, SignsOfTwoCharacters) { EXPECT_EQ(texts_of("<< >> <= >= <> != < >"), "<<|>>|<=|>=|<>|<>|<|>|"); }

TEST(Tokens, PlacesCountCharacters) {
  const auto tokens = tokens_of("a\n  \"\xc3\xa9\xc3\xa9\" 'x'");
  EXPECT_EQ(tokens[0].place.to_string(), "1:1:1");
  EXPECT_EQ(tokens[1].place.to_string(), "2:3:4");
  EXPECT_EQ(tokens[2].place.to_string(), "2:8:3");
}

TEST(Tokens, WhatIsNoneIsToldWithoutADetail) {
  for (const std::string_view text :
       {"# a", "'open", "\"open", "a /* open", "1e", "a & b", "a ! b", "\xc3\xa9", "`1`"}) {
    const auto tokens = tokenize(text);
    ASSERT_FALSE(tokens.ok()) << text;
    EXPECT_EQ(tokens.error().message, "Statement wasn't well formed, can't be processed: ") << text;
  }
}

}  // namespace
}  // namespace sheaf::partiql
