#include "run/applied_layout.h"

#include <gtest/gtest.h>

#include "run/running_model.h"
#include "run/system_table.h"

namespace sheaf::run {
namespace {

std::string people(const std::string& fields) {
  return "model m { table app { pk PK; sk SK; tag T } entity A { id id; key \"A#<id>\" / \"A\"; " + fields +
         " } entity B { id id; key \"B#<id>\" / \"B\" } rel A 1--* B as bs / a { size max 9 }" +
         " pattern a(a: A) = $a }";
}

class AppliedPromises : public testing::Test {
 protected:
  std::string apply(const std::string& fields) {
    const model::CompiledModel compiled = model::compile("m.sheaf", people(fields));
    EXPECT_TRUE(compiled.ok()) << compiled.rendered();
    const auto applied = apply_layout(running_.database(), compiled.model, compiled.layouts[0]);
    return applied.ok() ? "" : applied.error().message;
  }
  bool is_applied(const std::string& fields) {
    const model::CompiledModel compiled = model::compile("m.sheaf", people(fields));
    return check_applied(running_.database(), compiled.model, compiled.layouts[0]).ok();
  }
  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  RunningModel running_{people("name; code unique"), R"({ "A": [{ "id": "1", "name": "n", "code": "c" }] })"};
};

TEST_F(AppliedPromises, GuardsAndCountsThatAreMissingAreNotPromised) {
  EXPECT_TRUE(says(apply("name unique; code unique"), "A.name was plain, and is unique"));
  EXPECT_TRUE(says(apply("name; code"), "A.code was unique, and is plain"));
  EXPECT_TRUE(says(apply("name; code unique; n int = count(bs)"), "A.n is new (count of bs)"));
  EXPECT_FALSE(is_applied("name unique; code unique"));
  EXPECT_FALSE(is_applied("name; code"));
  EXPECT_FALSE(is_applied("name; code unique; n int = count(bs)"));
  EXPECT_TRUE(is_applied("name; code unique"));
}

TEST_F(AppliedPromises, WhatHasNoValuesYetCanBeUnique) {
  const std::string more = "name; code unique; other string? unique";
  EXPECT_FALSE(is_applied(more));
  EXPECT_EQ(apply(more), "");
  EXPECT_TRUE(is_applied(more));
  // Who does not know of it goes on, and it stays promised.
  EXPECT_EQ(apply("name; code unique"), "");
  EXPECT_TRUE(is_applied("name; code unique"));
  EXPECT_TRUE(is_applied(more));
}

// As those before this one did.
TEST_F(AppliedPromises, ARecordWithoutThemAsksForNone) {
  Got got = *running_.database().get_item(
      {.table = "m-sheaf", .key = system_key("layout#default", "applied"), .consistent = true});
  Item item = system_key("layout#default", "applied");
  item.set("facts", Value(*got.item->find("facts")));
  ASSERT_TRUE(running_.database().put_item({.table = "m-sheaf", .item = std::move(item)}).ok());
  EXPECT_TRUE(is_applied("name; code"));
  EXPECT_EQ(apply("name; code unique"), "");
  EXPECT_FALSE(is_applied("name; code"));
}

}  // namespace
}  // namespace sheaf::run
