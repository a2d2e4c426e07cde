#include "partiql/conditions.h"

#include <gtest/gtest.h>

#include "partiql/literals.h"
#include "partiql/parser.h"

namespace sheaf::partiql {
namespace {

const Item kItem{{"pk", "a"},
                 {"n", 3},
                 {"s", "hello"},
                 {"yes", true},
                 {"none", Value()},
                 {"tags", Value::string_set({"x", "y"})},
                 {"row", Value::list({Value(1), Value("two")})},
                 {"map", Item{{"deep", Item{{"n", 7}}}}},
                 {"bytes", Value::binary("\x01")}};

Result<bool> holds(const std::string& condition, const Item& item = kItem) {
  Result<Statement> statement = parse("SELECT * FROM t WHERE " + condition);
  if (!statement.ok()) return std::move(statement).error();
  const Result<void> folded = fold_literals(*statement, {});
  if (!folded.ok()) return folded.error();
  Result<expr::Condition> bound = to_condition(*std::get<Select>(statement->what).where);
  if (!bound.ok()) return std::move(bound).error();
  return bound->matches(item);
}

void expect(bool wanted, std::initializer_list<std::string> conditions) {
  for (const std::string& condition : conditions) {
    const Result<bool> result = holds(condition);
    ASSERT_TRUE(result.ok()) << condition << ": " << result.error().message;
    EXPECT_EQ(*result, wanted) << condition;
  }
}

std::string refusal(const std::string& condition) {
  const Result<bool> result = holds(condition);
  EXPECT_FALSE(result.ok()) << condition;
  return result.ok() ? "" : result.error().message;
}

TEST(PartiqlConditions, CompareByValue) {
  expect(true, {"n = 3.0", "n <> 4", "n > 2", "3 < 4", "s >= 'hello'", "tags = <<'y', 'x'>>",
                "row = [1, 'two']", "map = {'deep': {'n': 7}}", "map.deep.n = 7", "row[1] = 'two'",
                "none = null", "n BETWEEN 1 AND 3", "n IN [1, 2, 3]", "n IN (3, 'x')", "s <> 3"});
  expect(false, {"n = '3'", "missing_one = 1", "missing_one <> 1", "row = ['two', 1]", "n NOT IN [3]",
                 "n NOT BETWEEN 1 AND 3", "s < 3"});
  expect(true, {"NOT missing_one = 1", "missing_one NOT IN [1]", "NOT (n = 1 AND s = 'x')"});
}

TEST(PartiqlConditions, AskForTypes) {
  expect(true, {"missing_one IS MISSING", "n IS NOT MISSING", "none IS NULL", "missing_one IS NOT NULL",
                "yes IS BOOL", "s IS STRING", "n IS INT", "row IS LIST", "map IS STRUCT", "tags IS BAG",
                "bytes IS BLOB"});
  expect(false, {"missing_one IS NULL", "n IS NULL", "n IS STRING", "none IS MISSING"});
}

TEST(PartiqlConditions, CallFunctions) {
  expect(true, {"begins_with(s, 'he')", "BEGINS_WITH (s, 'he')", "contains(tags, 'x')", "contains(s, 'ell')",
                "contains(row, 1)", "size(s) = 5", "size(row) < 3", "attribute_type(n, 'N')",
                "attribute_exists(map.deep)", "attribute_not_exists(row[2])", "NOT begins_with(s, 'x')"});
}

TEST(PartiqlConditions, MayStandForBooleans) {
  expect(true,
         {"attribute_exists(n) = true", "true = attribute_exists(n)", "(n BETWEEN 0 AND 5) = true",
          "(n = 1 OR n = 2) = false", "attribute_exists(n) = attribute_exists(s)",
          "attribute_exists(n) = yes", "attribute_exists(n) IN [true, false]", "attribute_exists(n) <> 1",
          "attribute_exists(missing_one) <> yes", "attribute_exists(n) <> attribute_exists(nope)"});
  expect(false, {"attribute_exists(n) = 1", "attribute_exists(n) = false", "attribute_exists(n) <> true",
                 "attribute_exists(n) = n", "attribute_exists(n) IN [false]",
                 "attribute_exists(n) = missing_one", "attribute_exists(n) <> missing_one"});
}

// The texts are AWS's.
TEST(PartiqlConditions, SayWhatIsWrong) {
  const std::string operands =
      "Incorrect number of operands for operator or function; operator or function: ";
  const std::string type = "Incorrect operand type for operator or function; operator or function: ";
  EXPECT_EQ(refusal("attribute_exists('ss')"),
            "Operator or function requires a document path; operator or function: attribute_exists");
  EXPECT_EQ(refusal("attribute_exists()"), operands + "attribute_exists, number of operands: 0");
  EXPECT_EQ(refusal("attribute_exists(a, b)"), operands + "attribute_exists, number of operands: 2");
  EXPECT_EQ(refusal("n < true"), type + "<, operand type: BOOL");
  EXPECT_EQ(refusal("n > null"), type + ">, operand type: NULL");
  EXPECT_EQ(refusal("n BETWEEN 1 AND [2]"), type + "BETWEEN, operand type: L");
  EXPECT_EQ(refusal("attribute_exists(n) > false"), type + ">, operand type: BOOL");
  EXPECT_EQ(refusal("attribute_type(n, 5)"), type + "attribute_type, operand type: N");
  EXPECT_EQ(refusal("n = 5 + 5"), "Unsupported operator in Condition Expression. Operator: +");
  EXPECT_EQ(refusal("n = -n"), operands + "-, number of operands: 1");
  EXPECT_EQ(refusal("EXISTS(ss)"), "Unrecognized function: exists at 1:23:6");
  EXPECT_EQ(refusal("set_add(ss, <<'x'>>) = ss"), "Unrecognized function: set_add at 1:23:7");
  EXPECT_EQ(refusal("attribute_type(n, 'X')"),
            "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}");
  EXPECT_EQ(refusal("n[-1] = 1"), "List index is not within the allowable range; index: [-1] at 1:26:1");
  EXPECT_EQ(refusal("l[2147483648] = 1"),
            "List index is not within the allowable range; index: [2147483648] at 1:25:10");
  std::string list;
  for (int i = 0; i < 101; ++i) list += (i > 0 ? "," : "") + std::to_string(i);
  EXPECT_EQ(refusal("n IN [" + list + "]"),
            "The IN operator is provided with too many operands; number of operands: 101");
  EXPECT_TRUE(holds("n IN [" + list.substr(2) + "]").ok());
}

TEST(PartiqlConditions, OfADeletionHoldWhereThereIsNothing) {
  Result<Statement> statement = parse("DELETE FROM t WHERE pk = 'a' AND n = 9");
  ASSERT_TRUE(fold_literals(*statement, {}).ok());
  const auto condition = to_condition_if_exists(*std::get<DeleteStatement>(statement->what).where, "pk");
  ASSERT_TRUE(condition.ok());
  EXPECT_TRUE(condition->matches(ItemView()));
  EXPECT_FALSE(condition->matches(kItem));
}

}  // namespace
}  // namespace sheaf::partiql
