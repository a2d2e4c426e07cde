#include "partiql/literals.h"

#include <gtest/gtest.h>

#include "partiql/parser.h"

namespace sheaf::partiql {
namespace {

Result<Value> folded(const std::string& literal, const std::vector<Value>& parameters = {}) {
  Result<Statement> statement = parse("UPDATE t SET a = " + literal);
  if (!statement.ok()) return std::move(statement).error();
  const Result<void> done = fold_literals(*statement, parameters);
  if (!done.ok()) return done.error();
  return std::get<UpdateStatement>(statement->what).actions[0].value->value;
}

std::string value_of(const std::string& literal) {
  const Result<Value> value = folded(literal);
  return value.ok() ? value->to_json() : value.error().message;
}

TEST(PartiqlLiterals, AreValues) {
  EXPECT_EQ(value_of("'x'"), R"({"S":"x"})");
  EXPECT_EQ(value_of("1E3"), R"({"N":"1000"})");
  EXPECT_EQ(value_of("- - -1.50"), R"({"N":"-1.5"})");
  EXPECT_EQ(value_of("TRUE"), R"({"BOOL":true})");
  EXPECT_EQ(value_of("null"), R"({"NULL":true})");
  EXPECT_EQ(value_of("[1, {'a': <<'x', 'y'>>}, []]"),
            R"({"L":[{"N":"1"},{"M":{"a":{"SS":["x","y"]}}},{"L":[]}]})");
  EXPECT_EQ(value_of("<<2, 1>>"), R"({"NS":["1","2"]})");
}

// The texts are AWS's.
TEST(PartiqlLiterals, TellWhereTheyAreWrong) {
  EXPECT_EQ(
      value_of("1e126"),
      "Number overflow. Attempting to store a number with magnitude larger than supported range under root");
  EXPECT_EQ(
      value_of("[0, {'x': 1e-131}]"),
      "Number underflow. Attempting to store a number with magnitude smaller than supported range under "
      "root[1].x");
  EXPECT_EQ(value_of("123456789012345678901234567890123456789"),
            "Attempting to store more than 38 significant digits in a Number under root");
  EXPECT_EQ(value_of("1e2147483648"), "Statement wasn't well formed, can't be processed: ");
  EXPECT_EQ(value_of("1.5e-2147483647"), "Statement wasn't well formed, can't be processed: ");
  EXPECT_EQ(value_of("<<>>"), "Empty bags are not supported");
  EXPECT_EQ(value_of("<<1, 'a'>>"),
            "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
  EXPECT_EQ(value_of("<<'b', 'b'>>"),
            "One or more parameter values were invalid: Input collection [b, b] contains duplicates.");
  EXPECT_EQ(
      value_of("<<2, 2.0>>"),
      "One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! under root");
}

TEST(PartiqlLiterals, NestAsDeepAsItemsDo) {
  const auto nested = [](int levels) {
    std::string text = "1";
    for (int i = 0; i < levels; ++i) text = "[" + text + "]";
    return text;
  };
  EXPECT_TRUE(folded(nested(31)).ok());
  std::string path = "root";
  for (int i = 0; i < 32; ++i) path += "[0]";
  EXPECT_EQ(value_of(nested(32)), "Nesting Levels have exceeded supported limits under " + path);
}

TEST(PartiqlLiterals, ParametersStandForWholeValues) {
  EXPECT_EQ(folded("?", {Value("x")})->to_json(), R"({"S":"x"})");
  EXPECT_EQ(folded("[?]", {Value("x")}).error().message,
            "Unsupported data type: Parameter under key root[0] at 1:19:1");
  EXPECT_EQ(folded("?", {}).error().message, "Number of parameters in request and statement don't match.");
  EXPECT_EQ(folded("1", {Value(1)}).error().message,
            "Number of parameters in request and statement don't match.");
}

TEST(PartiqlLiterals, AListOfAnInMayHaveParameters) {
  Result<Statement> statement = parse("SELECT * FROM t WHERE a IN [?, 2]");
  ASSERT_TRUE(fold_literals(*statement, std::vector<Value>{Value("x")}).ok());
  const Expression& list = std::get<Select>(statement->what).where->parts[1];
  EXPECT_EQ(list.parts[0].value.to_json(), R"({"S":"x"})");
  EXPECT_EQ(list.parts[1].value.to_json(), R"({"N":"2"})");
}

}  // namespace
}  // namespace sheaf::partiql
