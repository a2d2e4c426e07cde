#include "language/diagnostic.h"

#include <gtest/gtest.h>

#include "language/token_reader.h"

namespace sheaf::language {
namespace {

Diagnostic mistake_at(uint32_t begin, uint32_t end) {
  return {.id = "bad-name", .span = {.begin = begin, .end = end}, .message = "it is wrong", .fix = ""};
}

TEST(Diagnostic, ShowsTheLineAndMarksThePlace) {
  const SourceText source("shop.sheaf", "model m {\n  rel Custmer 1--* Order\n}\n");
  Diagnostic diagnostic = mistake_at(16, 23);
  diagnostic.fix = "write Customer";
  EXPECT_EQ(render(source, diagnostic),
            "shop.sheaf:2:7: error: it is wrong [bad-name]\n"
            "   2 |   rel Custmer 1--* Order\n"
            "     |       ^^^^^^^\n"
            "     = write Customer\n");
}

TEST(Diagnostic, ShowsWarningsAndOtherPlaces) {
  const SourceText source("x", "one\ntwo\n");
  Diagnostic diagnostic = mistake_at(4, 7);
  diagnostic.severity = Severity::kWarning;
  diagnostic.notes.push_back({.span = {.begin = 0, .end = 3}, .text = "the first is here"});
  EXPECT_EQ(render(source, diagnostic),
            "x:2:1: warning: it is wrong [bad-name]\n"
            "   2 | two\n"
            "     | ^^^\n"
            "x:1:1: note: the first is here\n"
            "   1 | one\n"
            "     | ^^^\n");
}

TEST(Diagnostic, MarksStandBelowWhatTheyMark) {
  // A tab, and characters of several bytes before and in it.
  const SourceText source("x", "\t\xC3\xA4 \xE2\x82\xAC\xE2\x82\xAC z");
  EXPECT_EQ(render(source, mistake_at(4, 10)),
            "x:1:4: error: it is wrong [bad-name]\n"
            "   1 | \t\xC3\xA4 \xE2\x82\xAC\xE2\x82\xAC z\n"
            "     | \t  ^^\n");
}

TEST(Diagnostic, AnEmptyPlaceGetsOneMark) {
  const SourceText source("x", "ab");
  EXPECT_EQ(render(source, mistake_at(2, 2)),
            "x:1:3: error: it is wrong [bad-name]\n"
            "   1 | ab\n"
            "     |   ^\n");
  EXPECT_EQ(render(SourceText("x", ""), mistake_at(0, 0)),
            "x:1:1: error: it is wrong [bad-name]\n"
            "   1 | \n"
            "     | ^\n");
}

TEST(Diagnostic, APlaceOfSeveralLinesIsMarkedOnTheFirst) {
  const SourceText source("x", "a {\r\n  b\n}");
  const std::string shown = render(source, mistake_at(2, 10));
  EXPECT_TRUE(shown.starts_with("x:1:3: error: it is wrong [bad-name]\n   1 | a {\n     |   ^")) << shown;
  EXPECT_EQ(std::count(shown.begin(), shown.end(), '\n'), 3);
}

TEST(Diagnostic, TheMarginGrowsWithTheNumber) {
  const SourceText source("x", std::string(123'455, '\n') + "ab");
  EXPECT_EQ(render(source, mistake_at(123'456, 123'457)),
            "x:123456:2: error: it is wrong [bad-name]\n"
            "123456 | ab\n"
            "       |  ^\n");
}

TEST(Diagnostics, AreKeptToAMaximumButAllCounted) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  Diagnostic warning = mistake_at(0, 0);
  warning.severity = Severity::kWarning;
  diagnostics.add(warning);
  EXPECT_FALSE(diagnostics.has_errors());
  for (size_t i = 0; i < 2 * Diagnostics::kKeptMax; ++i) diagnostics.add(mistake_at(i + 1, i + 1));
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 2 * Diagnostics::kKeptMax);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kKeptMax);
}

TEST(Diagnostics, AreToldOnce) {
  Diagnostics diagnostics;
  diagnostics.add(mistake_at(1, 2));
  Diagnostic again = mistake_at(1, 2);
  again.layout = "other";
  diagnostics.add(again);
  EXPECT_EQ(diagnostics.error_count(), 1u);
  again.message = "another thing is wrong";
  diagnostics.add(again);
  EXPECT_EQ(diagnostics.error_count(), 2u);
  EXPECT_NE(render(SourceText("x", "abc"), diagnostics.all()[1]).find("wrong (in layout other) [bad-name]"),
            std::string::npos);
}

TEST(Diagnostics, SortByPlaceAndKeepTheOrderAtOne) {
  Diagnostics diagnostics;
  diagnostics.add(mistake_at(5, 6));
  diagnostics.add(mistake_at(1, 9));
  diagnostics.add(mistake_at(1, 2));
  diagnostics.sort();
  EXPECT_EQ(diagnostics.all()[0].span.end, 9u);
  EXPECT_EQ(diagnostics.all()[1].span.end, 2u);
  EXPECT_EQ(diagnostics.all()[2].span.begin, 5u);
}

TEST(Nearest, FindsWhatWasProbablyMeant) {
  const std::vector<std::string_view> names = {"Customer", "Order", "id"};
  EXPECT_EQ(nearest("Custmer", names), "Customer");
  EXPECT_EQ(nearest("customer", names), "Customer");
  EXPECT_EQ(nearest("Cutsomer", names), "Customer");
  EXPECT_EQ(nearest("Ordre", names), "Order");
  EXPECT_EQ(nearest("di", names), "id");
  EXPECT_EQ(nearest("Invoice", names), "");
  EXPECT_EQ(nearest("x", {}), "");
}

struct Reading {
  explicit Reading(std::string text) : source("x", std::move(text)), reader(source, diagnostics) {}

  SourceText source;
  Diagnostics diagnostics;
  TokenReader reader;
};

TEST(TokenReader, DocCommentsBelongToTheNextToken) {
  Reading reading("/// one  \n// no\n///two\n///\na b /// three\n c");
  EXPECT_EQ(reading.reader.doc(), "one\ntwo\n");
  reading.reader.take();
  EXPECT_EQ(reading.reader.doc(), "");
  reading.reader.take();
  EXPECT_EQ(reading.reader.doc(), "three");
}

TEST(TokenReader, AfterAMistakeNothingIsTakenOrTold) {
  Reading reading("a b c");
  reading.reader.expect_word("x");
  EXPECT_TRUE(reading.reader.is_lost());
  EXPECT_FALSE(reading.reader.at_word("a"));
  EXPECT_EQ(reading.reader.expect_name("a name").text, "");
  reading.reader.expect_mark(";");
  EXPECT_EQ(reading.diagnostics.all().size(), 1u);
  EXPECT_EQ(reading.diagnostics.all()[0].message, "expected the word x, found a");
}

TEST(TokenReader, QuotedNamesAreNeverWords) {
  Reading reading("`key` key");
  EXPECT_FALSE(reading.reader.take_word("key"));
  EXPECT_EQ(reading.reader.expect_name("a name").text, "key");
  EXPECT_TRUE(reading.reader.take_word("key"));
  EXPECT_TRUE(reading.reader.at_end());
}

TEST(TokenReader, GoesOnBehindTheStatement) {
  Reading reading("{ a { b ; c } d ; e }");
  reading.reader.take();
  reading.reader.expect_mark("?");
  reading.reader.recover_in_block();
  EXPECT_TRUE(reading.reader.at_word("e")) << "the inner block's ; does not count";
  reading.reader.expect_mark("?");
  reading.reader.recover_in_block();
  EXPECT_TRUE(reading.reader.at_mark("}"));
}

TEST(TokenReader, GoesOnAtTheNextDeclaration) {
  Reading reading("entity x entity {\nrel }\nrel y");
  const Span begin = reading.reader.here();
  for (int i = 0; i < 5; ++i) reading.reader.take();
  reading.reader.expect_mark("?");
  reading.reader.recover_before({"entity", "rel"}, begin);
  EXPECT_TRUE(reading.reader.at_word("rel"));
  reading.reader.take();
  EXPECT_TRUE(reading.reader.at_word("y")) << "not the one inside a block";
}

TEST(TokenReader, WholeNumbersHaveALimit) {
  Reading good("9223372036854775807");
  EXPECT_EQ(good.reader.expect_whole("a number").value, INT64_MAX);
  EXPECT_FALSE(good.reader.is_lost());
  for (const char* bad : {"9223372036854775808", "1.5", "x"}) {
    Reading reading(bad);
    reading.reader.expect_whole("a number");
    EXPECT_TRUE(reading.reader.is_lost()) << bad;
  }
}

TEST(TokenReader, LongTextsAreShortenedInMessages) {
  Reading reading("\"" + std::string(100, 'a') + "\"");
  reading.reader.expect_mark("{");
  EXPECT_EQ(reading.diagnostics.all()[0].message, "expected {, found \"" + std::string(39, 'a') + "...");
}

}  // namespace
}  // namespace sheaf::language
