// What plans count on: of a list that its Query cuts, what is kept; of an item, what lies in it.
#include <gtest/gtest.h>

#include "plan/explain.h"
#include "plan/item_bytes.h"
#include "plan/planned_model.h"

namespace sheaf::plan {
namespace {

PlannedModel with_sizes(std::string text) {
  return plan_model(model::compile("test.sheaf", std::move(text)));
}

std::string plan_with_sizes(const PlannedModel& model, std::string_view pattern) {
  for (const PlannedPattern& each : model.plans.at(0)) {
    if (each.pattern->name != pattern) continue;
    if (!each.ok()) return "refused: " + std::get<Refusal>(each.plan).message;
    return explain(model.compiled.model, model.compiled.layouts[0], std::get<Plan>(each.plan));
  }
  return "no pattern " + std::string(pattern);
}

constexpr const char* kManyLinks = R"(model pg {
  entity A { id id; n }
  entity B { id id; n }
  rel A *--* B as bs / as { size of bs max 2000; size of as max 2000 }
  pattern whole(a: A) = $a { bs { n } }
  pattern page(a: A) = $a.bs page 100 { n } budget 2 requests
  pattern limit(a: A) = $a.bs limit 100 { n } budget 2 requests
  pattern unsaid(a: A) = $a.bs { n } budget 2 requests
  pattern nested(a: A) = $a { bs limit 30 { n } } budget 2 requests
  pattern sorted(a: A) = $a.bs order n page 100 { n }
})";

TEST(DeclaredSizes, OfAListThatIsCutTheRestIsNotFetched) {
  const PlannedModel model = with_sizes(kManyLinks);
  ASSERT_EQ(model.compiled.rendered(), "");
  const std::string two =
      "2 requests, 2 rounds, about 55 units\n"
      "  1. Query pg-data: PK = \"A#<$a.id>\", SK begins with \"BS#\", limit 100: edges to bs\n"
      "  2. BatchGetItem of 100 keys: bs\n";
  EXPECT_EQ(plan_with_sizes(model, "page"), "page(a): " + two);
  EXPECT_EQ(plan_with_sizes(model, "limit"), "limit(a): " + two);
  EXPECT_EQ(plan_with_sizes(model, "unsaid"), "unsaid(a): " + two);
}

TEST(DeclaredSizes, WhatIsReadWholeIsFetchedWhole) {
  const PlannedModel model = with_sizes(kManyLinks);
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_NE(plan_with_sizes(model, "whole").find("of 2000 keys in 20 calls"), std::string::npos)
      << plan_with_sizes(model, "whole");
  EXPECT_NE(plan_with_sizes(model, "sorted").find("of 2000 keys in 20 calls"), std::string::npos)
      << "only the items tell the order: " << plan_with_sizes(model, "sorted");
}

TEST(DeclaredSizes, WhoFollowsAListThatIsCutFollowsWhatIsKept) {
  const PlannedModel model = with_sizes(R"(model pg {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK }
    entity A { id id; n; key "A#<id>" / "A#<id>" }
    entity B { id id; n; at time immutable; key "B#<id>" / "B#<id>"; index GSI1 "A#<a.id>" / "B#<at>#<id>" }
    entity C { id id; n; key "C#<id>" / "C#<id>" }
    rel A 1--* B as bs / a { required; size max 5000; on delete cascade; via index on GSI1 }
    rel C 1--* B as cbs / c { required; size max 500; on delete cascade; via ref }
    pattern newest(a: A) = $a.bs order at desc page 10 { *, c { n } } budget 2 requests
    pattern nested(a: A) = $a { *, bs order at desc limit 10 { *, c { n } } } budget 2 requests
    pattern some(a: A) = $a.bs filter n = "x" order at desc page 10 { *, c { n } } reads max 1000
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_NE(plan_with_sizes(model, "newest").find("BatchGetItem of 10 keys: c"), std::string::npos);
  EXPECT_NE(plan_with_sizes(model, "nested").find("BatchGetItem of 11 keys: A, c"), std::string::npos)
      << plan_with_sizes(model, "nested");
  EXPECT_NE(plan_with_sizes(model, "some").find("BatchGetItem of 100 keys: c"), std::string::npos)
      << "behind a filter more is read than is kept: " << plan_with_sizes(model, "some");
}

TEST(DeclaredSizes, AListThatNoQueryCutsIsFetchedWhole) {
  const PlannedModel model = with_sizes(R"(model m {
    entity User { id id }
    entity Repo { id id; stars int }
    rel User *--* Repo as repos / users { via ids repos; size of repos max 900 }
    pattern p(u: User) = $u.repos page 2
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_NE(plan_with_sizes(model, "p").find("BatchGetItem of 900 keys in 9 calls"), std::string::npos)
      << plan_with_sizes(model, "p");
}

constexpr const char* kTwoLevels = R"(model w {
  table app { pk PK; sk SK; tag T }
  entity A { id id; key "A#<id>" / "A" }
  entity B within a { id id; key "A#<a.id>" / "B#<id>" }
  entity C within b { id id; key "A#<b.a.id>" / "C#<b.id>#<id>" }
  rel A 1--* B as bs / a { size max 4; on delete cascade }
  rel B 1--* C as cs / b { size max 50000; on delete cascade }
  pattern each(a: A) = $a.bs { cs limit 2 }
  pattern all(a: A) = $a.bs.cs order id limit 2
  pattern pages(a: A) = $a.bs.cs page 2
})";

// One limit for all of them would be used up by the first.
TEST(DeclaredSizes, AQueryOfTheListsOfSeveralParentsIsNotCut) {
  const PlannedModel model = with_sizes(kTwoLevels);
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_NE(plan_with_sizes(model, "each").find("SK begins with \"C#<bs.id>#\", limit 2: cs (4 calls)"),
            std::string::npos)
      << plan_with_sizes(model, "each");
  EXPECT_NE(plan_with_sizes(model, "pages").find("SK begins with \"C#\", limit 2: cs"), std::string::npos)
      << "the outermost list is one list: " << plan_with_sizes(model, "pages");
}

// Each of them may have the first: a page does not end with one that is full.
TEST(DeclaredSizes, AnOrderOverSeveralQueriesHasNoPages) {
  const PlannedModel model = with_sizes(kTwoLevels);
  ASSERT_EQ(model.compiled.rendered(), "");
  for (const PlannedPattern& each : model.plans[0]) {
    const Plan& plan = std::get<Plan>(each.plan);
    if (each.pattern->name != "all") continue;
    EXPECT_EQ(plan.requests.back().limit, 2);
    EXPECT_FALSE(plan.requests.back().is_paged);
  }
}

TEST(DeclaredSizes, EmbeddedChildrenMakeTheirItemLarge) {
  const PlannedModel model = with_sizes(R"(model m {
    entity P { id id; name }
    entity K within p { no id int; body }
    rel P 1--* K as ks / p { required; size avg 200 max 250; on delete cascade; via embed }
    pattern one(p: P) = $p + ks
    op edit(k: K, b: string) = set $k.body = $b
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_EQ(item_bytes(model.compiled.model, model.compiled.layouts[0], 0, {}), 400 + 250 * 400);
  EXPECT_EQ(plan_with_sizes(model, "one"), "one(p): 1 request, 1 round, about 12.5 units\n  1. GetItem: P\n");
  EXPECT_EQ(std::get<OperationPlan>(model.operations[0].front().plan).cost.units, 99)
      << "who writes a child writes its parent's item";
}

TEST(DeclaredSizes, FieldsThatSayHowLongTheyAreCountWhereTheyAreEmbedded) {
  const char* const text = R"(model m {
    entity P { id id; name }
    entity K within p { no id int; body string max 1000 }
    rel P 1--* K as ks / p { required; size max COUNT; on delete cascade; via embed }
    pattern one(p: P) = $p + ks
  })";
  const auto with = [&](const std::string& count) {
    std::string said = text;
    return with_sizes(said.replace(said.find("COUNT"), 5, count));
  };
  const PlannedModel few = with("10");
  ASSERT_EQ(few.compiled.rendered(), "");
  // The names of both, 40 bytes for a number, and what is said.
  EXPECT_EQ(item_bytes(few.compiled.model, few.compiled.layouts[0], 0, {}), 400 + 10 * (2 + 40 + 4 + 1000));
  EXPECT_NE(with("400").compiled.rendered().find("400 ks of 1046 bytes do not fit an item of 400 KB"),
            std::string::npos)
      << with("400").compiled.rendered();
}

TEST(DeclaredSizes, EntriesAndIdsLieInTheirItem) {
  const PlannedModel model = with_sizes(R"(model m {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK keys; gsi GSI2 GSI2PK / GSI2SK }
    entity A { id id; n; key "A#<id>" / "A"; index GSI1 "N#<n>" / "A#<id>"; index GSI2 "N#<n>" / "A#<id>" }
    entity B { id id; name string max 100 immutable; key "B#<id>" / "B" }
    rel A *--* B as bs / as { via lists copy bs(name); size of bs max 10; size of as max 10 }
    rel A *--* B as likes / likedBy { via ids likes; size of likes max 20 }
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  const auto bytes = [&](const View& view) {
    return item_bytes(model.compiled.model, model.compiled.layouts[0], 0, view);
  };
  const double entry = 40 + 7 + 100;  // the id, bs_name and what it holds
  EXPECT_EQ(bytes({}), 400 + 10 * entry + 20 * 40);
  EXPECT_EQ(bytes({.index = 0}), 400) << "keys alone";
  EXPECT_EQ(bytes({.index = 1}), bytes({}));
}

// Each field with its name and its max, or 40 bytes; 400 at least.
TEST(DeclaredSizes, OfAnItemAreThoseOfItsFields) {
  const PlannedModel model = with_sizes(R"(model m {
    table app { pk PK; sk SK; gsi byTitle T1 / T2 include(title) }
    entity Small { id id; name max 300; key "S#<id>" / "S" }
    entity Page { id id; title max 1000; body max 8000; key "P#<id>" / "P"; index byTitle "<title>" / "<id>" }
    pattern small(s: Small) = $s
    pattern page(p: Page) = $p
    pattern titled(t: string) = Page where title = $t limit 10 { title }
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  const model::Layout& layout = model.compiled.layouts[0];
  const auto bytes = [&](std::string_view name, const View& view) {
    for (size_t i = 0; i < layout.item_kinds.size(); ++i) {
      if (layout.item_kinds[i].name == name) return item_bytes(model.compiled.model, layout, i, view);
    }
    return 0.0;
  };
  EXPECT_EQ(bytes("Small", {}), 400);
  EXPECT_EQ(bytes("Page", {}), 2 + 40 + 5 + 1000 + 4 + 8000);
  EXPECT_EQ(bytes("Page", {.index = 0}), 5 + 1000) << "what the index leaves out has no size there";
  EXPECT_TRUE(plan_with_sizes(model, "small").starts_with("small(s): 1 request, 1 round, about 0.5 units\n"));
  EXPECT_TRUE(plan_with_sizes(model, "page").starts_with("page(p): 1 request, 1 round, about 1.5 units\n"));
  EXPECT_TRUE(
      plan_with_sizes(model, "titled").starts_with("titled(t): 1 request, 1 round, about 1.5 units\n"))
      << plan_with_sizes(model, "titled");
}

}  // namespace
}  // namespace sheaf::plan
