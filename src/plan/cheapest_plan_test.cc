// Plans that take fewer requests than the obvious ones, and obvious ones that would answer wrongly.
#include <gtest/gtest.h>

#include "plan/explain.h"
#include "plan/planned_model.h"

namespace sheaf::plan {
namespace {

// The plan of the pattern `p`, or why there is none.
std::string cheapest(std::string text) {
  const PlannedModel model = plan_model(model::compile("test.sheaf", std::move(text)));
  if (model.plans.empty()) return model.compiled.rendered();
  const PlannedPattern& found = model.plans[0].front();
  if (!found.ok()) return "refused: " + std::get<Refusal>(found.plan).message;
  return explain(model.compiled.model, model.compiled.layouts[0], std::get<Plan>(found.plan));
}

TEST(CheapestPlan, WhatIsKnownFromTheStartWaitsForABatch) {
  EXPECT_EQ(cheapest(R"(model m {
    table app { pk PK; sk SK }
    entity Team { id id; name; key "T#<id>" / "T#<id>" }
    entity Person { id id; name; key "P#<id>" / "P#<id>" }
    rel Team *--* Person as members / teams { size of members max 60; size of teams max 5;
      via edges pk teams key "M#<teams.id>" / "P#<members.id>" }
    pattern p(t: Team) = $t + members
  })"),
            "p(t): 2 requests, 2 rounds, about 33.5 units\n"
            "  1. Query app: PK = \"M#<$t.id>\", SK begins with \"P#\": edges to members\n"
            "  2. BatchGetItem of 61 keys: Team, members\n");
}

constexpr const char* kCustomer = R"(model m {
    table app { pk PK; sk SK }
    entity Customer { id id; name; key "C#<id>" / "PROFILE" }
    entity Order within customer { at id time; key "C#<customer.id>" / "ORDER#<at>" }
    entity Payment within customer { at id time; key "C#<customer.id>" / "PAYMENT#<at>" }
    rel Customer 1--* Order as orders / customer { size avg 50 unbounded; on delete cascade }
    rel Customer 1--* Payment as payments / customer { size avg 50 unbounded; on delete cascade }
)";

TEST(CheapestPlan, TwoListsThatEndAreTwoRequests) {
  EXPECT_EQ(cheapest(std::string(kCustomer) +
                     "pattern p(c: Customer) = $c { orders order at desc limit 10, payments limit 5 } }"),
            "p(c): 2 requests, 1 round, about 1 units\n"
            "  1. Query app: PK = \"C#<$c.id>\", SK from \"PAYMENT#\" to \"PROFILE\", backwards, limit 6: "
            "Customer, payments\n"
            "  2. Query app: PK = \"C#<$c.id>\", SK begins with \"ORDER#\", backwards, limit 10: orders\n");
}

TEST(CheapestPlan, ManyListsArePlannedToo) {
  std::string text =
      "model m { table app { pk PK; sk SK } entity Customer { id id; key \"C#<id>\" / \"C\" }\n";
  std::string lists;
  for (int i = 0; i < 14; ++i) {
    const std::string n = std::to_string(i);
    text += "entity E" + n + " within c { at id time; key \"C#<c.id>\" / \"E" + n + "#<at>\" }\n";
    text += "rel Customer 1--* E" + n + " as l" + n + " / c { size unbounded; on delete cascade }\n";
    lists += (i > 0 ? ", l" : "l") + n + " order at limit 3";
  }
  EXPECT_TRUE(
      cheapest(text + "pattern p(c: Customer) = $c { " + lists + " } }").starts_with("p(c): 14 requests"));
}

// Payments sort between the profile and the orders: a limit would count them.
TEST(CheapestPlan, AListIsNotCutBehindOthers) {
  EXPECT_EQ(
      cheapest(std::string(kCustomer) + "pattern p(c: Customer) = $c { *, orders order at desc limit 10 } }"),
      "p(c): 2 requests, 1 round, about 1 units\n"
      "  1. GetItem: Customer\n"
      "  2. Query app: PK = \"C#<$c.id>\", SK begins with \"ORDER#\", backwards, limit 10: orders\n");
}

// Between the head of an order and its lines lie the heads of other orders.
TEST(CheapestPlan, OthersOfAWantedKindAreCountedToo) {
  const std::string text = R"(model m {
    table app { pk PK; sk SK }
    entity Customer { id id; name; key "C#<id>" / "A" }
    entity Order within customer { id id; at date; key "C#<customer.id>" / "ORDER#H#<id>" }
    entity Line within order { sku id; price number; key "C#<order.customer.id>" / "ORDER#L#<order.id>#<sku>" }
    rel Customer 1--* Order as orders / customer { size max 20; on delete cascade }
    rel Order 1--* Line as lines / order { size max 10; on delete cascade }
    pattern p(o: Order) = $o + lines)";
  EXPECT_EQ(
      cheapest(text + " }"),
      "p(o): 1 request, 1 round, about 10.5 units\n"
      "  1. Query app: PK = \"C#<$o.customer.id>\", SK from \"ORDER#H#<$o.id>\" to \"ORDER#L#<$o.id>#\": "
      "Order, lines; reads and drops others of Order; reads and drops others of Line\n");
  EXPECT_NE(cheapest(text + " prefer units }").find("2 requests, 1 round, about 1 units"), std::string::npos);
}

TEST(CheapestPlan, IndexesThatLeaveItemsOutAnswerOnlyForWhatTheyHold) {
  const auto plan = [](const char* pattern) {
    return cheapest(std::string(R"(model m {
      table app { pk PK; sk SK; gsi open GSI1PK / GSI1SK; gsi nick GSI2PK / GSI2SK; gsi all GSI3PK / GSI3SK }
      entity Customer { id id; name; key "C#<id>" / "C#<id>" }
      entity Order { id id; state enum(OPEN, SHUT); nick string?; at time; key "O#<id>" / "O#<id>";
        index open "C#<customer.id>" / "O#<at>" when state = "OPEN"; index nick "C#<customer.id>" / "<nick>#<id>";
        index all "C#<customer.id>" / "O#<id>" }
      rel Customer 1--* Order as orders / customer { via index on all; size max 40 }
    )") + pattern + " }");
  };
  EXPECT_NE(plan("pattern p(c: Customer) = $c.orders").find("Query app.all"), std::string::npos);
  EXPECT_NE(plan("pattern p(c: Customer) = $c.orders where state = \"OPEN\"").find("Query app.open"),
            std::string::npos);
  EXPECT_NE(plan("pattern p(c: Customer) = $c.orders where state = \"SHUT\"").find("no key serves where"),
            std::string::npos);
  EXPECT_NE(plan("pattern p(c: Customer, n: string) = $c.orders where nick begins $n").find("Query app.nick"),
            std::string::npos);
  EXPECT_NE(plan("pattern p(c: Customer, t: time) = $c.orders where at > $t").find("no key serves where"),
            std::string::npos);
}

TEST(CheapestPlan, WhoseIdDoesNotTellItsKeyIsFoundByAnIndex) {
  EXPECT_EQ(cheapest(R"(model m {
    table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Customer { id id; name; key "C#<id>" / "C#<id>" }
    entity Order { id id; at time immutable; key "C#<customer.id>" / "O#<at>#<id>"; index GSI1 "O#<id>" / "O#<id>" }
    entity Note { id id; text; key "N#<id>" / "N#<id>" }
    rel Customer 1--* Order as orders / customer { required; via collection; size max 40; on delete cascade }
    rel Order 1--* Note as notes / order { via ref; size max 5 }
    pattern p(n: Note) = $n { *, order }
  })"),
            "p(n): 2 requests, 2 rounds, about 1 units\n"
            "  1. GetItem: Note\n"
            "  2. Query app.GSI1: GSI1PK = \"O#<order.id>\", GSI1SK = \"O#<order.id>\": order\n");
}

constexpr const char* kTasks = R"(model m {
    table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Project { id id; name; key "P#<id>" / "P#<id>" }
    entity Task within project { id id; title; hours number; key "T#<project.id>#<id>" / "T" }
    entity Tag { id id; name; weight number; key "G#<id>" / "G#<id>" }
    rel Project 1--* Task as tasks / project { via index copy project(name); size max 50 }
    rel Task *--* Tag as tags / tasks { size of tags max 8; size of tasks max 30; via edges pk tasks }
)";

TEST(CheapestPlan, CopiesAreOnTheItemAbove) {
  EXPECT_EQ(cheapest(std::string(kTasks) + "pattern p(t: Task) = $t { project { name } } }"),
            "p(t): 1 request, 1 round, about 0.5 units\n  1. GetItem: Task\n");
}

TEST(CheapestPlan, WhatIsSummedUpIsRead) {
  EXPECT_EQ(cheapest(std::string(kTasks) + "pattern p(t: Task) = $t { weights: sum(tags.weight) } }"),
            "p(t): 2 requests, 2 rounds, about 4.5 units\n"
            "  1. Query app: PK = \"T#<$t.project.id>#<$t.id>\", SK from \"T\" to \"TAGS#\": Task, edges to "
            "tags\n"
            "  2. BatchGetItem of 8 keys: tags\n");
  // All of them, also if some are shown.
  EXPECT_NE(cheapest(std::string(kTasks) +
                     "pattern p(x: Project) = $x { sum: sum(tasks.hours), tasks order id limit 2 } }")
                .find("1 request, 1 round, about 2.5 units"),
            std::string::npos);
}

// The outermost list goes on behind its last key: what else its request read would be missing then.
TEST(CheapestPlan, PagesBringNothingElseAlong) {
  EXPECT_EQ(cheapest(R"(model m {
    table app { pk PK; sk SK }
    entity Order { id id; at date; key "O#<id>" / "A" }
    entity Line within order { sku id; price number; key "O#<order.id>" / "L#<sku>" }
    rel Order 1--* Line as lines / order { size unbounded; on delete cascade }
    pattern p(o: Order) = $o.lines page 10 { *, order { at } }
  })"),
            "p(o): 2 requests, 1 round, about 1 units\n"
            "  1. Query app: PK = \"O#<$o.id>\", SK begins with \"L#\", limit 10: lines\n"
            "  2. Query app: PK = \"O#<$o.id>\", SK = \"A\": order\n");
}

}  // namespace
}  // namespace sheaf::plan
