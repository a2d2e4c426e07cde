// C5: entries on the items of both sides, with copies and the fields of the edge.
#include <gtest/gtest.h>

#include "run/audit.h"
#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kListsModel = R"(model film {
  table app { pk PK; sk SK; tag T }
  entity Actor { name id; born int changes rarely; roles int = count(movies); key "A#<name>" / "A" }
  entity Movie { title id; year id int; genre changes rarely; length int?; key "M#<title>#<year:0000>" / "M" }
  rel Actor *--* Movie as movies / actors { edge { role id; fee int? }; size of movies max 90; size of actors max 300;
    via lists copy movies(genre) copy actors(born) }
  pattern actor(a: Actor)     = $a { *, movies { genre } }  budget 1 request strong
  pattern movie(m: Movie)     = $m { *, actors {} }         budget 1 request strong
  pattern movies(a: Actor)    = $a { movies }               budget 2 requests
  op cast(a: Actor, m: Movie, r: string) = link $a.movies $m { role = $r }  budget 2 requests
  op drop(a: Actor, m: Movie) = unlink $m.actors $a                         budget 2 requests
})";
constexpr std::string_view kListsData = R"({
  "Actor": [{ "name": "Ann", "born": 1970 }, { "name": "Bo#b", "born": 1980 }],
  "Movie": [{ "title": "Up", "year": 2009, "genre": "fun" }, { "title": "It", "year": 1990, "genre": "fear" }],
  "links": { "Actor.movies": [["Ann", ["Up", 2009], { "role": "Ellie", "fee": 5 }]] } })";

class Lists : public ::testing::Test {
 protected:
  std::string list(const std::string& pk, const std::string& sk, const std::string& end) {
    auto got = model_.database().get_item({.table = "app", .key = {{"PK", pk}, {"SK", sk}}});
    EXPECT_TRUE(got.ok());
    const auto value = got->item ? got->item->find(end) : std::nullopt;
    return value ? to_plain_json(Value(*value)) : "none";
  }

  void update(const std::string& pk, const std::string& sk, const std::string& expression,
              const Item& values) {
    UpdateItem update{
        .table = "app", .key = {{"PK", pk}, {"SK", sk}}, .update = expression, .values = values};
    if (expression.find("#u") != std::string::npos) update.names = {{"#u", "Up#2009#Ellie"}};
    const auto done = model_.database().update_item(update);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }

  std::string audited(bool repairs = false) { return model_.audited(repairs); }

  RunningModel model_{std::string(kListsModel), std::string(kListsData)};
};

TEST_F(Lists, EachSideHasAnEntryWithCopiesAndTheFieldsOfTheEdge) {
  const std::string movies =
      R"({"Up#2009#Ellie":{"_movies_v":1,"fee":5,"movies_genre":"fun","role":"Ellie"}})";
  EXPECT_EQ(list("A#Ann", "A", "movies"), movies);
  EXPECT_EQ(list("M#Up#2009", "M", "actors"),
            R"({"Ann#Ellie":{"_actors_v":1,"actors_born":1970,"fee":5,"role":"Ellie"}})");
  EXPECT_EQ(list("M#It#1990", "M", "actors"), "{}");
  // What is linked is stored as what is loaded; ids are told apart whatever they are.
  EXPECT_EQ(model_.write("cast", {"\"Bo#b\"", R"(["It", 1990])", "\"It\""}), "");
  EXPECT_EQ(model_.reply().figures.requests, 2u);
  EXPECT_EQ(list("M#It#1990", "M", "actors"),
            R"({"Bo%23b#It":{"_actors_v":1,"actors_born":1980,"role":"It"}})");
  EXPECT_EQ(model_.ask("movie", {R"(["It", 1990])"}),
            R"({"actors":[{"edge":{"role":"It"},"name":"Bo#b"}],"genre":"fear","title":"It","year":1990})"
            "\n");
  EXPECT_EQ(audited(), "");
}

TEST_F(Lists, AreReadWithTheirItem) {
  EXPECT_EQ(
      model_.ask("actor", {"\"Ann\""}),
      R"({"born":1970,"movies":[{"edge":{"fee":5,"role":"Ellie"},"genre":"fun","title":"Up","year":2009}],"name":"Ann","roles":1})"
      "\n");
  EXPECT_EQ(model_.figures().requests, 1u);
  EXPECT_EQ(model_.write("cast", {"\"Ann\"", R"(["It", 1990])", "\"Mum\""}), "");
  EXPECT_EQ(model_.write("cast", {"\"Ann\"", R"(["It", 1990])", "\"It\""}), "");
  EXPECT_EQ(model_.ask("movies", {"\"Ann\""}),
            R"({"movies":[{"edge":{"role":"It"},"genre":"fear","title":"It","year":1990},)"
            R"({"edge":{"role":"Mum"},"genre":"fear","title":"It","year":1990},)"
            R"({"edge":{"fee":5,"role":"Ellie"},"genre":"fun","title":"Up","year":2009}],"name":"Ann"})"
            "\n");
  EXPECT_EQ(model_.figures().requests, 2u);
}

TEST_F(Lists, LinksAndUnlinksChangeBothOrNone) {
  EXPECT_EQ(model_.write("cast", {"\"Ann\"", R"(["Up", 2009])", "\"Ellie\""}),
            "error: the Actor Ann is linked already to [Up, 2009] by its end movies");
  EXPECT_EQ(model_.write("cast", {"\"Ann\"", R"(["No", 2009])", "\"X\""}),
            "error: there is no Movie [No, 2009]");
  EXPECT_EQ(model_.write("cast", {"\"Ann\"", R"(["Up", 2009])", "\"Carl\""}), "");
  // All parallel ones go, from either side.
  EXPECT_EQ(model_.write("drop", {"\"Ann\"", R"(["Up", 2009])"}), "");
  EXPECT_EQ(list("A#Ann", "A", "movies"), "{}");
  EXPECT_EQ(list("M#Up#2009", "M", "actors"), "{}");
  EXPECT_EQ(model_.write("drop", {"\"Ann\"", R"(["Up", 2009])"}),
            "error: the Movie [Up, 2009] is not linked to Ann by its end actors");
  EXPECT_EQ(audited(), "");
}

TEST_F(Lists, CopiesFollowTheirSource) {
  EXPECT_EQ(model_.write("cast", {"\"Bo#b\"", R"(["Up", 2009])", "\"Carl\""}), "");
  EXPECT_EQ(model_.write("set.Movie", {R"(["Up", 2009])", R"({"genre": "sad"})"}), "");
  EXPECT_EQ(model_.reply().copies, 2u);
  EXPECT_EQ(list("A#Bo%23b", "A", "movies"),
            R"({"Up#2009#Carl":{"_movies_v":2,"movies_genre":"sad","role":"Carl"}})");
  EXPECT_EQ(model_.write("set.Actor", {"\"Ann\"", R"({"born": 1971})"}), "");
  EXPECT_EQ(model_.reply().copies, 1u);
  EXPECT_EQ(audited(), "");
}

TEST_F(Lists, GoWithEitherOfTheTwo) {
  EXPECT_EQ(model_.write("cast", {"\"Bo#b\"", R"(["Up", 2009])", "\"Carl\""}), "");
  EXPECT_EQ(model_.write("delete.Movie", {R"(["Up", 2009])"}), "");
  EXPECT_EQ(list("A#Ann", "A", "movies"), "{}");
  EXPECT_EQ(list("A#Bo%23b", "A", "movies"), "{}");
  EXPECT_EQ(audited(), "");
}

TEST_F(Lists, AnAuditFindsAndMends) {
  update("M#Up#2009", "M", "SET actors = :e", {{":e", Value(Item())}});
  EXPECT_EQ(audited(), "half-pair\n");
  EXPECT_EQ(audited(true), "half-pair mended\n");
  EXPECT_EQ(audited(), "");
  // A copy that nobody would bring in step.
  update("A#Ann", "A", "SET movies.#u.movies_genre = :g", {{":g", "odd"}});
  EXPECT_EQ(audited(true), "drift mended\n");
  ASSERT_TRUE(model_.session().work().ok());
  EXPECT_EQ(audited(), "");
  EXPECT_EQ(list("A#Ann", "A", "movies"),
            R"({"Up#2009#Ellie":{"_movies_v":1,"fee":5,"movies_genre":"fun","role":"Ellie"}})");
}

// Of an end that leads to one the item itself says that there is no other.
TEST(ListsOfOne, LeadToOne) {
  RunningModel model(R"(model crew {
    entity Team { id id; name immutable }
    entity Person { id id; rank int default 1 }
    rel Team 1--* Person as members / team { via lists copy team(name); size max 50 }
    pattern person(p: Person) = $p { *, team { name } }  budget 1 request
    pattern members(t: Team) = $t.members {}             budget 1 request
    op join(p: Person, t: Team) = { set $p.rank = 2; set $p.team = $t }
  })",
                     R"({ "Team": [{ "id": "t1", "name": "One" }, { "id": "t2", "name": "Two" }],
                          "Person": [{ "id": "p1", "team": "t1" }, { "id": "p2" }] })");
  EXPECT_EQ(model.write("link.Team.members", {"\"t2\"", "\"p1\""}),
            "error: the Person p1 is linked already by its end team");
  EXPECT_EQ(model.write("link.Team.members", {"\"t2\"", "\"p2\""}), "");
  EXPECT_EQ(model.write("join", {"\"p1\"", "\"t2\""}), "");
  EXPECT_EQ(model.ask("members", {"\"t1\""}), "");
  EXPECT_EQ(model.ask("members", {"\"t2\""}), "{\"id\":\"p1\"}\n{\"id\":\"p2\"}\n");
  EXPECT_EQ(model.ask("person", {"\"p1\""}),
            "{\"id\":\"p1\",\"rank\":2,\"team\":{\"id\":\"t2\",\"name\":\"Two\"}}\n");
  EXPECT_EQ(model.write("join", {"\"p1\"", "\"t2\""}), "") << "it is there already";
  EXPECT_EQ(model.write("remove.Person", {"\"p1\"", "[\"team\"]"}), "");
  EXPECT_EQ(model.ask("members", {"\"t2\""}), "{\"id\":\"p2\"}\n");
  EXPECT_EQ(model.write("put.Person", {R"({"id": "p3", "team": "t2"})"}), "");
  EXPECT_EQ(model.ask("members", {"\"t2\""}), "{\"id\":\"p2\"}\n{\"id\":\"p3\"}\n");
  const auto made = audit(model.database(), model.model(), model.layout(), {});
  EXPECT_TRUE(made->findings.empty());
}

}  // namespace
}  // namespace sheaf::run
