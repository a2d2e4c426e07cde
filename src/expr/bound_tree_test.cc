#include "expr/bound_tree.h"

#include <gtest/gtest.h>

#include "expr/condition.h"
#include "expr/limits.h"
#include "expr/test_request.h"

namespace sheaf::expr {
namespace {

// The answer to a filter whose :a is `value`; #a stands for a, nothing else is defined.
std::string filter(std::string_view text, Value value = 1) {
  TestRequest request({{":a", value}}, {{"#a", "a"}});
  std::string message = outcome_of(Condition::parse(text, request, ExpressionKind::kFilter));
  if (message.starts_with("Invalid FilterExpression: ")) message.erase(0, 26);
  return message;
}

TEST(BoundTree, RefusesUnknownFunctions) {
  EXPECT_EQ(filter("a=b and whatever((:things)) > a"), "Invalid function name; function: whatever");
  EXPECT_EQ(filter("attRIbute_exIsts((views), #x)"), "Invalid function name; function: attRIbute_exIsts");
}

TEST(BoundTree, RefusesFunctionsOutOfPlace) {
  const auto misused = [](std::string function) {
    return "The function is not allowed to be used this way in an expression; function: " + function;
  };
  EXPECT_EQ(filter("a=b and attribute_exists((views), (#x)) > b"), misused("attribute_exists"));
  EXPECT_EQ(filter("attribute_not_exists(things) > b"), misused("attribute_not_exists"));
  EXPECT_EQ(filter("attribute_type(things, :x) > b"), misused("attribute_type"));
  EXPECT_EQ(filter("begins_with(things, a) > b"), misused("begins_with"));
  EXPECT_EQ(filter("contains(:things, c) > b"), misused("contains"));
  EXPECT_EQ(filter("size(contains(a, b)) > a"), misused("contains"));
  EXPECT_EQ(filter("size(things)"), misused("size"));
  EXPECT_EQ(filter("NOT (size(things))"), misused("size"));
  EXPECT_EQ(filter("a between b and attribute_exists(things)"), misused("attribute_exists"));
  EXPECT_EQ(filter("a in (b, attribute_exists(things))"), misused("attribute_exists"));
  EXPECT_EQ(filter("if_not_exists(a, b) = :a"),
            "The function is not allowed in a condition expression; function: if_not_exists");
}

TEST(BoundTree, RefusesReservedWords) {
  EXPECT_EQ(filter("attribute_exists(views, #x)"),
            "Attribute name is a reserved keyword; reserved keyword: views");
  EXPECT_EQ(filter(":x < abOrT"), "Attribute name is a reserved keyword; reserved keyword: abOrT");
  EXPECT_EQ(filter("a.b[1].status = :x"), "Attribute name is a reserved keyword; reserved keyword: status");
}

TEST(BoundTree, RefusesNamesThatAreNotDefined) {
  const auto undefined = [](std::string name) {
    return "An expression attribute name used in the document path is not defined; attribute name: " + name;
  };
  EXPECT_EQ(filter("attribute_exists(#Pictures.RearView, :x) and a=a"), undefined("#Pictures"));
  EXPECT_EQ(filter("begins_with(Pictures.#RearView)"), undefined("#RearView"));
  EXPECT_EQ(filter("(#P between :lo and :hi) and (#PC in (:cat1, :cat2))"), undefined("#P"));
  EXPECT_EQ(filter("#4g > a"), undefined("#4g"));
  EXPECT_EQ(filter("(a)between(b.c[45].#d)and(:x)"), undefined("#d"));
}

TEST(BoundTree, RefusesValuesThatAreNotDefined) {
  const auto undefined = [](std::string name) {
    return "An expression attribute value used in expression is not defined; attribute value: " + name;
  };
  EXPECT_EQ(filter("begins_with(:hello, #x, #y)"), undefined(":hello"));
  EXPECT_EQ(filter(":x < :y"), undefined(":x"));
  EXPECT_EQ(filter(":_ > a"), undefined(":_"));
}

TEST(BoundTree, TakesOneComparisonAfterTheOther) {
  EXPECT_EQ(filter("a = a AND b = :missing"),
            "The first operand must be distinct from the remaining operands for this operator or function; "
            "operator: "
            "=, first operand: [a]");
  EXPECT_EQ(filter("b = :missing AND a = a"),
            "An expression attribute value used in expression is not defined; attribute value: :missing");
  EXPECT_EQ(
      filter("begins_with(a, :a) AND b = :missing"),
      "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N");
}

TEST(BoundTree, CountsOperands) {
  const auto wrong = [](std::string function, int count) {
    return "Incorrect number of operands for operator or function; operator or function: " + function +
           ", number of operands: " + std::to_string(count);
  };
  EXPECT_EQ(filter("attribute_exists(things, a) and a=a"), wrong("attribute_exists", 2));
  EXPECT_EQ(filter("attribute_not_exists(things, b)"), wrong("attribute_not_exists", 2));
  EXPECT_EQ(filter("attribute_type(things)"), wrong("attribute_type", 1));
  EXPECT_EQ(filter("begins_with(things)"), wrong("begins_with", 1));
  EXPECT_EQ(filter("begins_with(things, size(a), b)"), wrong("begins_with", 3));
  EXPECT_EQ(filter("contains(things)"), wrong("contains", 1));
  EXPECT_EQ(filter("size(things, a) > b"), wrong("size", 2));
}

TEST(BoundTree, AllowsAHundredOperandsOfIn) {
  const auto in_list = [](size_t count) {
    std::string text = "a IN (:a";
    for (size_t i = 1; i < count; ++i) text += ",:a";
    return text + ")";
  };
  EXPECT_EQ(filter(in_list(kInOperandsMax)), "ok");
  EXPECT_EQ(filter(in_list(kInOperandsMax + 1)),
            "The IN operator is provided with too many operands; number of operands: 101");
}

TEST(BoundTree, RefusesAnAttributeComparedWithItself) {
  const auto same = [](std::string op, std::string path) {
    return "The first operand must be distinct from the remaining operands for this operator or function; "
           "operator: " +
           op + ", first operand: " + path;
  };
  EXPECT_EQ(filter("a = a AND #a = b AND :views > a"), same("=", "[a]"));
  EXPECT_EQ(filter("#a <> a"), same("<>", "[a]"));
  EXPECT_EQ(filter("a > #a"), same(">", "[a]"));
  EXPECT_EQ(filter("((a=a) OR (a=a))"), same("=", "[a]"));
  EXPECT_EQ(filter("contains(ab.bc[1].a, ab.bc[1].#a)"), same("contains", "[ab, bc, [1], a]"));
  EXPECT_EQ(filter("attribute_type(ab.bc[1].#a, ab.bc[1].a)"), same("attribute_type", "[ab, bc, [1], a]"));
  EXPECT_EQ(filter("begins_with(ab.bc[1].a, ab.bc[1].#a)"), same("begins_with", "[ab, bc, [1], a]"));
  EXPECT_EQ(filter("a BETWEEN :a AND a"), same("BETWEEN", "[a]"));
  EXPECT_EQ(filter("a IN (:a, a)"), same("IN", "[a]"));
  EXPECT_EQ(filter(":a > :a"), "ok");
  EXPECT_EQ(filter("a[1] = a[2]"), "ok");
}

std::string wrong_type(std::string op, std::string_view type) {
  return "Incorrect operand type for operator or function; operator or function: " + op +
         ", operand type: " + std::string(type);
}

TEST(BoundTree, OrdersOnlyNumbersStringsAndBinaries) {
  for (const Value& value : values_of_all_types()) {
    const bool is_ordered =
        value.type() == Type::kNumber || value.type() == Type::kString || value.type() == Type::kBinary;
    for (const std::string op : {"<", "<=", ">", ">="}) {
      const std::string expected = is_ordered ? "ok" : wrong_type(op, type_name(value.type()));
      EXPECT_EQ(filter("a " + op + " :a", value), expected);
      EXPECT_EQ(filter(":a " + op + " a", value), expected);
    }
    const std::string expected = is_ordered ? "ok" : wrong_type("BETWEEN", type_name(value.type()));
    EXPECT_EQ(filter("a BETWEEN :a AND :a", value), expected);
    EXPECT_EQ(filter(":a BETWEEN a AND b", value), expected);
    EXPECT_EQ(filter("a = :a AND a <> :a AND a IN (:a) AND contains(a, :a)", value), "ok");
  }
}

TEST(BoundTree, TakesOnlyStringsAndBinariesForPrefixes) {
  for (const Value& value : values_of_all_types()) {
    const bool is_prefix = value.type() == Type::kString || value.type() == Type::kBinary;
    const std::string expected = is_prefix ? "ok" : wrong_type("begins_with", type_name(value.type()));
    EXPECT_EQ(filter("begins_with(a, :a)", value), expected);
    EXPECT_EQ(filter("begins_with(:a, a)", value), expected);
  }
  EXPECT_EQ(filter("begins_with(a, size(a))"), wrong_type("begins_with", "N"));
}

TEST(BoundTree, MeasuresOnlyWhatHasASize) {
  for (const Value& value : values_of_all_types()) {
    const bool has_size =
        value.type() != Type::kNumber && value.type() != Type::kBool && value.type() != Type::kNull;
    EXPECT_EQ(filter("size(:a) > a", value), has_size ? "ok" : wrong_type("size", type_name(value.type())));
  }
  EXPECT_EQ(filter("size(size(a)) > :a"), wrong_type("size", "N"));
  EXPECT_EQ(filter("attribute_not_exists(size(:a))"), wrong_type("size", "N"));
}

TEST(BoundTree, TakesOnlyTypeNamesForTypes) {
  for (const Value& value : values_of_all_types()) {
    if (value.type() == Type::kString) continue;
    EXPECT_EQ(filter("attribute_type(a, :a)", value), wrong_type("attribute_type", type_name(value.type())));
    EXPECT_EQ(filter("attribute_type(a, :a)", Value(type_name(value.type()))), "ok");
  }
  EXPECT_EQ(filter("attribute_type(a, size(a))"), wrong_type("attribute_type", "N"));
  EXPECT_EQ(filter("attribute_type(a, b)"), wrong_type("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"));
  EXPECT_EQ(filter("attribute_type(a, :a)", "s"),
            "Invalid attribute type name found; type: s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
}

TEST(BoundTree, RequiresPathsWhereExistenceIsAsked) {
  EXPECT_EQ(filter("attribute_exists(:a) and a=a"),
            "Operator or function requires a document path; operator or function: attribute_exists");
  EXPECT_EQ(filter("attribute_not_exists(size(:a))", "text"),
            "Operator or function requires a document path; operator or function: attribute_not_exists");
}

TEST(BoundTree, ComparesTheBoundsOfBetween) {
  const auto between = [](Value low, Value high) {
    TestRequest request({{":low", low}, {":high", high}});
    return outcome_of(Condition::parse("a BETWEEN :low AND :high", request));
  };
  EXPECT_EQ(between(1, 1), "ok");
  EXPECT_EQ(between("a", "b"), "ok");
  EXPECT_EQ(
      between(5, 4),
      "Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to "
      "lower bound; lower bound operand: AttributeValue: {N:5}, upper bound operand: AttributeValue: {N:4}");
  EXPECT_EQ(
      between(1, "a"),
      "Invalid ConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; "
      "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}");
  EXPECT_EQ(filter("a BETWEEN b AND :a"), "ok");
}

TEST(BoundTree, MarksWhatItUses) {
  TestRequest request({{":a", 1}, {":b", 2}}, {{"#a", "a"}, {"#b", "b"}});
  ASSERT_EQ(outcome_of(Condition::parse("#a = :a", request)), "ok");
  EXPECT_EQ(outcome_of(request->check_all_used()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
  ASSERT_EQ(outcome_of(Condition::parse("#b = :b", request)), "ok");
  EXPECT_EQ(outcome_of(request->check_all_used()), "ok");
}

}  // namespace
}  // namespace sheaf::expr
