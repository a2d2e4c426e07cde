#include "expr/placeholders.h"

#include <gtest/gtest.h>

#include "expr/limits.h"
#include "expr/test_request.h"

namespace sheaf::expr {
namespace {

TEST(Placeholders, GiveWhatStandsBehindThem) {
  TestRequest request({{":b", 2}, {":a", "x"}}, {{"#z", "last"}, {"#a", "first"}});
  EXPECT_EQ(request->name("#a"), "first");
  EXPECT_EQ(request->name("#z"), "last");
  EXPECT_EQ(request->name("#m"), std::nullopt);
  ASSERT_TRUE(request->value(":a").has_value());
  EXPECT_EQ(request->value(":a")->to_json(), R"({"S":"x"})");
  EXPECT_FALSE(request->value(":c").has_value());
}

TEST(Placeholders, AreAllUsedWhenThereAreNone) {
  EXPECT_EQ(outcome_of(Placeholders().check_all_used()), "ok");
}

TEST(Placeholders, NameThoseThatNoExpressionUsed) {
  TestRequest request({{":a", 1}, {":b", 2}, {":c", 3}}, {{"#b", "b"}, {"#a", "a"}});
  EXPECT_EQ(outcome_of(request->check_all_used()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}");
  request->name("#a");
  request->name("#b");
  request->value(":b");
  EXPECT_EQ(outcome_of(request->check_all_used()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a, :c}");
  request->value(":a");
  request->value(":c");
  EXPECT_EQ(outcome_of(request->check_all_used()), "ok");
}

TEST(Placeholders, MustBeWordsBehindTheirSign) {
  for (const std::string_view bad : {"a", "#", "##", "#a-b", "#a b", "#\xc3\xa4", ""}) {
    TestRequest request({}, {{bad, "name"}});
    EXPECT_EQ(
        outcome_of(request->check()),
        "ExpressionAttributeNames contains invalid key: Syntax error; key: \"" + std::string(bad) + "\"");
  }
  for (const std::string_view bad : {"a", ":", "::", ":a-b", "#a"}) {
    TestRequest request({{bad, 1}});
    EXPECT_EQ(
        outcome_of(request->check()),
        "ExpressionAttributeValues contains invalid key: Syntax error; key: \"" + std::string(bad) + "\"");
  }
  TestRequest good({{":0", 1}, {":_", 1}, {":aZ9", 1}}, {{"#0", "a"}, {"#_", "b"}, {"#aZ9", "c"}});
  EXPECT_EQ(outcome_of(good->check()), "ok");
}

TEST(Placeholders, MayBe255BytesLong) {
  const std::string longest = "#" + std::string(kPlaceholderBytesMax - 1, 'n');
  const std::string too_long = longest + "n";
  EXPECT_EQ(outcome_of(TestRequest({}, {{longest, "a"}})->check()), "ok");
  EXPECT_EQ(outcome_of(TestRequest({}, {{too_long, "a"}})->check()),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that "
            "is too "
            "long; size of key: 256");
}

TEST(Placeholders, MayNotStandForEmptyOrOverlongNames) {
  EXPECT_EQ(outcome_of(TestRequest({}, {{"#n", ""}})->check()),
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #n");
  const std::string longest(kAttributeNameBytesMax, 'n');
  EXPECT_EQ(outcome_of(TestRequest({}, {{"#n", longest}})->check()), "ok");
  const std::string too_long = longest + "n";
  EXPECT_EQ(
      outcome_of(TestRequest({}, {{"#n", too_long}})->check()),
      "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 "
      "bytes for key #n");
}

}  // namespace
}  // namespace sheaf::expr
