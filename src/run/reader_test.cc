#include "run/reader.h"

#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

// E25, B6 to B9, D2, D3: the same answers under all four methods, in as many requests as on paper.
TEST(Reader, DepartmentsAndEmployeesAnswerAlikeUnderAllMethods) {
  const std::vector<std::string> layouts = {"default", "method1", "method2", "method3", "method4"};
  const std::map<std::string, std::vector<uint64_t>> requests = {
      {"teamIds", {1, 1, 1, 1, 1}}, {"team", {1, 1, 1, 2, 2}}, {"home", {2, 2, 1, 2, 2}}};
  for (size_t i = 0; i < layouts.size(); ++i) {
    RunningModel running(model_file("hr/model.sheaf"), model_file("hr/data.json"), layouts[i]);
    EXPECT_EQ(running.ask("teamIds", {"\"d-2\""}), "{\"id\":\"e-3\"}\n{\"id\":\"e-4\"}\n{\"id\":\"e-5\"}\n")
        << layouts[i];
    EXPECT_EQ(running.figures().requests, requests.at("teamIds")[i]) << layouts[i];
    EXPECT_EQ(running.ask("team", {"\"d-1\""}),
              "{\"id\":\"e-1\",\"name\":\"Alice\"}\n{\"id\":\"e-2\",\"name\":\"Bob\"}\n")
        << layouts[i];
    EXPECT_EQ(running.figures().requests, requests.at("team")[i]) << layouts[i];
    EXPECT_EQ(running.ask("home", {"\"e-5\""}), "{\"id\":\"d-2\",\"name\":\"IT\"}\n") << layouts[i];
    EXPECT_EQ(running.figures().requests, requests.at("home")[i]) << layouts[i];
    EXPECT_EQ(running.figures().foreign, 0u);
  }
}

// E2: one request each; in the flat layout tickets are read and dropped.
TEST(Reader, OrganisationsUsersAndTickets) {
  RunningModel running(model_file("support/model.sheaf"), model_file("support/data.json"));
  EXPECT_EQ(running.ask("orgAndUsers", {"\"acme\""}),
            "{\"name\":\"acme\",\"plan\":\"PRO\",\"users\":["
            "{\"email\":\"ann@acme.example\",\"name\":\"ann\"},"
            "{\"email\":\"bob@acme.example\",\"name\":\"bob\"},"
            "{\"email\":\"cid@acme.example\",\"name\":\"cid\"}]}\n");
  EXPECT_EQ(running.figures().requests, 1u);
  EXPECT_EQ(running.figures().items_read, 4u);
  EXPECT_EQ(running.ask("userAndTickets", {"[\"acme\",\"ann\"]"}),
            "{\"email\":\"ann@acme.example\",\"name\":\"ann\",\"org\":\"acme\",\"tickets\":["
            "{\"id\":\"01HF0000000000000000000002\",\"subject\":\"It is broken\"},"
            "{\"id\":\"01HF0000000000000000000001\",\"subject\":\"It is slow\"}]}\n");
  EXPECT_EQ(running.figures().requests, 1u);
  EXPECT_EQ(running.ask("ticket", {"\"01HF0000000000000000000003\""}),
            "{\"id\":\"01HF0000000000000000000003\",\"subject\":\"Thanks\"}\n");

  RunningModel flat(model_file("support/model.sheaf"), model_file("support/data.json"), "flat");
  EXPECT_EQ(flat.ask("orgAndUsers", {"\"acme\""}), running.ask("orgAndUsers", {"\"acme\""}));
  EXPECT_EQ(flat.figures().items_read, 7u) << "three tickets are read and dropped";
  EXPECT_TRUE(flat.ask("ticket", {"\"01HF0000000000000000000003\""})
                  .starts_with("error: ticket cannot be answered: the id of a Ticket does not tell its key"));
}

// E16, C1, C2, C3, D7: edges with fields and copies, from both sides.
TEST(Reader, InvoicesBillsAndCustomers) {
  RunningModel running(model_file("billing/model.sheaf"), model_file("billing/data.json"));
  EXPECT_EQ(running.ask("invoice", {"\"i1\""}),
            "{\"bills\":[{\"amount\":100,\"edge\":{\"share\":1},\"id\":\"b1\"},{\"amount\":40.5,\"edge\":{"
            "\"share\":0.5},\"id\":\"b2\"}],"
            "\"customer\":{\"id\":\"c1\",\"name\":\"Smith\"},\"date\":\"2026-01-15\",\"id\":\"i1\","
            "\"status\":\"OPEN\"}\n");
  EXPECT_EQ(running.figures().requests, 1u);
  EXPECT_EQ(running.ask("invoiceFull", {"\"i1\""}),
            "{\"bills\":[{\"amount\":100,\"edge\":{\"share\":1},\"id\":\"b1\"},{\"amount\":40.5,\"edge\":{"
            "\"share\":0.5},\"id\":\"b2\",\"note\":\"late\"}],"
            "\"customer\":{\"id\":\"c1\",\"name\":\"Smith\"},\"date\":\"2026-01-15\",\"id\":\"i1\","
            "\"status\":\"OPEN\"}\n");
  EXPECT_EQ(running.figures().requests, 2u);
  EXPECT_EQ(running.ask("invoiceIds", {"\"c1\""}), "{\"id\":\"i1\"}\n{\"id\":\"i2\"}\n");
  EXPECT_EQ(running.ask("bill", {"\"b2\""}),
            "{\"amount\":40.5,\"id\":\"b2\",\"invoices\":[{\"date\":\"2026-01-15\",\"edge\":{\"share\":0.5},"
            "\"id\":\"i1\"},"
            "{\"date\":\"2026-02-15\",\"edge\":{\"share\":0.5},\"id\":\"i2\"}],\"note\":\"late\"}\n");
  EXPECT_EQ(running.figures().requests, 1u);
}

// B5, E21: a tree by one Query, a branch by another; J1: p1 is not p10.
TEST(Reader, HierarchiesAreReadAtEveryLevel) {
  RunningModel running(R"(model work {
    entity Org { id id; name }
    entity Project within org { id id; name }
    entity Task within project { id id; done bool }
    rel Org 1--* Project as projects / org { via collection; size max 50 }
    rel Project 1--* Task as tasks / project { via path; size max 100 }
    pattern all(o: Org)     = $o { *, projects { name, tasks } }
    pattern one(p: Project) = $p + tasks
    pattern above(t: Task)  = $t { *, project { *, org } }
  })",
                       R"({ "Org": [{ "id": "o1", "name": "O" }],
    "Project": [{ "org": "o1", "id": "p1", "name": "P1" }, { "org": "o1", "id": "p10", "name": "P10" }],
    "Task": [{ "project": ["o1", "p1"], "id": "t1", "done": false }, { "project": ["o1", "p10"], "id": "t2", "done": true }] })");
  EXPECT_EQ(running.ask("one", {"[\"o1\",\"p1\"]"}),
            "{\"id\":\"p1\",\"name\":\"P1\",\"org\":\"o1\",\"tasks\":[{\"done\":false,\"id\":\"t1\"}]}\n");
  EXPECT_EQ(running.figures().items_read, 2u);
  EXPECT_EQ(running.ask("all", {"\"o1\""}),
            "{\"id\":\"o1\",\"name\":\"O\",\"projects\":["
            "{\"id\":\"p1\",\"name\":\"P1\",\"tasks\":[{\"done\":false,\"id\":\"t1\"}]},"
            "{\"id\":\"p10\",\"name\":\"P10\",\"tasks\":[{\"done\":true,\"id\":\"t2\"}]}]}\n");
  EXPECT_EQ(running.figures().requests, 1u);
  EXPECT_EQ(running.ask("above", {"[\"o1\",\"p10\",\"t2\"]"}),
            "{\"done\":true,\"id\":\"t2\",\"project\":{\"id\":\"p10\",\"name\":\"P10\",\"org\":{\"id\":"
            "\"o1\",\"name\":\"O\"}}}\n");
  EXPECT_EQ(running.figures().requests, 1u);
}

// B1, E4, K1: embedded addresses; C6, E24: ids and one BatchGet; E7: a total.
TEST(Reader, EmbedsIdsAndTotals) {
  RunningModel shop(
      R"(model shop {
    entity Customer { id id; name }
    entity Address within customer { label id; street }
    entity Order within customer { id id; at date }
    entity Line within order { sku id; price number; quantity int }
    rel Customer 1--* Address as addresses / customer { via embed map; size max 20 }
    rel Customer 1--* Order as orders / customer { via collection; size max 90 }
    rel Order 1--* Line as lines / order { via path; size max 50 }
    pattern customer(c: Customer) = $c + addresses budget 1 request
    pattern order(o: Order) = $o { *, lines, total: sum(lines.price * lines.quantity), count: count(lines) } budget 1 request
  })",
      R"({ "Customer": [{ "id": "c1", "name": "Ann", "addresses": [{ "label": "home", "street": "Oak 1" }, { "label": "work", "street": "Elm 2" }] }],
    "Order": [{ "customer": "c1", "id": "o1", "at": "2026-11-15" }],
    "Line": [{ "order": ["c1", "o1"], "sku": "a", "price": 2.5, "quantity": 2 }, { "order": ["c1", "o1"], "sku": "b", "price": 0.1, "quantity": 3 }] })");
  EXPECT_EQ(shop.ask("customer", {"\"c1\""}),
            "{\"addresses\":[{\"label\":\"home\",\"street\":\"Oak 1\"},{\"label\":\"work\",\"street\":\"Elm "
            "2\"}],\"id\":\"c1\",\"name\":\"Ann\"}\n");
  EXPECT_EQ(shop.figures().requests, 1u);
  EXPECT_EQ(shop.ask("order", {"[\"c1\",\"o1\"]"}),
            "{\"at\":\"2026-11-15\",\"count\":2,\"customer\":\"c1\",\"id\":\"o1\",\"lines\":["
            "{\"price\":2.5,\"quantity\":2,\"sku\":\"a\"},{\"price\":0.1,\"quantity\":3,\"sku\":\"b\"}],"
            "\"total\":5.3}\n");

  RunningModel git(
      R"(model git {
    entity User { id id; name }
    entity Repo { id id; title }
    rel User *--* Repo as repos / users { via ids repos; size of repos max 90 }
    pattern repos(u: User) = $u + repos budget 2 requests
  })",
      R"({ "User": [{ "id": "u1", "name": "Ann" }], "Repo": [{ "id": "r1", "title": "One" }, { "id": "r2", "title": "Two" }],
    "links": { "User.repos": [["u1", "r1"], ["u1", "r2"], ["u1", "gone"]] } })");
  EXPECT_EQ(git.ask("repos", {"\"u1\""}),
            "{\"id\":\"u1\",\"name\":\"Ann\",\"repos\":[{\"id\":\"r1\",\"title\":\"One\"},{\"id\":\"r2\","
            "\"title\":\"Two\"}]}\n");
  EXPECT_EQ(git.figures().requests, 2u);
  EXPECT_EQ(git.figures().dangling, 1u);
}

// J23: where no tag says what an item is, its key does, with what the fields' `matches` say.
TEST(Reader, WithoutATagValuesTellKindsApart) {
  RunningModel running(model_file("purchases/model.sheaf"), model_file("purchases/data.json"), "edges");
  EXPECT_EQ(running.ask("orderOf", {"\"order_2\""}), "{\"id\":\"order_2\",\"placed_on\":\"2026-02-11\"}\n");
  EXPECT_EQ(running.ask("userOf", {"\"order_3\""}), "{\"id\":\"user_456\",\"name\":\"Bob\"}\n");
  EXPECT_EQ(running.ask("ordersOf", {"\"user_123\""}),
            "{\"id\":\"order_1\",\"placed_on\":\"2026-01-05\"}\n"
            "{\"id\":\"order_2\",\"placed_on\":\"2026-02-11\"}\n");
}

// What random models found: each of these had another answer in one of its layouts.

TEST(Reader, FromMoreToLessThereIsNothing) {
  RunningModel running(R"(model shop { table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Shop { id id; key "S#<id>" / "S" }
    entity Item { id id; rank int; key "I#<id>" / "I"; index GSI1 "S#<shop.id>" / "I#<rank:000>#<id>" }
    rel Shop 1--* Item as items / shop { via index on GSI1; size max 9 }
    pattern between(s: Shop, a: int, b: int) = $s.items where rank between $a and $b { id } })",
                       R"({ "Shop": [{ "id": "s" }], "Item": [{ "id": "i", "rank": 5, "shop": "s" }] })");
  EXPECT_EQ(running.ask("between", {"\"s\"", "5", "5"}), "{\"id\":\"i\"}\n");
  EXPECT_EQ(running.ask("between", {"\"s\"", "6", "4"}), "");
}

TEST(Reader, WhatIsComparedMayBeMoreThanKeysCanHold) {
  RunningModel running(R"(model shop { table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Shop { id id; key "S#<id>" / "S" }
    entity Item { id id; rank int; key "I#<id>" / "I"; index GSI1 "S#<shop.id>" / "I#<rank:000>#<id>" }
    rel Shop 1--* Item as items / shop { via index on GSI1; size max 9 }
    pattern above(s: Shop, a: int) = $s.items where rank > $a { id }
    pattern below(s: Shop, a: int) = $s.items where rank < $a { id }
    pattern between(s: Shop, a: int, b: int) = $s.items where rank between $a and $b { id } })",
                       R"({ "Shop": [{ "id": "s" }], "Item": [
                           { "id": "none", "rank": 0, "shop": "s" }, { "id": "most", "rank": 999, "shop": "s" }] })");
  const std::string none = "{\"id\":\"none\"}\n", most = "{\"id\":\"most\"}\n";
  EXPECT_EQ(running.ask("above", {"\"s\"", "-1"}), most + none);
  EXPECT_EQ(running.ask("above", {"\"s\"", "998"}), most);
  EXPECT_EQ(running.ask("above", {"\"s\"", "999"}), "");
  EXPECT_EQ(running.ask("above", {"\"s\"", "1000"}), "");
  EXPECT_EQ(running.ask("below", {"\"s\"", "1000"}), most + none);
  EXPECT_EQ(running.ask("below", {"\"s\"", "1"}), none);
  EXPECT_EQ(running.ask("below", {"\"s\"", "0"}), "");
  EXPECT_EQ(running.ask("below", {"\"s\"", "-1"}), "");
  EXPECT_EQ(running.ask("between", {"\"s\"", "-5", "5000"}), most + none);
  EXPECT_EQ(running.ask("between", {"\"s\"", "1000", "5000"}), "");
}

TEST(Reader, SumsOverEdgesReadWhatTheyAddUp) {
  RunningModel running(R"(model shop { entity Order { id id } entity Product { id id; price int }
    rel Order *--* Product as products / orders { size of products max 9; size of orders max 9 }
    pattern total(o: Order) = $o { total: sum(products.price), most: max(products.price) } })",
                       R"({ "Order": [{ "id": "o" }],
    "Product": [{ "id": "a", "price": 2 }, { "id": "b", "price": 3 }],
    "links": { "Order.products": [["o", "a"], ["o", "b"]] } })");
  EXPECT_EQ(running.ask("total", {"\"o\""}), "{\"id\":\"o\",\"most\":3,\"total\":5}\n");
  EXPECT_EQ(running.ask("total", {"\"none\""}), "");
}

TEST(Reader, WhoIsNotThereHasNoParentEither) {
  for (const std::string via : {"collection", "edges pk one"}) {
    RunningModel running(R"(model orgs { entity Org { id id; name } entity User within org { id id }
      rel Org 1--* User as users / org { size max 9; on delete cascade; via )" +
                             via + R"( }
      pattern orgIds(u: User) = $u.org {}
      pattern org(u: User) = $u.org })",
                         R"({ "Org": [{ "id": "o", "name": "O" }], "User": [{ "org": "o", "id": "u" }] })");
    EXPECT_EQ(running.ask("orgIds", {R"(["o", "u"])"}), "{\"id\":\"o\"}\n") << via;
    EXPECT_EQ(running.ask("orgIds", {R"(["o", "none"])"}), "") << via;
    EXPECT_EQ(running.ask("org", {R"(["o", "none"])"}), "") << via;
    EXPECT_EQ(running.figures().dangling, 0u) << via;
  }
}

TEST(Reader, EachIsThereOnceHoweverManyLeadToIt) {
  for (const std::string via : {"index", "edges pk one"}) {
    RunningModel running(R"(model teams { entity Team { id id } entity Person { id id }
      rel Team 1--* Person as members / team { size max 9; via )" +
                             via + R"( } pattern back(t: Team) = $t.members.team })",
                         R"({ "Team": [{ "id": "t" }],
      "Person": [{ "id": "a", "team": "t" }, { "id": "b", "team": "t" }] })");
    EXPECT_EQ(running.ask("back", {"\"t\""}), "{\"id\":\"t\"}\n") << via;
  }
}

// The index knows their ids and no more; as somebody's manager all of them is wanted.
TEST(Reader, WhatALeanIndexTellsIsReadAgainWhereMoreIsWanted) {
  RunningModel running(R"(model teams { table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK keys }
    entity Team { id id; key "T#<id>" / "T" }
    entity Person { id id; name; key "P#<id>" / "P"; index GSI1 "T#<team.id>" / "P#<id>" }
    rel Team 1--* Person as members / team { size max 9; via index on GSI1 }
    rel Person 1--* Person as reports / manager { size max 9; via edges pk many }
    pattern managers(t: Team) = $t.members.manager })",
                       R"({ "Team": [{ "id": "t" }],
    "Person": [{ "id": "a", "name": "A", "team": "t" },
               { "id": "b", "name": "B", "team": "t", "manager": "a" }] })");
  EXPECT_EQ(running.ask("managers", {"\"t\""}), "{\"id\":\"a\",\"name\":\"A\"}\n");
}

// Of a user whom an edge leads to the item is not read, and so the copy of its org's name is not known.
TEST(Reader, CopiesAreUsedWhereTheirItemIsRead) {
  RunningModel running(R"(model orgs { entity Org { id id; name } entity User within org { id id }
    rel Org 1--* User as users / org { size max 9; on delete cascade; via collection copy org(name) }
    rel User *--* User as friends / fans { size of friends max 9; size of fans max 9 }
    pattern around(u: User) = $u.friends.org { name } })",
                       R"({ "Org": [{ "id": "o", "name": "O" }],
    "User": [{ "org": "o", "id": "a" }, { "org": "o", "id": "b" }],
    "links": { "User.friends": [[["o", "a"], ["o", "b"]]] } })");
  EXPECT_EQ(running.ask("around", {R"(["o", "a"])"}), "{\"id\":\"o\",\"name\":\"O\"}\n");
}

// Notes lie between a customer and its orders, and do not count.
TEST(Reader, ALimitCountsWhatIsWanted) {
  RunningModel running(R"(model shop { table app { pk PK; sk SK; tag T }
    entity Customer { id id; key "C#<id>" / "A" }
    entity Note within author { id id; key "C#<author.id>" / "N#<id>" }
    entity Order within customer { id id; key "C#<customer.id>" / "O#<id>" }
    rel Customer 1--* Note as notes / author { size max 9; on delete cascade; via collection }
    rel Customer 1--* Order as orders / customer { size max 9; on delete cascade; via collection }
    pattern first(c: Customer) = $c { *, orders order id limit 2 } })",
                       R"({ "Customer": [{ "id": "c" }],
    "Note": [{ "author": "c", "id": "1" }, { "author": "c", "id": "2" }, { "author": "c", "id": "3" }],
    "Order": [{ "customer": "c", "id": "1" }, { "customer": "c", "id": "2" }, { "customer": "c", "id": "3" }] })");
  EXPECT_EQ(running.ask("first", {"\"c\""}), "{\"id\":\"c\",\"orders\":[{\"id\":\"1\"},{\"id\":\"2\"}]}\n");
}

// C4, E17: edges tell who lives where; fields of students are fetched by their ids.
TEST(Reader, EdgesFindWhatTheyLeadTo) {
  RunningModel school(model_file("school/model.sheaf"), model_file("school/data.json"));
  EXPECT_EQ(school.ask("livingIn", {"\"USA\"", "\"CA\""}),
            "{\"name\":\"ANN\"}\n{\"name\":\"BOB\"}\n{\"name\":\"TOM\"}\n");
  EXPECT_EQ(school.figures().requests, 1u);
  EXPECT_EQ(school.figures().items_read, 3u);
  EXPECT_EQ(school.ask("neighbours", {"[\"USA\", \"CA\", \"LOS_ANGELES\"]"}),
            "{\"full\":\"Ann\",\"name\":\"ANN\"}\n{\"full\":\"Tom\",\"name\":\"TOM\"}\n");
  EXPECT_EQ(school.figures().requests, 2u);
  EXPECT_EQ(school.figures().rounds, 2u);
}

}  // namespace
}  // namespace sheaf::run
