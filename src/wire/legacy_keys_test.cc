// KeyConditions, up to the key that they are bound to.
#include "wire/legacy_fixture.h"

namespace sheaf::wire {
namespace {

using expr::KeyOperator;

constexpr expr::KeyAttribute kPk = {"pk", Type::kString};
constexpr expr::KeyAttribute kSk = {"sk", Type::kNumber};
constexpr expr::KeyAttribute kParts[] = {{"h1", Type::kString}, {"h2", Type::kString}};
const expr::KeySchema kPartitionOnly{{&kPk, 1}, {}};
const expr::KeySchema kComposite{{&kPk, 1}, {&kSk, 1}};
const expr::KeySchema kSeveral{kParts, {&kSk, 1}};

Result<std::optional<std::vector<expr::KeyClause>>> read_text_keys(std::string_view conditions) {
  return read_text(R"({"KeyConditions":)" + std::string(conditions) + "}",
                   [](const Input& input) { return read_key_conditions(input, kKeyConditions); });
}

std::string condition(std::string_view attribute, std::string_view op, std::string_view values) {
  return "\"" + std::string(attribute) + R"(":{"ComparisonOperator":")" + std::string(op) +
         R"(","AttributeValueList":[)" + std::string(values) + "]}";
}

Result<expr::KeyCondition> bind_text(const std::string& conditions, const expr::KeySchema& schema) {
  auto clauses = read_text_keys("{" + conditions + "}");
  if (!clauses.ok()) return clauses.error();
  return expr::bind_key_condition(std::move(**clauses), schema);
}

const std::string kOnPk = condition("pk", "EQ", R"({"S":"p"})");

TEST(LegacyKeyConditions, BindAPartition) {
  const auto bound = bind_text(kOnPk, kComposite);
  ASSERT_EQ(outcome_of(bound), "ok");
  EXPECT_EQ(bound->partition, (std::vector<Value>{"p"}));
  EXPECT_FALSE(bound->range);
}

// A6: =, begins_with and ranges.
TEST(LegacyKeyConditions, BindTheSortKeyByEveryOperatorThatKeysHave) {
  const auto equal = bind_text(kOnPk + "," + condition("sk", "EQ", R"({"N":"5"})"), kComposite);
  ASSERT_EQ(outcome_of(equal), "ok");
  EXPECT_EQ(equal->sort_equals, (std::vector<Value>{5}));

  const std::pair<std::string_view, KeyOperator> ranges[] = {{"LT", KeyOperator::kLess},
                                                             {"LE", KeyOperator::kLessEqual},
                                                             {"GT", KeyOperator::kGreater},
                                                             {"GE", KeyOperator::kGreaterEqual}};
  for (const auto& [op, expected] : ranges) {
    const auto bound = bind_text(condition("sk", op, R"({"N":"5"})") + "," + kOnPk, kComposite);
    ASSERT_EQ(outcome_of(bound), "ok") << op;
    ASSERT_TRUE(bound->range) << op;
    EXPECT_EQ(bound->range->op, expected) << op;
    EXPECT_EQ(bound->range->value, Value(5)) << op;
  }

  const auto between =
      bind_text(kOnPk + "," + condition("sk", "BETWEEN", R"({"N":"5"},{"N":"9"})"), kComposite);
  ASSERT_EQ(outcome_of(between), "ok");
  EXPECT_EQ(between->range->op, KeyOperator::kBetween);
  EXPECT_EQ(between->range->value, Value(5));
  EXPECT_EQ(between->range->upper, Value(9));

  constexpr expr::KeyAttribute kText = {"sk", Type::kString};
  const auto prefix =
      bind_text(kOnPk + "," + condition("sk", "BEGINS_WITH", R"({"S":"x"})"), {{&kPk, 1}, {&kText, 1}});
  ASSERT_EQ(outcome_of(prefix), "ok");
  EXPECT_EQ(prefix->range->op, KeyOperator::kBeginsWith);
  EXPECT_EQ(prefix->range->value, Value("x"));
}

TEST(LegacyKeyConditions, BindSeveralPartitionAttributes) {
  const auto bound =
      bind_text(condition("h2", "EQ", R"({"S":"2"})") + "," + condition("h1", "EQ", R"({"S":"1"})") + "," +
                    condition("sk", "GE", R"({"N":"3"})"),
                kSeveral);
  ASSERT_EQ(outcome_of(bound), "ok");
  EXPECT_EQ(bound->partition, (std::vector<Value>{"1", "2"}));
  EXPECT_TRUE(bound->range);
}

// {operator, values that it takes}
constexpr std::pair<std::string_view, std::string_view> kNotIndexable[] = {
    {"NULL", ""},
    {"NOT_NULL", ""},
    {"NE", R"({"N":"1"})"},
    {"CONTAINS", R"({"S":"x"})"},
    {"NOT_CONTAINS", R"({"S":"x"})"},
    {"IN", R"({"S":"x"})"},
};

TEST(LegacyKeyConditions, KeysHaveNotAllOperators) {
  constexpr std::string_view kMessage = "Attempted conditional constraint is not an indexable operation";
  for (const auto& [op, values] : kNotIndexable) {
    EXPECT_EQ(outcome_of(bind_text(condition("pk", op, values), kPartitionOnly)), kMessage) << op;
    EXPECT_EQ(outcome_of(bind_text(condition("pk", op, values), kComposite)), kMessage) << op;
    EXPECT_EQ(outcome_of(bind_text(kOnPk + "," + condition("sk", op, values), kComposite)), kMessage) << op;
    EXPECT_EQ(outcome_of(bind_text(condition("h1", op, values), kSeveral)), kMessage) << op;
  }
}

// A3: a condition on another attribute than the key's is refused.
TEST(LegacyKeyConditions, TheKeyIsMissedBeforeOperatorsAreLookedAt) {
  for (const auto& [op, values] : kNotIndexable) {
    EXPECT_EQ(outcome_of(bind_text(condition("other", op, values), kComposite)),
              "Query condition missed key schema element: pk")
        << op;
    EXPECT_EQ(outcome_of(bind_text(kOnPk + "," + condition("other", op, values), kComposite)),
              "Query condition missed key schema element: sk")
        << op;
  }
}

TEST(LegacyKeyConditions, ThePartitionMustBeEqual) {
  for (const std::string_view op : {"LE", "LT", "GE", "GT", "BEGINS_WITH"}) {
    EXPECT_EQ(outcome_of(bind_text(condition("pk", op, R"({"S":"p"})"), kComposite)),
              "Query key condition not supported")
        << op;
  }
  EXPECT_EQ(outcome_of(bind_text(condition("pk", "BETWEEN", R"({"S":"p"},{"S":"q"})"), kComposite)),
            "Query key condition not supported");
}

TEST(LegacyKeyConditions, ValuesHaveTheTypesOfTheKey) {
  const std::string mismatch = kInvalidParameter + "Condition parameter type does not match schema type";
  EXPECT_EQ(outcome_of(bind_text(condition("pk", "EQ", R"({"N":"1"})"), kComposite)), mismatch);
  EXPECT_EQ(outcome_of(bind_text(condition("pk", "EQ", R"({"SS":["p"]})"), kComposite)), mismatch);
  EXPECT_EQ(outcome_of(bind_text(kOnPk + "," + condition("sk", "LT", R"({"S":"1"})"), kComposite)), mismatch);
}

TEST(LegacyKeyConditions, AreNoMoreThanTheKeyHasAttributes) {
  EXPECT_EQ(
      outcome_of(
          bind_text(kOnPk + "," + condition("sk", "EQ", R"({"N":"1"})") + "," + condition("x", "NULL", ""),
                    kComposite)),
      "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)");
  EXPECT_EQ(
      outcome_of(bind_text(kOnPk + "," + condition("sk", "EQ", R"({"N":"1"})"), kPartitionOnly)),
      "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)");
}

TEST(LegacyKeyConditions, AreAtLeastOne) {
  EXPECT_EQ(outcome_of(read_text_keys("{}")), "Conditions can be of length 1 or 2 only");
  EXPECT_EQ(outcome_of(read_text_keys(R"({"pk":null})")), "Conditions can be of length 1 or 2 only");
}

TEST(LegacyKeyConditions, MayBeAbsent) {
  const auto read = read_text_keys("null");
  ASSERT_EQ(outcome_of(read), "ok");
  EXPECT_FALSE(*read);
}

TEST(LegacyKeyConditions, AreCheckedAsFiltersAreBeforeTheKeyIsKnown) {
  const auto error_of = [](std::string_view op, std::string_view values) {
    return outcome_of(read_text_keys("{" + condition("pk", op, values) + "}"));
  };
  EXPECT_EQ(error_of("EQ", ""),
            kInvalidParameter + "Invalid number of argument(s) for the EQ ComparisonOperator");
  EXPECT_EQ(error_of("NULL", R"({"S":"x"})"),
            kInvalidParameter + "Invalid number of argument(s) for the NULL ComparisonOperator");
  EXPECT_EQ(error_of("EQ", "{}"),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  EXPECT_EQ(error_of("IN", R"({"S":"x"},{"N":"1"})"),
            kInvalidParameter + "AttributeValues inside AttributeValueList must be of same type");
  EXPECT_EQ(error_of("BEGINS_WITH", R"({"N":"1"})"),
            kInvalidParameter + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type");
  EXPECT_EQ(error_of("LE", R"({"BOOL":true})"),
            kInvalidParameter + "ComparisonOperator LE is not valid for BOOL AttributeValue type");
  EXPECT_EQ(
      error_of("BETWEEN", R"({"S":"b"},{"S":"a"})"),
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  EXPECT_EQ(outcome_of(read_text_keys(R"({"":{"ComparisonOperator":"NULL"}})")), "Empty attribute name");
  EXPECT_EQ(
      outcome_of(read_text_keys(R"({"pk":{}})")),
      "1 validation error detected: Value null at 'keyConditions.pk.member.comparisonOperator' failed to "
      "satisfy constraint: Member must not be null");
}

TEST(LegacyKeyConditions, OfANameGivenTwiceTheLastConditionCounts) {
  const auto read = read_text_keys("{" + condition("pk", "EQ", R"({"S":"first"})") + "," + kOnPk + "}");
  ASSERT_EQ(outcome_of(read), "ok");
  ASSERT_EQ((*read)->size(), 1u);
  EXPECT_EQ((**read)[0].value, Value("p"));
}

}  // namespace
}  // namespace sheaf::wire
