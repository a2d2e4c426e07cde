#include "run/writer.h"

#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

std::string ids(RunningModel& model, std::string_view pattern, const std::string& argument) {
  const auto reply = model.session().read(pattern, from_json({argument}));
  if (!reply.ok()) return "error: " + reply.error().message;
  std::vector<std::string> found;
  for (const Value& document : reply->documents)
    found.emplace_back(document.view().map().find("id")->bytes());
  std::sort(found.begin(), found.end());
  std::string out;
  for (const std::string& id : found) out += (out.empty() ? "" : " ") + id;
  return out;
}

// D1, D5, D6, B6 to B9, E25: the operations of the four methods, in as many requests as on paper.
TEST(Writer, HiresMovesAndRenamesUnderAllMethods) {
  const std::vector<std::string> layouts = {"method1", "method2", "method3", "method4"};
  const std::vector<uint64_t> move = {1, 2, 2, 2}, hire = {1, 2, 1, 1};
  for (size_t i = 0; i < layouts.size(); ++i) {
    RunningModel hr(model_file("hr/model.sheaf"), model_file("hr/data.json"), layouts[i]);
    EXPECT_EQ(hr.write("hire", {R"({"id": "e-9", "name": "Zoe"})", "\"d-1\""}), "") << layouts[i];
    EXPECT_EQ(hr.reply().figures.requests, hire[i]) << layouts[i];
    EXPECT_EQ(ids(hr, "team", "\"d-1\""), "e-1 e-2 e-9") << layouts[i];
    EXPECT_EQ(hr.write("move", {"\"e-9\"", "\"d-2\""}), "") << layouts[i];
    EXPECT_EQ(hr.reply().figures.requests, move[i]) << layouts[i];
    EXPECT_EQ(ids(hr, "team", "\"d-1\""), "e-1 e-2") << layouts[i];
    EXPECT_EQ(ids(hr, "teamIds", "\"d-2\""), "e-3 e-4 e-5 e-9") << layouts[i];
    EXPECT_EQ(ids(hr, "home", "\"e-9\""), "d-2") << layouts[i];
    EXPECT_EQ(hr.write("rename", {"\"d-2\"", "\"Computers\""}), "") << layouts[i];
    EXPECT_EQ(hr.reply().copies, layouts[i] == "method2" ? 4u : 0u) << layouts[i];
    EXPECT_EQ(hr.ask("home", {"\"e-9\""}), "{\"id\":\"d-2\",\"name\":\"Computers\"}\n") << layouts[i];
    EXPECT_TRUE(hr.session().jobs()->empty());

    // A move to where it is changes nothing; a department that is not there, nothing either.
    EXPECT_EQ(hr.write("move", {"\"e-9\"", "\"d-2\""}), "") << layouts[i];
    EXPECT_EQ(hr.write("move", {"\"e-9\"", "\"d-8\""}), "error: there is no Department d-8") << layouts[i];
    EXPECT_EQ(hr.write("move", {"\"e-8\"", "\"d-1\""}), "error: there is no Employee e-8") << layouts[i];
    EXPECT_EQ(hr.write("hire", {R"({"id": "e-9", "name": "Zoe"})", "\"d-1\""}),
              "error: there is already an Employee e-9")
        << layouts[i];
    EXPECT_EQ(hr.write("put.Employee", {R"({"id": "e-7", "name": "No"})"}),
              "error: an Employee needs its department");
    EXPECT_EQ(ids(hr, "teamIds", "\"d-2\""), "e-3 e-4 e-5 e-9") << layouts[i];
  }
}

constexpr std::string_view kWriterPeople = R"(model people {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK }
  entity Team { id id; name; size int = count(members); key "T#<id>" / "T"; timestamps; versioned }
  entity Person { id id; email unique; rank int default 1; nick string?;
    key "P#<id>" / "P"; index GSI1 "R#<rank:000>" / "<team.id>#<id>" }
  rel Team 1--* Person as members / team { via ref; size max 50; on delete restrict }
  pattern person(p: Person) = $p { *, team }
  pattern team(t: Team) = $t
  pattern byRank(t: Team, r: int) = $t.members where rank = $r {}
  op promote(p: Person, by: int) = add $p.rank = $by
  op rename(t: Team, n: string, v: int) = { check $t.version = $v; set $t.name = $n }
})";

RunningModel people() {
  return RunningModel(std::string(kWriterPeople),
                      R"({ "Team": [{ "id": "t1", "name": "One" }, { "id": "t2", "name": "Two" }],
    "Person": [{ "id": "p1", "email": "a@x", "team": "t1" }, { "id": "p2", "email": "b@x" }] })");
}

// J19: a unique value has a guard; changing it frees the old one.
TEST(Writer, UniqueValuesAreGuarded) {
  RunningModel model = people();
  EXPECT_EQ(model.write("put.Person", {R"({"id": "p3", "email": "a@x"})"}),
            "error: there is already a Person with the email a@x");
  EXPECT_EQ(model.write("set.Person", {"\"p2\"", R"({"email": "a@x"})"}),
            "error: there is already a Person with the email a@x");
  EXPECT_EQ(model.write("set.Person", {"\"p1\"", R"({"email": "c@x"})"}), "");
  EXPECT_EQ(model.write("put.Person", {R"({"id": "p3", "email": "a@x"})"}), "");
  EXPECT_EQ(model.write("delete.Person", {"\"p3\""}), "");
  EXPECT_EQ(model.write("set.Person", {"\"p2\"", R"({"email": "a@x"})"}), "");
  EXPECT_EQ(model.ask("person", {"\"p2\""}), "{\"email\":\"a@x\",\"id\":\"p2\",\"rank\":1}\n");
}

TEST(Writer, CountsAreKept) {
  RunningModel model = people();
  const auto size = [&](const std::string& team) {
    const auto reply = model.session().read("team", from_json({team}));
    return reply->documents[0].view().map().find("size")->number().to_string();
  };
  EXPECT_EQ(size("\"t1\""), "1");
  EXPECT_EQ(model.write("link.Team.members", {"\"t1\"", "\"p2\""}), "");
  EXPECT_EQ(size("\"t1\""), "2");
  EXPECT_EQ(model.write("link.Team.members", {"\"t2\"", "\"p2\""}),
            "error: the Person p2 is linked already by its end team");
  EXPECT_EQ(model.write("move.Person.team", {"\"p2\"", "\"t2\""}), "");
  EXPECT_EQ(size("\"t1\""), "1");
  EXPECT_EQ(size("\"t2\""), "1");
  EXPECT_EQ(model.write("unlink.Person.team", {"\"p2\"", "\"t1\""}),
            "error: the Person p2 is not linked to t1 by its end team");
  EXPECT_EQ(model.write("unlink.Person.team", {"\"p2\"", "\"t2\""}), "");
  EXPECT_EQ(size("\"t2\""), "0");
  EXPECT_EQ(model.write("delete.Person", {"\"p1\""}), "");
  EXPECT_EQ(size("\"t1\""), "0");
  EXPECT_EQ(model.write("put.Person", {R"({"id": "p5", "email": "e@x", "team": "t1"})"}), "");
  EXPECT_EQ(size("\"t1\""), "1");
  EXPECT_EQ(model.write("delete.Team", {"\"t1\""}), "error: the Team t1 still has members");
  EXPECT_EQ(model.write("remove.Person", {"\"p5\"", "[\"team\"]"}), "");
  EXPECT_EQ(size("\"t1\""), "0");
  EXPECT_EQ(model.write("delete.Team", {"\"t1\""}), "");
  EXPECT_EQ(model.ask("team", {"\"t1\""}), "");
}

// A key that depends on stored fields is worked out from the item, under the condition that it is unchanged.
TEST(Writer, IndexKeysFollow) {
  RunningModel model = people();
  EXPECT_EQ(model.ask("byRank", {"\"t1\"", "1"}), "{\"id\":\"p1\"}\n");
  EXPECT_EQ(model.write("promote", {"\"p1\"", "4"}), "");
  EXPECT_EQ(model.ask("byRank", {"\"t1\"", "1"}), "");
  EXPECT_EQ(model.ask("byRank", {"\"t1\"", "5"}), "{\"id\":\"p1\"}\n");
  EXPECT_EQ(model.ask("byRank", {"\"t2\"", "1"}), "") << "p2 has no team and is not in the index";
  EXPECT_EQ(model.write("move.Person.team", {"\"p2\"", "\"t2\""}), "");
  EXPECT_EQ(model.ask("byRank", {"\"t2\"", "1"}), "{\"id\":\"p2\"}\n");
  EXPECT_EQ(model.write("remove.Person", {"\"p2\"", "[\"team\"]"}), "");
  EXPECT_EQ(model.ask("byRank", {"\"t2\"", "1"}), "");
}

// An index may share a key of the table: an item that is not in it keeps that key.
TEST(Writer, AnItemThatLeavesAnIndexKeepsTheKeysOfTheTable) {
  RunningModel devices(
      R"(model devices {
    table log { pk PK; sk SK; tag Type; gsi escalated to / SK }
    entity Entry { device id; at id; to string?; key "D#<device>" / "E#<at>"; index escalated "<to>" / "E#<at>" }
    pattern entry(e: Entry) = $e
  })",
      R"({"Entry": [{"device": "d1", "at": "1"}, {"device": "d1", "at": "2", "to": "sara"}]})");
  EXPECT_EQ(devices.ask("entry", {R"(["d1", "1"])"}), "{\"at\":\"1\",\"device\":\"d1\"}\n");
  EXPECT_EQ(devices.write("remove.Entry", {R"(["d1", "2"])", R"(["to"])"}), "");
  EXPECT_EQ(devices.ask("entry", {R"(["d1", "2"])"}), "{\"at\":\"2\",\"device\":\"d1\"}\n");
  EXPECT_EQ(devices.audited(), "");
}

TEST(Writer, VersionsAndTimestampsAreKept) {
  RunningModel model = people();
  EXPECT_EQ(model.write("rename", {"\"t1\"", "\"Uno\"", "2"}), "error: the check on $t.version fails");
  EXPECT_EQ(model.write("rename", {"\"t1\"", "\"Uno\"", "1"}), "");
  EXPECT_EQ(model.write("rename", {"\"t1\"", "\"Uno\"", "1"}), "error: the check on $t.version fails");
  const auto reply = model.session().read("team", from_json({"\"t1\""}));
  const ItemView team = reply->documents[0].view().map();
  EXPECT_EQ(team.find("version")->number().to_string(), "2");
  EXPECT_EQ(team.find("name")->bytes(), "Uno");
  EXPECT_LE(team.find("created_at")->bytes(), team.find("updated_at")->bytes());
  EXPECT_EQ(model.write("set.Team", {"\"t1\"", R"({"version": 9})"}),
            "error: the field version is kept by the operations themselves");
}

TEST(Writer, UpsertsReplaceOrMake) {
  RunningModel model = people();
  EXPECT_EQ(model.write("upsert.Person", {R"({"id": "p1", "email": "n@x", "nick": "N"})"}), "");
  EXPECT_EQ(model.ask("person", {"\"p1\""}),
            "{\"email\":\"n@x\",\"id\":\"p1\",\"nick\":\"N\",\"rank\":1,\"team\":{\"created_at\":\"" +
                std::string(model.session()
                                .read("team", from_json({"\"t1\""}))
                                ->documents[0]
                                .view()
                                .map()
                                .find("created_at")
                                ->bytes()) +
                "\",\"id\":\"t1\",\"name\":\"One\",\"size\":1,\"updated_at\":\"" +
                std::string(model.session()
                                .read("team", from_json({"\"t1\""}))
                                ->documents[0]
                                .view()
                                .map()
                                .find("updated_at")
                                ->bytes()) +
                "\",\"version\":1}}\n");
  EXPECT_EQ(model.write("upsert.Person", {R"({"id": "p7", "email": "q@x"})"}), "");
  EXPECT_EQ(model.ask("person", {"\"p7\""}), "{\"email\":\"q@x\",\"id\":\"p7\",\"rank\":1}\n");
  EXPECT_EQ(model.write("upsert.Person", {R"({"id": "p8", "email": "q@x"})"}),
            "error: there is already a Person with the email q@x");
}

// A16, B1: children in their parent's item, in one request each.
TEST(Writer, EmbeddedChildrenArePutChangedAndDeleted) {
  for (const std::string as : {"map", "list"}) {
    RunningModel model(
        "model shop { entity Customer { id id; name } entity Address within customer { label id; street; "
        "visits int default 0 } "
        "rel Customer 1--* Address as addresses / customer { via embed " +
            as +
            "; size max 20 } "
            "pattern customer(c: Customer) = $c + addresses "
            "op visit(a: Address) = add $a.visits = 1 }",
        R"({ "Customer": [{ "id": "c1", "name": "Ann" }] })");
    const auto put = [&](const std::string& label) {
      return model.write("put.Address",
                         {"{\"customer\": \"c1\", \"label\": \"" + label + "\", \"street\": \"Oak\"}"});
    };
    EXPECT_EQ(put("home"), "") << as;
    EXPECT_EQ(model.reply().figures.requests, as == "map" ? 1u : 2u);
    EXPECT_EQ(put("work"), "");
    EXPECT_EQ(put("home"), "error: there is already an Address [c1, home]") << as;
    EXPECT_EQ(model.write("visit", {"[\"c1\", \"work\"]"}), "");
    EXPECT_EQ(model.write("set.Address", {"[\"c1\", \"work\"]", R"({"street": "Elm"})"}), "");
    EXPECT_EQ(model.write("set.Address", {"[\"c1\", \"none\"]", R"({"street": "Elm"})"}),
              "error: there is no Address [c1, none]");
    EXPECT_EQ(model.write("delete.Address", {"[\"c1\", \"home\"]"}), "");
    EXPECT_EQ(model.write("delete.Address", {"[\"c1\", \"home\"]"}), "error: there is no Address [c1, home]");
    EXPECT_EQ(model.ask("customer", {"\"c1\""}),
              "{\"addresses\":[{\"label\":\"work\",\"street\":\"Elm\",\"visits\":1}],\"id\":\"c1\",\"name\":"
              "\"Ann\"}\n")
        << as;
    EXPECT_EQ(model.write("put.Address", {R"({"customer": "c9", "label": "x", "street": "y"})"}),
              "error: there is no Customer c9");
  }
}

// C6, C10: ids are added and removed; edges come and go without touching either side.
TEST(Writer, ListsOfIdsAndEdges) {
  for (const std::string via : {"ids repos", "edges pk users"}) {
    RunningModel model(
        "model git { entity User { id id; name } entity Repo { id id; title } "
        "rel User *--* Repo as repos / users { via " +
            via +
            "; size of repos max 90; size of users max 90 } "
            "pattern repos(u: User) = $u.repos {} }",
        R"({ "User": [{ "id": "u1", "name": "Ann" }], "Repo": [{ "id": "r1", "title": "One" }, { "id": "r2", "title": "Two" }] })");
    EXPECT_EQ(model.write("link.User.repos", {"\"u1\"", "\"r1\""}), "") << via;
    EXPECT_EQ(model.reply().figures.requests, 1u) << via;
    EXPECT_EQ(model.write("link.Repo.users", {"\"r2\"", "\"u1\""}), "") << via;
    EXPECT_TRUE(model.write("link.User.repos", {"\"u1\"", "\"r1\""}).find("is linked already") !=
                std::string::npos)
        << via;
    EXPECT_EQ(model.write("link.User.repos", {"\"u1\"", "\"r9\""}), "error: there is no Repo r9") << via;
    EXPECT_EQ(ids(model, "repos", "\"u1\""), "r1 r2") << via;
    EXPECT_EQ(model.write("unlink.User.repos", {"\"u1\"", "\"r1\""}), "") << via;
    EXPECT_TRUE(model.write("unlink.User.repos", {"\"u1\"", "\"r1\""}).find("is not linked to") !=
                std::string::npos)
        << via;
    EXPECT_EQ(ids(model, "repos", "\"u1\""), "r2") << via;
  }
}

// E16: what is copied on edges comes with the link, and follows its source.
TEST(Writer, EdgesTakeCopiesAlong) {
  RunningModel billing(model_file("billing/model.sheaf"), model_file("billing/data.json"));
  EXPECT_EQ(billing.write("put.Bill", {R"({"id": "b7", "amount": 7})"}), "");
  EXPECT_EQ(billing.write("attach", {"\"i1\"", "\"b7\"", "0.25"}), "");
  EXPECT_EQ(billing.reply().figures.requests, 2u);
  EXPECT_TRUE(
      billing.ask("invoice", {"\"i1\""}).find("{\"amount\":7,\"edge\":{\"share\":0.25},\"id\":\"b7\"}") !=
      std::string::npos)
      << billing.ask("invoice", {"\"i1\""});
}

// An item has 32 levels: one that is full comes back in a document that is deeper, and an embedded one has
// two less.
TEST(Writer, NestsAsDeepAsItemsAndNotDeeper) {
  const std::string text = R"(model deep {
    entity Owner { id id; thing any? }
    entity Part within owner { id id; thing any? }
    entity Box within owner { id id; thing any? }
    rel Owner 1--* Part as parts / owner { via embed map; size max 9 }
    rel Owner 1--* Box as boxes / owner { via embed list; size max 9 }
    layout apart { rel Owner.parts via collection   rel Owner.boxes via collection }
    pattern whole(o: Owner) = $o { *, parts, boxes }
  })";
  const auto nested = [](int levels) {
    return std::string(levels - 1, '[') + "1" + std::string(levels - 1, ']');
  };
  for (const std::string layout : {"default", "apart"}) {
    RunningModel model(text, "{}", layout);
    const int less = layout == "default" ? 2 : 0;
    EXPECT_EQ(model.write("put.Owner", {R"({"id": "o", "thing": )" + nested(32) + "}"}), "");
    EXPECT_NE(model.write("put.Owner", {R"({"id": "p", "thing": )" + nested(33) + "}"}), "");
    EXPECT_EQ(model.write("set.Owner", {"\"o\"", R"({"thing": )" + nested(32) + "}"}), "");
    EXPECT_NE(model.write("set.Owner", {"\"o\"", R"({"thing": )" + nested(33) + "}"}), "");
    for (const std::string kind : {"Part", "Box"}) {
      const auto put = [&](const std::string& id, int levels) {
        return model.write("put." + kind,
                           {R"({"id": ")" + id + R"(", "owner": "o", "thing": )" + nested(levels) + "}"});
      };
      EXPECT_EQ(put("a", 32 - less), "") << layout << kind;
      EXPECT_NE(put("b", 33 - less), "") << layout << kind;
    }
    const std::string thing = R"("thing":)" + nested(32 - less);
    EXPECT_EQ(model.ask("whole", {"\"o\""}), R"({"boxes":[{"id":"a",)" + thing +
                                                 R"(}],"id":"o","parts":[{"id":"a",)" + thing +
                                                 R"(}],"thing":)" + nested(32) + "}\n");
  }
}

// What expires does so also where nobody wrote a table down.
TEST(Writer, ATableOfItsOwnKnowsWhenItemsExpire) {
  RunningModel web("model web { entity Session { id id; ends time; ttl ends } pattern one(s: Session) = $s }",
                   "{}");
  EXPECT_EQ(web.write("put.Session", {R"({"id": "s", "ends": "2030-01-01T00:00:00.000Z"})"}), "");
  const auto table = web.database().describe_table("web");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->ttl_attribute, "_ttl");
  const auto got =
      web.database().get_item({.table = "web", .key = {{"PK", "SESSION#s"}, {"SK", "SESSION#s"}}});
  ASSERT_TRUE(got.ok() && got->item);
  EXPECT_EQ(got->item->find("_ttl"), Value(int64_t{1893456000}).view());
  EXPECT_EQ(web.ask("one", {"\"s\""}), "{\"ends\":\"2030-01-01T00:00:00.000Z\",\"id\":\"s\"}\n");
}

// J6: where an end is optional a guard keeps it to one.
TEST(Writer, AnOptionalEndLeadsToOne) {
  for (const std::string layout : {"method1", "method3", "method4"}) {
    RunningModel hr(model_file("hr/model.sheaf"), model_file("hr/data.json"), layout);
    EXPECT_EQ(hr.write("link.Employee.mentor", {"\"e-1\"", "\"e-3\""}), "") << layout;
    EXPECT_EQ(hr.write("link.Employee.mentees", {"\"e-4\"", "\"e-1\""}),
              "error: the Employee e-1 is linked already by its end mentor")
        << layout;
    EXPECT_EQ(hr.write("move.Employee.mentor", {"\"e-1\"", "\"e-4\""}), "") << layout;
    EXPECT_EQ(hr.write("unlink.Employee.mentor", {"\"e-1\"", "\"e-4\""}), "") << layout;
    EXPECT_EQ(hr.write("link.Employee.mentees", {"\"e-4\"", "\"e-1\""}), "") << layout;
    EXPECT_EQ(hr.write("link.Employee.mentor", {"\"e-2\"", "\"e-2\""}),
              "error: the Employee e-2 cannot be linked to itself; say loops in the relation if it can");
  }
}

}  // namespace
}  // namespace sheaf::run
