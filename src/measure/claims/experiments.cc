#include "measure/claims/experiments.h"

namespace sheaf::measure {
namespace {

// Four methods for departments and employees; `references` without an index, `inside` and `behind` with
// employees in the partition of their department.
constexpr std::string_view kMethods = R"(model methods {
  entity Department { id id matches "d-.+"; name changes rarely; tag "department" }
  entity Employee { id id matches "e-.+"; name; tag "employee" }
  rel Department 1--* Employee as staff / department { required; size avg 20 max 90 }
  rel Employee 1--* Employee as reports / manager { size max 50 }
  rel Employee 1--* Employee as mentees / mentor { size max 10 }
  layout method1 {
    table department { pk department_id }
    table employee {
      pk employee_id; gsi by_department department_id; gsi by_manager manager_id; gsi by_mentor mentor_id;
    }
    entity Department { in department; key "<id>" }
    entity Employee {
      in employee; key "<id>";
      index by_department "<department.id>"; index by_manager "<manager.id>"; index by_mentor "<mentor.id>";
    }
    rel Department.staff via index on by_department
    rel Employee.reports via index on by_manager
    rel Employee.mentees via index on by_mentor
  }
  layout method2 extends method1 { rel Department.staff via index on by_department copy department(*) }
  layout references {
    table department { pk department_id }
    table employee { pk employee_id }
    entity Department { in department; key "<id>" }
    entity Employee { in employee; key "<id>" }
    rel Department.staff via ref
    rel Employee.reports via ref
    rel Employee.mentees via ref
  }
  layout method3 {
    table entity { pk pk; sk sk; tag type; gsi relationship rpk / rsk }
    entity Department { key "<id>" / "__root__" }
    entity Employee { key "<id>" / "__root__" }
    rel Department.staff via edges pk one
    rel Employee.reports via edges pk one
    rel Employee.mentees via edges pk one
  }
  layout method4 extends method3 {
    rel Department.staff via edges pk many
    rel Employee.reports via edges pk many
    rel Employee.mentees via edges pk many
  }
  layout inside { rel Department.staff via collection }
  layout behind { rel Department.staff via path }
  pattern teamIds(d: Department) = $d.staff {}
  pattern team(d: Department) = $d.staff
  pattern home(e: Employee) = $e.department
  op hire(e: Employee, d: Department) = { put $e; link $e.department $d }
  op move(e: Employee, d: Department) = set $e.department = $d
  op rename(d: Department, n: string) = set $d.name = $n
})";

// A user with addresses and payments: one collection; three tables; all in one item; addresses by city, too.
constexpr std::string_view kProfile = R"(model profile {
  table profile { pk pk; sk sk }
  entity User { id id; name; email; key "<id>" / "PROFILE#main" }
  entity Address within user { name id; street; city; key "<user.id>" / "ADDRESS#<name>" }
  entity Payment within user { name id; last4; expires; key "<user.id>" / "PAYMENT#<name>" }
  rel User 1--* Address as addresses / user { size avg 5 max 20; on delete cascade }
  rel User 1--* Payment as payments / user { size avg 5 max 20; on delete cascade }
  layout apart {
    table users { pk id }
    table addresses { pk user_id; sk name }
    table payments { pk user_id; sk name }
    entity User { in users; key "<id>" }
    entity Address { in addresses; key "<user.id>" / "<name>" }
    entity Payment { in payments; key "<user.id>" / "<name>" }
    rel User.addresses via ref
    rel User.payments via ref
  }
  layout cities {
    table profile { pk pk; sk sk; gsi GSI1 GSI1PK / GSI1SK all }
    entity Address { index GSI1 "CITY#<city>" / "<user.id>#<name>" }
  }
  pattern everything(u: User) = $u { *, addresses, payments } strong
  pattern loosely(u: User) = $u { *, addresses, payments }
  pattern addresses(u: User) = $u.addresses
  pattern address(a: Address) = $a
  pattern inCity(city: string) = Address where city = $city
  op relocate(u: User, email: string, a: Address, street: string, p: Payment, expires: string) = {
    set $u.email = $email; set $a.street = $street; set $p.expires = $expires;
  }
  op rebuild(a: Address, street: string) = set $a.street = $street
  op resettle(a: Address, city: string) = set $a.city = $city
})";

// The same with everything in the user's own item.
constexpr std::string_view kEmbedded = R"(model profile {
  table profile { pk pk; sk sk }
  entity User { id id; name; email; key "<id>" / "PROFILE#main" }
  entity Address within user { name id; street; city }
  entity Payment within user { name id; last4; expires }
  rel User 1--* Address as addresses / user { size avg 5 max 20; on delete cascade }
  rel User 1--* Payment as payments / user { size avg 5 max 20; on delete cascade }
  layout embed { rel User.addresses via embed map rel User.payments via embed map }
  layout collection { rel User.addresses via collection rel User.payments via collection }
  pattern everything(u: User) = $u { *, addresses, payments } strong
  pattern addresses(u: User) = $u.addresses
  pattern address(a: Address) = $a
  pattern inCity(city: string) = Address where city = $city
  op relocate(u: User, email: string, a: Address, street: string, p: Payment, expires: string) = {
    set $u.email = $email; set $a.street = $street; set $p.expires = $expires;
  }
})";

// Thousands of orders of a customer: in its partition; under keys of their own; both.
constexpr std::string_view kCustomers = R"(model customers {
  entity Customer { id id matches "c.+"; name }
  entity Order { id id matches "o.+"; status enum(PLACED, SHIPPED, DONE) changes often; total number }
  rel Customer 1--* Order as orders / customer { size avg 500 unbounded; required; on delete cascade }
  layout collection {
    table app { pk PK; sk SK; tag Type }
    entity Customer { key "CUSTOMER#<id>" / "CUSTOMER#<id>" }
    entity Order { key "CUSTOMER#<customer.id>" / "ORDER#<id>" }
  }
  layout both_ways extends collection {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
    entity Order { index GSI1 "ORDER#<id>" / "ORDER#<id>" }
  }
  layout index {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all; gsi GSI2 GSI2PK / GSI2SK all }
    entity Customer { key "CUSTOMER#<id>" / "CUSTOMER#<id>" }
    entity Order {
      key "ORDER#<id>" / "ORDER#<id>";
      index GSI1 "CUSTOMER#<customer.id>" / "ORDER#<id>";
      index GSI2 "STATUS#<status>" / "ORDER#<id>";
    }
    rel Customer.orders via index on GSI1
  }
  pattern first(c: Customer) = $c { *, orders limit 20 }
  pattern orders(c: Customer) = $c.orders page 100
  pattern strongly(c: Customer) = $c.orders page 100 strong
  pattern single(o: Order) = $o
  pattern customerOf(o: Order) = $o.customer
  pattern withStatus(s: string) = Order where status = $s page 100
  pattern largest(c: Customer) = $c.orders order total desc limit 5 reads max 9000
  op place(o: Order, c: Customer) = { put $o; link $o.customer $c }
})";

constexpr std::string_view kHierarchy = R"(model hierarchy {
  table projects { pk PK; sk SK; tag Type }
  entity Org { id id; name; key "ORG#<id>" / "ORG#<id>" }
  entity Project within org { id id; name; key "ORG#<org.id>" / "PROJECT#<id>" }
  entity Task within project { id id; title; key "ORG#<project.org.id>" / "PROJECT#<project.id>#TASK#<id>" }
  rel Org 1--* Project as projects / org { via collection; size avg 5 max 20; on delete cascade }
  rel Project 1--* Task as tasks / project { via path; size avg 5 max 20; on delete cascade }
  pattern tree(o: Org) = $o { *, projects { *, tasks } }
  pattern projectAndTasks(p: Project) = $p { *, tasks }
  pattern task(t: Task) = $t
  op add(t: Task) = put $t
})";

// 25 levels, each with an id of 40 letters; `path` has all of them in one sort key.
std::string deep_model() {
  constexpr int kLevels = 25;
  std::string entities = "  table deep { pk PK; sk SK; tag Type }\n  entity L0 { id id; name }\n", relations,
              path;
  for (int i = 1; i <= kLevels; ++i) {
    const std::string above = std::to_string(i - 1), own = std::to_string(i);
    entities += "  entity L" + own + " within p" + own + " { id id matches \"[a-z]{40}\"; name }\n";
    relations += "  rel L" + above + " 1--* L" + own + " as c" + own + " / p" + own +
                 " { size avg 1 max 2; on delete cascade }\n";
    path += "    rel L" + above + ".c" + own + (i == 1 ? " via collection\n" : " via path\n");
  }
  return "model deep {\n" + entities + relations + "  layout path {\n" + path +
         "  }\n  pattern top(r: L0) = $r.c1\n}";
}

// Actors and movies with a role on each pair.
constexpr std::string_view kRoles = R"(model roles {
  entity Actor { name id; bio; tag "ACTOR" }
  entity Movie { title id; plot; tag "MOVIE" }
  rel Actor *--* Movie as movies / actors { edge { role }; size of movies avg 10 max 40; size of actors avg 10 max 40 }
  layout adjacency { rel Actor.movies via edges pk actors }
  layout pairs { rel Actor.movies via edges pk both }
  layout lists { rel Actor.movies via lists copy movies(plot) copy actors(bio) }
  pattern titles(a: Actor) = $a.movies {}
  pattern castIds(m: Movie) = $m.actors {}
  pattern cast(m: Movie) = $m { *, actors { bio } }
  op engage(a: Actor, m: Movie, role: string) = link $a.movies $m { role = $role }
  op dismiss(a: Actor, m: Movie) = unlink $a.movies $m
  op rewrite(m: Movie, plot: string) = set $m.plot = $plot
})";

// Users who hold the ids of their repositories.
constexpr std::string_view kIds = R"(model held {
  entity User { id id matches "u.+"; name }
  entity Repo { id id matches "r.+"; title }
  rel User *--* Repo as repos / users { size of repos avg 10 max 40; size of users avg 10 max 40 }
  layout ids { rel User.repos via ids repos }
  layout copied { rel User.repos via lists copy repos(title) copy users(name) }
  layout adjacency { rel User.repos via edges pk users }
  pattern repos(u: User) = $u { *, repos } strong
  pattern atOnce(u: User) = $u { *, repos } snapshot
  pattern users(r: Repo) = $r.users {}
  op grant(u: User, r: Repo) = link $u.repos $r
})";

constexpr std::string_view kProducts = R"(model products {
  table catalogue { pk pk; sk sk; tag type }
  entity Product { id id; name; price number; color?; weight int?; store eav; key "<id>" / "<attribute>" }
  layout items {
    table catalogue { pk pk; sk sk; tag type; gsi GSI1 GSI1PK / GSI1SK all }
    entity Product { store item; key "<id>" / "PRODUCT"; index GSI1 "COLOR#<color>" / "<id>" }
  }
  layout shared { entity Product { store item; key "PRODUCT" / "<id>" } }
  pattern colored(color: string) = Product where color = $color
  pattern product(p: Product) = $p
  op add(p: Product) = put $p
  op reprice(p: Product, price: number) = set $p.price = $price
  op weigh(p: Product, weight: int) = set $p.weight = $weight
})";

// A materialised graph, whose keys have levels; `pairs` has plain edges.
constexpr std::string_view kSchool = R"(model school {
  table school { pk PK; sk SK; tag TYPE; gsi GSI1 GSI1PK / GSI1SK all }
  entity Student { name id; full; tag "STUDENT"; key "STUDENT#<name>" / "STUDENT#<name>" }
  entity Teacher { name id; store none }
  entity Place { country id; state id; city id; store none }
  rel Student *--* Teacher as teachers / students {
    size of teachers max 20; size of students max 300; edge { subject id };
    via graph tag "CLASS" key "STUDENT#<students.name>" / "TEACHER#<teachers.name>#CLASS#<subject>"
      index GSI1 "TEACHER#<teachers.name>" / "CLASS#<subject>#<students.name>";
  }
  rel Place 1--* Student as residents / home {
    size unbounded;
    via graph tag "HOME" key "STUDENT#<residents.name>" / "HOME#<home.country>#<home.state>#<home.city>"
      index GSI1 "COUNTRY#<home.country>" / "HOME#<home.state>#<home.city>#<residents.name>";
  }
  layout pairs { rel Student.teachers via edges pk students rel Place.residents via edges pk residents }
  pattern classes(s: Student) = $s.teachers {}
  pattern taught(t: Teacher, subject: string) = $t.students where edge.subject = $subject {}
  pattern inState(country: string, state: string) =
    Student where home.country = $country and home.state = $state page 100 {}
  op enrol(s: Student, t: Teacher, subject: string) = link $s.teachers $t { subject = $subject }
})";

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::string kDeep = deep_model();
  static const std::vector<Experiment> kAll = {
      {.name = "methods",
       .text = kMethods,
       .layouts = {"method1", "method2", "method3", "method4", "references", "inside", "behind"},
       .sizes = {.wishes = {.counts = {{"Department", 20}, {"Employee", 400}}}}},
      {.name = "profile",
       .text = kProfile,
       .layouts = {"default", "apart", "cities"},
       .sizes = {.wishes = {.counts = {{"User", 20}, {"Address", 100}, {"Payment", 100}}}}},
      {.name = "large profile",
       .text = kProfile,
       .layouts = {"default", "apart"},
       .sizes = {.wishes = {.counts = {{"User", 20}, {"Address", 100}, {"Payment", 100}}},
                 .item_bytes = {{"User", 4000}, {"Address", 4000}, {"Payment", 4000}}}},
      {.name = "embedded",
       .text = kEmbedded,
       .layouts = {"embed", "collection"},
       .sizes = {.wishes = {.counts = {{"User", 20}, {"Address", 100}, {"Payment", 100}}},
                 .item_bytes = {{"Address", 1000}}}},
      {.name = "too much embedded",
       .text = kEmbedded,
       .layouts = {"embed", "collection"},
       .sizes = {.wishes = {.counts = {{"User", 1}, {"Address", 20}, {"Payment", 1}}},
                 .item_bytes = {{"Address", 30'000}}},
       .runs = 1},
      {.name = "customers",
       .text = kCustomers,
       .layouts = {"collection", "both_ways", "index"},
       .sizes = {.wishes = {.counts = {{"Customer", 3}, {"Order", 2000}}}}},
      {.name = "hierarchy",
       .text = kHierarchy,
       .layouts = {"default"},
       .sizes = {.wishes = {.counts = {{"Org", 5}, {"Project", 25}, {"Task", 125}}}}},
      {.name = "deep hierarchy",
       .text = kDeep,
       .layouts = {"path", "default"},
       .sizes = {.wishes = {.counts = {{"L0", 1}}}},
       .runs = 1},
      {.name = "roles",
       .text = kRoles,
       .layouts = {"adjacency", "pairs", "lists"},
       .sizes = {.wishes = {.counts = {{"Actor", 40}, {"Movie", 40}}}}},
      {.name = "too large lists",
       .text = kRoles,
       .layouts = {"adjacency", "lists"},
       .sizes = {.wishes = {.counts = {{"Actor", 60}, {"Movie", 60}}}, .item_bytes = {{"Movie", 40'000}}},
       .runs = 1},
      {.name = "ids",
       .text = kIds,
       .layouts = {"ids", "copied", "adjacency"},
       .sizes = {.wishes = {.counts = {{"User", 40}, {"Repo", 40}}}}},
      {.name = "products",
       .text = kProducts,
       .layouts = {"default", "items", "shared"},
       .sizes = {.wishes = {.counts = {{"Product", 100}}}}},
      {.name = "school",
       .text = kSchool,
       .layouts = {"default", "pairs"},
       .sizes = {.wishes = {.counts = {{"Student", 100}, {"Teacher", 10}, {"Place", 30}}}}},
  };
  return kAll;
}

}  // namespace sheaf::measure
