// Expected: what it takes beyond the filters.
#include "wire/legacy_fixture.h"

namespace sheaf::wire {
namespace {

Result<std::optional<expr::Condition>> read_text_expected(std::string_view expected) {
  return read_text(R"({"Expected":)" + std::string(expected) + "}",
                   [](const Input& input) { return read_expected(input, kExpected, kConditionalOperator); });
}

// Of one attribute.
Result<std::optional<expr::Condition>> read_one(std::string_view members) {
  return read_text_expected(R"({"a":{)" + std::string(members) + "}}");
}

bool holds(std::string_view members, std::string_view item) {
  const auto condition = read_one(members);
  EXPECT_EQ(outcome_of(condition), "ok") << members;
  return condition.ok() && (*condition)->matches(item_of(item));
}

TEST(LegacyExpected, AValueIsExpectedToBeThere) {
  for (const std::string_view members : {R"("Value":{"N":"1"})", R"("Value":{"N":"1"},"Exists":true)",
                                         R"("Value":{"N":"1"},"ComparisonOperator":"EQ")",
                                         R"("AttributeValueList":[{"N":"1"}],"ComparisonOperator":"EQ")"}) {
    EXPECT_TRUE(holds(members, R"({"a":{"N":"1"}})")) << members;
    EXPECT_FALSE(holds(members, R"({"a":{"N":"2"}})")) << members;
    EXPECT_FALSE(holds(members, R"({"a":{"S":"1"}})")) << members;
    EXPECT_FALSE(holds(members, "{}")) << members;
  }
}

TEST(LegacyExpected, AnAttributeIsExpectedNotToBeThere) {
  for (const std::string_view members :
       {R"("Exists":false)", R"("Exists":"false")", R"("ComparisonOperator":"NULL")",
        R"("ComparisonOperator":"NULL","AttributeValueList":[])"}) {
    EXPECT_TRUE(holds(members, "{}")) << members;
    EXPECT_FALSE(holds(members, R"({"a":{"NULL":true}})")) << members;
  }
}

TEST(LegacyExpected, TakesValuesOfEveryType) {
  for (const std::string_view value : kOneOfEachType) {
    const std::string item = R"({"a":)" + std::string(value) + "}";
    EXPECT_TRUE(holds(R"("Value":)" + std::string(value), item)) << value;
    EXPECT_FALSE(holds(R"("Value":)" + std::string(value), "{}")) << value;
  }
}

TEST(LegacyExpected, OperatorsTakeASingleValueInEitherForm) {
  for (const std::string_view form : {R"("Value":{"N":"5"})", R"("AttributeValueList":[{"N":"5"}])"}) {
    const std::string less = R"("ComparisonOperator":"LT",)" + std::string(form);
    EXPECT_TRUE(holds(less, R"({"a":{"N":"4"}})"));
    EXPECT_FALSE(holds(less, R"({"a":{"N":"5"}})"));
  }
}

TEST(LegacyExpected, RefusesMembersThatContradictEachOther) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", "Value must be provided when Exists is null for Attribute: a"},
      {R"("Exists":true)", "Value must be provided when Exists is true for Attribute: a"},
      {R"("Exists":false,"Value":{"S":"x"})", "Value cannot be used when Exists is false for Attribute: a"},
      {R"("ComparisonOperator":"LT")",
       "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a"},
      {R"("ComparisonOperator":"IN")",
       "Value or AttributeValueList must be used with ComparisonOperator: IN for Attribute: a"},
      {R"("Exists":true,"ComparisonOperator":"LT")",
       "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {R"("Exists":false,"ComparisonOperator":"NULL")",
       "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {R"("AttributeValueList":[])",
       "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {R"("Exists":true,"AttributeValueList":[{"S":"x"}])",
       "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {R"("Value":{"S":"x"},"AttributeValueList":[])",
       "Value and AttributeValueList cannot be used together for Attribute: a"},
      {R"("Value":{"S":"x"},"AttributeValueList":[{"S":"x"}],"ComparisonOperator":"LT")",
       "Value and AttributeValueList cannot be used together for Attribute: a"},
      {R"("AttributeValueList":[],"ComparisonOperator":"EQ")",
       "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {R"("Value":{"S":"x"},"ComparisonOperator":"NULL")",
       "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {R"("Value":{"S":"x"},"ComparisonOperator":"BETWEEN")",
       "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {R"("AttributeValueList":[{"S":"x"},{"N":"1"}],"ComparisonOperator":"IN")",
       "AttributeValues inside AttributeValueList must be of same type"},
      {R"("Value":{"L":[]},"ComparisonOperator":"LE")",
       "ComparisonOperator LE is not valid for L AttributeValue type"},
      {R"("Value":{"N":"3"},"ComparisonOperator":"BEGINS_WITH")",
       "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
  };
  for (const auto& [members, message] : rows)
    EXPECT_EQ(outcome_of(read_one(members)), kInvalidParameter + std::string(message)) << members;
}

TEST(LegacyExpected, RefusesValuesThatAreNone) {
  constexpr std::string_view kEmpty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  EXPECT_EQ(outcome_of(read_one(R"("Value":{})")), kEmpty);
  EXPECT_EQ(outcome_of(read_one(R"("AttributeValueList":[{}],"ComparisonOperator":"EQ")")), kEmpty);
  EXPECT_EQ(outcome_of(read_one(R"("Value":{"N":"abc"})")),
            "The parameter cannot be converted to a numeric value: abc");
  // The members of the entry are looked at first.
  EXPECT_EQ(outcome_of(read_one(R"("Value":{},"Exists":false)")),
            kInvalidParameter + "Value cannot be used when Exists is false for Attribute: a");
}

TEST(LegacyExpected, JoinsAsFiltersDo) {
  constexpr std::string_view kEntries =
      R"({"Expected":{"a":{"Value":{"N":"1"}},"b":{"ComparisonOperator":"EQ","Value":{"N":"2"}},"c":{"Exists":false}})";
  const auto joined = [&](std::string_view rest) {
    return read_text(std::string(kEntries) + std::string(rest), [](const Input& input) {
      return read_expected(input, kExpected, kConditionalOperator);
    });
  };
  const auto all = joined("}");
  const auto any = joined(R"(,"ConditionalOperator":"OR"})");
  ASSERT_EQ(outcome_of(all) + outcome_of(any), "okok");
  EXPECT_TRUE((*all)->matches(item_of(R"({"a":{"N":"1"},"b":{"N":"2"}})")));
  EXPECT_FALSE((*all)->matches(item_of(R"({"a":{"N":"1"}})")));
  EXPECT_TRUE((*any)->matches(item_of(R"({"a":{"N":"7"},"b":{"N":"9"}})")));
  EXPECT_FALSE((*any)->matches(item_of(R"({"a":{"N":"7"},"b":{"N":"9"},"c":{"N":"3"}})")));
}

TEST(LegacyExpected, SaysNothingIfItIsEmpty) {
  for (const std::string_view expected : {"{}", "null", R"({"a":null})"}) {
    const auto condition = read_text_expected(expected);
    ASSERT_EQ(outcome_of(condition), "ok") << expected;
    EXPECT_FALSE(*condition) << expected;
  }
  EXPECT_EQ(outcome_of(read_text(
                R"({"Expected":{},"ConditionalOperator":"OR"})",
                [](const Input& input) { return read_expected(input, kExpected, kConditionalOperator); })),
            "ConditionalOperator cannot be used without Filter or Expected");
}

TEST(LegacyExpected, HasAShape) {
  EXPECT_EQ(
      outcome_of(read_one(R"("ComparisonOperator":"")")),
      "1 validation error detected: Value '' at 'expected.a.member.comparisonOperator' failed to satisfy "
      "constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, "
      "NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]");
  EXPECT_EQ(outcome_of(read_one(R"("Exists":7)")), "NUMBER_VALUE cannot be converted to Boolean");
  EXPECT_EQ(outcome_of(read_one(R"("AttributeValueList":"x")")), "Unexpected field type");
}

}  // namespace
}  // namespace sheaf::wire
