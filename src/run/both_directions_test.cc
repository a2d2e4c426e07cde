// C7: a pair that is written in both directions, one item in the partition of each of the two.
#include <gtest/gtest.h>

#include "run/audit.h"
#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kBothDirectionsModel = R"(model clubs {
  table app { pk PK; sk SK; tag T }
  entity Person { id id; name changes rarely; clubs_count int = count(clubs); key "P#<id>" / "P" }
  entity Club { id id; title changes rarely; key "C#<id>" / "C" }
  rel Person *--* Club as clubs / members { edge { since date }; size of clubs max 90; size of members max 900;
    via edges pk both copy clubs(title) copy members(name)
      key "P#<members.id>" / "IN#<clubs.id>" key "C#<clubs.id>" / "HAS#<members.id>" }
  pattern person(p: Person) = $p { *, clubs { title } }   budget 1 request strong
  pattern club(c: Club)     = $c { *, members { name } }  budget 1 request strong
  pattern members(c: Club)  = $c.members                  budget 10 requests
  op join(p: Person, c: Club, d: date) = link $p.clubs $c { since = $d }  budget 2 requests
  op leave(p: Person, c: Club) = unlink $c.members $p                     budget 1 request
})";
constexpr std::string_view kBothDirectionsData = R"({
  "Person": [{ "id": "p1", "name": "Ann" }, { "id": "p2", "name": "Bob" }],
  "Club": [{ "id": "c1", "title": "Chess" }, { "id": "c2", "title": "Go" }],
  "links": { "Person.clubs": [["p1", "c1", { "since": "2026-01-01" }]] } })";

class BothDirections : public ::testing::Test {
 protected:
  std::optional<Item> get(const std::string& pk, const std::string& sk) {
    auto got = model_.database().get_item({.table = "app", .key = {{"PK", pk}, {"SK", sk}}});
    EXPECT_TRUE(got.ok());
    return got->item;
  }

  std::string text(const std::string& pk, const std::string& sk) {
    const auto item = get(pk, sk);
    return item ? to_plain_json(Value(*item)) : "none";
  }

  std::string audited(bool repairs = false) { return model_.audited(repairs); }

  RunningModel model_{std::string(kBothDirectionsModel), std::string(kBothDirectionsData)};
};

TEST_F(BothDirections, EachItemHasTheFieldsOfTheEdgeAndCopiesOfWhatItLeadsTo) {
  const std::string there =
      R"({"PK":"P#p1","SK":"IN#c1","T":"Person.clubs","_clubs_v":1,"clubs_title":"Chess","since":"2026-01-01"})";
  const std::string back =
      R"({"PK":"C#c1","SK":"HAS#p1","T":"Club.members","_members_v":1,"members_name":"Ann","since":"2026-01-01"})";
  EXPECT_EQ(text("P#p1", "IN#c1"), there);
  EXPECT_EQ(text("C#c1", "HAS#p1"), back);
  // What is linked is stored as what is loaded.
  EXPECT_EQ(model_.write("leave", {"\"p1\"", "\"c1\""}), "");
  EXPECT_EQ(model_.reply().figures.requests, 1u);
  EXPECT_EQ(text("P#p1", "IN#c1"), "none");
  EXPECT_EQ(text("C#c1", "HAS#p1"), "none");
  EXPECT_EQ(model_.write("join", {"\"p1\"", "\"c1\"", "\"2026-01-01\""}), "");
  EXPECT_EQ(model_.reply().figures.requests, 2u);
  EXPECT_EQ(text("P#p1", "IN#c1"), there);
  EXPECT_EQ(text("C#c1", "HAS#p1"), back);
  EXPECT_EQ(audited(), "");
}

TEST_F(BothDirections, AreReadByOneStrongQueryEach) {
  EXPECT_EQ(model_.write("join", {"\"p2\"", "\"c1\"", "\"2026-02-02\""}), "");
  EXPECT_EQ(
      model_.ask("person", {"\"p1\""}),
      R"({"clubs":[{"edge":{"since":"2026-01-01"},"id":"c1","title":"Chess"}],"clubs_count":1,"id":"p1","name":"Ann"})"
      "\n");
  EXPECT_EQ(
      model_.ask("club", {"\"c1\""}),
      R"({"id":"c1","members":[{"edge":{"since":"2026-01-01"},"id":"p1","name":"Ann"},{"edge":{"since":"2026-02-02"},"id":"p2","name":"Bob"}],"title":"Chess"})"
      "\n");
  EXPECT_EQ(model_.write("join", {"\"p2\"", "\"c1\"", "\"2026-03-03\""}),
            "error: the Person p2 is linked already to c1 by its end clubs");
  EXPECT_EQ(model_.write("leave", {"\"p2\"", "\"c2\""}),
            "error: the Person p2 is not linked to c2 by its end clubs");
  EXPECT_EQ(audited(), "");
}

TEST_F(BothDirections, CopiesFollowOnTheItemThatHasThem) {
  EXPECT_EQ(model_.write("join", {"\"p1\"", "\"c2\"", "\"2026-02-02\""}), "");
  EXPECT_EQ(model_.write("set.Person", {"\"p1\"", R"({"name": "Zoe"})"}), "");
  EXPECT_EQ(model_.reply().copies, 2u);
  EXPECT_EQ(get("C#c1", "HAS#p1")->find("members_name"), Value("Zoe").view());
  EXPECT_EQ(get("C#c2", "HAS#p1")->find("members_name"), Value("Zoe").view());
  EXPECT_EQ(model_.write("set.Club", {"\"c1\"", R"({"title": "Bridge"})"}), "");
  EXPECT_EQ(model_.reply().copies, 1u);
  EXPECT_EQ(get("P#p1", "IN#c1")->find("clubs_title"), Value("Bridge").view());
  EXPECT_EQ(audited(), "");
}

TEST_F(BothDirections, GoWithEitherOfTheTwo) {
  EXPECT_EQ(model_.write("join", {"\"p2\"", "\"c1\"", "\"2026-02-02\""}), "");
  EXPECT_EQ(model_.write("delete.Club", {"\"c1\""}), "");
  EXPECT_EQ(text("P#p1", "IN#c1"), "none");
  EXPECT_EQ(text("P#p2", "IN#c1"), "none");
  EXPECT_EQ(model_.write("join", {"\"p2\"", "\"c2\"", "\"2026-02-02\""}), "");
  EXPECT_EQ(model_.write("delete.Person", {"\"p2\""}), "");
  EXPECT_EQ(text("C#c2", "HAS#p2"), "none");
  EXPECT_EQ(audited(), "");
}

TEST_F(BothDirections, AnAuditFindsHalfAPairAndMendsIt) {
  const std::string there = text("P#p1", "IN#c1");
  ASSERT_TRUE(model_.database().delete_item({.table = "app", .key = {{"PK", "P#p1"}, {"SK", "IN#c1"}}}).ok());
  EXPECT_EQ(audited(), "half-pair\nwrong-count\n");
  EXPECT_EQ(audited(true), "half-pair mended\nwrong-count mended\n");
  EXPECT_EQ(text("P#p1", "IN#c1"), there);
  audited(true);  // the count of what came back
  EXPECT_EQ(audited(), "");
  // Of two that differ nobody knows which is right.
  const auto changed = model_.database().update_item({.table = "app",
                                                      .key = {{"PK", "P#p1"}, {"SK", "IN#c1"}},
                                                      .update = "SET since = :d",
                                                      .values = {{":d", "2020-01-01"}}});
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(audited(true), "half-pair\nhalf-pair\n");
}

// Who is found by a condition on an end is found by the item that leads to it.
TEST(PairsOfOne, AreFoundByWhatLeadsToThem) {
  RunningModel model(R"(model homes {
  entity House { street id; number id int }
  entity Person { id id; name }
  rel House 1--* Person as residents / home { size max 20; via edges pk both }
  pattern living(street: string, number: int) = Person where home.street = $street and home.number = $number {}
    budget 1 request
})",
                     R"({ "House": [{ "street": "Elm", "number": 1 }, { "street": "Elm", "number": 2 }],
  "Person": [{ "id": "ann", "name": "Ann" }, { "id": "bob", "name": "Bob" }],
  "links": { "House.residents": [[["Elm", 1], "ann"], [["Elm", 2], "bob"]] } })");
  EXPECT_EQ(model.ask("living", {"\"Elm\"", "1"}), "{\"id\":\"ann\"}\n");
  EXPECT_EQ(model.ask("living", {"\"Elm\"", "3"}), "");
}

}  // namespace
}  // namespace sheaf::run
