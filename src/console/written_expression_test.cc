#include "console/written_expression.h"

#include <gtest/gtest.h>

namespace sheaf::console {
namespace {

// The expression, names and values, or what is wrong.
std::string rewritten(std::string_view text,
                      WrittenExpressions::Kind kind = WrittenExpressions::Kind::kUsual) {
  WrittenExpressions written;
  const Result<std::string> expression = written.add(text, kind);
  if (!expression.ok()) return "wrong: " + expression.error().message;
  std::string out = *expression;
  for (const auto& [placeholder, name] : written.names()) out += " | " + placeholder + "=" + name;
  for (const Attribute& each : written.values().view())
    out += " | " + std::string(each.name) + "=" + each.value.to_json();
  return out;
}

TEST(WrittenExpression, TakesValuesOutOfTheMidst) {
  EXPECT_EQ(rewritten("price > 10 AND place = 'here'"),
            R"(price > :sheaf1 AND place = :sheaf2 | :sheaf1={"N":"10"} | :sheaf2={"S":"here"})");
  EXPECT_EQ(rewritten("n = n + 1"), R"(n = n + :sheaf1 | :sheaf1={"N":"1"})");
  EXPECT_EQ(rewritten("n=n-1"), R"(n=n-:sheaf1 | :sheaf1={"N":"1"})");
  EXPECT_EQ(rewritten("n = -1.5e3"), R"(n = :sheaf1 | :sheaf1={"N":"-1500"})");
  EXPECT_EQ(rewritten("n BETWEEN -1 AND 2"),
            R"(n BETWEEN :sheaf1 AND :sheaf2 | :sheaf1={"N":"-1"} | :sheaf2={"N":"2"})");
  EXPECT_EQ(rewritten("n in (1, -2)"), R"(n in (:sheaf1, :sheaf2) | :sheaf1={"N":"1"} | :sheaf2={"N":"-2"})");
  EXPECT_EQ(rewritten("a = true"), R"(a = :sheaf1 | :sheaf1={"BOOL":true})");
  EXPECT_EQ(rewritten("a = null"), R"(a = :sheaf1 | :sheaf1={"NULL":true})");
  EXPECT_EQ(rewritten("a = \"it's\" or a = 'it''s'"),
            R"(a = :sheaf1 or a = :sheaf2 | :sheaf1={"S":"it's"} | :sheaf2={"S":"it's"})");
  EXPECT_EQ(
      rewritten(R"(a = {"b": [1, "}"]}, c = [2])"),
      R"(a = :sheaf1, c = :sheaf2 | :sheaf1={"M":{"b":{"L":[{"N":"1"},{"S":"}"}]}}} | :sheaf2={"L":[{"N":"2"}]})");
  EXPECT_EQ(rewritten("a = <<'x', 'y'>>, b = <<1,-2>>"),
            R"(a = :sheaf1, b = :sheaf2 | :sheaf1={"SS":["x","y"]} | :sheaf2={"NS":["-2","1"]})");
}

TEST(WrittenExpression, KeepsAllDigits) {
  EXPECT_EQ(rewritten("n = 12345678901234567890123456789012345678"),
            R"(n = :sheaf1 | :sheaf1={"N":"12345678901234567890123456789012345678"})");
}

TEST(WrittenExpression, GivesOtherNamesToReservedWordsAndQuotedOnes) {
  EXPECT_EQ(rewritten("status = price"), "#sheaf1 = price | #sheaf1=status");
  EXPECT_EQ(rewritten("`total price`.name[0] = a.name"),
            "#sheaf1.#sheaf2[0] = a.#sheaf2 | #sheaf1=total price | #sheaf2=name");
  EXPECT_EQ(rewritten("size(name) > :n AND attribute_exists(PK)"),
            "size(#sheaf1) > :n AND attribute_exists(PK) | #sheaf1=name");
}

TEST(WrittenExpression, LeavesPlaceholdersAndPositions) {
  EXPECT_EQ(rewritten("#a.b[10] = :c and NOT (d < :e)"), "#a.b[10] = :c and NOT (d < :e)");
  EXPECT_EQ(rewritten("begins_with(SK, :p)"), "begins_with(SK, :p)");
}

TEST(WrittenExpression, OfPairsHasValuesBehindPaths) {
  EXPECT_EQ(rewritten("n -1, tags <<'a'>>", WrittenExpressions::Kind::kPairs),
            R"(n :sheaf1, tags :sheaf2 | :sheaf1={"N":"-1"} | :sheaf2={"SS":["a"]})");
}

TEST(WrittenExpression, SaysWhichValueCannotBeRead) {
  EXPECT_EQ(rewritten("a = 'b"), "wrong: in a = 'b: a text that begins with ' has no end");
  EXPECT_EQ(rewritten("a = [1"), "wrong: in a = [1: a value that begins with { or [ has no end");
  EXPECT_EQ(rewritten("a = {1}").substr(0, 19), "wrong: in a = {1}: ");
  EXPECT_EQ(rewritten("a = <<1, 'b'>>"),
            "wrong: in a = <<1, 'b'>>: all of a set are texts, or all are numbers");
  EXPECT_EQ(rewritten("a = <<1 2>>"), "wrong: in a = <<1 2>>: a set is written <<'a', 'b'>> or <<1, 2>>");
  EXPECT_EQ(rewritten("`a"), "wrong: in `a: a name that begins with ` has no end");
  EXPECT_EQ(rewritten("a = <<'b', 'b'>>").substr(0, 7), "wrong: ");
  EXPECT_EQ(rewritten("a = 1e999").substr(0, 7), "wrong: ");
  EXPECT_EQ(rewritten("a = <<"), "wrong: in a = <<: a set is written <<'a', 'b'>> or <<1, 2>>");
}

TEST(WrittenExpression, SharesNamesAndNumbersValuesAcrossARequest) {
  WrittenExpressions written({{"#s", "status"}}, Item{{":x", 1}});
  EXPECT_EQ(*written.add("name = 1"), "#sheaf1 = :sheaf1");
  EXPECT_EQ(*written.add("name = 2"), "#sheaf1 = :sheaf2");
  EXPECT_EQ(written.names().size(), 2u);
  EXPECT_EQ(written.values().view().size(), 3u);
}

TEST(GivenValues, AreJsonOrTexts) {
  Item values;
  for (const char* text : {":a=1", ":b=x=y", ":c=\"1\"", ":d={\"e\":[]}", ":f="})
    EXPECT_TRUE(add_given_value(values, text).ok()) << text;
  EXPECT_EQ(values.to_json(),
            R"({":a":{"N":"1"},":b":{"S":"x=y"},":c":{"S":"1"},":d":{"M":{"e":{"L":[]}}},":f":{"S":""}})");
  for (const char* text : {"a=1", ":=1", ":a", "", "#a=1"})
    EXPECT_FALSE(add_given_value(values, text).ok()) << text;
  Names names;
  EXPECT_TRUE(add_given_name(names, "#s=status").ok());
  EXPECT_EQ(names, (Names{{"#s", "status"}}));
  EXPECT_FALSE(add_given_name(names, "s=status").ok());
}

}  // namespace
}  // namespace sheaf::console
