#include "expr/key_condition.h"

#include <gtest/gtest.h>

#include "expr/test_request.h"

namespace sheaf::expr {
namespace {

constexpr KeyAttribute kPk = {"pk", Type::kString};
constexpr KeyAttribute kSk = {"sk", Type::kNumber};
constexpr KeyAttribute kParts[] = {{"h1", Type::kString}, {"h2", Type::kNumber}};
constexpr KeyAttribute kSorts[] = {
    {"r1", Type::kString}, {"r2", Type::kNumber}, {"r3", Type::kString}, {"r4", Type::kString}};

const KeySchema kPartitionOnly{{&kPk, 1}, {}};
const KeySchema kComposite{{&kPk, 1}, {&kSk, 1}};
const KeySchema kManyAttributes{kParts, kSorts};

// :s is a string, :n and :m are numbers, :t is a boolean.
Result<KeyCondition> bind_text(std::string_view text, const KeySchema& schema) {
  TestRequest request({{":s", "text"}, {":z", "z"}, {":n", 1}, {":m", 5}, {":t", true}}, {{"#p", "pk"}});
  auto clauses = parse_key_condition(text, request);
  if (!clauses.ok()) return clauses.error();
  return bind_key_condition(*std::move(clauses), schema);
}

// What AWS says before it looks for the table.
std::string parse(std::string_view text) {
  TestRequest request({{":s", "text"}, {":n", 1}, {":t", true}}, {{"#p", "pk"}});
  std::string message = outcome_of(parse_key_condition(text, request));
  if (message.starts_with("Invalid KeyConditionExpression: ")) message.erase(0, 32);
  return message;
}

TEST(KeyCondition, BindsAPartition) {
  const auto bound = bind_text("#p = :s", kComposite);
  ASSERT_EQ(outcome_of(bound), "ok");
  EXPECT_EQ(bound->partition, (std::vector<Value>{"text"}));
  EXPECT_TRUE(bound->sort_equals.empty());
  EXPECT_FALSE(bound->range);
}

TEST(KeyCondition, BindsTheSortKeyInAnyOrderAndInParentheses) {
  for (const std::string_view text :
       {"pk = :s AND sk = :n", "sk = :n AND pk = :s", "(pk = :s) AND (sk = :n)", "((pk = :s) AND (sk = :n))",
        "(pk = :s AND (sk = :n))", ":s = pk and :n = sk"}) {
    const auto bound = bind_text(text, kComposite);
    ASSERT_EQ(outcome_of(bound), "ok") << text;
    EXPECT_EQ(bound->partition, (std::vector<Value>{"text"})) << text;
    EXPECT_EQ(bound->sort_equals, (std::vector<Value>{1})) << text;
    EXPECT_FALSE(bound->range) << text;
  }
}

TEST(KeyCondition, BindsRanges) {
  const std::pair<std::string, KeyOperator> ranges[] = {{"sk < :n", KeyOperator::kLess},
                                                        {"sk <= :n", KeyOperator::kLessEqual},
                                                        {"sk > :n", KeyOperator::kGreater},
                                                        {"sk >= :n", KeyOperator::kGreaterEqual},
                                                        {":n < sk", KeyOperator::kGreater},
                                                        {":n <= sk", KeyOperator::kGreaterEqual},
                                                        {":n > sk", KeyOperator::kLess},
                                                        {":n >= sk", KeyOperator::kLessEqual},
                                                        {"sk BETWEEN :n AND :m", KeyOperator::kBetween}};
  for (const auto& [text, op] : ranges) {
    const auto bound = bind_text("pk = :s AND " + text, kComposite);
    ASSERT_EQ(outcome_of(bound), "ok") << text;
    ASSERT_TRUE(bound->range) << text;
    EXPECT_EQ(bound->range->op, op) << text;
    EXPECT_EQ(bound->range->value, Value(1)) << text;
    EXPECT_EQ(bound->range->upper, op == KeyOperator::kBetween ? Value(5) : Value()) << text;
  }
  const auto prefix = bind_text("h1 = :s AND h2 = :n AND begins_with(r1, :z)", kManyAttributes);
  ASSERT_EQ(outcome_of(prefix), "ok");
  EXPECT_EQ(prefix->range->op, KeyOperator::kBeginsWith);
  EXPECT_EQ(prefix->range->value, Value("z"));
}

TEST(KeyCondition, RefusesOperatorsThatKeysDoNotHave) {
  const auto refused = [](std::string op) {
    return "Invalid operator used in KeyConditionExpression: " + op;
  };
  EXPECT_EQ(parse("a > :n and size(b) > c or a > c"), refused("OR"));
  EXPECT_EQ(parse("a in (b, size(c), d)"), refused("IN"));
  EXPECT_EQ(parse("attribute_exists(a)"), refused("attribute_exists"));
  EXPECT_EQ(parse("attribute_not_exists(a)"), refused("attribute_not_exists"));
  EXPECT_EQ(parse("contains(a.d, b)"), refused("contains"));
  EXPECT_EQ(parse("not a > b"), refused("NOT"));
  EXPECT_EQ(parse("a <> b"), refused("<>"));
}

TEST(KeyCondition, RefusesConditionsThatDoNotCompareAKeyWithAValue) {
  EXPECT_EQ(parse(":s between size(b) and size(a) and b > :n"),
            "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as "
            "its first "
            "operand");
  EXPECT_EQ(
      parse("begins_with(:s, b) and a > :s"),
      "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its "
      "first operand");
  for (const std::string_view text :
       {"size(b) > a AND a.b > b AND b > c", "a > size(b.d)", "a between size(b) and size(c)"}) {
    EXPECT_EQ(parse(text), "KeyConditionExpressions cannot contain nested operations") << text;
  }
  for (const std::string_view text :
       {"b > a.b", "b between c[1] and d", "a between b and size(c)", "begins_with(a, b)"}) {
    EXPECT_EQ(parse(text),
              "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
        << text;
  }
  for (const std::string_view text : {"b.d > :n AND c.d > e.f", "b[0] > :n", "begins_with(b.c, :s)"}) {
    EXPECT_EQ(parse(text), "KeyConditionExpressions cannot have conditions on nested attributes") << text;
  }
  for (const std::string_view text : {":n > :n AND a < :n", ":n > b AND :n < :n"}) {
    EXPECT_EQ(parse(text), "Invalid condition in KeyConditionExpression: No key attribute specified") << text;
  }
  for (const std::string_view text : {"b > :n AND b < :n and c = :n and d = :n",
                                      "(a > :n and b > :n) and (b > :n and c > :n)", "pk = :n AND #p = :n"}) {
    EXPECT_EQ(parse(text), "KeyConditionExpressions must only contain one condition per key") << text;
  }
}

TEST(KeyCondition, IsCheckedAsEveryConditionIs) {
  EXPECT_EQ(parse("((pk = :s))"), "The expression has redundant parentheses;");
  EXPECT_EQ(parse("pk = :missing"),
            "An expression attribute value used in expression is not defined; attribute value: :missing");
  EXPECT_EQ(
      parse("pk = :s AND begins_with(sk, :n)"),
      "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N");
  EXPECT_EQ(parse("pk = :s AND :t >= sk"),
            "Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL");
  EXPECT_EQ(
      parse("begins_with(sk, :n) AND pk = :missing"),
      "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N");
  EXPECT_EQ(parse("size = :n"), "Attribute name is a reserved keyword; reserved keyword: size");
}

TEST(KeyCondition, MustNameTheKey) {
  EXPECT_EQ(outcome_of(bind_text("sk = :n", kComposite)), "Query condition missed key schema element: pk");
  EXPECT_EQ(outcome_of(bind_text("attr1 = :s", kComposite)), "Query condition missed key schema element: pk");
  EXPECT_EQ(outcome_of(bind_text("pk = :s AND extra = :n", kComposite)),
            "Query condition missed key schema element: sk");
  EXPECT_EQ(
      outcome_of(bind_text("pk = :s AND sk > :n AND extra = :n", kComposite)),
      "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)");
  EXPECT_EQ(
      outcome_of(bind_text("pk = :s AND sk = :n", kPartitionOnly)),
      "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)");
}

TEST(KeyCondition, MustEqualThePartition) {
  for (const std::string_view text :
       {"pk > :s", ":s >= pk", "begins_with(pk, :s)", "pk between :s and :z", "pk < :s AND sk = :n"}) {
    EXPECT_EQ(outcome_of(bind_text(text, kComposite)), "Query key condition not supported") << text;
  }
}

TEST(KeyCondition, MustHaveTheTypesOfTheSchema) {
  constexpr std::string_view kMismatch =
      "One or more parameter values were invalid: Condition parameter type does not match schema type";
  for (const std::string_view text :
       {"pk = :n", "pk = :t", ":n > pk", "pk = :s AND sk = :s", "pk = :s AND sk = :t",
        "pk = :s AND begins_with(sk, :s)", "pk = :s AND sk BETWEEN :s AND :z"}) {
    EXPECT_EQ(outcome_of(bind_text(text, kComposite)), kMismatch) << text;
  }
}

TEST(KeyCondition, RefusesOfAKeyWhatIsNotIndexable) {
  const KeyClause on_pk{.attribute = "pk", .value = "text"};
  const auto unindexable = [](std::string attribute) {
    return KeyClause{.attribute = std::move(attribute), .indexable = false};
  };
  constexpr std::string_view kMessage = "Attempted conditional constraint is not an indexable operation";
  EXPECT_EQ(outcome_of(bind_key_condition({unindexable("pk")}, kComposite)), kMessage);
  EXPECT_EQ(outcome_of(bind_key_condition({on_pk, unindexable("sk")}, kComposite)), kMessage);
  EXPECT_EQ(outcome_of(bind_key_condition({unindexable("h2")}, kManyAttributes)), kMessage);
  // Of another attribute it is not looked at.
  EXPECT_EQ(outcome_of(bind_key_condition({on_pk, unindexable("x")}, kComposite)),
            "Query condition missed key schema element: sk");
}

TEST(KeyCondition, BindsSeveralAttributesFromTheLeft) {
  auto bound = bind_text("h2 = :n AND h1 = :s", kManyAttributes);
  ASSERT_EQ(outcome_of(bound), "ok");
  EXPECT_EQ(bound->partition, (std::vector<Value>{"text", 1}));

  bound = bind_text("r2 = :m AND h1 = :s AND r1 = :z AND h2 = :n", kManyAttributes);
  ASSERT_EQ(outcome_of(bound), "ok");
  EXPECT_EQ(bound->sort_equals, (std::vector<Value>{"z", 5}));
  EXPECT_FALSE(bound->range);

  bound = bind_text("h1 = :s AND h2 = :n AND r1 = :z AND r2 > :m", kManyAttributes);
  ASSERT_EQ(outcome_of(bound), "ok");
  EXPECT_EQ(bound->sort_equals, (std::vector<Value>{"z"}));
  ASSERT_TRUE(bound->range);
  EXPECT_EQ(bound->range->op, KeyOperator::kGreater);

  bound = bind_text("h1 = :s AND h2 = :n AND r1 = :z AND r2 = :m AND r3 = :s AND r4 = :z", kManyAttributes);
  ASSERT_EQ(outcome_of(bound), "ok");
  EXPECT_EQ(bound->sort_equals, (std::vector<Value>{"z", 5, "text", "z"}));
}

TEST(KeyCondition, LeavesNoGapAmongSeveralAttributes) {
  EXPECT_EQ(
      outcome_of(bind_text("h1 = :s AND h2 = :n AND r1 = :z AND r3 = :s", kManyAttributes)),
      "RANGE key attributes r2 must have equality conditions specified in the query because a condition is "
      "present on key attribute r3");
  EXPECT_EQ(
      outcome_of(bind_text("h1 = :s AND h2 = :n AND r1 > :z AND r2 = :n", kManyAttributes)),
      "RANGE key attributes r1 must have equality conditions specified in the query because a condition is "
      "present on key attribute r2");
  EXPECT_EQ(outcome_of(bind_text("h1 = :s AND h2 = :n AND r3 = :s", kManyAttributes)),
            "RANGE key attributes r1, r2 must have equality conditions specified in the query because a "
            "condition is "
            "present on key attribute r3");
  EXPECT_EQ(outcome_of(bind_text("h1 = :s", kManyAttributes)),
            "HASH key attributes h2 must have equality conditions specified in the query");
  EXPECT_EQ(outcome_of(bind_text("h1 = :s AND h2 > :n", kManyAttributes)),
            "HASH key attributes h2 must have equality conditions specified in the query");
  EXPECT_EQ(outcome_of(bind_text("h1 = :s AND h2 = :n AND extra = :n", kManyAttributes)),
            "Query condition missed key schema element: r1");
}

}  // namespace
}  // namespace sheaf::expr
