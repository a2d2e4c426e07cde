// Plans that join, split or delay requests: what they find is put together all the same.
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

std::string numbered(const std::string& before, int count, const std::string& after) {
  std::string list;
  for (int i = 1; i <= count; ++i) list += (i > 1 ? ", " : "") + before + std::to_string(i) + after;
  return list;
}

constexpr std::string_view kShop = R"(model shop {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK }
  entity Shop { id id; name; city; key "S#<id>" / "S#<id>"; index GSI1 "CITY#<city>" / "<id>" }
  entity Order { id id; total number; key "O#<id>" / "O#<id>"; index GSI1 "S#<shop.id>" / "<id>" }
  entity Line within order { id id; key "O#<order.id>" / "L#<id>" }
  rel Shop 1--* Order as orders / shop { via index on GSI1; size avg 50 unbounded }
  rel Order 1--* Line as lines / order { via collection; size max 9; on delete cascade }
  pattern pages(s: Shop) = $s.orders order id page 2 { total, lines {} }
  pattern inCity(c: string) = Shop where city = $c { name, orders order id limit 2 {} }
})";

RunningModel shop() {
  return RunningModel(
      std::string(kShop),
      R"({ "Shop": [{ "id": "s1", "name": "A", "city": "Rome" }, { "id": "s2", "name": "B", "city": "Rome" }],
    "Order": [)" +
          numbered(R"({ "id": "o)", 4, R"(", "shop": "s1", "total": 1 })") +
          R"(, { "id": "p1", "shop": "s2", "total": 2 }], "Line": [)" +
          numbered(R"({ "id": "x", "order": "o)", 4, R"(" })") + "] }");
}

// That a list goes on is no reason to read less of what lies below this page of it.
TEST(CheapestPlan, EveryEntityOfAPageHasItsChildren) {
  RunningModel model = shop();
  EXPECT_EQ(model.ask("pages", {"\"s1\""}),
            "{\"id\":\"o1\",\"lines\":[{\"id\":\"x\"}],\"total\":1}\n"
            "{\"id\":\"o2\",\"lines\":[{\"id\":\"x\"}],\"total\":1}\n");
}

TEST(CheapestPlan, WhatConditionsFoundHasChildren) {
  RunningModel model = shop();
  EXPECT_EQ(model.ask("inCity", {"\"Rome\""}),
            "{\"id\":\"s1\",\"name\":\"A\",\"orders\":[{\"id\":\"o1\"},{\"id\":\"o2\"}]}\n"
            "{\"id\":\"s2\",\"name\":\"B\",\"orders\":[{\"id\":\"p1\"}]}\n");
  EXPECT_EQ(model.figures().requests, 3u) << "one for the shops, one for the orders of each";
}

// Newest orders lie behind payments, which a limit must not count.
TEST(CheapestPlan, AListBehindOthersHasItsNewest) {
  RunningModel model(R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity Customer { id id; name; key "C#<id>" / "PROFILE" }
    entity Order within customer { at id; key "C#<customer.id>" / "ORDER#<at>" }
    entity Payment within customer { at id; key "C#<customer.id>" / "PAYMENT#<at>" }
    rel Customer 1--* Order as orders / customer { via collection; size max 200; on delete cascade }
    rel Customer 1--* Payment as payments / customer { via collection; size max 200; on delete cascade }
    pattern newest(c: Customer) = $c { *, orders order at desc limit 2 }
  })",
                     R"({ "Customer": [{ "id": "c", "name": "Ann" }], "Order": [)" +
                         numbered(R"({ "customer": "c", "at": ")", 4, R"(" })") + R"(], "Payment": [)" +
                         numbered(R"({ "customer": "c", "at": ")", 6, R"(" })") + "] }");
  EXPECT_EQ(model.ask("newest", {"\"c\""}),
            "{\"id\":\"c\",\"name\":\"Ann\",\"orders\":[{\"at\":\"4\"},{\"at\":\"3\"}]}\n");
}

// Those that an index leaves out are found, too.
TEST(CheapestPlan, ASparseIndexIsNotAskedForAll) {
  RunningModel model(R"(model m {
    table app { pk PK; sk SK; tag Type; gsi open GSI1PK / GSI1SK; gsi all GSI2PK / GSI2SK }
    entity Customer { id id; name; key "C#<id>" / "C#<id>" }
    entity Order { id id; state enum(OPEN, SHUT); key "O#<id>" / "O#<id>";
      index open "C#<customer.id>" / "O#<id>" when state = "OPEN"; index all "C#<customer.id>" / "O#<id>" }
    rel Customer 1--* Order as orders / customer { via index on all; size max 40 }
    pattern orders(c: Customer) = $c.orders {}
    pattern open(c: Customer) = $c.orders where state = "OPEN" {}
  })",
                     R"({ "Customer": [{ "id": "c", "name": "Ann" }], "Order": [
    { "id": "1", "state": "OPEN", "customer": "c" }, { "id": "2", "state": "SHUT", "customer": "c" }] })");
  EXPECT_EQ(model.ask("orders", {"\"c\""}), "{\"id\":\"1\"}\n{\"id\":\"2\"}\n");
  EXPECT_EQ(model.ask("open", {"\"c\""}), "{\"id\":\"1\"}\n");
}

}  // namespace
}  // namespace sheaf::run
