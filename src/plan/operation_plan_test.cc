#include "plan/operation_plan.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "plan/planned_model.h"

namespace sheaf::plan {
namespace {

std::string file(const std::string& path) {
  std::ifstream stream(std::string(SHEAF_MODELS) + "/" + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// What `sheaf model plan` prints of one operation in one layout.
std::string explained(const PlannedModel& planned, std::string_view layout, std::string_view operation) {
  for (size_t i = 0; i < planned.compiled.layouts.size(); ++i) {
    if (planned.compiled.layouts[i].name != layout) continue;
    for (const PlannedOperation& each : planned.operations[i]) {
      if (each.operation->name != operation) continue;
      return each.ok() ? explain(std::get<OperationPlan>(each.plan))
                       : "refused: " + std::get<Refusal>(each.plan).message;
    }
  }
  return "there is none";
}

double requests(const PlannedModel& planned, std::string_view layout, std::string_view operation) {
  for (size_t i = 0; i < planned.compiled.layouts.size(); ++i) {
    if (planned.compiled.layouts[i].name != layout) continue;
    for (const PlannedOperation& each : planned.operations[i]) {
      if (each.operation->name == operation) return std::get<OperationPlan>(each.plan).cost.requests;
    }
  }
  return -1;
}

// E25, D1, D5: as on paper.
TEST(OperationPlan, HiresAndMovesTakeWhatTheyTakeOnPaper) {
  const PlannedModel hr = plan_model(model::compile("hr.sheaf", file("hr/model.sheaf")));
  ASSERT_TRUE(hr.compiled.ok()) << hr.compiled.rendered();
  const std::vector<std::string> layouts = {"method1", "method2", "method3", "method4"};
  const std::vector<double> move = {1, 2, 2, 2}, hire = {1, 2, 1, 1}, rename = {1, 1, 1, 1};
  for (size_t i = 0; i < layouts.size(); ++i) {
    EXPECT_EQ(requests(hr, layouts[i], "move"), move[i]) << layouts[i];
    EXPECT_EQ(requests(hr, layouts[i], "hire"), hire[i]) << layouts[i];
    EXPECT_EQ(requests(hr, layouts[i], "rename"), rename[i]) << layouts[i];
  }
}

TEST(OperationPlan, SaysWhatIsReadAndWritten) {
  const PlannedModel hr = plan_model(model::compile("hr.sheaf", file("hr/model.sheaf")));
  EXPECT_EQ(
      explained(hr, "method4", "move"),
      "move(e, d): 2 requests, 2 rounds, about 11 units\n"
      "  1. Query entity: edges to department of $e\n"
      "  2. TransactWriteItems: put edge Department.staff, delete edge Department.staff, check Employee $e, "
      "check Department $d\n");
  EXPECT_EQ(explained(hr, "method2", "rename"),
            "rename(d, n): 1 request, 1 round, about 4 units\n"
            "  1. TransactWriteItems: put job, update Department $d\n"
            "  then, by a job: bring copies of Department $d in step\n");
  EXPECT_EQ(explained(hr, "method1", "rename"),
            "rename(d, n): 1 request, 1 round, about 1 units\n"
            "  1. UpdateItem: Department $d\n");
}

// C7: what is written in both directions is two items; a move replaces both.
TEST(OperationPlan, APairInBothDirectionsIsTwoItems) {
  const PlannedModel planned = plan_model(model::compile("m.sheaf", R"(model m {
    entity Team { id id }
    entity Person { id id }
    rel Team 1--* Person as members / team { via edges pk both; size max 90; required }
    pattern team(p: Person) = $p.team {} budget 1 request strong
    pattern members(t: Team) = $t.members {} budget 1 request strong
    op move(p: Person, t: Team) = set $p.team = $t
  })"));
  ASSERT_EQ(planned.compiled.rendered(), "");
  EXPECT_EQ(explained(planned, "default", "move"),
            "move(p, t): 2 requests, 2 rounds, about 13 units\n"
            "  1. Query m-data: edges to team of $p\n"
            "  2. TransactWriteItems: put edge Team.members, put edge Person.team, delete edge Team.members, "
            "delete edge Person.team, check Person $p, check Team $t\n");
}

// C5: entries are on the items of both, and a move takes one off a third.
TEST(OperationPlan, ListsChangeTheItemsOfBoth) {
  const PlannedModel planned = plan_model(model::compile("m.sheaf", R"(model m {
    entity Team { id id; name immutable }
    entity Person { id id; age int }
    rel Team 1--* Person as members / team { via lists copy team(name); size max 90 }
    pattern person(p: Person) = $p { *, team { name } } budget 1 request strong
    pattern members(t: Team) = $t.members {} budget 1 request strong
    pattern team(t: Team) = $t + members budget 2 requests strong
    op join(p: Person, t: Team) = link $t.members $p
    op leave(p: Person, t: Team) = unlink $t.members $p budget 1 request
    op move(p: Person, t: Team) = set $p.team = $t
    op close(t: Team) = delete $t
  })"));
  ASSERT_EQ(planned.compiled.rendered(), "");
  EXPECT_EQ(explained(planned, "default", "join"),
            "join(p, t): 2 requests, 2 rounds, about 11 units\n"
            "  1. GetItem: Team $t\n"
            "  2. TransactWriteItems: update Person $p, update Team $t\n");
  EXPECT_EQ(explained(planned, "default", "leave"),
            "leave(p, t): 1 request, 1 round, about 10 units\n"
            "  1. TransactWriteItems: update Person $p, update Team $t\n");
  EXPECT_EQ(explained(planned, "default", "move"),
            "move(p, t): 2 requests, 2 rounds, about 20 units\n"
            "  1. BatchGetItem: Person $p, Team $t\n"
            "  2. TransactWriteItems: update Team of its former team, update Person $p, update Team $t\n");
  EXPECT_EQ(explained(planned, "default", "close"),
            "close(t): 1 request, 1 round, about 10 units\n"
            "  1. TransactWriteItems: put job, update Team $t\n"
            "  then, by a job: delete Team $t when its members are gone or unlinked\n");
}

double units(const PlannedModel& planned, std::string_view operation) {
  for (const PlannedOperation& each : planned.operations.at(0)) {
    if (each.operation->name == operation && each.ok()) return std::get<OperationPlan>(each.plan).cost.units;
  }
  ADD_FAILURE() << "no " << operation;
  return -1;
}

// A12: an entry comes, goes, is written in place, or is deleted and put.
TEST(OperationPlan, EntriesThatAreWrittenInIndexesCount) {
  const PlannedModel planned = plan_model(model::compile("m.sheaf", R"(model m {
    table app { pk PK; sk SK; gsi whole W1 / W2; gsi some S1 / S2 include(name); gsi lean L1 / L2 keys }
    entity User {
      id id; name; city; age int;
      key "U#<id>" / "U";
      index whole "C#<city>" / "U#<id>";
      index some "S#<id>" / "U";
      index lean "L#<id>" / "U";
    }
    pattern user(u: User) = $u
    op add(u: User) = put $u
    op drop(u: User) = delete $u
    op grow(u: User, a: int) = set $u.age = $a
    op rename(u: User, n: string) = set $u.name = $n
    op move(u: User, c: string) = set $u.city = $c
    op see(u: User) = check $u.name exists
  })"));
  ASSERT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
  EXPECT_EQ(units(planned, "add"), 1 + 3);
  EXPECT_EQ(units(planned, "drop"), 1 + 3);
  EXPECT_EQ(units(planned, "grow"), 1 + 1) << "in place, in the index that holds all";
  EXPECT_EQ(units(planned, "rename"), 1 + 2) << "and in the one that holds its name";
  EXPECT_EQ(units(planned, "move"), 1 + 2) << "it is deleted and put in one, and in no other";
  EXPECT_EQ(units(planned, "see"), 1);
}

TEST(OperationPlan, FieldsThatSayHowLongTheyAreCount) {
  const PlannedModel planned = plan_model(model::compile("m.sheaf", R"(model m {
    table app { pk PK; sk SK; gsi whole W1 / W2; gsi lean L1 / L2 keys }
    entity Page {
      id id; title; body max 5000;
      key "P#<id>" / "P";
      index whole "T#<title>" / "P#<id>";
      index lean "L#<id>" / "P";
    }
    pattern page(p: Page) = $p
    op add(p: Page) = put $p
    op write(p: Page, b: string) = set $p.body = $b
  })"));
  ASSERT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
  EXPECT_EQ(units(planned, "add"), 5 + 5 + 1) << "the index of keys alone has no body";
  EXPECT_EQ(units(planned, "write"), 5 + 5);
}

TEST(OperationPlan, ABudgetThatIsExceededIsAMistake) {
  const PlannedModel planned = plan_model(model::compile("m.sheaf", R"(model m {
    entity A { id id; email unique }
    pattern a(a: A) = $a
    op change(a: A, e: string) = set $a.email = $e budget 1 request
  })"));
  EXPECT_NE(planned.compiled.rendered().find("change takes 2 requests"), std::string::npos)
      << planned.compiled.rendered();
}

TEST(OperationPlan, WhatNoKeyLeadsToIsRefused) {
  const PlannedModel planned = plan_model(model::compile("m.sheaf", R"(model m {
    entity Order { id id }
    entity Line { id id }
    rel Order 1--* Line as lines / order { via ref; size max 50; on delete cascade }
    pattern line(l: Line) = $l
    op cancel(o: Order) = delete $o
  })"));
  EXPECT_NE(planned.compiled.rendered().find("[unserved-operation]"), std::string::npos)
      << planned.compiled.rendered();
}

}  // namespace
}  // namespace sheaf::plan
