#include "exports/names.h"

#include <gtest/gtest.h>

namespace sheaf::exports {
namespace {

TEST(Names, HaveTheCaseOfTheirLanguage) {
  EXPECT_EQ(pascal_case("app-table_2.log"), "AppTable2Log");
  EXPECT_EQ(camel_case("OrderItem id"), "orderItemId");
  EXPECT_EQ(snake_case("on-call.log"), "on_call_log");
}

TEST(Names, AreNeverEmptyAndNeverBeginWithADigit) {
  EXPECT_EQ(pascal_case("2nd"), "N2nd");
  EXPECT_EQ(snake_case("--"), "unnamed");
  EXPECT_EQ(camel_case("ü"), "unnamed");
}

TEST(Names, AreGivenOnce) {
  UniqueNames names({"node"});
  EXPECT_EQ(names.claim("node"), "node2");
  EXPECT_EQ(names.claim("node"), "node3");
  EXPECT_EQ(names.claim("nodes"), "nodes");
}

TEST(Texts, AreQuotedWhereTheyWouldMeanSomethingElse) {
  EXPECT_EQ(yaml_text("GSI1PK"), "GSI1PK");
  EXPECT_EQ(yaml_text("on-call.log"), "on-call.log");
  EXPECT_EQ(yaml_text("Yes"), "\"Yes\"");
  EXPECT_EQ(yaml_text("007"), "\"007\"");
  EXPECT_EQ(yaml_text("a: b"), "\"a: b\"");
  EXPECT_EQ(yaml_text(""), "\"\"");
  EXPECT_EQ(single_quoted("it's \\ \n\x01"), "'it\\'s \\\\ \\n\\u0001'");
  EXPECT_EQ(hcl_text("${a} %{b} $c \"d\""), "\"$${a} %%{b} $c \\\"d\\\"\"");
}

TEST(Texts, CannotEndAComment) { EXPECT_EQ(comment_text("a\nb\tc\u2028d\u0085e"), "a b c d e"); }

TEST(Texts, HaveNoCharactersThatEndALine) {
  EXPECT_EQ(quoted("a\u2028b\u2029c\u0085d\x7f"), "\"a\\u2028b\\u2029c\\u0085d\\u007f\"");
}

}  // namespace
}  // namespace sheaf::exports
