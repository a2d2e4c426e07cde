#include "model/compiled_model.h"

#include <gtest/gtest.h>

#include "language/syntax_text.h"
#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

using Via = language::Via::Kind;

constexpr const char* kSupport = R"(model support {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
  entity Org { name id; plan enum(FREE, PRO); key "ORG#<name>" / "METADATA#<name>" }
  entity User within org { name id; email unique; key "ORG#<org.name>" / "USER#<name>"; index GSI1 "ORG#<org.name>#USER#<name>" / "USER#<name>" }
  entity Ticket { id id ulid; subject; key "TICKET#<id>" / "TICKET#<id>"; index GSI1 "ORG#<owner.org.name>#USER#<owner.name>" / "TICKET#<id>" }
  rel Org  1--* User   as users / org     { via collection; size avg 40 max 500 }
  rel User 1--* Ticket as tickets / owner { via index on GSI1; size avg 200 unbounded; required; on delete cascade }
  layout flat { entity Ticket { key "ORG#<owner.org.name>" / "TICKET#<id>" } }
  pattern orgAndUsers(o: Org)     = $o + users                               budget 1 request  rate 50/s
  pattern userAndTickets(u: User) = $u { *, tickets order id desc limit 20 } budget 1 request
  pattern ticket(t: Ticket)       = $t                                       budget 1 request
  compare [default, flat]
  expect orgAndUsers("acme"): requests = 1, reads = 4, returns = 4
})";

constexpr const char* kBilling = R"(model billing {
  table app { pk PK; sk SK; tag Type; gsi GSI_1 SK / PK all }
  entity Customer { id id; name immutable; key "C#<id>" / "C#<id>" }
  entity Invoice  { id id; date date immutable; status enum(OPEN, PAID) changes often; key "I#<id>" / "I#<id>" }
  entity Bill     { id id; amount number immutable; note string?; key "B#<id>" / "B#<id>" }
  rel Customer 1--* Invoice as invoices / customer { required; size avg 30 max 2000;
    via edges pk many copy customer(name) key "I#<invoices.id>" / "C#<customer.id>" }
  rel Invoice *--* Bill as bills / invoices { edge { share number immutable }; size of bills max 80; size of invoices max 12;
    via edges pk invoices copy bills(amount) copy invoices(date) key "I#<invoices.id>" / "B#<bills.id>" }
  pattern invoice(i: Invoice)     = $i { *, customer { name }, bills { amount } } budget 1 request strong
  pattern invoiceFull(i: Invoice) = $i { *, customer, bills }                     budget 2 requests
  pattern invoiceIds(c: Customer) = $c.invoices {}                                budget 1 request
  pattern bill(b: Bill)           = $b { *, invoices { date } }                   budget 1 request
  op attach(i: Invoice, b: Bill, s: number) = link $i.bills $b { share = $s }     budget 2 requests
})";

constexpr const char* kHr = R"(model hr {
  entity Department { id id matches "d-.+"; name changes rarely; tag "department" }
  entity Employee   { id id matches "e-.+"; name; tag "employee" }
  rel Department 1--* Employee as staff / department { required; size avg 20 max 90 }
  rel Employee   1--* Employee as reports / manager  { size max 50 }
  rel Employee   1--* Employee as mentees / mentor   { size max 10 }
  layout method1 {
    table department { pk department_id }
    table employee   { pk employee_id; gsi by_department department_id; gsi by_manager manager_id; gsi by_mentor mentor_id }
    entity Department { in department; key "<id>" }
    entity Employee { in employee; key "<id>"; index by_department "<department.id>"; index by_manager "<manager.id>"; index by_mentor "<mentor.id>" }
    rel Department.staff via index on by_department   rel Employee.reports via index on by_manager   rel Employee.mentees via index on by_mentor
  }
  layout method2 extends method1 { rel Department.staff via index on by_department copy department(*) }
  layout method3 {
    table entity { pk pk; sk sk; tag type; gsi relationship rpk / rsk }
    entity Department { key "<id>" / "__root__" }   entity Employee { key "<id>" / "__root__" }
    rel Department.staff via edges pk one tag "d-e-relationship" key "<department.id>_d-e-relationship" / "<staff.id>_d-e-relationship"
      index relationship "<staff.id>_d-e-relationship" / "<department.id>_d-e-relationship"
    rel Employee.reports via edges pk one   rel Employee.mentees via edges pk one
  }
  layout method4 extends method3 {
    rel Department.staff via edges pk many tag "d-e-relationship" key "<staff.id>_d-e-relationship" / "<department.id>_d-e-relationship"
      index relationship "<department.id>_d-e-relationship" / "<staff.id>_d-e-relationship"
    rel Employee.reports via edges pk many  rel Employee.mentees via edges pk many
  }
  op hire(e: Employee, d: Department) = { put $e; link $e.department $d }
  op move(e: Employee, d: Department) = set $e.department = $d   budget 2 requests  rate 5/day
  op rename(d: Department, n: string) = set $d.name = $n         rate 1/day
  pattern teamIds(d: Department) = $d.staff {}                   budget 1 request
  pattern team(d: Department)    = $d.staff                      budget 2 requests
  pattern home(e: Employee)      = $e.department                 budget 2 requests
  compare [method1, method2, method3, method4]
  expect team("d-2"): returns = 3
})";

TEST(CompiledModel, ReadsTheOrganisationWithUsersAndTickets) {
  const CompiledModel compiled = compile("support.sheaf", kSupport);
  ASSERT_EQ(compiled.rendered(), "");
  ASSERT_EQ(compiled.layouts.size(), 2u);
  const Layout& layout = compiled.layouts[0];
  ASSERT_EQ(layout.item_kinds.size(), 3u);
  EXPECT_EQ(layout.relations[0].strategy->kind(), Via::kCollection);
  EXPECT_EQ(layout.relations[1].index, 0u);
  EXPECT_EQ(layout.item_kinds[2].entries[0].pk.text(), "ORG#<owner.org.name>#USER#<owner.name>");
  EXPECT_EQ(compiled.layouts[1].item_kinds[2].pk.text(), "ORG#<owner.org.name>");
  EXPECT_EQ(compiled.model.entities[1].identity.size(), 2u) << "the parent's name and its own";
  EXPECT_EQ(compiled.model.text(2, {.ends = {{.relation = 1, .side = 1}}, .field = 0}), "owner.name");
}

TEST(CompiledModel, ReadsInvoicesWithAnIndexOverTheTablesKeys) {
  const CompiledModel compiled = compile("billing.sheaf", kBilling);
  ASSERT_EQ(compiled.rendered(), "");
  const Layout& layout = compiled.layouts[0];
  EXPECT_TRUE(layout.tables[0].indexes[0].is_over_table_keys);
  ASSERT_EQ(layout.item_kinds.size(), 5u);
  EXPECT_EQ(layout.relations[0].pk_side, 0);
  EXPECT_EQ(layout.relations[1].pk_side, 1);
  EXPECT_TRUE(layout.item_kinds[4].entries.empty())
      << "the index over the table's keys has the other direction";
}

TEST(CompiledModel, ReadsOneLogicalModelWithFourLayouts) {
  const CompiledModel compiled = compile("hr.sheaf", kHr);
  ASSERT_EQ(compiled.rendered(), "");
  ASSERT_EQ(compiled.layouts.size(), 5u);
  // D4, D9: further relations under methods 3 and 4 need no field and no index.
  EXPECT_EQ(compiled.find_layout("method3")->tables[0].indexes.size(), 1u);
  EXPECT_EQ(compiled.find_layout("method4")->tables[0].indexes.size(), 1u);
  EXPECT_EQ(compiled.find_layout("method1")->tables[1].indexes.size(), 3u);
  const Layout& chosen = compiled.layouts[0];
  EXPECT_TRUE(chosen.tables[0].is_allocated);
  EXPECT_EQ(chosen.relations[0].strategy->kind(), Via::kIndex) << chosen.relations[0].reason;
  EXPECT_EQ(chosen.tables[0].indexes.size(), 3u) << "three views of employees need three indexes";
  EXPECT_EQ(chosen.item_kinds[1].pk.text(), "EMPLOYEE#<id>");
}

// J23: without `matches` a department and an employee with one id are the same item.
TEST(CompiledModel, ProvesThatKeysOfDifferentEntitiesDiffer) {
  std::string text = kHr;
  for (size_t at; (at = text.find(" matches \"")) != std::string::npos;) text.erase(at, 15);
  const CompiledModel compiled = compile("hr.sheaf", text);
  EXPECT_FALSE(compiled.ok());
  EXPECT_NE(
      compiled.rendered().find("a Department and an Employee can have the same key: \"a\" / \"__root__\""),
      std::string::npos)
      << compiled.rendered();
}

TEST(CompiledModel, ConditionsOfIndexLinesOutliveTheReadingOfLayouts) {
  const CompiledModel compiled = compile("shop.sheaf", R"(model shop {
    table app { pk PK; sk SK; gsi open GSI1PK / GSI1SK }
    entity Order { id id; state enum(OPEN, SHUT); key "O#<id>" / "O#<id>"; index open "OPEN" / "<id>" when state = "OPEN" }
    layout other { entity Order { index open "SHUT" / "<id>" when state = "SHUT" } }
  })");
  ASSERT_EQ(compiled.rendered(), "");
  const auto condition = [&](const Layout& layout) {
    return language::to_text(*layout.item_kinds[0].entries[0].when[0].syntax);
  };
  EXPECT_EQ(condition(compiled.layouts[0]), "state = \"OPEN\"");
  EXPECT_EQ(condition(compiled.layouts[1]), "state = \"SHUT\"");
}

// C7: two items a pair, one in the partition of each; in either direction a key that somebody wrote, or one
// that is allocated.
TEST(CompiledModel, StoresPairsInBothDirections) {
  const std::string head = R"(model social {
    table app { pk PK; sk SK; tag T }
    entity User { id id; key "U#<id>" / "U" }
    entity Group { id id; key "G#<id>" / "G" }
    rel User *--* Group as groups / members { size of groups max 10; size of members max 100; via edges pk both )";
  for (const std::string keys :
       {"", "key \"G#<groups.id>\" / \"HAS#<members.id>\"",
        "key \"G#<groups.id>\" / \"HAS#<members.id>\" key \"U#<members.id>\" / \"IN#<groups.id>\"",
        "key \"U#<members.id>\" / \"IN#<groups.id>\" key \"G#<groups.id>\" / \"HAS#<members.id>\""}) {
    const CompiledModel compiled = compile("social.sheaf", head + keys + " } }");
    ASSERT_EQ(compiled.rendered(), "") << keys;
    const Layout& layout = compiled.layouts[0];
    EXPECT_TRUE(layout.tables[0].indexes.empty()) << keys;
    const ItemKind& to_groups = layout.item_kinds[layout.edge_kind({.relation = 0, .side = 0})];
    const ItemKind& to_members = layout.item_kinds[layout.edge_kind({.relation = 0, .side = 1})];
    EXPECT_EQ(to_groups.name, "User.groups");
    EXPECT_EQ(to_groups.pk.text(), "U#<members.id>");
    EXPECT_EQ(to_groups.sk->text(),
              keys.find("IN#") == std::string::npos ? "GROUPS#<groups.id>" : "IN#<groups.id>");
    EXPECT_EQ(to_members.name, "Group.members");
    EXPECT_EQ(to_members.pk.text(), "G#<groups.id>");
    EXPECT_EQ(to_members.sk->text(), keys.empty() ? "MEMBERS#<members.id>" : "HAS#<members.id>");
  }
}

// Keys that nobody wrote down tell one entity from another, also those of a child's child in the same
// partition.
TEST(CompiledModel, AllocatesKeysThatTellOneFromAnother) {
  const CompiledModel compiled = compile("work.sheaf", R"(model work {
    entity Org { id id }
    entity Project within org { id id }
    entity Task within project { id id }
    entity Tag { id id }
    rel Org 1--* Project as projects / org { via collection; size max 50 }
    rel Project 1--* Task as tasks / project { via collection; size max 100 }
    rel Project *--* Tag as tags / projects { size of tags max 10; size of projects max 100 }
  })");
  ASSERT_EQ(compiled.rendered(), "");
  const Layout& layout = compiled.layouts[0];
  EXPECT_EQ(layout.item_kinds[2].pk.text(), "ORG#<project.org.id>");
  EXPECT_EQ(layout.item_kinds[2].sk->text(), "TASK#<project.id>#<id>");
  EXPECT_EQ(layout.item_kinds[4].pk.text(), "ORG#<projects.org.id>");
  EXPECT_EQ(layout.item_kinds[4].sk->text(), "TAGS#<projects.id>#<tags.id>");
}

}  // namespace
}  // namespace sheaf::model
