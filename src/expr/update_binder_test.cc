// What AWS refuses of an update before it reads the item.
#include <gtest/gtest.h>

#include "expr/test_request.h"
#include "expr/update.h"

namespace sheaf::expr {
namespace {

// The answer to an update whose :a is `value`; #a stands for a, #b for b, #three for [3].
std::string update(std::string_view text, Value value = 1) {
  TestRequest request({{":a", value}, {":b", 2}}, {{"#a", "a"}, {"#b", "b"}, {"#three", "[3]"}});
  std::string message = outcome_of(Update::parse(text, request));
  if (message.starts_with("Invalid UpdateExpression: ")) message.erase(0, 26);
  return message;
}

TEST(UpdateBinder, RefusesReservedWordsBeforeAllElse) {
  EXPECT_EQ(update(" set #c = :c set abOrt = true "),
            "Attribute name is a reserved keyword; reserved keyword: abOrt");
  EXPECT_EQ(update(" remove Absolute "), "Attribute name is a reserved keyword; reserved keyword: Absolute");
}

TEST(UpdateBinder, RefusesFunctionsThatUpdatesDoNotHave) {
  EXPECT_EQ(update("set #c = if_not_exist(:c) set c = d"), "Invalid function name; function: if_not_exist");
  EXPECT_EQ(update("SET a = LIST_APPEND(:a, :b)"), "Invalid function name; function: LIST_APPEND");
  EXPECT_EQ(update("SET a = size(b)"), "The function is not allowed in an update expression; function: size");
}

TEST(UpdateBinder, AppendsListsOnlyAtTheTop) {
  const std::string misused =
      "The function is not allowed to be used this way in an expression; function: list_append";
  EXPECT_EQ(update("SET a = list_append(list_append(:a, :a), :a)", Value::list({})), misused);
  EXPECT_EQ(update("SET a = if_not_exists(a, list_append(:a, :a))", Value::list({})), misused);
  EXPECT_EQ(update("SET a = list_append(:a, :a) + :b", Value::list({})), misused);
  EXPECT_EQ(update("SET a = list_append(if_not_exists(a, :a), :a)", Value::list({})), "ok");
}

TEST(UpdateBinder, TakesEachSectionOnce) {
  const auto twice = [](std::string section) {
    return "The \"" + section + "\" section can only be used once in an update expression;";
  };
  EXPECT_EQ(update("set a = #c set c = :d"), twice("SET"));
  EXPECT_EQ(update("remove #d set a = b remove e"), twice("REMOVE"));
  EXPECT_EQ(update("add #d :e set a = b add e :f"), twice("ADD"));
  EXPECT_EQ(update("delete #d :e set a = b delete #e :f"), twice("DELETE"));
}

TEST(UpdateBinder, RefusesNamesBeforeValuesThatAreNotDefined) {
  EXPECT_EQ(update("SET a = if_not_exists(:c), #c = b"),
            "An expression attribute name used in the document path is not defined; attribute name: #c");
  EXPECT_EQ(update("SET #a = if_not_exists(:c)"),
            "An expression attribute value used in expression is not defined; attribute value: :c");
}

TEST(UpdateBinder, RefusesPathsThatOverlap) {
  const auto overlap = [](std::string one, std::string two) {
    return "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
           "one: " +
           one + ", path two: " + two;
  };
  EXPECT_EQ(update("set d[1] = a, d.b = a, c[1].a = a, c = if_not_exists(a)"), overlap("[c, [1], a]", "[c]"));
  EXPECT_EQ(update("set b[3].#three = a, b[3] = a"), overlap("[b, [3], [3]]", "[b, [3]]"));
  EXPECT_EQ(update("SET a = :a REMOVE a"), overlap("[a]", "[a]"));
  EXPECT_EQ(update("SET #a = :a, a.b.c = :a"), overlap("[a]", "[a, b, c]"));
  EXPECT_EQ(update("SET b = a, c = a REMOVE a"), "ok");
}

TEST(UpdateBinder, RefusesPathsThatConflict) {
  EXPECT_EQ(
      update("set a[3].#three = b, a.#three[3] = if_not_exists(a)"),
      "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, "
      "[3], [3]], path two: [a, [3], [3]]");
  EXPECT_EQ(update("remove a.#b set a[1] = b"),
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path "
            "one: [a, b], "
            "path two: [a, [1]]");
}

TEST(UpdateBinder, AddsOnlyNumbersAndSetsAndTakesOnlySets) {
  const auto refused = [](std::string op, std::string type) {
    return "Incorrect operand type for operator or function; operator: " + op + ", operand type: " + type +
           ", typeSet: ALLOWED_FOR_" + op + "_OPERAND";
  };
  EXPECT_EQ(update("set b = list_append(:a, a), c = if_not_exists(a) add a.b :a", "text"),
            refused("ADD", "STRING"));
  const std::pair<Value, std::string> bad[] = {
      {Value(), "NULL"},      {Value(true), "BOOLEAN"},   {Value::binary("a"), "BINARY"},
      {Value(Item()), "MAP"}, {Value::list({1}), "LIST"}, {Value("text"), "STRING"}};
  for (const auto& [value, name] : bad) {
    EXPECT_EQ(update("add a.b :a", value), refused("ADD", name));
    EXPECT_EQ(update("delete a.b :a", value), refused("DELETE", name));
  }
  EXPECT_EQ(update("delete a.b :a"), refused("DELETE", "NUMBER"));
  for (const Value& set : {Value::string_set({"a"}), Value::number_set({1}), Value::binary_set({"a"})}) {
    EXPECT_EQ(update("add a.b :a delete c :a", set), "ok");
  }
  EXPECT_EQ(update("add a.b :a"), "ok");
}

TEST(UpdateBinder, CountsOperands) {
  EXPECT_EQ(
      update("set a = if_not_exists(c)"),
      "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of "
      "operands: 1");
  EXPECT_EQ(
      update("set a = list_append(c, b, c)"),
      "Incorrect number of operands for operator or function; operator or function: list_append, number of "
      "operands: 3");
}

TEST(UpdateBinder, RequiresAPathWhereExistenceIsAsked) {
  const std::string expected =
      "Operator or function requires a document path; operator or function: if_not_exists";
  EXPECT_EQ(update("set a = if_not_exists(:a, c)"), expected);
  EXPECT_EQ(update("set a = if_not_exists(if_not_exists(a, b), c)"), expected);
}

TEST(UpdateBinder, ChecksTheTypesOfValues) {
  for (const Value& value : values_of_all_types()) {
    const std::string type(type_name(value.type()));
    const auto wrong = [&](std::string op) {
      return "Incorrect operand type for operator or function; operator or function: " + op +
             ", operand type: " + type;
    };
    const std::string listed = value.type() == Type::kList ? "ok" : wrong("list_append");
    EXPECT_EQ(update("set a = list_append(:a, b)", value), listed);
    EXPECT_EQ(update("set a = list_append(b, :a)", value), listed);
    EXPECT_EQ(update("set a = b + :a", value), value.type() == Type::kNumber ? "ok" : wrong("+"));
    EXPECT_EQ(update("set a = :a - b", value), value.type() == Type::kNumber ? "ok" : wrong("-"));
  }
}

TEST(UpdateBinder, MarksWhatItUses) {
  TestRequest request({{":a", 1}, {":b", 2}, {":c", 3}}, {{"#a", "a"}, {"#b", "b"}});
  ASSERT_EQ(outcome_of(Update::parse("SET #a = if_not_exists(#b, :a) ADD n :b", request)), "ok");
  EXPECT_EQ(outcome_of(request->check_all_used()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:c}");
}

}  // namespace
}  // namespace sheaf::expr
