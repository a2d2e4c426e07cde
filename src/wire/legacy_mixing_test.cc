// Legacy parameters beside expressions.
#include "wire/legacy_fixture.h"

namespace sheaf::wire {
namespace {

constexpr size_t kLegacy[] = {kAttributesToGet, kAttributeUpdates,    kScanFilter,
                              kExpected,        kConditionalOperator, kKeyConditions};
constexpr size_t kExpressions[] = {kProjectionExpression, kUpdateExpression, kFilterExpression,
                                   kConditionExpression, kKeyConditionExpression};

// A request with empty parameters of these names.
std::string check(std::initializer_list<std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    const bool is_text = name.ends_with("Expression");
    text += text.empty() ? "{" : ",";
    text += "\"" + std::string(name) + "\":" +
            (is_text                         ? R"("")"
             : name == "ConditionalOperator" ? R"("OR")"
             : name == "AttributesToGet"     ? R"(["a"])"
                                             : "{}");
  }
  return outcome_of(read_text(text.empty() ? "{}" : text + "}", [](const Input& input) {
    return check_not_mixed(input, kLegacy, kExpressions);
  }));
}

std::string refusal(std::string_view legacy, std::string_view expressions) {
  return "Can not use both expression and non-expression parameters in the same request: Non-expression "
         "parameters: {" +
         std::string(legacy) + "} Expression parameters: {" + std::string(expressions) + "}";
}

TEST(LegacyMixing, EitherWayIsFine) {
  EXPECT_EQ(check({}), "ok");
  EXPECT_EQ(check({"AttributesToGet", "ScanFilter", "ConditionalOperator", "KeyConditions"}), "ok");
  EXPECT_EQ(check({"ProjectionExpression", "FilterExpression", "KeyConditionExpression"}), "ok");
}

TEST(LegacyMixing, BothWaysAreRefusedEvenIfEmpty) {
  for (const std::string_view legacy :
       {"AttributesToGet", "AttributeUpdates", "ScanFilter", "Expected", "ConditionalOperator"}) {
    for (const std::string_view expression : {"ProjectionExpression", "UpdateExpression", "FilterExpression",
                                              "ConditionExpression", "KeyConditionExpression"})
      EXPECT_EQ(check({legacy, expression}), refusal(legacy, expression));
  }
}

TEST(LegacyMixing, AllOfThemAreNamedInAnOrderOfTheirOwn) {
  EXPECT_EQ(
      check(
          {"ConditionExpression", "UpdateExpression", "ConditionalOperator", "Expected", "AttributeUpdates"}),
      refusal("AttributeUpdates, Expected, ConditionalOperator", "UpdateExpression, ConditionExpression"));
  EXPECT_EQ(check({"KeyConditions", "ScanFilter", "ConditionalOperator", "AttributesToGet",
                   "KeyConditionExpression", "FilterExpression", "ProjectionExpression"}),
            refusal("AttributesToGet, ScanFilter, ConditionalOperator, KeyConditions",
                    "ProjectionExpression, FilterExpression, KeyConditionExpression"));
}

TEST(LegacyMixing, KeyConditionsGoWithEveryExpressionButTheirOwn) {
  EXPECT_EQ(check({"KeyConditions", "FilterExpression", "ProjectionExpression"}), "ok");
  EXPECT_EQ(check({"KeyConditions", "KeyConditionExpression"}),
            refusal("KeyConditions", "KeyConditionExpression"));
  EXPECT_EQ(check({"KeyConditions", "AttributesToGet", "FilterExpression"}),
            refusal("AttributesToGet", "FilterExpression"));
}

}  // namespace
}  // namespace sheaf::wire
