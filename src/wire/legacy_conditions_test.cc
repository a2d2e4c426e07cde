// What the comparison operators mean, asked through ScanFilter.
#include "wire/legacy_fixture.h"

namespace sheaf::wire {
namespace {

Result<std::optional<expr::Condition>> read_text_filter(std::string_view text) {
  return read_text(text,
                   [](const Input& input) { return read_filter(input, kScanFilter, kConditionalOperator); });
}

std::string filter_text(std::string_view op, std::string_view values) {
  return R"({"ScanFilter":{"a":{"ComparisonOperator":")" + std::string(op) + R"(","AttributeValueList":[)" +
         std::string(values) + "]}}}";
}

// Whether the comparison holds of an attribute with this value; none if it is empty.
bool holds(std::string_view op, std::string_view values, std::string_view attribute) {
  const auto condition = read_text_filter(filter_text(op, values));
  EXPECT_EQ(outcome_of(condition), "ok") << op << ' ' << values;
  if (!condition.ok()) return false;
  const std::string item =
      attribute.empty() ? R"({"other":{"S":"b"}})" : R"({"a":)" + std::string(attribute) + "}";
  return (*condition)->matches(item_of(item));
}

std::string error_of(std::string_view op, std::string_view values) {
  return outcome_of(read_text_filter(filter_text(op, values)));
}

TEST(LegacyFilter, EqualityIsOfTypeAndValue) {
  for (const std::string_view value : kOneOfEachType) {
    for (const std::string_view attribute : kOneOfEachType) {
      EXPECT_EQ(holds("EQ", value, attribute), value == attribute) << value << attribute;
      EXPECT_EQ(holds("NE", value, attribute), value != attribute) << value << attribute;
    }
    EXPECT_FALSE(holds("EQ", value, "")) << value;
    EXPECT_TRUE(holds("NE", value, "")) << value;
  }
}

TEST(LegacyFilter, EqualityKnowsNumbersAndSetsByValue) {
  EXPECT_TRUE(holds("EQ", R"({"N":"1e2"})", R"({"N":"100.0"})"));
  EXPECT_TRUE(holds("EQ", R"({"SS":["x","y"]})", R"({"SS":["y","x"]})"));
  EXPECT_TRUE(holds("EQ", R"({"NS":["1","2"]})", R"({"NS":["2.0","1"]})"));
  EXPECT_FALSE(holds("EQ", R"({"L":[{"N":"1"},{"N":"2"}]})", R"({"L":[{"N":"2"},{"N":"1"}]})"));
}

// Three values of a type, ascending. Binaries are bytes without a sign: 0x7f, 0x80, 0x80 0x00.
struct Ordered {
  std::string_view low, middle, high;
};
constexpr Ordered kOrdered[] = {{R"({"S":"B"})", R"({"S":"b"})", R"({"S":"ba"})"},
                                {R"({"N":"-10"})", R"({"N":"5"})", R"({"N":"10"})"},
                                {R"({"B":"fw=="})", R"({"B":"gA=="})", R"({"B":"gAA="})"}};

TEST(LegacyFilter, OrdersStringsNumbersAndBinaries) {
  struct Row {
    std::string_view op;
    bool low, middle, high;  // whether it holds of such an attribute and a middle value
  };
  const Row rows[] = {{"LT", true, false, false},
                      {"LE", true, true, false},
                      {"GT", false, false, true},
                      {"GE", false, true, true}};
  for (const Row& row : rows) {
    for (const Ordered& values : kOrdered) {
      EXPECT_EQ(holds(row.op, values.middle, values.low), row.low) << row.op << values.low;
      EXPECT_EQ(holds(row.op, values.middle, values.middle), row.middle) << row.op << values.middle;
      EXPECT_EQ(holds(row.op, values.middle, values.high), row.high) << row.op << values.high;
      EXPECT_FALSE(holds(row.op, values.middle, "")) << row.op;
      for (const std::string_view other : kOneOfEachType) {
        if (type_of(other) == type_of(values.low)) continue;
        EXPECT_FALSE(holds(row.op, values.middle, other)) << row.op << other;
      }
    }
  }
}

TEST(LegacyFilter, BetweenIncludesItsEnds) {
  for (const Ordered& values : kOrdered) {
    const auto between = [&](std::string_view from, std::string_view to, std::string_view attribute) {
      return holds("BETWEEN", std::string(from) + "," + std::string(to), attribute);
    };
    EXPECT_TRUE(between(values.low, values.high, values.middle)) << values.low;
    EXPECT_TRUE(between(values.low, values.middle, values.middle)) << values.low;
    EXPECT_TRUE(between(values.middle, values.high, values.middle)) << values.low;
    EXPECT_TRUE(between(values.middle, values.middle, values.middle)) << values.low;
    EXPECT_FALSE(between(values.middle, values.high, values.low)) << values.low;
    EXPECT_FALSE(between(values.low, values.middle, values.high)) << values.low;
    EXPECT_FALSE(between(values.low, values.high, "")) << values.low;
    for (const std::string_view other : kOneOfEachType) {
      if (type_of(other) == type_of(values.low)) continue;
      EXPECT_FALSE(between(values.low, values.high, other)) << other;
    }
  }
}

TEST(LegacyFilter, InFindsTheAttributeAmongTheValues) {
  EXPECT_TRUE(holds("IN", R"({"N":"2"},{"N":"3"},{"N":"8"})", R"({"N":"3.0"})"));
  EXPECT_TRUE(holds("IN", R"({"S":"b"})", R"({"S":"b"})"));
  EXPECT_TRUE(holds("IN", R"({"B":"YQ=="},{"B":"Yg=="})", R"({"B":"Yg=="})"));
  EXPECT_FALSE(holds("IN", R"({"N":"2"},{"N":"3"})", R"({"N":"4"})"));
  EXPECT_FALSE(holds("IN", R"({"N":"5"},{"N":"6"})", R"({"NS":["5","6"]})"));
  EXPECT_FALSE(holds("IN", R"({"N":"5"})", R"({"S":"5"})"));
  EXPECT_FALSE(holds("IN", R"({"N":"5"})", ""));
}

TEST(LegacyFilter, BeginsWithIsOfStringsAndBinaries) {
  EXPECT_TRUE(holds("BEGINS_WITH", R"({"S":"he"})", R"({"S":"hello"})"));
  EXPECT_TRUE(holds("BEGINS_WITH", R"({"S":""})", R"({"S":"hello"})"));
  EXPECT_TRUE(holds("BEGINS_WITH", R"({"B":"/w=="})", R"({"B":"/wM="})"));
  EXPECT_FALSE(holds("BEGINS_WITH", R"({"S":"el"})", R"({"S":"hello"})"));
  EXPECT_FALSE(holds("BEGINS_WITH", R"({"S":"hello"})", R"({"S":"he"})"));
  EXPECT_FALSE(holds("BEGINS_WITH", R"({"S":"b"})", ""));
  for (const std::string_view other : kOneOfEachType) {
    EXPECT_EQ(holds("BEGINS_WITH", R"({"S":"b"})", other), type_of(other) == "S") << other;
    EXPECT_EQ(holds("BEGINS_WITH", R"({"B":"Yg=="})", other), type_of(other) == "B") << other;
  }
}

TEST(LegacyFilter, ContainsLooksIntoTextSetsAndLists) {
  struct Row {
    std::string_view value, attribute;
    bool contains;
  };
  const Row rows[] = {
      {R"({"S":"ell"})", R"({"S":"hello"})", true},
      {R"({"S":"elo"})", R"({"S":"hello"})", false},
      {R"({"S":"ab"})", R"({"SS":["ab","c"]})", true},
      {R"({"S":"a"})", R"({"SS":["ab","c"]})", false},
      {R"({"S":"ab"})", R"({"L":[{"N":"1"},{"S":"ab"}]})", true},
      {R"({"S":"a"})", R"({"L":[{"S":"ab"}]})", false},
      {R"({"S":"ab"})", R"({"B":"YWI="})", false},
      {R"({"S":"ab"})", R"({"BS":["YWI="]})", false},
      {R"({"S":"ab"})", R"({"M":{"ab":{"S":"ab"}}})", false},
      {R"({"N":"234"})", R"({"NS":["123","234.0"]})", true},
      {R"({"N":"234"})", R"({"NS":["1234"]})", false},
      {R"({"N":"234"})", R"({"L":[{"S":"x"},{"N":"234"}]})", true},
      {R"({"N":"234"})", R"({"N":"1234"})", false},
      {R"({"N":"234"})", R"({"N":"234"})", false},
      {R"({"N":"234"})", R"({"SS":["234"]})", false},
      {R"({"N":"1"})", R"({"S":"hello"})", false},
      {R"({"B":"YmRl"})", R"({"B":"YWJkZWY="})", true},
      {R"({"B":"YmRl"})", R"({"BS":["YmRl"]})", true},
      {R"({"B":"YmRl"})", R"({"L":[{"B":"YmRl"}]})", true},
      {R"({"B":"YmRl"})", R"({"S":"abdef"})", false},
      {R"({"BOOL":true})", R"({"L":[{"BOOL":true}]})", true},
      {R"({"BOOL":true})", R"({"L":[{"BOOL":false}]})", false},
      {R"({"BOOL":true})", R"({"BOOL":true})", false},
      {R"({"NULL":true})", R"({"L":[{"NULL":true}]})", true},
      {R"({"NULL":true})", R"({"NULL":true})", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(holds("CONTAINS", row.value, row.attribute), row.contains) << row.value << row.attribute;
    EXPECT_EQ(holds("NOT_CONTAINS", row.value, row.attribute), !row.contains) << row.value << row.attribute;
    EXPECT_FALSE(holds("CONTAINS", row.value, "")) << row.value;
    EXPECT_FALSE(holds("NOT_CONTAINS", row.value, "")) << row.value;
  }
}

TEST(LegacyFilter, NullIsOfAttributesThatAreNotThere) {
  EXPECT_TRUE(holds("NULL", "", ""));
  EXPECT_FALSE(holds("NOT_NULL", "", ""));
  for (const std::string_view attribute : kOneOfEachType) {
    EXPECT_FALSE(holds("NULL", "", attribute)) << attribute;
    EXPECT_TRUE(holds("NOT_NULL", "", attribute)) << attribute;
  }
}

TEST(LegacyFilter, NeedNotHaveAListWhereItWouldBeEmpty) {
  const auto condition = read_text_filter(R"({"ScanFilter":{"a":{"ComparisonOperator":"NULL"}}})");
  ASSERT_EQ(outcome_of(condition), "ok");
  EXPECT_TRUE((*condition)->matches(ItemView()));
}

TEST(LegacyFilter, NamesAreNotPaths) {
  const auto condition = read_text_filter(R"({"ScanFilter":{"a.b[0]":{"ComparisonOperator":"NOT_NULL"}}})");
  ASSERT_EQ(outcome_of(condition), "ok");
  EXPECT_TRUE((*condition)->matches(item_of(R"({"a.b[0]":{"N":"1"}})")));
  EXPECT_FALSE((*condition)->matches(item_of(R"({"a":{"M":{"b":{"L":[{"N":"1"}]}}}})")));
  ASSERT_EQ((*condition)->paths().size(), 1u);
  EXPECT_EQ((*condition)->paths()[0], expr::Path("a.b[0]"));
}

TEST(LegacyFilter, JoinsConditionsByAndUnlessToldOtherwise) {
  constexpr std::string_view kBoth =
      R"("ScanFilter":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]},
                                                      "b":{"ComparisonOperator":"NOT_NULL"}})";
  struct Row {
    std::string_view item;
    bool all, any;
  };
  const Row rows[] = {{R"({"a":{"N":"1"},"b":{"N":"1"}})", true, true},
                      {R"({"a":{"N":"1"}})", false, true},
                      {R"({"b":{"N":"1"}})", false, true},
                      {R"({"a":{"N":"2"}})", false, false}};
  const auto plain = read_text_filter("{" + std::string(kBoth) + "}");
  const auto all = read_text_filter("{" + std::string(kBoth) + R"(,"ConditionalOperator":"AND"})");
  const auto any = read_text_filter("{" + std::string(kBoth) + R"(,"ConditionalOperator":"OR"})");
  ASSERT_EQ(outcome_of(plain) + outcome_of(all) + outcome_of(any), "okokok");
  for (const Row& row : rows) {
    EXPECT_EQ((*plain)->matches(item_of(row.item)), row.all) << row.item;
    EXPECT_EQ((*all)->matches(item_of(row.item)), row.all) << row.item;
    EXPECT_EQ((*any)->matches(item_of(row.item)), row.any) << row.item;
  }
}

TEST(LegacyFilter, SaysNothingWithoutConditions) {
  for (const std::string_view text :
       {"{}", R"({"ScanFilter":{}})", R"({"ScanFilter":null})", R"({"ScanFilter":{"a":null}})"}) {
    const auto condition = read_text_filter(text);
    ASSERT_EQ(outcome_of(condition), "ok") << text;
    EXPECT_FALSE(*condition) << text;
  }
}

TEST(LegacyFilter, OfANameGivenTwiceTheLastConditionCounts) {
  const auto condition = read_text_filter(
      R"({"ScanFilter":{"a":{"ComparisonOperator":"NULL"},"a":{"ComparisonOperator":"NOT_NULL"}}})");
  ASSERT_EQ(outcome_of(condition), "ok");
  EXPECT_TRUE((*condition)->matches(item_of(R"({"a":{"N":"1"}})")));
}

TEST(LegacyFilter, OperatorsTakeACertainNumberOfValues) {
  struct Row {
    std::string_view op;
    bool none, one, two, three;
  };
  const Row rows[] = {{"NULL", true, false, false, false},       {"NOT_NULL", true, false, false, false},
                      {"IN", false, true, true, true},           {"BETWEEN", false, false, true, false},
                      {"EQ", false, true, false, false},         {"NE", false, true, false, false},
                      {"LE", false, true, false, false},         {"LT", false, true, false, false},
                      {"GE", false, true, false, false},         {"GT", false, true, false, false},
                      {"CONTAINS", false, true, false, false},   {"NOT_CONTAINS", false, true, false, false},
                      {"BEGINS_WITH", false, true, false, false}};
  for (const Row& row : rows) {
    const std::string wrong = kInvalidParameter + "Invalid number of argument(s) for the " +
                              std::string(row.op) + " ComparisonOperator";
    EXPECT_EQ(error_of(row.op, ""), row.none ? "ok" : wrong);
    EXPECT_EQ(error_of(row.op, R"({"S":"a"})"), row.one ? "ok" : wrong);
    EXPECT_EQ(error_of(row.op, R"({"S":"a"},{"S":"a"})"), row.two ? "ok" : wrong);
    EXPECT_EQ(error_of(row.op, R"({"S":"a"},{"S":"a"},{"S":"a"})"), row.three ? "ok" : wrong);
  }
}

TEST(LegacyFilter, OperatorsTakeCertainTypes) {
  struct Row {
    std::string_view op, types;  // those that it takes
  };
  constexpr std::string_view kAll = " S N B BOOL NULL SS NS BS L M ";
  constexpr std::string_view kOrder = " S N B ";
  const Row rows[] = {{"EQ", kAll},
                      {"NE", kAll},
                      {"LE", kOrder},
                      {"LT", kOrder},
                      {"GE", kOrder},
                      {"GT", kOrder},
                      {"IN", kOrder},
                      {"BETWEEN", kOrder},
                      {"CONTAINS", " S N B BOOL NULL "},
                      {"NOT_CONTAINS", " S N B BOOL NULL "},
                      {"BEGINS_WITH", " S B "}};
  for (const Row& row : rows) {
    for (const std::string_view value : kOneOfEachType) {
      const std::string type(type_of(value));
      const bool takes = row.types.find(" " + type + " ") != std::string_view::npos;
      const std::string values =
          row.op == "BETWEEN" ? std::string(value) + "," + std::string(value) : std::string(value);
      EXPECT_EQ(error_of(row.op, values), takes ? "ok"
                                                : kInvalidParameter + "ComparisonOperator " +
                                                      std::string(row.op) + " is not valid for " + type +
                                                      " AttributeValue type");
    }
  }
}

TEST(LegacyFilter, ValuesAreOfOneTypeAndRangesOfOneDirection) {
  const std::string several =
      kInvalidParameter + "AttributeValues inside AttributeValueList must be of same type";
  EXPECT_EQ(error_of("IN", R"({"S":"b"},{"N":"1"})"), several);
  EXPECT_EQ(error_of("BETWEEN", R"({"N":"1"},{"S":"b"})"), several);
  EXPECT_EQ(error_of("IN", R"({"S":"b"},{"SS":["b"]})"), several) << "said before the type is looked at";
  const std::string swapped =
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound";
  EXPECT_EQ(error_of("BETWEEN", R"({"S":"b"},{"S":"a"})"), swapped);
  EXPECT_EQ(error_of("BETWEEN", R"({"N":"10"},{"N":"9"})"), swapped);
  EXPECT_EQ(error_of("BETWEEN", R"({"B":"gA=="},{"B":"fw=="})"), swapped);
}

TEST(LegacyFilter, RefusesValuesThatAreNone) {
  constexpr std::string_view kEmpty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  const std::pair<std::string_view, std::string> rows[] = {
      {R"({})", std::string(kEmpty)},
      {R"({"x":"y"})", std::string(kEmpty)},
      {R"({"S":"a","N":"1"})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
       "datatypes"},
      {R"({"N":"b"})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"N":"1e126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"NULL":false})", kInvalidParameter + "Null attribute value types must have the value of true"},
      {R"({"SS":[]})", kInvalidParameter + "An string set  may not be empty"},
      {R"({"SS":["a","a"]})", kInvalidParameter + "Input collection [a, a] contains duplicates."},
  };
  for (const auto& [value, message] : rows) {
    // Told before the number of values.
    EXPECT_EQ(error_of("EQ", R"({"N":"1"},)" + std::string(value)), message) << value;
  }
}

TEST(LegacyFilter, RefusesWhatIsNoValueAtAll) {
  const auto read = read_text_filter(filter_text("EQ", "7"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Code::kMalformed);
}

TEST(LegacyFilter, RefusesNamesThatNoAttributeHas) {
  EXPECT_EQ(outcome_of(read_text_filter(R"({"ScanFilter":{"":{"ComparisonOperator":"NULL"}}})")),
            "Empty attribute name");
  const auto named = [](size_t bytes) {
    return R"({"ScanFilter":{")" + std::string(bytes, 'n') + R"(":{"ComparisonOperator":"NULL"}}})";
  };
  EXPECT_EQ(outcome_of(read_text_filter(named(65535))), "ok");
  EXPECT_EQ(outcome_of(read_text_filter(named(65536))),
            "Attribute name is too large, must be less than 65536 bytes");
}

TEST(LegacyFilter, AConditionalOperatorNeedsTwoConditions) {
  constexpr std::string_view kNothing = "ConditionalOperator cannot be used without Filter or Expected";
  constexpr std::string_view kOne =
      "ConditionalOperator can only be used when Filter or Expected has two or more elements";
  EXPECT_EQ(outcome_of(read_text_filter(R"({"ConditionalOperator":"AND"})")), kNothing);
  EXPECT_EQ(outcome_of(read_text_filter(R"({"ConditionalOperator":"OR","ScanFilter":{}})")), kNothing);
  // Also if there is something wrong with the one condition.
  EXPECT_EQ(outcome_of(read_text_filter(
                R"({"ConditionalOperator":"OR","ScanFilter":{"a":{"ComparisonOperator":"EQ"}}})")),
            kOne);
}

TEST(LegacyFilter, ReportsTheFirstConditionThatIsWrong) {
  EXPECT_EQ(outcome_of(read_text_filter(
                R"({"ScanFilter":{"b":{"ComparisonOperator":"EQ"},"a":{"ComparisonOperator":"NE"}}})")),
            kInvalidParameter + "Invalid number of argument(s) for the NE ComparisonOperator");
}

TEST(LegacyFilter, HasAShape) {
  EXPECT_EQ(
      outcome_of(read_text_filter(R"({"ConditionalOperator":"and",
                                           "ScanFilter":{"a":{},"b":{"ComparisonOperator":"eq"}}})")),
      "3 validation errors detected: Value null at 'scanFilter.a.member.comparisonOperator' failed to "
      "satisfy constraint: Member must not be null; Value 'eq' at "
      "'scanFilter.b.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum "
      "value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, "
      "CONTAINS]; Value 'and' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy "
      "enum value set: [OR, AND]");
  EXPECT_EQ(outcome_of(read_text_filter(R"({"ScanFilter":[]})")),
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.Condition>");
  EXPECT_EQ(outcome_of(read_text_filter(R"({"ScanFilter":{"a":[]}})")),
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Condition");
}

}  // namespace
}  // namespace sheaf::wire
