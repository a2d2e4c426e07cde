#include "expr/expression_parser.h"

#include <gtest/gtest.h>

#include "expr/limits.h"
#include "expr/test_request.h"
#include "expr/update.h"

namespace sheaf::expr {
namespace {

// How AWS would answer a filter, and an update, as far as their form goes: everything is defined.
std::string parsed_filter(std::string_view text) {
  TestRequest request({{":a", 1}, {":b", 2}}, {{"#a", "a"}, {"#b", "b"}});
  std::string message = outcome_of(Condition::parse(text, request, ExpressionKind::kFilter));
  if (message.starts_with("Invalid FilterExpression: ")) message.erase(0, 26);
  return message;
}
std::string parsed_update(std::string_view text) {
  TestRequest request({{":a", 1}, {":b", 2}}, {{"#a", "a"}, {"#b", "b"}});
  std::string message = outcome_of(Update::parse(text, request));
  if (message.starts_with("Invalid UpdateExpression: ")) message.erase(0, 26);
  return message;
}
std::string syntax_error(std::string_view token, std::string_view near) {
  return "Syntax error; token: \"" + std::string(token) + "\", near: \"" + std::string(near) + "\"";
}

std::string repeated(std::string_view part, size_t count, std::string_view between = "") {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += between;
    text += part;
  }
  return text;
}

TEST(ExpressionParser, NamesTheParameterInItsErrors) {
  TestRequest request;
  EXPECT_EQ(outcome_of(Condition::parse("", request)),
            "Invalid ConditionExpression: The expression can not be empty;");
  EXPECT_EQ(outcome_of(Condition::parse("", request, ExpressionKind::kFilter)),
            "Invalid FilterExpression: The expression can not be empty;");
  EXPECT_EQ(outcome_of(Update::parse("", request)),
            "Invalid UpdateExpression: The expression can not be empty;");
  EXPECT_EQ(outcome_of(Projection::parse("", request)),
            "Invalid ProjectionExpression: The expression can not be empty;");
}

TEST(ExpressionParser, RefusesAnExpressionOfSpaces) {
  EXPECT_EQ(parsed_filter(" \t\n"), "The expression can not be empty;");
}

TEST(ExpressionParser, ReadsConditionsOfEveryForm) {
  for (const std::string_view text : {"a = :a",
                                      "(a) = (:a)",
                                      "(a = :a)",
                                      "((a) = :a)",
                                      "NOT a = :a",
                                      "NOT NOT a = :a",
                                      "not (a = :a)",
                                      "a = :a AND b = :b OR a <> b",
                                      "(a = :a or b = :b) and a < b",
                                      "a BETWEEN :a AND :b",
                                      "a between :a and :b and b = :b",
                                      "(a)between(b.c[4].#a)and(:a)",
                                      "a IN (:a)",
                                      "a in(:a,b,#b)",
                                      "attribute_exists(a.b[0].#a)",
                                      "attribute_exists ( ( a ) )",
                                      "(attribute_exists(a))",
                                      "size(a)>:a",
                                      "(size(a)) > :a",
                                      "( ( size ( #a )) < b.c )",
                                      "(a.b).c = :a",
                                      "((a.b)[3].c) = :a",
                                      "a[0][1].b = :a",
                                      "((a = :a) AND (b = :b))",
                                      "((a = :a AND b = :b) OR a = :b)",
                                      "(a = :a AND (b = :b))",
                                      "a . b [ 2 ] = :a"}) {
    EXPECT_EQ(parsed_filter(text), "ok") << text;
  }
}

TEST(ExpressionParser, PointsAtTheFirstTokenThatCannotBe) {
  EXPECT_EQ(parsed_filter("things are not gonna be ok"), syntax_error("are", "things are not"));
  EXPECT_EQ(parsed_filter("a > 4"), syntax_error("4", "> 4"));
  EXPECT_EQ(parsed_filter("attribute_exists(Pictures-RearView)"), syntax_error("-", "Pictures-RearView"));
  EXPECT_EQ(parsed_filter("attribute_exists(\"a\")"), syntax_error("\"", "(\"a"));
  EXPECT_EQ(parsed_filter("attribute_exists(Pictures..RearView)"), syntax_error(".", "..RearView"));
  EXPECT_EQ(parsed_filter("attribute_exists(Pi#ctures.RearView)"), syntax_error("#ctures", "Pi#ctures."));
  EXPECT_EQ(parsed_filter("attribute_exists(asdf[a])"), syntax_error("a", "[a]"));
  EXPECT_EQ(parsed_filter("a in b, c"), syntax_error("b", "in b,"));
  EXPECT_EQ(parsed_filter("a > between"), syntax_error("between", "> between"));
  EXPECT_EQ(parsed_filter("a in (b,c,)"), syntax_error(")", ",)"));
  EXPECT_EQ(parsed_filter("a in ()"), syntax_error(")", "()"));
  EXPECT_EQ(parsed_filter("(a)between(b.(c.d))and(c)"), syntax_error("(", ".(c"));
  EXPECT_EQ(parsed_filter("(a)between(b.c.d)and((c)"), syntax_error("<EOF>", ")"));
  EXPECT_EQ(parsed_filter("#$.b > a"), syntax_error("#", "#$"));
  EXPECT_EQ(parsed_filter("a > :a.stuff"), syntax_error(".", ":a.stuff"));
  EXPECT_EQ(parsed_filter("b[:a] > a"), syntax_error(":a", "[:a]"));
  EXPECT_EQ(parsed_filter("b[#a] > a"), syntax_error("#a", "[#a]"));
  EXPECT_EQ(parsed_filter("b[-1] > a"), syntax_error("-", "[-1"));
  EXPECT_EQ(parsed_filter("ü > a"), syntax_error("ü", "ü >"));
  EXPECT_EQ(parsed_filter("a between(b.c[4.5].#d)and(:a)"), syntax_error(".", "4.5"));
  EXPECT_EQ(parsed_filter("size(a).b > a"), syntax_error(".", ").b"));
  EXPECT_EQ(parsed_filter("(size(a)).b > a"), syntax_error(".", ").b"));
  EXPECT_EQ(parsed_filter("size(a)[0] > a"), syntax_error("[", ")[0"));
  EXPECT_EQ(parsed_filter("attribute_exists()"), syntax_error(")", "()"));
  EXPECT_EQ(parsed_filter("attribute_not_exists("), syntax_error("<EOF>", "("));
  EXPECT_EQ(parsed_filter("a != :a"), syntax_error("!", "a !="));
  EXPECT_EQ(parsed_filter("a = b = c"), syntax_error("=", "b = c"));
  EXPECT_EQ(parsed_filter("(a = b) = c"), syntax_error("=", ") = c"));
  EXPECT_EQ(parsed_filter("a = (b = c)"), syntax_error("=", "b = c"));
  EXPECT_EQ(parsed_filter("a = NOT b"), syntax_error("NOT", "= NOT b"));
  EXPECT_EQ(parsed_filter("a + b = c"), syntax_error("+", "a + b"));
  EXPECT_EQ(parsed_filter("a = :a AND"), syntax_error("<EOF>", "AND"));
  EXPECT_EQ(parsed_filter("a = :a)"), syntax_error(")", ":a)"));
  EXPECT_EQ(parsed_filter("a BETWEEN :a OR :b"), syntax_error("OR", ":a OR :b"));
  EXPECT_EQ(parsed_filter("a.in = :a"), syntax_error("in", ".in ="));
}

TEST(ExpressionParser, RefusesAValueWhereAConditionBelongs) {
  EXPECT_EQ(parsed_filter("a"), syntax_error("<EOF>", "a"));
  EXPECT_EQ(parsed_filter(":a"), syntax_error("<EOF>", ":a"));
  EXPECT_EQ(parsed_filter("(a)"), syntax_error("<EOF>", ")"));
  EXPECT_EQ(parsed_filter("NOT a"), syntax_error("<EOF>", "a"));
  EXPECT_EQ(parsed_filter("a AND :a"), syntax_error("AND", "a AND :a"));
  EXPECT_EQ(parsed_filter("(a AND b = :b)"), syntax_error("AND", "a AND b"));
  EXPECT_EQ(parsed_filter("a = :a OR NOT :a"), syntax_error("<EOF>", ":a"));
}

TEST(ExpressionParser, RefusesParenthesesInParentheses) {
  for (const std::string_view text :
       {"((a = :a))", "a = ((b))", "(a)between(((b.c)).d)and(c)", "a > size(((a)))",
        "a = b AND ((b = a AND a = b))", "a = b OR ((b = a OR (a = b OR b = a)))", "((attribute_exists(a)))",
        "NOT ((a = b))", "a IN (((b)))"}) {
    EXPECT_EQ(parsed_filter(text), "The expression has redundant parentheses;") << text;
  }
  EXPECT_EQ(parsed_update("SET a = ((b))"), "The expression has redundant parentheses;");
  EXPECT_EQ(parsed_update("SET a = ((b + :a))"), "The expression has redundant parentheses;");
}

TEST(ExpressionParser, ReadsUpdatesOfEveryForm) {
  for (const std::string_view text :
       {"SET a = :a", "set a=:a", "sEt a = b", "SET a = b + :a", "SET a = (b - :a)", "set a = ((b.c.d)+(b))",
        "SET a = if_not_exists(a, :a) + :b", "SET a = if_not_exists(b, if_not_exists(a, :a))",
        "SET a[1] = :a, b.c = :b", "REMOVE a, b[2], c.d", "ADD a :a, b.c :b", "SET a = :a REMOVE b ADD c :b",
        "REMOVE a SET b = :b", "  SET   #a=:a  ", "SET a = (if_not_exists((a), (:a)))"}) {
    EXPECT_EQ(parsed_update(text), "ok") << text;
  }
}

TEST(ExpressionParser, PointsAtTheFirstTokenThatCannotBeInAnUpdate) {
  EXPECT_EQ(parsed_update("whatever"), syntax_error("whatever", "whatever"));
  EXPECT_EQ(parsed_update("INVALID SYNTAX HERE"), syntax_error("INVALID", "INVALID SYNTAX"));
  EXPECT_EQ(parsed_update("set a"), syntax_error("<EOF>", "a"));
  EXPECT_EQ(parsed_update("add a"), syntax_error("<EOF>", "a"));
  EXPECT_EQ(parsed_update("set"), syntax_error("<EOF>", "set"));
  EXPECT_EQ(parsed_update("set a=set"), syntax_error("set", "=set"));
  EXPECT_EQ(parsed_update("remove a = b"), syntax_error("=", "a = b"));
  EXPECT_EQ(parsed_update("delete a b"), syntax_error("b", "a b"));
  EXPECT_EQ(parsed_update("add a if_not_exist(b)"), syntax_error("if_not_exist", "a if_not_exist("));
  EXPECT_EQ(parsed_update("remove a b"), syntax_error("b", "a b"));
  EXPECT_EQ(parsed_update("set :a = b"), syntax_error(":a", "set :a ="));
  EXPECT_EQ(parsed_update("set a = b / c"), syntax_error("/", "b / c"));
  EXPECT_EQ(parsed_update("set a = b * c"), syntax_error("*", "b * c"));
  EXPECT_EQ(parsed_update("set a[1] = 1"), syntax_error("1", "= 1"));
  EXPECT_EQ(parsed_update("SET a = if_not_exists(a, 100)"), syntax_error("100", ", 100)"));
  EXPECT_EQ(parsed_update("SET if_not_exist(a, b) = a"), syntax_error("(", "if_not_exist(a"));
  EXPECT_EQ(parsed_update("set (a = (b + c))"), syntax_error("(", "set (a"));
  EXPECT_EQ(parsed_update("set a = (b.c).d + e"), syntax_error(".", ").d"));
  EXPECT_EQ(parsed_update("set a = (b.c)[0] + e"), syntax_error("[", ")[0"));
  EXPECT_EQ(parsed_update("set a = b + c + d"), syntax_error("+", "c + d"));
  EXPECT_EQ(parsed_update("set a = (b + c) + d"), syntax_error("+", ") + d"));
  EXPECT_EQ(parsed_update("set a = b + (c + d)"), syntax_error("+", "c + d"));
  EXPECT_EQ(parsed_update("SET c = if_not_exists(c, :a+:b)"), syntax_error("+", ":a+:b"));
  EXPECT_EQ(parsed_update("SET a = :a,"), syntax_error("<EOF>", ","));
  EXPECT_EQ(parsed_update("SET a = :a b = :b"), syntax_error("b", ":a b ="));
}

TEST(ExpressionParser, TakesAWordForAKeywordOnlyInItsOwnGrammar) {
  EXPECT_EQ(parsed_filter("set = :a"), "Attribute name is a reserved keyword; reserved keyword: set");
  EXPECT_EQ(parsed_update("SET between = :a"),
            "Attribute name is a reserved keyword; reserved keyword: between");
  TestRequest request;
  EXPECT_EQ(outcome_of(Projection::parse("a.and", request)),
            "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: and");
}

TEST(ExpressionParser, ReadsTextsOf4096Bytes) {
  const std::string condition = "a = :a";
  const std::string spaces(kExpressionBytesMax - condition.size(), ' ');
  EXPECT_EQ(parsed_filter(condition + spaces), "ok");
  EXPECT_EQ(parsed_filter(condition + spaces + " "),
            "Expression size has exceeded the maximum allowed size; expression size: 4097");
  EXPECT_EQ(parsed_filter(std::string(15000, '(')),
            "Expression size has exceeded the maximum allowed size; expression size: 15000");
}

TEST(ExpressionParser, Counts300Operators) {
  EXPECT_EQ(parsed_filter(repeated("a<b", 150, " or ") + " or NOT attribute_exists(a)"),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(parsed_filter(repeated("a<b", 150, " or ") + " or attribute_exists(a)"), "ok");
  EXPECT_EQ(parsed_filter(repeated("not ", 299) + "a<b"), "ok");
  EXPECT_EQ(parsed_filter(repeated("not ", 300) + "a<b"),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(parsed_filter("a<b " + repeated("or (a<b ", 149) + repeated(")", 149)), "ok");
  EXPECT_EQ(parsed_filter("a<b " + repeated("or (a<b ", 454) + repeated(")", 454)),
            "The expression contains too many operators; operator count: 301");
}

TEST(ExpressionParser, AllowsPathsOf32Elements) {
  EXPECT_EQ(parsed_filter("a" + repeated(".b", kPathDepthMax - 1) + " = :a"), "ok");
  EXPECT_EQ(parsed_filter("a" + repeated(".b", kPathDepthMax) + " = :a"),
            "The document path has too many nesting levels; nesting levels: 33");
  EXPECT_EQ(parsed_filter("(a" + repeated("[1]", kPathDepthMax - 1) + ").c = :a"),
            "The document path has too many nesting levels; nesting levels: 33");
}

TEST(ExpressionParser, AllowsListIndexesOf31Bits) {
  EXPECT_EQ(parsed_filter("a[2147483647] = :a"), "ok");
  EXPECT_EQ(parsed_filter("a[0000000000007] = :a"), "ok");
  EXPECT_EQ(parsed_filter("a[2147483648] = :a"),
            "List index is not within the allowable range; index: [2147483648]");
  EXPECT_EQ(parsed_filter("a[99999999999999] = :a"),
            "List index is not within the allowable range; index: [99999999999999]");
}

TEST(ExpressionParser, DoesNotRunOutOfStack) {
  EXPECT_EQ(parsed_filter(std::string(kExpressionBytesMax, '(')), syntax_error("<EOF>", "("));
  EXPECT_EQ(parsed_filter(repeated("(", 2045) + "a<b" + repeated(")", 2045)),
            "The expression has redundant parentheses;");
  EXPECT_EQ(parsed_filter("a < " + repeated("f(", 1355) + "b" + repeated(")", 1355)),
            "Invalid function name; function: f");
  EXPECT_EQ(parsed_filter("a < " + repeated("size(", 680) + "b" + repeated(")", 680)),
            "Incorrect operand type for operator or function; operator or function: size, operand type: N");
  EXPECT_EQ(parsed_update("SET a = " + repeated("if_not_exists(b,", 200) + ":a" + repeated(")", 200)), "ok");
}

}  // namespace
}  // namespace sheaf::expr
