// Whole models for the tests: the language as people write it.
#pragma once

#include <array>
#include <string_view>

namespace sheaf::language {

// Tickets of users of organisations; in the layout `flat` one kind of item lies between two others.
inline constexpr std::string_view kSupport = R"sheaf(model support {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
  entity Org { name id; plan enum(FREE, PRO); key "ORG#<name>" / "METADATA#<name>" }
  entity User within org { name id; email unique; key "ORG#<org.name>" / "USER#<name>"; index GSI1 "ORG#<org.name>#USER#<name>" / "USER#<name>" }
  entity Ticket { id id ulid; subject; key "TICKET#<id>" / "TICKET#<id>"; index GSI1 "ORG#<owner.org.name>#USER#<owner.name>" / "TICKET#<id>" }
  rel Org  1--* User   as users / org     { via collection; size avg 40 max 500 }
  rel User 1--* Ticket as tickets / owner { via index on GSI1; size avg 200 unbounded; required; on delete cascade }
  layout flat { entity Ticket { key "ORG#<owner.org.name>" / "TICKET#<id>" } }   // METADATA# < TICKET# < USER#
  pattern orgAndUsers(o: Org)     = $o + users                               budget 1 request  rate 50/s
  pattern userAndTickets(u: User) = $u { *, tickets order id desc limit 20 } budget 1 request  // GSI1 backwards: USER# first, then newest
  pattern ticket(t: Ticket)       = $t                                       budget 1 request  // not legal in flat
  compare [default, flat]
  expect orgAndUsers("acme"): requests = 1, reads = 4, returns = 4
}
)sheaf";

// Invoices and bills, read both ways over an inverted index.
inline constexpr std::string_view kBilling = R"sheaf(model billing {
  table app { pk PK; sk SK; tag Type; gsi GSI_1 SK / PK all }
  entity Customer { id id; name immutable; key "C#<id>" / "C#<id>" }
  entity Invoice  { id id; date date immutable; status enum(OPEN, PAID) changes often; key "I#<id>" / "I#<id>" }
  entity Bill     { id id; amount number immutable; note string?; key "B#<id>" / "B#<id>" }
  rel Customer 1--* Invoice as invoices / customer { required; size avg 30 max 2000;
    via edges pk many copy customer(name) key "I#<invoices.id>" / "C#<customer.id>" }
  rel Invoice *--* Bill as bills / invoices { edge { share number immutable }; size of bills max 80; size of invoices max 12;
    via edges pk invoices copy bills(amount) copy invoices(date) key "I#<invoices.id>" / "B#<bills.id>" }
  pattern invoice(i: Invoice)     = $i { *, customer { name }, bills { amount } } budget 1 request strong // PK=I#i: root, C# and B# edges
  pattern invoiceFull(i: Invoice) = $i { *, customer, bills }                     budget 2 requests       // + BatchGet of 81 keys
  pattern invoiceIds(c: Customer) = $c.invoices {}                                budget 1 request        // GSI_1: SK=C#c, PK begins I#
  pattern bill(b: Bill)           = $b { *, invoices { date } }                   budget 1 request        // GSI_1: SK=B#b: root and edges
  op attach(i: Invoice, b: Bill, s: number) = link $i.bills $b { share = $s }     budget 2 requests       // read copies; put + 2 checks
}
)sheaf";

// Three-way edges, ends without rows, optional levels.
inline constexpr std::string_view kSchool = R"sheaf(model school {
  table app { pk PK; sk SK; tag TYPE; gsi GSI1 GSI1PK / GSI1SK all }
  entity Student { name id; full stored as Name; tag "STUDENT"; key "STUDENT#<name>" / "STUDENT#<name>"; index GSI1 "STUDENT#<name>" / "STUDENT#<name>" }
  entity Teacher { name id; store none }
  entity Place   { country id; state id; city id; store none }
  rel Student *--* Teacher as teachers / students { size of teachers max 20; size of students max 300;
    edge { subject id; title immutable stored as Subject; full immutable stored as Name };
    via graph tag "CLASS" key "STUDENT#<students.name>" / "TEACHER#<teachers.name>#CLASS#<subject>"
                          index GSI1 "TEACHER#<teachers.name>" / "CLASS#<subject>" }
  rel Place 1--* Student as residents / home { size unbounded;
    via graph tag "HOME"  key "STUDENT#<residents.name>" / "HOME#<home.country>#<home.state>#<home.city>"
                          index GSI1 "COUNTRY#<home.country>" / "HOME#<home.state>#<home.city>" }
  pattern student(s: Student) = $s { *, teachers, home }                                        budget 1 request strong
  pattern classes(s: Student, teacher: string?) = $s.teachers where name = $teacher {}          budget 1 request  // begins TEACHER#SIMON#
  pattern taught(t: Teacher, subject: string?)  = $t.students where edge.subject = $subject {}  budget 1 request  // GSI1
  pattern livingIn(country: string, state: string?, city: string?) =                                              // city without state: refused
    Student where home.country = $country and home.state = $state and home.city = $city page 100 {}  budget 1 request
}
)sheaf";

// One logical model in four layouts.
inline constexpr std::string_view kStaff = R"sheaf(model hr {
  entity Department { id id matches "d-.+"; name changes rarely; tag "department" }
  entity Employee   { id id matches "e-.+"; name; tag "employee" }       // without `matches` methods 3/4 fail the proof
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
    rel Employee.reports via edges pk one   rel Employee.mentees via edges pk one                            // same index, no field
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
}
)sheaf";

// Everything that the grammar has, each thing at least once.
inline constexpr std::string_view kEverything = R"sheaf(/// All of it.
///   Indented, with "quotes" and \ in it.
model everything {
  /// The only one.
  table app { pk PK; sk SK number; tag Type; ttl expires; gsi G1 A / B; gsi G2 A keys; gsi G3 A / B include(x, `y z`) }
  table other { pk id binary }

  /// A customer.
  entity Customer {
    in app; tag "CUSTOMER"; store item; timestamps; versioned; ttl gone;
    /// Given by the sales people.
    id id ulid;
    `key` string; `in`; order; age int? max 150 changes rarely; email unique immutable matches "[^@]+@[^@]+";
    home {
      /// With its number.
      street string;
      zip string?
    }?;
    tags set<string>; marks list<map<list<{ x number; y number }>>>; plan enum(FREE, PRO, `a b`) default "FREE";
    gone time since "2020-01-01T00:00:00.000Z"; note stored as Note; many int = count(orders);
    raw any default { "a": [1, -2.50, true, false, null, now], "b": {}, "c": { "d": "\"\\<>\n\t" } };
    blob binary; flag bool default false; day date; other uuid; price number default -0.5;
    key "C#<id:raw>#\\\<\>\"\n\t" / "<age:000>#<gone:year>#<gone:month>#<gone:day>#<gone:hour>#<id:shard(16)>";
    index G1 "A#<email>" / "B" when email exists and age between 1 and 9 and plan in ("FREE", "PRO");
    index G2 "<id>" when note missing and age <> 3 and age < 4 and age <= 5 and age > 6 and age >= 7 and note begins "x"
  }
  entity Order within customer { number id int; store eav }
  entity Ghost { id id; store none }
  rel Customer 1--* Order as orders / customer {
    via edges pk many copy customer(email, age) copy orders(*) in app tag "O" store item key "a" / "b" index G1 "c" / "d";
    required; required orders; size avg 3 max 10; size of orders unbounded; size of customer avg 1 max 1;
    /// What the edge knows.
    edge { share number immutable; since id date }; on delete cascade; unchecked; loops
  }
  rel Customer *--* Customer as friends { via embed map; on delete restrict }
  rel Customer | Order 1--1 Order | Ghost | Customer as one / two { via ids one; on delete unlink }
  rel Customer 1--* Ghost as g1 / c1 { via index on G1 }
  rel Customer 1--* Ghost as g2 / c2 { via auto }
  rel Customer 1--* Ghost as g3 / c3 { via ref }
  rel Customer 1--* Ghost as g4 / c4 { via collection }
  rel Customer 1--* Ghost as g5 / c5 { via path }
  rel Customer 1--* Ghost as g6 / c6 { via graph }
  rel Customer 1--* Ghost as g7 / c7 { via lists }
  rel Customer 1--* Ghost as g8 / c8 { via embed list }
  rel Customer 1--* Ghost as g9 / c9 { via embed }
  /// In another way.
  layout second extends default {
    /// Smaller.
    table small { pk id }
    entity Ghost { in small; key "<id>" }
    entity Order { store item }
    rel Customer.orders via edges
    rel Customer.friends via index
  }
  layout third { }
  /// Much at once.
  pattern much(c: Customer, n: int?, t: { a; b int }, l: list<string>) =
    one $c.orders^2.customer where number between $n and 10 and customer.age = now filter note exists order number desc limit 5 {
      *, customer { }, friends^3 where age > 1 order age asc { *, name: count(age), b: sum(price * 2 - -1 + $n.x), c: min(age), d: max(age) }
    }
    budget 1 request budget 2 rounds budget 3 units rate 0.5/min strong snapshot prefer requests reads max 100
  pattern all() = Customer page 10 + orders + friends limit 3 rate 1/h prefer units
  pattern plain(c: Customer) = $c rate 2/s
  pattern none(c: Customer) = `one` rate 3/day
  /// Writes.
  op write(c: Customer, o: Order) = {
    put $c; upsert $o; delete $c.orders; set $c.age = 1, $c.note = $o.number + 2; add $c.many = -1; remove $c.note, $c.age;
    link $c.orders $o { share = 0.5, since = now }; link $c.friends $c; unlink $c.friends $c;
    check $c.age = 1 and $o.number in (1, 2, $c.age, `true`, true)
  } budget 2 requests
  op single(c: Customer) = put $c
  op nothing() = { }
  compare [default, second, third]
  compare Customer.orders [collection, edges pk both copy customer(*) key "C#<customer.id>" / "O#<orders.id>" key "O#<orders.id>" / "C#<customer.id>", index on G1 tag "x"]
  expect much("a", -1, { "x": [] }, [1, 2]): requests = 1, reads <= 4.5, returns = 3, units <= 10
  expect all(): returns = 0
}
)sheaf";

inline constexpr std::array<std::string_view, 5> kExampleModels = {kSupport, kBilling, kSchool, kStaff,
                                                                   kEverything};

}  // namespace sheaf::language
