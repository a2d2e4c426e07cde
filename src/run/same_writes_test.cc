// The same operations in layouts that keep a relation in different ways: they are done or refused alike, and
// leave the same behind. What random models found.
#include <gtest/gtest.h>

#include "run/audit.h"
#include "run/running_model.h"

namespace sheaf::run {
namespace {

std::string crew(const std::string& via, const std::string& relmods = "") {
  const std::string change =
      "op change(p: Person, a: Team, b: Team) = { unlink $p.team $a; link $p.team $b } ";
  return "model crew { entity Team { id id; name; size int = count(members) } "
         "entity Person { id id; name; versioned } "
         "rel Team 1--* Person as members / team { size max 20; " +
         relmods + " via " + via +
         " } pattern members(t: Team) = $t.members {} pattern person(p: Person) = $p " +
         (relmods.empty() ? change : "") + "}";
}

constexpr std::string_view kCrew =
    R"({ "Team": [{ "id": "t1", "name": "One" }, { "id": "t2", "name": "Two" }],
  "Person": [{ "id": "p1", "name": "P", "team": "t1" }, { "id": "p2", "name": "Q" }] })";

const std::vector<std::string> kVias = {"index", "edges pk one", "edges pk many copy team(name)"};

void expect_clean(RunningModel& running, const std::string& what) {
  const auto made = audit(running.database(), running.model(), running.layout(), {});
  ASSERT_TRUE(made.ok()) << made.error().message;
  for (const Finding& finding : made->findings)
    ADD_FAILURE() << what << ": " << finding.what << ": " << finding.message;
}

// Of several reasons the one that somebody is not there comes first, wherever that is found out.
TEST(SameWrites, AreRefusedForTheSameReason) {
  for (const std::string& via : kVias) {
    RunningModel running(crew(via), std::string(kCrew));
    EXPECT_EQ(running.write("link.Person.team", {"\"p1\"", "\"none\""}), "error: there is no Team none")
        << via;
    EXPECT_EQ(running.write("remove.Person", {"\"none\"", "[\"team\"]"}), "error: there is no Person none")
        << via;
    EXPECT_EQ(running.write("put.Person", {R"({"id": "p1", "name": "P", "team": "none"})"}),
              "error: there is no Team none")
        << via;
    RunningModel required(crew(via, "required; on delete cascade;"),
                          R"({ "Team": [{ "id": "t1", "name": "One" }] })");
    EXPECT_EQ(required.write("link.Person.team", {"\"none\"", "\"t1\""}),
              "error: a Person needs its team: set another one, or delete it")
        << via;
    EXPECT_EQ(required.write("put.Person", {R"({"id": "p1", "name": "P"})"}),
              "error: a Person needs its team")
        << via;
  }
}

TEST(SameWrites, AVersionTellsOfItsOwnFields) {
  for (const std::string& via : kVias) {
    RunningModel running(crew(via), std::string(kCrew));
    ASSERT_EQ(running.write("move.Person.team", {"\"p1\"", "\"t2\""}), "") << via;
    ASSERT_EQ(running.write("set.Person", {"\"p1\"", R"({"name": "R"})"}), "") << via;
    EXPECT_EQ(running.ask("person", {"\"p1\""}), "{\"id\":\"p1\",\"name\":\"R\",\"version\":2}\n") << via;
  }
}

TEST(SameWrites, MayUnlinkAndLinkInOneOperation) {
  for (const std::string& via : kVias) {
    RunningModel running(crew(via), std::string(kCrew));
    EXPECT_EQ(running.write("change", {"\"p1\"", "\"t1\"", "\"t2\""}), "") << via;
    EXPECT_EQ(running.write("change", {"\"p1\"", "\"t2\"", "\"t2\""}), "") << via;
    EXPECT_EQ(running.ask("members", {"\"t2\""}), "{\"id\":\"p1\"}\n") << via;
    expect_clean(running, via);
  }
}

TEST(SameWrites, UnlinkAllParallelEdges) {
  RunningModel running(
      R"(model school { entity Student { id id; taken int = count(courses) } entity Course { id id }
    rel Student *--* Course as courses / students { edge { term id }; size of courses max 9; size of students max 9 }
    pattern taken(s: Student) = $s.courses {} pattern student(s: Student) = $s })",
      R"({ "Student": [{ "id": "s" }], "Course": [{ "id": "c" }] })");
  for (const char* term : {R"({"term": "1"})", R"({"term": "2"})"})
    ASSERT_EQ(running.write("link.Student.courses", {"\"s\"", "\"c\"", term}), "");
  ASSERT_EQ(running.write("unlink.Student.courses", {"\"s\"", "\"c\""}), "");
  EXPECT_EQ(running.ask("taken", {"\"s\""}), "");
  EXPECT_EQ(running.ask("student", {"\"s\""}), "{\"id\":\"s\",\"taken\":0}\n");
  EXPECT_EQ(running.write("unlink.Student.courses", {"\"s\"", "\"c\""}),
            "error: the Student s is not linked to c by its end courses");
  ASSERT_EQ(running.write("link.Student.courses", {"\"s\"", "\"c\"", R"({"term": "3"})"}), "");
  ASSERT_EQ(running.write("delete.Course", {"\"c\""}), "");
  expect_clean(running, "parallel edges");
}

// Its key says where it lies in the order: its id alone does not find it, and its rank is in the key only.
constexpr std::string_view kRanked =
    R"(model ranked { table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK keys }
  entity Shop { id id; key "S#<id>" / "A"; many int = count(items) }
  entity Item { id id; rank int; n int default 0; key "S#<shop.id>" / "I#<rank:000>#<id>"; index GSI1 "I#<id>" / "I" }
  entity Tag { id id; key "T#<id>" / "A"; index GSI1 "T#<id>" / "A" }
  rel Shop 1--* Item as items / shop { required; size max 9; on delete cascade; via collection }
  rel Item *--* Tag as tags / tagged { size of tags max 9; size of tagged max 9; via edges pk tags }
  pattern item(i: Item) = $i
  pattern tagged(t: Tag) = $t.tagged {}
  op sum(i: Item, v: int) = set $i.n = $i.rank + $v
  op twice(i: Item) = set $i.n = $i.n * 2 })";

TEST(SameWrites, AddUpWhatAKeyHoldsAndLinkWhomAnIndexFinds) {
  RunningModel running(
      std::string(kRanked),
      R"({ "Shop": [{ "id": "s" }], "Item": [{ "id": "i", "rank": 5, "shop": "s" }], "Tag": [{ "id": "t" }] })");
  ASSERT_EQ(running.write("sum", {"\"i\"", "2"}), "");
  ASSERT_EQ(running.write("twice", {"\"i\""}), "");
  EXPECT_EQ(running.ask("item", {"\"i\""}), "{\"id\":\"i\",\"n\":14,\"rank\":5}\n");
  ASSERT_EQ(running.write("link.Tag.tagged", {"\"t\"", "\"i\""}), "");
  EXPECT_EQ(running.ask("tagged", {"\"t\""}), "{\"id\":\"i\"}\n");
  // The edges to a tag are listed by an index that holds keys alone.
  ASSERT_EQ(running.write("delete.Item", {"\"i\""}), "");
  EXPECT_EQ(running.ask("tagged", {"\"t\""}), "");
  expect_clean(running, "ranked");
}

// The key does not tell its id: an index does, and without one the operation says so.
TEST(SameWrites, DeletionsFindTheirOwnAmongOthers) {
  for (const std::string index : {"", "index GSI1 \"I#<shop.id>#<id>\" / \"I\";"}) {
    RunningModel running(R"(model ranked { table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK }
    entity Shop { id id; key "S#<id>" / "A" }
    entity Item within shop { id id; rank int; key "S#<shop.id>" / "I#<rank:000>#<id>"; )" +
                             index + R"( }
    rel Shop 1--* Item as items / shop { size max 9; on delete cascade; via collection }
    rel Item 1--* Item as parts / whole { size max 9; via edges pk one }
    pattern items(s: Shop) = $s.items { id } })",
                         R"({ "Shop": [{ "id": "s" }],
    "Item": [{ "shop": "s", "id": "a", "rank": 1 }, { "shop": "s", "id": "b", "rank": 2 }] })");
    const std::string outcome = running.write("delete.Item", {R"(["s", "b"])"});
    if (index.empty()) {
      EXPECT_NE(outcome.find("does not tell its key"), std::string::npos) << outcome;
      continue;
    }
    ASSERT_EQ(outcome, "");
    EXPECT_EQ(running.ask("items", {"\"s\""}), "{\"id\":\"a\"}\n");
    expect_clean(running, "among others");
  }
}

TEST(SameWrites, AChildOneToOneGoesWithItsParent) {
  for (const std::string via : {"index", "edges pk husband"}) {
    RunningModel running(R"(model pairs { entity Man { id id } entity Wife { id id }
      rel Man 1--1 Wife as wife / husband { required; on delete cascade; via )" +
                             via + R"( } pattern get(w: Wife) = $w })",
                         R"({ "Man": [{ "id": "m" }], "Wife": [{ "id": "w", "husband": "m" }] })");
    ASSERT_EQ(running.write("delete.Man", {"\"m\""}), "") << via;
    EXPECT_EQ(running.ask("get", {"\"w\""}), "") << via;
    expect_clean(running, via);
  }
}

TEST(SameWrites, EmbeddedChildrenAreCountedAndProtectTheirParent) {
  for (const std::string via : {"collection", "embed map", "embed list"}) {
    RunningModel running(R"(model shop { entity Customer { id id; many int = count(addresses) }
      entity Address within customer { label id }
      rel Customer 1--* Address as addresses / customer { size max 9; on delete restrict; via )" +
                             via + R"( } pattern customer(c: Customer) = $c })",
                         R"({ "Customer": [{ "id": "c" }] })");
    ASSERT_EQ(running.write("put.Address", {R"({"customer": "c", "label": "home"})"}), "") << via;
    EXPECT_EQ(running.ask("customer", {"\"c\""}), "{\"id\":\"c\",\"many\":1}\n") << via;
    EXPECT_EQ(running.write("delete.Customer", {"\"c\""}), "error: the Customer c still has addresses")
        << via;
    ASSERT_EQ(running.write("delete.Address", {R"(["c", "home"])"}), "") << via;
    expect_clean(running, via);
    EXPECT_EQ(running.write("delete.Customer", {"\"c\""}), "") << via;
  }
}

// A list of ids leads one way: who is in it cannot go, or the list would lead to nobody.
TEST(SameWrites, WhoIsInAListOfIdsCannotBeDeleted) {
  RunningModel running(
      R"(model repos { entity User { id id } entity Repo { id id }
    rel User *--* Repo as repos / users { via ids repos; size of repos max 9; size of users max 9 } })",
      R"({ "User": [{ "id": "u" }], "Repo": [{ "id": "r" }], "links": { "User.repos": [["u", "r"]] } })");
  EXPECT_TRUE(
      running.write("delete.Repo", {"\"r\""}).starts_with("error: a Repo cannot be deleted in this layout"));
  EXPECT_EQ(running.write("delete.User", {"\"u\""}), "");
  expect_clean(running, "ids");
}

}  // namespace
}  // namespace sheaf::run
