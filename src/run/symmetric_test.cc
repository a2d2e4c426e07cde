// C9, E15: a relation whose ends are alike. Each of the two leads to the other, whoever was linked to whom.
#include <gtest/gtest.h>

#include "run/audit.h"
#include "run/running_model.h"

namespace sheaf::run {
namespace {

std::string audited(RunningModel& model, bool repairs = false) {
  const auto made = audit(model.database(), model.model(), model.layout(), {.repairs = repairs});
  EXPECT_TRUE(made.ok());
  std::string out;
  for (const Finding& each : made->findings)
    out += std::string(name_of(each.kind)) + ": " + each.what + (each.is_mended ? " (mended)\n" : "\n");
  return out;
}

std::string item(RunningModel& model, const std::string& pk, const std::string& sk) {
  auto got = model.database().get_item({.table = "app", .key = {{"PK", pk}, {"SK", sk}}});
  EXPECT_TRUE(got.ok());
  return got->item ? to_plain_json(Value(*got->item)) : "none";
}

constexpr std::string_view kSymmetricData = R"({
  "User": [{ "id": "a", "name": "Ann" }, { "id": "b", "name": "Bob" }, { "id": "c", "name": "Cid" }],
  "links": { "User.friends": [["a", "b", { "since": "2026-01-01" }], ["b", "a", { "since": "2026-01-01" }]] } })";

std::string friends(const std::string& via) {
  return R"(model social {
    table app { pk PK; sk SK; tag T }
    entity User { id id; name changes rarely; n int = count(friends); key "U#<id>" / "U" }
    rel User *--* User as friends { edge { since date }; size max 90; via )" +
         via + R"( }
    pattern user(u: User) = $u { *, friends { name } } budget 1 request strong
    pattern friends(u: User) = $u.friends {} budget 1 request strong
    op befriend(a: User, b: User, d: date) = link $a.friends $b { since = $d } budget 2 requests
    op part(a: User, b: User) = unlink $a.friends $b budget 1 request
  })";
}

class Symmetric : public ::testing::TestWithParam<std::string> {};

TEST_P(Symmetric, LinksAreTheSameFromEitherSide) {
  RunningModel model(friends(GetParam()), std::string(kSymmetricData));
  EXPECT_EQ(audited(model), "");
  EXPECT_EQ(
      model.ask("user", {"\"a\""}),
      R"({"friends":[{"edge":{"since":"2026-01-01"},"id":"b","name":"Bob"}],"id":"a","n":1,"name":"Ann"})"
      "\n");
  EXPECT_EQ(
      model.ask("user", {"\"b\""}),
      R"({"friends":[{"edge":{"since":"2026-01-01"},"id":"a","name":"Ann"}],"id":"b","n":1,"name":"Bob"})"
      "\n");
  EXPECT_EQ(model.write("befriend", {"\"b\"", "\"a\"", "\"2026-02-02\""}),
            "error: the User b is linked already to a by its end friends");
  EXPECT_EQ(model.write("befriend", {"\"a\"", "\"a\"", "\"2026-02-02\""}),
            "error: the User a cannot be linked to itself; say loops in the relation if it can");
  EXPECT_EQ(model.write("befriend", {"\"c\"", "\"a\"", "\"2026-02-02\""}), "");
  EXPECT_EQ(model.ask("friends", {"\"a\""}),
            "{\"edge\":{\"since\":\"2026-01-01\"},\"id\":\"b\"}\n{\"edge\":{\"since\":\"2026-02-02\"},\"id\":"
            "\"c\"}\n");
  EXPECT_EQ(model.write("part", {"\"b\"", "\"a\""}), "");
  EXPECT_EQ(model.write("part", {"\"a\"", "\"b\""}).substr(0, 7), "error: ");
  EXPECT_EQ(model.ask("friends", {"\"a\""}), "{\"edge\":{\"since\":\"2026-02-02\"},\"id\":\"c\"}\n");
  EXPECT_EQ(model.ask("friends", {"\"b\""}), "");
  EXPECT_EQ(audited(model), "");
}

TEST_P(Symmetric, CopiesAreOfTheOneWhomTheEndLeadsTo) {
  RunningModel model(friends(GetParam()), std::string(kSymmetricData));
  EXPECT_EQ(model.write("befriend", {"\"c\"", "\"a\"", "\"2026-02-02\""}), "");
  EXPECT_EQ(model.write("set.User", {"\"a\"", R"({"name": "Zoe"})"}), "");
  EXPECT_EQ(model.reply().copies, 2u);
  EXPECT_NE(model.ask("user", {"\"b\""}).find(R"("id":"a","name":"Zoe")"), std::string::npos);
  EXPECT_NE(model.ask("user", {"\"c\""}).find(R"("id":"a","name":"Zoe")"), std::string::npos);
  EXPECT_NE(model.ask("user", {"\"a\""}).find(R"("id":"b","name":"Bob")"), std::string::npos);
  EXPECT_EQ(audited(model), "");
}

TEST_P(Symmetric, WhoGoesIsNobodysFriendAnyMore) {
  RunningModel model(friends(GetParam()), std::string(kSymmetricData));
  EXPECT_EQ(model.write("befriend", {"\"c\"", "\"a\"", "\"2026-02-02\""}), "");
  EXPECT_EQ(model.write("delete.User", {"\"a\""}), "");
  for (const char* id : {"\"b\"", "\"c\""}) EXPECT_EQ(model.ask("friends", {id}), "");
  EXPECT_NE(model.ask("user", {"\"b\""}).find("\"n\":0"), std::string::npos);
  EXPECT_EQ(audited(model), "");
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  return info.param.substr(0, info.param.find(' '));
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Symmetric,
    ::testing::Values("edges copy friends(name) key \"U#<from.id>\" / \"FRIEND#<to.id>\"",
                      "lists copy friends(name)"),
    test_name);

TEST(SymmetricEdges, AreAnItemWithEachOfTheTwo) {
  RunningModel model(friends("edges copy friends(name) key \"U#<from.id>\" / \"FRIEND#<to.id>\""),
                     std::string(kSymmetricData));
  const std::string there =
      R"({"PK":"U#a","SK":"FRIEND#b","T":"User.friends","_friends_v":1,"friends_name":"Bob","since":"2026-01-01"})";
  EXPECT_EQ(item(model, "U#a", "FRIEND#b"), there);
  EXPECT_EQ(
      item(model, "U#b", "FRIEND#a"),
      R"({"PK":"U#b","SK":"FRIEND#a","T":"User.friends","_friends_v":1,"friends_name":"Ann","since":"2026-01-01"})");
  ASSERT_TRUE(
      model.database().delete_item({.table = "app", .key = {{"PK", "U#a"}, {"SK", "FRIEND#b"}}}).ok());
  EXPECT_EQ(audited(model, true), "half-pair: User.friends b - a (mended)\nwrong-count: User a (mended)\n");
  EXPECT_EQ(item(model, "U#a", "FRIEND#b"), there);
}

// Ids have no room for anything else.
TEST(SymmetricIds, AreInTheListsOfBoth) {
  RunningModel model(R"(model social {
    entity User { id id; n int = count(friends) }
    rel User *--* User as friends { size max 90; via ids friends }
    pattern friends(u: User) = $u.friends {} budget 1 request strong
  })",
                     R"({ "User": [{ "id": "a" }, { "id": "b", "friends": ["a"] }, { "id": "c" }] })");
  EXPECT_EQ(audited(model), "");
  EXPECT_EQ(model.ask("friends", {"\"a\""}), "{\"id\":\"b\"}\n");
  EXPECT_EQ(model.write("link.User.friends", {"\"a\"", "\"b\""}), "error: the User a is linked already to b");
  EXPECT_EQ(model.write("link.User.friends", {"\"a\"", "\"c\""}), "");
  EXPECT_EQ(model.ask("friends", {"\"c\""}), "{\"id\":\"a\"}\n");
  EXPECT_EQ(model.write("unlink.User.friends", {"\"b\"", "\"a\""}), "");
  EXPECT_EQ(model.ask("friends", {"\"a\""}), "{\"id\":\"c\"}\n");
  EXPECT_EQ(model.write("put.User", {R"({"id": "d", "friends": ["a", "b"]})"}), "");
  EXPECT_EQ(model.ask("friends", {"\"a\""}), "{\"id\":\"c\"}\n{\"id\":\"d\"}\n");
  EXPECT_EQ(model.write("delete.User", {"\"a\""}), "");
  EXPECT_EQ(model.ask("friends", {"\"c\""}), "");
  EXPECT_EQ(model.ask("friends", {"\"d\""}), "{\"id\":\"b\"}\n");
  EXPECT_EQ(audited(model), "");
}

class Couples : public ::testing::TestWithParam<std::string> {};

// Each has one, and is the one of that one.
TEST_P(Couples, LeadToOneFromBothSides) {
  RunningModel model(
      "model couples { entity Person { id id } rel Person 1--1 Person as spouse { loops; via " + GetParam() +
          " } pattern spouse(p: Person) = $p.spouse {} budget 1 request strong }",
      R"({ "Person": [{ "id": "a" }, { "id": "b" }, { "id": "c" }, { "id": "d" }, { "id": "e" }],
                          "links": { "Person.spouse": [["a", "b"]] } })");
  const auto spouse = [&](const std::string& id) { return model.ask("spouse", {"\"" + id + "\""}); };
  EXPECT_EQ(model.write("link.Person.spouse", {"\"c\"", "\"b\""}),
            "error: the Person b is linked already by its end spouse");
  EXPECT_EQ(model.write("link.Person.spouse", {"\"b\"", "\"c\""}),
            "error: the Person b is linked already by its end spouse");
  EXPECT_EQ(model.write("move.Person.spouse", {"\"b\"", "\"c\""}), "");
  EXPECT_EQ(spouse("a"), "");
  EXPECT_EQ(spouse("b"), "{\"id\":\"c\"}\n");
  EXPECT_EQ(spouse("c"), "{\"id\":\"b\"}\n");
  EXPECT_EQ(audited(model), "");
  EXPECT_EQ(model.write("link.Person.spouse", {"\"d\"", "\"a\""}), "");
  EXPECT_EQ(model.write("move.Person.spouse", {"\"a\"", "\"b\""}),
            "error: the Person b is linked already by its end spouse");
  EXPECT_EQ(model.write("remove.Person", {"\"a\"", "[\"spouse\"]"}), "");
  EXPECT_EQ(spouse("d"), "");
  EXPECT_EQ(model.write("link.Person.spouse", {"\"e\"", "\"e\""}), "");
  EXPECT_EQ(spouse("e"), "{\"id\":\"e\"}\n");
  EXPECT_EQ(audited(model), "");
  EXPECT_EQ(model.write("move.Person.spouse", {"\"e\"", "\"a\""}), "");
  EXPECT_EQ(spouse("a"), "{\"id\":\"e\"}\n");
  EXPECT_EQ(model.write("delete.Person", {"\"a\""}), "");
  EXPECT_EQ(spouse("e"), "");
  EXPECT_EQ(audited(model), "");
}

INSTANTIATE_TEST_SUITE_P(Ways, Couples, ::testing::Values("edges", "lists"), test_name);

}  // namespace
}  // namespace sheaf::run
