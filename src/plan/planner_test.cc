#include "plan/planner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "plan/explain.h"
#include "plan/planned_model.h"
#include "plan/shortfalls.h"

namespace sheaf::plan {
namespace {

PlannedModel planned_for_planner(std::string text) {
  return plan_model(model::compile("test.sheaf", std::move(text)));
}

PlannedModel planned_example(const std::string& name) {
  std::ifstream file(std::string(SHEAF_MODELS) + "/" + name + "/model.sheaf");
  std::ostringstream text;
  text << file.rdbuf();
  return planned_for_planner(text.str());
}

// The plan of a pattern with all its parameters.
const PlannedPattern& find(const PlannedModel& model, std::string_view layout, std::string_view pattern) {
  for (size_t i = 0; i < model.compiled.layouts.size(); ++i) {
    if (model.compiled.layouts[i].name != layout) continue;
    for (const PlannedPattern& each : model.plans[i]) {
      if (each.pattern->name == pattern) return each;
    }
  }
  ADD_FAILURE() << "no pattern " << pattern << " in " << layout;
  std::abort();
}

std::string plan_text(const PlannedModel& model, std::string_view layout, std::string_view pattern) {
  const PlannedPattern& found = find(model, layout, pattern);
  if (!found.ok()) return "refused: " + std::get<Refusal>(found.plan).message;
  return explain(model.compiled.model, *model.compiled.find_layout(layout), std::get<Plan>(found.plan));
}

double plan_requests(const PlannedModel& model, std::string_view layout, std::string_view pattern) {
  const PlannedPattern& found = find(model, layout, pattern);
  return found.ok() ? std::get<Plan>(found.plan).cost.requests : -1;
}

// E2: tickets beside users pollute "org and users"; an index of their own does not.
TEST(Planner, OrganisationsUsersAndTickets) {
  const PlannedModel model = planned_example("support");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_EQ(plan_text(model, "default", "orgAndUsers"),
            "orgAndUsers(o): 1 request, 1 round, about 24.5 units\n"
            "  1. Query support: PK = \"ORG#<$o.name>\", SK from \"METADATA#<$o.name>\" to \"USER#\": Org, "
            "users\n");
  EXPECT_NE(plan_text(model, "flat", "orgAndUsers").find("reads and drops Ticket"), std::string::npos);
  EXPECT_EQ(
      plan_text(model, "default", "userAndTickets"),
      "userAndTickets(u): 1 request, 1 round, about 1.5 units\n"
      "  1. Query support.GSI1: GSI1PK = \"ORG#<$u.org.name>#USER#<$u.name>\", GSI1SK from \"TICKET#\" to "
      "\"USER#<$u.name>\", backwards, limit 21: User, tickets\n");
  EXPECT_EQ(plan_text(model, "default", "ticket"),
            "ticket(t): 1 request, 1 round, about 0.5 units\n  1. GetItem: Ticket\n");
  EXPECT_EQ(plan_text(model, "flat", "ticket"), "refused: the id of a Ticket does not tell its key");
  EXPECT_NE(plan_text(model, "flat", "userAndTickets").find("support.GSI1"), std::string::npos)
      << "the partition of the organisation has the tickets of others, too";
}

// E16, C11, C12: what copies hold needs no second read.
TEST(Planner, InvoicesBillsAndCustomers) {
  const PlannedModel model = planned_example("billing");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_EQ(plan_requests(model, "default", "invoice"), 1);
  EXPECT_EQ(plan_requests(model, "default", "invoiceFull"), 2);
  EXPECT_EQ(plan_requests(model, "default", "invoiceIds"), 1);
  EXPECT_EQ(plan_requests(model, "default", "bill"), 1);
  EXPECT_NE(plan_text(model, "default", "invoiceFull").find("BatchGetItem of 80 keys: bills"),
            std::string::npos);
  EXPECT_NE(plan_text(model, "default", "invoiceIds")
                .find("Query billing.GSI_1: SK = \"C#<$c.id>\", PK begins with \"I#\""),
            std::string::npos);
}

// E25, B6 to B9, D2, D3: the requests of the four methods, as on paper.
TEST(Planner, DepartmentsAndEmployeesUnderFourMethods) {
  const PlannedModel model = planned_example("hr");
  ASSERT_EQ(model.compiled.rendered(), "");
  const auto row = [&](std::string_view pattern) {
    std::vector<double> counts;
    for (const char* layout : {"method1", "method2", "method3", "method4"})
      counts.push_back(plan_requests(model, layout, pattern));
    return counts;
  };
  EXPECT_EQ(row("teamIds"), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(row("team"), (std::vector<double>{1, 1, 2, 2}));
  EXPECT_EQ(row("home"), (std::vector<double>{2, 1, 2, 2}));
}

// B5, E21, J14: a project with its tasks is one interval; so is the whole tree.
TEST(Planner, AHierarchyIsReadAtEveryLevelByOneQuery) {
  const PlannedModel model = planned_for_planner(R"(model work {
    entity Org { id id; name }
    entity Project within org { id id; name }
    entity Task within project { id id; done bool }
    rel Org 1--* Project as projects / org { via collection; size max 50 }
    rel Project 1--* Task as tasks / project { via path; size max 100 }
    pattern all(o: Org)        = $o { *, projects { *, tasks } } budget 6 requests budget 1 round
    pattern one(p: Project)    = $p + tasks                      budget 1 request strong
    pattern tasks(p: Project)  = $p.tasks                        budget 1 request
    pattern task(t: Task)      = $t                              budget 1 request
    pattern above(t: Task)     = $t { *, project { *, org } }    budget 1 request
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_EQ(plan_text(model, "default", "one"),
            "one(p): 1 request, 1 round, about 10 units, strong\n"
            "  1. Query work: PK = \"ORG#<$p.org.id>\", SK from \"PROJECT#<$p.id>\" to "
            "\"PROJECT#<$p.id>#TASK#\": Project, tasks\n");
  EXPECT_EQ(
      plan_text(model, "default", "above"),
      "above(t): 1 request, 1 round, about 1.5 units\n  1. BatchGetItem of 3 keys: Task, project, org\n");
}

// B1, B2: embedded children and copied fields need no request of their own.
TEST(Planner, EmbeddedChildrenComeWithTheirParent) {
  const PlannedModel model = planned_for_planner(R"(model shop {
    entity Customer { id id; name }
    entity Address within customer { label id; street }
    rel Customer 1--* Address as addresses / customer { via embed map; size max 20 }
    pattern customer(c: Customer) = $c + addresses budget 1 request strong
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_EQ(plan_text(model, "default", "customer"),
            "customer(c): 1 request, 1 round, about 3 units, strong\n  1. GetItem: Customer\n");
}

// C6, E24: a list of ids and one BatchGet.
TEST(Planner, IdsAreReadInTwoRequests) {
  const PlannedModel model = planned_for_planner(R"(model git {
    entity User { id id; name }
    entity Repo { id id; title }
    rel User *--* Repo as repos / users { via ids repos; size of repos max 90 }
    pattern repos(u: User) = $u + repos budget 2 requests
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  const PlannedModel wrong = planned_for_planner(R"(model git {
    entity User { id id; name }
    entity Repo { id id; title }
    rel User *--* Repo as repos / users { via ids repos; size of repos max 90 }
    pattern users(r: Repo) = $r + users
  })");
  EXPECT_NE(wrong.compiled.rendered().find("unserved-pattern"), std::string::npos);
}

TEST(Planner, ABudgetThatIsExceededIsAMistake) {
  const PlannedModel model = planned_for_planner(R"(model m {
    entity A { id id; x }
    entity B { id id; y }
    rel A *--* B as bs / as { size of bs max 250; size of as max 250 }
    pattern p(a: A) = $a + bs budget 2 requests
  })");
  EXPECT_NE(model.compiled.rendered().find("p takes 4 requests [over-budget]"), std::string::npos)
      << model.compiled.rendered();
}

// Every subset of the optional parameters is planned; a skipped level is told.
TEST(Planner, OptionalParametersMayLeaveALevelOut) {
  const PlannedModel model = planned_for_planner(R"(model places {
    table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Store { id id; country; state; city; key "STORE#<id>" / "STORE#<id>"; index GSI1 "COUNTRY#<country>" / "<state>#<city>#<id>" }
    pattern near(country: string, state: string?, city: string?) =
      Store where country = $country and state = $state and city = $city page 50 budget 1 request
  })");
  EXPECT_TRUE(model.compiled.ok());
  EXPECT_NE(model.compiled.rendered().find("near without state cannot be answered"), std::string::npos)
      << model.compiled.rendered();
  EXPECT_EQ(model.compiled.diagnostics.all().size(), 1u);
}

// What is refused is told where the pattern asks for it.
TEST(Planner, TellsWhichPartCannotBeServed) {
  const auto told = [](const char* pattern) {
    const PlannedModel model = planned_for_planner(std::string(R"(model shop {
      table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
      entity Customer { id id; name; key "C#<id>" / "C#<id>" }
      entity Order { id id; total int; city; key "O#<id>" / "O#<id>"; index GSI1 "C#<customer.id>" / "T#<total>" }
      rel Customer 1--* Order as orders / customer { required; via index on GSI1; size max 100 }
)") + pattern + "\n}");
    std::string out;
    for (const language::Diagnostic& each : model.compiled.diagnostics.all()) {
      const language::Position position = model.compiled.source.position(each.span.begin);
      out += std::to_string(position.line) + ":" + std::to_string(position.column) + " " +
             std::string(each.id.text()) + "\n";
    }
    return out;
  };
  EXPECT_EQ(told("pattern p(c: Customer) = $c.orders where city = \"x\""), "6:42 unserved-where\n");
  EXPECT_EQ(told("pattern p(c: Customer, s: string?) = $c.orders where city = $s"), "6:54 unserved-where\n")
      << "it is served without s alone";
  EXPECT_EQ(told("pattern p(c: Customer) = $c.orders where total > 5"), "6:42 number-width\n");
  EXPECT_EQ(told("pattern p(c: Customer) = $c.orders strong"), "6:36 not-strong\n");
  EXPECT_EQ(told("pattern p(c: Customer) = $c.orders where total = 5"), "");
}

// Nothing is known of an entity that conditions are to find: not even its id, which its keys may hold.
TEST(Planner, AnEntityIsNotFoundByTheIdThatIsLookedFor) {
  const auto told = [](const char* key) {
    return planned_for_planner(
               std::string(
                   "model shop {\n table app { pk PK; sk SK }\n entity Store { id id; country; key ") +
               key + " }\n pattern find(c: string) = Store where country = $c page 1000 budget 60 units\n}")
        .compiled.rendered();
  };
  EXPECT_NE(told("\"C#<country>#<id>\" / \"STORE\"").find("[unserved-where]"), std::string::npos);
  EXPECT_EQ(told("\"C#<country>\" / \"<id>\""), "");
  EXPECT_NE(
      planned_for_planner(
          "model shop {\n table app { pk PK; sk SK }\n entity Store { id id; country; key \"C#<country>\" / "
          "\"<id>\" }\n pattern find(c: string) = Store where country = $c page 1000 budget 40 units\n}")
          .compiled.rendered()
          .find("find takes 49 units"),
      std::string::npos)
      << "a page is what it costs";
}

// Budgets bind in `default`; of other layouts it is told what they cannot do.
TEST(Planner, TellsWhatOtherLayoutsCannotDo) {
  const PlannedModel model = planned_for_planner(R"(model shop {
    table app { pk PK; sk SK }
    entity Customer { id id; name; key "C#<id>" / "C#<id>" }
    entity Order { id id; total number; key "O#<id>" / "O#<id>" }
    rel Customer 1--* Order as orders / customer { required; via index; size max 50 }
    layout together {
      entity Order { key "C#<customer.id>" / "O#<id>" }
      rel Customer.orders via collection
    }
    layout apart { rel Customer.orders via edges pk one }
    pattern order(o: Order)     = $o        budget 1 request
    pattern orders(c: Customer) = $c.orders budget 1 request
    op pay(o: Order, t: number) = set $o.total = $t
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_EQ(shortfalls(model, 0), std::vector<std::string>{});
  EXPECT_EQ(
      shortfalls(model, 1),
      (std::vector<std::string>{"order cannot be answered: the id of an Order does not tell its key",
                                "pay cannot be carried out: the id of an Order does not tell its key"}));
  EXPECT_EQ(shortfalls(model, 2), std::vector<std::string>{"orders takes 2 requests, and its budget is 1"});
}

TEST(Planner, RefusesToReadWithoutBound) {
  const PlannedModel model = planned_for_planner(R"(model m {
    entity A { id id; x }
    entity B within a { id id; y }
    rel A 1--* B as bs / a { via collection; size unbounded }
    pattern p(a: A) = $a + bs
  })");
  EXPECT_NE(model.compiled.rendered().find("nobody said how many there are"), std::string::npos)
      << model.compiled.rendered();
}

// J4, E20: parent and newest children in one request need children that sort before the parent, read
// backwards.
TEST(Planner, TheNewestChildrenWithTheirParentNeedTheRightOrderOfKeys) {
  const auto model = [](const char* child) {
    return planned_for_planner(std::string(R"(model shop {
      table app { pk PK; sk SK }
      entity Customer { id id; name; key "C#<id>" / "CUSTOMER#<id>" }
      entity Order within customer { at id time; total number; key "C#<customer.id>" / ")") +
                               child + R"(#<at>" }
      rel Customer 1--* Order as orders / customer { size unbounded }
      pattern newest(c: Customer) = $c { *, orders order at desc limit 10 }
    })");
  };
  EXPECT_EQ(plan_requests(model("#ORDER"), "default", "newest"), 1);
  EXPECT_EQ(plan_requests(model("ORDER"), "default", "newest"), 2) << "ORDER# sorts behind CUSTOMER#";
}

// B5: what lies behind its parent's key comes after it, also if only some of it is wanted.
TEST(Planner, SomeOfTheLowerLevelComeWithTheirParent) {
  const auto model = [](const char* parent) {
    return planned_for_planner(std::string(R"(model shop {
      table app { pk PK; sk SK }
      entity Customer { id id; name; key "C#<id>" / "PROFILE" }
      entity Order within customer { id id; at date; key "C#<customer.id>" / ")") +
                               parent + R"(" }
      entity Line within order { sku id; price number; key "C#<order.customer.id>" / "ORDER#<order.id>#LINE#<sku>" }
      rel Customer 1--* Order as orders / customer { size unbounded }
      rel Order 1--* Line as lines / order { size unbounded }
      pattern some(o: Order) = $o { *, lines order sku limit 50 }
    })");
  };
  EXPECT_EQ(plan_text(model("ORDER#<id>"), "default", "some"),
            "some(o): 1 request, 1 round, about 2.5 units\n"
            "  1. Query app: PK = \"C#<$o.customer.id>\", SK from \"ORDER#<$o.id>\" to "
            "\"ORDER#<$o.id>#LINE#\", limit 51: Order, lines\n");
  EXPECT_EQ(plan_requests(model("ORDER#H#<id>"), "default", "some"), 2)
      << "an order may sort behind lines of others";
}

// C4, E17, J22: edges alone tell who lives where, at every level; one that is skipped is told.
TEST(Planner, EdgesFindWhatTheyLeadTo) {
  const PlannedModel model = planned_example("school");
  ASSERT_TRUE(model.compiled.ok()) << model.compiled.rendered();
  // Many live in one city: a whole key of the index is no single item.
  EXPECT_EQ(
      plan_text(model, "default", "livingIn"),
      "livingIn(country, state, city): 1 request, 1 round, about 5 units\n"
      "  1. Query school.GSI1: GSI1PK = \"COUNTRY#<$country>\", GSI1SK = \"HOME#<$state>#<$city>\", limit "
      "100: edges to Student\n");
  EXPECT_EQ(
      plan_text(model, "default", "neighbours"),
      "neighbours(p): 2 requests, 2 rounds, about 55 units\n"
      "  1. Query school.GSI1: GSI1PK = \"COUNTRY#<$p.country>\", GSI1SK = \"HOME#<$p.state>#<$p.city>\", "
      "limit 100: edges to Student\n"
      "  2. BatchGetItem of 100 keys: Student\n");
  EXPECT_NE(model.compiled.rendered().find("livingIn without state cannot be answered"), std::string::npos);
  EXPECT_EQ(plan_requests(model, "pairs", "livingIn"), 1);
}

TEST(Planner, WhatEdgesDoNotLeadToIsTold) {
  const PlannedModel model = planned_for_planner(R"(model m {
    table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK all }
    entity Book { id id; title; key "B#<id>" / "B" }
    entity Shelf { hall id; number id; key "S#<hall>#<number>" / "S" }
    rel Shelf 1--* Book as books / shelf { size unbounded;
      via edges pk books key "B#<books.id>" / "S#<shelf.hall>#<shelf.number>" index GSI1 "H#<shelf.hall>" / "<books.id>" }
    pattern inHall(h: string, id: string?) = Book where shelf.hall = $h and id >= $id order id page 5 {}
    pattern titles(h: string) = Book where shelf.hall = $h { title }
    pattern byNumber(n: string) = Book where shelf.number = $n
    pattern strongly(h: string) = Book where shelf.hall = $h strong
  })");
  EXPECT_EQ(
      plan_text(model, "default", "inHall"),
      "inHall(h, id): 1 request, 1 round, about 0.5 units\n"
      "  1. Query app.GSI1: GSI1PK = \"H#<$h>\", GSI1SK in a range behind \"\", limit 5: edges to Book\n");
  EXPECT_EQ(plan_requests(model, "default", "titles"), 2);
  EXPECT_EQ(plan_text(model, "default", "byNumber"), "refused: no key serves where shelf.number");
  EXPECT_EQ(
      std::get<Refusal>(find(model, "default", "byNumber").plan).fix,
      "give the edges of shelf an index whose keys are led by shelf.number, or use filter with a limit");
  EXPECT_EQ(plan_text(model, "default", "strongly"),
            "refused: where shelf.hall is served by an index alone, and an index is never strong");
}

TEST(Planner, LevelsWaitForEachOther) {
  const PlannedModel model = planned_for_planner(R"(model people {
    table people { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
    entity Person { id id; name; key "P#<id>" / "P"; index GSI1 "M#<manager.id>" / "<id>" }
    rel Person *--* Person as follows / followers { size of follows max 20; size of followers unbounded;
      via edges pk followers key "P#<followers.id>" / "F#<follows.id>" index GSI1 "F#<follows.id>" / "<followers.id>" }
    rel Person *--* Person as likes / likedBy { size of likes max 15; size of likedBy max 9; via ids likes }
    rel Person 1--* Person as reports / manager { size max 5; via index on GSI1 }
    pattern near(p: Person) = $p.follows^2
    pattern nearIds(p: Person) = $p.follows^2 {}
    pattern liked(p: Person) = $p.likes^2
    pattern likedIds(p: Person) = $p.likes^2 {}
    pattern chain(p: Person) = $p.manager^3
    pattern tree(p: Person) = $p.reports^3 { name }
    pattern fans(p: Person) = $p.followers^3 limit 10 {}
    pattern read(p: Person) = $p.followers^3 {} reads max 500
    pattern moment(p: Person) = $p.manager^3 reads max 50
  })");
  ASSERT_TRUE(model.compiled.ok()) << model.compiled.rendered();
  EXPECT_EQ(plan_text(model, "default", "near"),
            "near(p): 26 requests, 3 rounds, about 231 units\n"
            "  1. Query people: PK = \"P#<$p.id>\", SK begins with \"F#\": edges to follows (level 1: 1 "
            "call, level "
            "2: 20 calls)\n"
            "  2. BatchGetItem of 420 keys in 5 calls: follows\n");
  EXPECT_EQ(plan_requests(model, "default", "nearIds"), 21);
  EXPECT_EQ(plan_text(model, "default", "liked"),
            "liked(p): 5 requests, 3 rounds, about 120.5 units\n"
            "  1. GetItem: Person\n"
            "  2. BatchGetItem of 240 keys: likes (level 1: 1 call, level 2: 3 calls)\n");
  EXPECT_EQ(plan_text(model, "default", "likedIds"),
            "likedIds(p): 2 requests, 2 rounds, about 8 units\n"
            "  1. GetItem: Person\n"
            "  2. BatchGetItem of 15 keys: likes\n")
      << "the last level is named by the one before";
  EXPECT_EQ(plan_requests(model, "default", "chain"), 4);
  EXPECT_EQ(plan_text(model, "default", "tree"),
            "tree(p): 31 requests, 3 rounds, about 31 units\n"
            "  1. Query people.GSI1: GSI1PK = \"M#<$p.id>\": reports (level 1: 1 call, level 2: 5 calls, "
            "level 3: 25 "
            "calls)\n");
  EXPECT_EQ(plan_requests(model, "default", "fans"), 11) << "nobody is followed once there are ten";
  EXPECT_GT(plan_requests(model, "default", "read"), 0);
}

}  // namespace
}  // namespace sheaf::plan
