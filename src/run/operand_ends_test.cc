// Checks and operands that follow ends, wherever a layout keeps where those lead (S2.3, S4.2, S4.8).
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

std::string end_crew(const std::string& members, const std::string& desks, const std::string& person) {
  return R"(model crew { entity Team { id id; name; size int = count(members) }
    entity Person { id id; name; note?; )" +
         person + R"( } entity Desk { id id; floor int }
    rel Team 1--* Person as members / team { size max 20; )" +
         members + R"( } rel Person 1--1 Desk as desk / user { )" + desks +
         R"( } pattern person(p: Person) = $p { * }
    op inTeam(p: Person, t: Team) = check $p.team.id = $t.id
    op inOneOf(p: Person, t: Team) = check $p.team.id in ($t.id, "other")
    op named(p: Person, n: string) = check $p.team.name = $n
    op alone(p: Person) = check $p.team missing
    op linked(p: Person) = check $p.team exists
    op together(p: Person, q: Person) = check $p.team.id = $q.team.id
    op large(p: Person) = check $p.team.size > 1
    op asTeam(p: Person) = set $p.note = $p.team.name
    op asOther(p: Person, q: Person) = set $p.note = $q.team.name
    op onFloor(p: Person, f: int) = check $p.desk.floor >= $f
    op used(d: Desk) = check $d.user exists
    op usedBy(d: Desk, n: string) = check $d.user.name = $n
    op deskOf(d: Desk) = check $d.user.team.name = "One"
    op leave(p: Person, t: Team) = { check $p.team.id = $t.id; unlink $p.team $t }
    op enter(p: Person, t: Team) = { check $p.team missing; link $p.team $t }
    op change(p: Person, t: Team) = { check $p.team exists; set $p.note = $p.team.name, $p.team = $t } })";
}

constexpr std::string_view kEndCrew =
    R"({ "Team": [{ "id": "t1", "name": "One" }, { "id": "t2", "name": "Two" }],
  "Desk": [{ "id": "d1", "floor": 3 }, { "id": "d2", "floor": 1 }],
  "Person": [{ "id": "p1", "name": "P", "team": "t1", "desk": "d1" }, { "id": "p2", "name": "Q", "team": "t1" },
             { "id": "p3", "name": "R" }] })";

struct EndStorageCase {
  std::string name;
  std::string model;
};

const std::vector<EndStorageCase> kEndStorages = {
    {"references", end_crew("via index", "via index", "")},
    {"edges", end_crew("via edges pk one", "via edges pk desk", "")},
    {"edges of many", end_crew("via edges pk many", "via edges pk user", "")},
    {"edges in both directions", end_crew("via edges pk both", "via edges pk both", "")},
    {"entries", end_crew("via lists", "via lists", "")},
    {"field by field", end_crew("via edges pk one", "via edges pk desk", "store eav")},
};

TEST(OperandEnds, LeadToTheSameInEveryLayout) {
  struct Case {
    std::string operation;
    std::vector<std::string> arguments;
    std::string outcome;
    std::string note;
  };
  const std::vector<Case> cases = {
      {"inTeam", {"\"p1\"", "\"t1\""}, "", ""},
      {"inTeam", {"\"p1\"", "\"t2\""}, "error: the check on $p.team.id fails", ""},
      {"inTeam", {"\"p3\"", "\"t2\""}, "error: the check on $p.team.id fails", ""},
      {"inTeam", {"\"none\"", "\"t2\""}, "error: there is no Person none", ""},
      {"inOneOf", {"\"p1\"", "\"t1\""}, "", ""},
      {"inOneOf", {"\"p1\"", "\"t2\""}, "error: the check on $p.team.id fails", ""},
      {"named", {"\"p1\"", "\"One\""}, "", ""},
      {"named", {"\"p1\"", "\"Two\""}, "error: the check on $p.team.name fails", ""},
      {"named", {"\"p3\"", "\"One\""}, "error: the check on $p.team.name fails", ""},
      {"alone", {"\"p1\""}, "error: the check on $p.team fails", ""},
      {"alone", {"\"p3\""}, "", ""},
      {"alone", {"\"none\""}, "error: there is no Person none", ""},
      {"linked", {"\"p1\""}, "", ""},
      {"linked", {"\"p3\""}, "error: the check on $p.team fails", ""},
      {"together", {"\"p1\"", "\"p2\""}, "", ""},
      {"together", {"\"p1\"", "\"p3\""}, "error: the check on $p.team.id fails", ""},
      {"together", {"\"p3\"", "\"p3\""}, "error: the check on $p.team.id fails", ""},
      {"together", {"\"p1\"", "\"none\""}, "error: there is no Person none", ""},
      {"large", {"\"p1\""}, "", ""},
      {"large", {"\"p3\""}, "error: the check on $p.team.size fails", ""},
      {"asTeam", {"\"p1\""}, "", "One"},
      {"asTeam", {"\"p3\""}, "error: a value that the field note is computed from is missing", ""},
      {"asOther", {"\"p1\"", "\"p2\""}, "", "One"},
      {"asOther", {"\"p1\"", "\"p3\""}, "error: a value that the field note is computed from is missing", ""},
      {"onFloor", {"\"p1\"", "3"}, "", ""},
      {"onFloor", {"\"p1\"", "4"}, "error: the check on $p.desk.floor fails", ""},
      {"onFloor", {"\"p2\"", "1"}, "error: the check on $p.desk.floor fails", ""},
      {"used", {"\"d1\""}, "", ""},
      {"used", {"\"d2\""}, "error: the check on $d.user fails", ""},
      {"usedBy", {"\"d1\"", "\"P\""}, "", ""},
      {"usedBy", {"\"d2\"", "\"P\""}, "error: the check on $d.user.name fails", ""},
      {"deskOf", {"\"d1\""}, "", ""},
      {"deskOf", {"\"d2\""}, "error: the check on $d.user.team.name fails", ""},
      {"leave", {"\"p1\"", "\"t1\""}, "", ""},
      {"enter", {"\"p3\"", "\"t1\""}, "", ""},
      {"change", {"\"p1\"", "\"t2\""}, "", "One"},
  };
  for (const EndStorageCase& storage : kEndStorages) {
    RunningModel running(storage.model, std::string(kEndCrew));
    ASSERT_TRUE(running.planned().compiled.ok());
    for (const Case& tested : cases) {
      SCOPED_TRACE(storage.name + ": " + tested.operation + " " + tested.arguments.back());
      running.start(std::string(kEndCrew));
      EXPECT_EQ(running.write(tested.operation, tested.arguments), tested.outcome);
      const std::string person = running.ask("person", {tested.arguments.front()});
      const std::string note = "\"note\":\"" + tested.note + "\"";
      EXPECT_EQ(person.find(note) != std::string::npos, !tested.note.empty()) << person;
      EXPECT_EQ(running.audited(), "");
    }
  }
}

// The fields of the link that an end follows.
TEST(OperandEnds, HaveTheFieldsOfTheirLink) {
  for (const std::string via : {"via edges pk one", "via edges pk many", "via lists"}) {
    RunningModel running(
        R"(model crew { entity Team { id id } entity Person { id id; note? }
      rel Team 1--* Person as members / team { size max 9; edge { role; level int? }; )" +
            via + R"( } pattern person(p: Person) = $p { * }
      op boss(p: Person) = check $p.team.edge.role = "boss"
      op above(p: Person, q: Person) = check $p.team.edge.level > $q.team.edge.level
      op noted(p: Person) = set $p.note = $p.team.edge.role })",
        R"({ "Team": [{ "id": "t" }], "Person": [{ "id": "p" }, { "id": "q" }, { "id": "r" }],
      "links": { "Person.team": [["p", "t", { "role": "boss", "level": 2 }], ["q", "t", { "role": "aide", "level": 1 }]] } })");
    EXPECT_EQ(running.write("boss", {"\"p\""}), "") << via;
    EXPECT_EQ(running.write("boss", {"\"q\""}), "error: the check on $p.team.edge.role fails") << via;
    EXPECT_EQ(running.write("boss", {"\"r\""}), "error: the check on $p.team.edge.role fails") << via;
    EXPECT_EQ(running.write("above", {"\"p\"", "\"q\""}), "") << via;
    EXPECT_EQ(running.write("above", {"\"q\"", "\"p\""}), "error: the check on $p.team.edge.level fails")
        << via;
    EXPECT_EQ(running.write("above", {"\"q\"", "\"r\""}), "error: the check on $p.team.edge.level fails")
        << via;
    EXPECT_EQ(running.write("noted", {"\"q\""}), "") << via;
    EXPECT_EQ(running.ask("person", {"\"q\""}), "{\"id\":\"q\",\"note\":\"aide\"}\n") << via;
  }
}

}  // namespace
}  // namespace sheaf::run
