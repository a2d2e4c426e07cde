// What texts about single-table design get wrong, and what comes of it here. Those that are mistakes in a
// model are in tests/model/bad, named by their numbers, too.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/strategies/strategy.h"
#include "plan/explain.h"
#include "plan/planned_model.h"

namespace sheaf::plan {
namespace {

PlannedModel planned(std::string text) { return plan_model(model::compile("test.sheaf", std::move(text))); }

// The plan of a pattern with all its parameters, or why there is none.
std::string text(const PlannedModel& model, std::string_view layout, std::string_view pattern) {
  for (size_t i = 0; i < model.plans.size(); ++i) {
    if (model.compiled.layouts[i].name != layout) continue;
    for (const PlannedPattern& each : model.plans[i]) {
      if (each.pattern->name != pattern) continue;
      if (!each.ok()) return "refused: " + std::string(std::get<Refusal>(each.plan).id.text());
      return explain(model.compiled.model, model.compiled.layouts[i], std::get<Plan>(each.plan));
    }
  }
  return "no pattern " + std::string(pattern) + ": " + model.compiled.rendered();
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// J1: a prefix without its closing delimiter finds p10 as well as p1. Conditions on levels are closed.
TEST(Pitfalls, AConditionOnALevelEndsWithItsSeparator) {
  const PlannedModel model = planned(R"(model places {
    table app { pk PK; sk SK }
    entity Store { id id; country; state; city; zip; key "<country>" / "<state>#<city>#<zip>#<id>" }
    pattern state(c: string, s: string) = Store where country = $c and state = $s
    pattern city(c: string, s: string, t: string) = Store where country = $c and state = $s and city = $t
    pattern zip(c: string, s: string, t: string, z: string) = Store where country = $c and state = $s and city = $t and zip = $z
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_TRUE(contains(text(model, "default", "state"), "SK begins with \"<$s>#\""));
  EXPECT_TRUE(contains(text(model, "default", "city"), "SK begins with \"<$s>#<$t>#\""));
  EXPECT_TRUE(contains(text(model, "default", "zip"), "SK begins with \"<$s>#<$t>#<$z>#\""));
}

// J2: "all inventories of an account" is no key condition with contains; an index answers it, or a filter
// whose reads count.
TEST(Pitfalls, APartInTheMiddleOfAKeyIsFoundByAnIndex) {
  const PlannedModel model = planned(R"(model game {
    table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Account { id id; key "A#<id>" / "ACCOUNT#<id>" }
    entity Part within account { hero id; kind id; name id; key "A#<account.id>" / "CHARACTER#<hero>#<kind>::<name>";
      index GSI1 "A#<account.id>" / "<kind>#<hero>#<name>" }
    rel Account 1--* Part as parts / account { size max 200 }
    pattern inventories(a: Account) = $a.parts where kind = "inventory" budget 1 request
    pattern counted(a: Account) = $a.parts filter kind = "inventory" limit 50
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_TRUE(contains(text(model, "default", "inventories"),
                       "app.GSI1: GSI1PK = \"A#<$a.id>\", GSI1SK begins with"));
  EXPECT_TRUE(contains(text(model, "default", "counted"), "Query app: PK"));
}

// J3: "organisation and projects" has no key condition with or; one interval does it, and every task in
// between is read, too.
TEST(Pitfalls, ALevelBetweenOthersIsReadWithWhatLiesBelowIt) {
  const PlannedModel model = planned(R"(model work {
    table app { pk PK; sk SK }
    entity Org { id id; name; key "ORG#<id>" / "ORG#<id>" }
    entity Project within org { id id; name; key "ORG#<org.id>" / "PROJECT#<id>" }
    entity Task within project { id id; done bool; key "ORG#<project.org.id>" / "PROJECT#<project.id>#TASK#<id>" }
    rel Org 1--* Project as projects / org { size max 50 }
    rel Project 1--* Task as tasks / project { size max 100 }
    pattern orgAndProjects(o: Org) = $o + projects
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  const std::string plan = text(model, "default", "orgAndProjects");
  EXPECT_TRUE(contains(plan, "SK from \"ORG#<$o.id>\" to \"PROJECT#\"")) << plan;
  EXPECT_TRUE(contains(plan, "reads and drops Task")) << plan;
}

// J7: under method 4 the department of an employee is found in the table itself, not in the index. J15: so
// the methods do differ: a strong read is possible under 4, and not under 3.
TEST(Pitfalls, UnderMethodFourTheOneIsFoundStrongly) {
  std::ifstream file(std::string(SHEAF_MODELS) + "/hr/model.sheaf");
  std::ostringstream source;
  source << file.rdbuf();
  std::string model_text = source.str();
  model_text.insert(model_text.rfind('}'), "  pattern mine(e: Employee) = $e.department {} strong\n");
  const PlannedModel model = planned(model_text);
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_TRUE(contains(text(model, "method4", "mine"), "Query entity: pk = \"<$e.id>_d-e-relationship\""))
      << text(model, "method4", "mine");
  EXPECT_EQ(text(model, "method3", "mine"), "refused: not-strong");
  EXPECT_TRUE(contains(text(model, "method3", "home"), "Query entity.relationship"))
      << text(model, "method3", "home");
}

// J17: a transaction is not bound to a partition, and a snapshot reads known keys of several.
TEST(Pitfalls, ASnapshotIsOfKnownKeysInWhateverPartition) {
  const PlannedModel model = planned(R"(model shop {
    entity Customer { id id; name }
    entity Order within customer { id id; total number }
    rel Customer 1--* Order as orders / customer { via index; size max 100 }
    pattern order(o: Order) = $o { *, customer } budget 1 request snapshot
  })");
  ASSERT_EQ(model.compiled.rendered(), "");
  EXPECT_TRUE(contains(text(model, "default", "order"), "TransactGetItems of 2 keys"));
}

// J22: ends without rows of their own, and an edge that joins three things: the subject belongs to its
// identity.
TEST(Pitfalls, AnEdgeMayJoinThreeThings) {
  const PlannedModel model = planned(R"(model school {
    table app { pk PK; sk SK; gsi GSI1 GSI1PK / GSI1SK }
    entity Student { name id; key "STUDENT#<name>" / "STUDENT#<name>" }
    entity Teacher { name id; store none }
    rel Student *--* Teacher as teachers / students { edge { subject id }; size of teachers max 20; size of students max 300;
      via edges key "STUDENT#<students.name>" / "TEACHER#<teachers.name>#CLASS#<subject>"
        index GSI1 "TEACHER#<teachers.name>" / "CLASS#<subject>#<students.name>" }
    pattern classes(s: Student) = $s.teachers {}                                               budget 1 request
    pattern taught(t: Teacher, subject: string) = $t.students where edge.subject = $subject {} budget 1 request
  })");
  EXPECT_EQ(model.compiled.rendered(), "");
}

// J16: two that look at each other are edges with an index, few or many of them; an array in an item needs a
// bound (bad/strategy_ids_unbounded, bad/strategy_lists_unbounded). Direction and size are asked first.
TEST(Pitfalls, ManyToManyIsReadFromBothSidesHoweverManyThereAre) {
  for (const std::string size : {"size of tags max 3; size of notes max 3",
                                 "size of tags avg 500 unbounded; size of notes avg 9000 unbounded"}) {
    const PlannedModel model = planned(R"(model notes {
      entity Note { id id; text }
      entity Tag { id id; label }
      rel Note *--* Tag as tags / notes { )" +
                                       size + R"( }
      pattern tags(n: Note) = $n.tags {} budget 1 request
      pattern notes(t: Tag) = $t.notes {} budget 1 request
    })");
    ASSERT_EQ(model.compiled.rendered(), "");
    const model::StoredRelation& stored = model.compiled.layouts[0].relations[0];
    EXPECT_TRUE(stored.is_chosen);
    EXPECT_EQ(stored.strategy->kind(), language::Via::Kind::kEdges);
    EXPECT_TRUE(contains(text(model, "default", "tags"), "PK = \"NOTE#<$n.id>\""))
        << text(model, "default", "tags");
    EXPECT_TRUE(contains(text(model, "default", "notes"), "notes.GSI1")) << text(model, "default", "notes");
  }
}

}  // namespace
}  // namespace sheaf::plan
