#include "plan/answer_size.h"

#include <gtest/gtest.h>

#include "plan/planned_model.h"

namespace sheaf::plan {
namespace {

constexpr std::string_view kShop = R"(model shop {
  table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
  entity Customer { id id; name; email unique; key "C#<id>" / "A"; index GSI1 "E#<email>" / "A" }
  entity Order { id id ulid; total int; key "C#<customer.id>" / "O#<id>" }
  entity Line within order { no id int; key "O#<order.id>" / "L#<no>" }
  rel Customer 1--* Order as orders / customer { required; size max 250; on delete cascade }
  rel Order 1--* Line as lines / order { required; size avg 3 max 20; on delete cascade }
  pattern customer(c: Customer) = $c
  pattern orders(c: Customer) = $c.orders
  pattern few(c: Customer) = $c.orders limit 7
  pattern page(c: Customer) = $c.orders page 30
  pattern whole(c: Customer) = $c + orders
  pattern first(c: Customer) = $c { *, orders limit 5 }
  pattern nested(c: Customer) = $c { *, orders limit 5 { *, lines limit 2 } }
  pattern total(c: Customer) = $c { *, n: count(orders) }
  pattern named(e: string) = one Customer where email = $e
  pattern found(e: string) = Customer where email = $e page 20
})";

double returned(const std::string& name) {
  static const PlannedModel planned = plan_model(model::compile("shop.sheaf", std::string(kShop)));
  EXPECT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
  for (const PlannedPattern& each : planned.plans.at(0)) {
    if (each.pattern->name == name && each.ok()) return entities_returned(std::get<Plan>(each.plan));
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(AnswerSize, IsWhatRelationsDeclareAndLimitsLeave) {
  EXPECT_EQ(returned("customer"), 1);
  EXPECT_EQ(returned("few"), 7);
  EXPECT_EQ(returned("whole"), 251);
  EXPECT_EQ(returned("first"), 6);
  EXPECT_EQ(returned("nested"), 16);
  EXPECT_EQ(returned("named"), 1);
}

TEST(AnswerSize, OfTheOutermostListThereIsAPage) {
  EXPECT_EQ(returned("orders"), 100);
  EXPECT_EQ(returned("page"), 30);
  EXPECT_EQ(returned("found"), 20);
}

TEST(AnswerSize, WhatIsOnlySummedUpIsNotReturned) { EXPECT_EQ(returned("total"), 1); }

}  // namespace
}  // namespace sheaf::plan
