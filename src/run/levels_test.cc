// Ends that are followed several times: breadth first, each entity once, against a search of our own.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kPeople = R"(model people {
  entity Person { id id; name }
  rel Person *--* Person as follows / followers {
    size of follows max 6; size of followers max 12; loops; via edges pk followers }
  rel Person *--* Person as likes / likedBy { size of likes max 6; size of likedBy max 12; via ids likes }
  rel Person 1--* Person as reports / manager { size max 12; via index }
  layout pairs {
    table people { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK keys; gsi GSI2 GSI2PK / GSI2SK all }
    entity Person { key "P#<id>" / "P" }
    rel Person.follows via graph key "F#<follows.id>" / "<followers.id>" index GSI1 "F#<followers.id>" / "<follows.id>"
    rel Person.reports via edges pk one
  }
  layout apart {
    table people { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK keys }
    entity Person { key "P#<id>" / "P"; index GSI1 "M#<manager.id>" / "<id>" }
    rel Person.likes via edges pk likedBy copy likes(name)
    rel Person.reports via index on GSI1
  }
  layout twice {
    rel Person.follows via edges pk both
    rel Person.likes via lists copy likes(name)
    rel Person.reports via edges pk both
  }
  layout sharded {
    table people { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all; gsi GSI2 GSI2PK / GSI2SK all }
    entity Person { key "P#<id>" / "P"; index GSI2 "M#<manager.id>#<id:shard(2)>" / "<id>" }
    rel Person.follows via edges pk followers key "F#<followers.id>#<follows.id:shard(3)>" / "<follows.id>"
      index GSI1 "F#<follows.id>" / "<followers.id>"
    rel Person.reports via index on GSI2
  }
  pattern near(p: Person) = $p.follows^2 {}
  pattern far(p: Person) = $p.follows^4
  pattern back(p: Person) = $p.followers^3 { name }
  pattern liked(p: Person) = $p.likes^3 { name }
  pattern likedIds(p: Person) = $p.likes^2 {}
  pattern tree(p: Person) = $p.reports^3 { name }
  pattern chain(p: Person) = $p.manager^4 {}
  pattern nested(p: Person) = $p { name, follows^2 { name }, manager^2 {} }
  pattern team(p: Person) = $p.reports.follows^2 {}
  pattern bosses(p: Person) = $p.follows^2.manager {}
  pattern first(p: Person) = $p.follows^3 limit 3 {}
  pattern named(p: Person, from: string) = $p.follows^3 where id >= $from {}
  pattern filtered(p: Person) = $p.follows^3 filter name >= "N5" reads max 500
})";

constexpr int kPeopleCount = 12;
const std::vector<std::string> kLayouts = {"default", "pairs", "apart", "twice", "sharded"};

std::string id_of(int person) { return "p" + std::string(person < 10 ? "0" : "") + std::to_string(person); }

class RandomPeople {
 public:
  explicit RandomPeople(uint64_t seed) : random_(seed) {
    for (int from = 0; from < kPeopleCount; ++from) {
      for (int to = 0; to < kPeopleCount; ++to) {
        if (chance(7)) follows_[from].insert(to);
        if (from != to && chance(7)) likes_[from].insert(to);
      }
      if (from > 0 && !chance(5)) manager_[from] = static_cast<int>(random_() % static_cast<uint64_t>(from));
    }
  }

  using Graph = std::map<int, std::set<int>>;
  const Graph& follows() const { return follows_; }
  const Graph& likes() const { return likes_; }
  Graph managers() const {
    Graph graph;
    for (const auto& [person, manager] : manager_) graph[person].insert(manager);
    return graph;
  }
  static Graph turned(const Graph& graph) {
    Graph other;
    for (const auto& [from, all] : graph) {
      for (const int to : all) other[to].insert(from);
    }
    return other;
  }

  std::string data() const {
    std::string people, follows, likes;
    for (int person = 0; person < kPeopleCount; ++person) {
      people += (person > 0 ? ", " : "") + ("{ \"id\": \"" + id_of(person)) + "\", \"name\": \"N" +
                std::to_string(person) + "\"";
      if (manager_.contains(person)) people += ", \"manager\": \"" + id_of(manager_.at(person)) + "\"";
      people += " }";
    }
    return "{ \"Person\": [" + people + "], \"links\": { \"Person.follows\": [" + links(follows_) +
           "], \"Person.likes\": [" + links(likes_) + "] } }";
  }

 private:
  bool chance(uint64_t one_in) { return random_() % one_in == 0; }
  static std::string links(const Graph& graph) {
    std::string text;
    for (const auto& [from, all] : graph) {
      for (const int to : all)
        text += (text.empty() ? "[\"" : ", [\"") + id_of(from) + "\", \"" + id_of(to) + "\"]";
    }
    return text;
  }

  std::mt19937_64 random_;
  Graph follows_, likes_;
  std::map<int, int> manager_;
};

// Who is met at which depth; those from whom it starts are not among them.
std::map<int, int> search(const RandomPeople::Graph& graph, const std::set<int>& from, int depth,
                          int least = 0) {
  std::map<int, int> met;
  std::set<int> level = from;
  for (int at = 1; at <= depth; ++at) {
    std::set<int> next;
    for (const int person : level) {
      const auto found = graph.find(person);
      if (found == graph.end()) continue;
      for (const int to : found->second) {
        if (to >= least && !from.contains(to) && met.emplace(to, at).second) next.insert(to);
      }
    }
    level = next;
  }
  return met;
}

std::string lines(const std::map<int, int>& met, bool is_named) {
  std::set<std::string> all;
  for (const auto& [person, depth] : met)
    all.insert("{\"depth\":" + std::to_string(depth) + ",\"id\":\"" + id_of(person) + "\"" +
               (is_named ? ",\"name\":\"N" + std::to_string(person) + "\"" : "") + "}\n");
  std::string text;
  for (const std::string& line : all) text += line;
  return text;
}

TEST(Levels, AreThoseOfASearchBreadthFirstInEveryLayout) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomPeople people(seed);
    const auto turned = RandomPeople::turned;
    for (const std::string& layout : kLayouts) {
      RunningModel running{std::string(kPeople), people.data(), layout};
      for (int person = 0; person < kPeopleCount; ++person) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + layout + ", " + id_of(person));
        const std::vector<std::string> who = {"\"" + id_of(person) + "\""};
        const std::set<int> from = {person};
        EXPECT_EQ(running.ask("near", who), lines(search(people.follows(), from, 2), false));
        EXPECT_EQ(running.ask("far", who), lines(search(people.follows(), from, 4), true));
        EXPECT_EQ(running.ask("back", who), lines(search(turned(people.follows()), from, 3), true));
        EXPECT_EQ(running.ask("liked", who), lines(search(people.likes(), from, 3), true));
        EXPECT_EQ(running.ask("likedIds", who), lines(search(people.likes(), from, 2), false));
        EXPECT_EQ(running.ask("tree", who), lines(search(turned(people.managers()), from, 3), true));
        EXPECT_EQ(running.ask("chain", who), lines(search(people.managers(), from, 4), false));
        EXPECT_EQ(running.ask("named", {who[0], "\"p04\""}),
                  lines(search(people.follows(), from, 3, 4), false));
        std::map<int, int> late = search(people.follows(), from, 3);
        std::erase_if(late, [](const auto& each) { return "N" + std::to_string(each.first) < "N5"; });
        EXPECT_EQ(running.ask("filtered", who), lines(late, true));
        const auto reports = turned(people.managers());
        const std::set<int> team = reports.contains(person) ? reports.at(person) : std::set<int>();
        EXPECT_EQ(running.ask("team", who), lines(search(people.follows(), team, 2), false));
        if (HasFailure()) return;
      }
    }
  }
}

// What is nested is a list for each; what is walked on from all levels comes once.
TEST(Levels, CanBeNestedAndLeadOn) {
  const RandomPeople people(3);
  for (const std::string& layout : kLayouts) {
    RunningModel running{std::string(kPeople), people.data(), layout};
    for (int person = 0; person < kPeopleCount; ++person) {
      const std::string who = "\"" + id_of(person) + "\"";
      const auto list = [](const std::map<int, int>& met, bool is_named) {
        std::string text = lines(met, is_named);
        if (!text.empty()) text.pop_back();
        for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) text[at] = ',';
        return "[" + text + "]";
      };
      EXPECT_EQ(running.ask("nested", {who}),
                "{\"follows\":" + list(search(people.follows(), {person}, 2), true) + ",\"id\":" + who +
                    ",\"manager\":" + list(search(people.managers(), {person}, 2), false) + ",\"name\":\"N" +
                    std::to_string(person) + "\"}\n")
          << layout;
      std::set<std::string> bosses;
      for (const auto& [met, depth] : search(people.follows(), {person}, 2)) {
        const auto managers = people.managers();
        if (managers.contains(met)) bosses.insert("{\"id\":\"" + id_of(*managers.at(met).begin()) + "\"}\n");
      }
      std::string expected;
      for (const std::string& boss : bosses) expected += boss;
      EXPECT_EQ(running.ask("bosses", {who}), expected) << layout << " " << who;
    }
  }
}

// All requests of a level are one round; a list that is full is not followed any further.
TEST(Levels, AreOneRoundEach) {
  const std::string data = R"({ "Person": [
    { "id": "p00", "name": "A" }, { "id": "p01", "name": "B" }, { "id": "p02", "name": "C" },
    { "id": "p03", "name": "D" }, { "id": "p04", "name": "E" }, { "id": "p05", "name": "F" } ],
    "links": { "Person.follows": [["p00", "p01"], ["p00", "p02"], ["p01", "p03"], ["p01", "p00"],
      ["p02", "p03"], ["p02", "p04"], ["p04", "p05"]],
      "Person.likes": [["p00", "p01"], ["p00", "p02"], ["p01", "p03"], ["p02", "p03"]] } })";
  RunningModel running{std::string(kPeople), data};
  running.ask("near", {"\"p00\""});
  EXPECT_EQ(running.figures().requests, 3u) << "one for p00, two for whom it follows";
  EXPECT_EQ(running.figures().rounds, 2u);
  EXPECT_EQ(running.figures().items_read, 6u);
  running.ask("far", {"\"p00\""});
  EXPECT_EQ(running.figures().requests, 1u + 2 + 2 + 1 + 1) << "four levels of queries, and a batch of names";
  EXPECT_EQ(running.figures().rounds, 5u);
  running.ask("liked", {"\"p00\""});
  EXPECT_EQ(running.figures().requests, 3u) << "p00, then a batch a level; the third level is empty";
  EXPECT_EQ(running.figures().rounds, 3u);
  running.ask("likedIds", {"\"p00\""});
  EXPECT_EQ(running.figures().requests, 2u) << "the items of the first level name the second";
  EXPECT_EQ(running.ask("first", {"\"p00\""}),
            "{\"depth\":1,\"id\":\"p01\"}\n{\"depth\":1,\"id\":\"p02\"}\n{\"depth\":2,\"id\":\"p03\"}\n");
  EXPECT_EQ(running.figures().requests, 3u) << "there is no third level to read";
}

TEST(Levels, StopWhereReadsAreBounded) {
  constexpr std::string_view kModel = R"(model net {
    entity Node { id id; name }
    rel Node *--* Node as next / before { via edges pk before }
    pattern some(n: Node) = $n.next^3 limit 2 {}
    pattern all(n: Node) = $n.next^3 {} reads max 4
    pattern names(n: Node) = $n.next^3 reads max 4
  })";
  std::string nodes, links;
  for (int i = 0; i < 20; ++i) {
    nodes += (i > 0 ? ", " : "") + ("{ \"id\": \"" + id_of(i)) + "\", \"name\": \"x\" }";
    if (i > 0) links += (i > 1 ? ", " : "") + ("[\"p00\", \"" + id_of(i)) + "\"]";
  }
  links += R"(, ["p01", "p02"], ["p02", "p03"], ["p02", "p01"])";
  RunningModel running{std::string(kModel),
                       "{ \"Node\": [" + nodes + "], \"links\": { \"Node.next\": [" + links + "] } }"};
  EXPECT_EQ(running.ask("some", {"\"p00\""}), "{\"depth\":1,\"id\":\"p01\"}\n{\"depth\":1,\"id\":\"p02\"}\n");
  EXPECT_EQ(running.figures().items_read, 5u) << "twice what is wanted, and the one from whom it starts";
  EXPECT_EQ(running.ask("all", {"\"p01\""}), "{\"depth\":1,\"id\":\"p02\"}\n{\"depth\":2,\"id\":\"p03\"}\n");
  EXPECT_EQ(running.ask("all", {"\"p00\""}), "error: all would read more than 4 items");
  EXPECT_EQ(running.ask("names", {"\"p01\""}), "error: names would read more than 4 items")
      << "three edges, and two nodes";
}

// Who is met is not taken for somebody that the pattern begins with.
TEST(Levels, BeginWithThoseWhomConditionsFind) {
  constexpr std::string_view kModel = R"(model net {
    table net { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
    entity Node { id id; color; key "N#<id>" / "N"; index GSI1 "C#<color>" / "<id>" }
    rel Node 1--* Node as below / above { size max 9; via edges pk above }
    pattern colored(c: string) = Node where color = $c page 1 { below^2 {} }
  })";
  RunningModel running{std::string(kModel), R"({ "Node": [{ "id": "a", "color": "red" },
    { "id": "b", "color": "red", "above": "a" }, { "id": "c", "color": "red", "above": "b" }] })"};
  EXPECT_EQ(running.ask("colored", {"\"red\""}),
            "{\"below\":[{\"depth\":1,\"id\":\"b\"},{\"depth\":2,\"id\":\"c\"}],\"id\":\"a\"}\n");
  EXPECT_EQ(running.ask("colored", {"\"red\""}, std::string(*running.cursor())),
            "{\"below\":[{\"depth\":1,\"id\":\"c\"}],\"id\":\"b\"}\n");
}

// An edge is that by which somebody was met first; of several the one from the first.
TEST(Levels, TellTheEdgeByWhichTheyWereMet) {
  constexpr std::string_view kModel = R"(model net {
    entity Node { id id }
    rel Node *--* Node as next / before {
      size of next max 9; size of before max 9; edge { weight int }; via edges pk before }
    layout keys {
      table net { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK keys }
      rel Node.next via edges pk next key "N#<next.id>" / "<before.id>" index GSI1 "B#<before.id>" / "<next.id>"
    }
    pattern near(n: Node) = $n.next^2 {}
  })";
  const std::string data = R"({ "Node": [{ "id": "a" }, { "id": "b" }, { "id": "c" }, { "id": "d" }],
    "links": { "Node.next": [["a", "b", { "weight": 1 }], ["a", "c", { "weight": 2 }], ["c", "d", { "weight": 3 }],
      ["b", "d", { "weight": 4 }], ["b", "c", { "weight": 5 }]] } })";
  // Of `keys` the index does not have the weights.
  for (const char* const layout : {"default", "keys"}) {
    RunningModel running{std::string(kModel), data, layout};
    EXPECT_EQ(running.ask("near", {"\"a\""}),
              "{\"depth\":1,\"edge\":{\"weight\":1},\"id\":\"b\"}\n"
              "{\"depth\":1,\"edge\":{\"weight\":2},\"id\":\"c\"}\n"
              "{\"depth\":2,\"edge\":{\"weight\":4},\"id\":\"d\"}\n")
        << layout;
  }
}

}  // namespace
}  // namespace sheaf::run
