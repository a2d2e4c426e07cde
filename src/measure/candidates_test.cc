#include "measure/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "measure/example_model.h"

namespace sheaf::measure {
namespace {

std::set<std::string> names_of(const Candidates& candidates) {
  std::set<std::string> names;
  for (const Candidate& each : candidates.legal) names.insert(each.name.substr(each.name.find(" via ") + 5));
  return names;
}

const Candidate* find(const Candidates& candidates, const std::string& name) {
  for (const Candidate& each : candidates.legal) {
    if (each.name.ends_with(" via " + name)) return &each;
  }
  return nullptr;
}

std::string reason_of(const Candidates& candidates, const std::string& name) {
  for (const Rejected& each : candidates.rejected) {
    if (each.name.ends_with(" via " + name)) return each.reason;
  }
  return "";
}

TEST(Candidates, OfOneToManyAreAllThatCompile) {
  const plan::PlannedModel planned = example_model("hr");
  const Candidates all = all_strategies(planned, 0, 0);
  const std::set<std::string> names = names_of(all);
  for (const char* name :
       {"collection", "path", "index", "index copy department(*)", "ref", "ids staff", "edges pk one",
        "edges pk many", "edges pk both", "edges pk many copy staff(*) copy department(*)", "graph", "lists"})
    EXPECT_TRUE(names.contains(name)) << name;
  // An employee has an id of its own, which says nothing of a department.
  EXPECT_NE(reason_of(all, "embed map").find("does not say in which Department"), std::string::npos);
  EXPECT_NE(reason_of(all, "ids department").find("leads to one"), std::string::npos);
  for (const Candidate& each : all.legal) {
    EXPECT_TRUE(each.made->plans.size() == 1 && each.stored.layout == 0) << each.name;
    EXPECT_TRUE(model::compile("again.sheaf", each.text).ok()) << each.name;
  }
}

TEST(Candidates, OfManyToManyHaveEdgesListsAndIds) {
  const plan::PlannedModel planned = example_model("movies");
  const Candidates all = all_strategies(planned, 0, 0);
  const std::set<std::string> names = names_of(all);
  for (const char* name : {"edges pk actors", "edges pk movies", "edges pk both", "graph", "lists"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("collection"));
  EXPECT_NE(reason_of(all, "ids movies").find("no room for the fields of the edge"), std::string::npos);
}

TEST(Candidates, TellWhatTheyCannotDo) {
  const plan::PlannedModel planned = example_model("hr");
  const Candidates all = all_strategies(planned, 0, 0);
  ASSERT_NE(find(all, "collection"), nullptr);
  EXPECT_EQ(find(all, "collection")->unserved(), (std::vector<std::string>{"home", "move"}));
  EXPECT_EQ(find(all, "index")->unserved(), std::vector<std::string>{});
}

// The user's keys say another strategy: those of the two entities are left to Sheaf.
TEST(Candidates, LeaveKeysThatSayAnotherStrategyToSheaf) {
  const plan::PlannedModel planned = example_model("orgs");
  const Candidates all = all_strategies(planned, 0, 0);
  ASSERT_NE(find(all, "collection"), nullptr);
  EXPECT_EQ(find(all, "collection")->freed, Freed::kNothing);
  bool is_some_freed = false;
  for (const Candidate& each : all.legal) is_some_freed = is_some_freed || each.freed != Freed::kNothing;
  EXPECT_TRUE(is_some_freed);
}

// In the layout method3 the relation is edges pk one: this is the same as what the model says.
TEST(Candidates, ThatStoreEverythingTheSameAreOne) {
  const plan::PlannedModel planned = example_model("hr");
  const auto twice = named_layouts(planned, {"method1", "method1"});
  ASSERT_TRUE(twice.ok());
  EXPECT_EQ(twice->legal.size(), 1u);
  ASSERT_EQ(twice->rejected.size(), 1u);
  EXPECT_TRUE(twice->rejected[0].is_same);
  EXPECT_EQ(twice->rejected[0].reason, "the same as method1");
}

TEST(Candidates, AreThoseThatTheModelCompares) {
  const plan::PlannedModel planned = example_model("hr");
  const Candidates said = declared_comparison(planned, 0);
  ASSERT_EQ(said.legal.size(), 4u);
  EXPECT_EQ(said.legal[3].name, "method4");

  const plan::PlannedModel ways = plan::plan_model(model::compile("ways.sheaf", R"(model ways {
    entity A { id id; name }
    entity B within a { id id; name }
    rel A 1--* B as bs / a { size max 5 }
    pattern bs(a: A) = $a.bs
    compare A.bs [collection, index, embed]
  })"));
  ASSERT_TRUE(ways.compiled.ok()) << ways.compiled.rendered();
  EXPECT_EQ(names_of(declared_comparison(ways, 0)), (std::set<std::string>{"collection", "embed", "index"}));
  EXPECT_TRUE(declared_comparison(example_model("accounts"), 0).rejected.empty());
}

TEST(Candidates, UnknownNamesAreTold) {
  const plan::PlannedModel planned = example_model("hr");
  const auto layouts = named_layouts(planned, {"method9"});
  ASSERT_FALSE(layouts.ok());
  EXPECT_NE(layouts.error().message.find("there are default, method1"), std::string::npos);
  const auto relation = find_relation(planned.compiled.model, "Department.people");
  ASSERT_FALSE(relation.ok());
  EXPECT_NE(relation.error().message.find("Department.staff"), std::string::npos);
  EXPECT_EQ(*find_relation(planned.compiled.model, "Employee.department"), 0u);
}

}  // namespace
}  // namespace sheaf::measure
