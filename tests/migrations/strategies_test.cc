// Every way to store a relation becomes every other one, while the model is used.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "measure/candidates.h"
#include "migrations/move.h"

namespace sheaf::migrate {
namespace {

using Argument = RandomOperation::Argument;

// Teams and players, with one relation.
struct SmallModel {
  const char* name;
  const char* relation;  // as it is declared
  const char* player;    // its header and its id
  size_t ways_min;       // to store it
  bool is_within = false, leads_to_many = false;
};

// Declared, so that the planner says which layouts cannot do them; and by the names that all models have.
void add_operations(RandomModel& made, const SmallModel& small) {
  using Parameter = RandomOperation::Parameter;
  struct Operation {
    std::string name, text, basic;
    std::vector<Parameter> parameters;
    std::vector<std::string> arguments;
  };
  const Parameter text{.kind = Argument::kText}, value{.kind = Argument::kNumber};
  std::vector<Operation> operations;
  for (size_t i = 0; i < 2; ++i) {
    const std::string& e = made.entities[i].name;
    const std::string a = "(a: " + e;
    const Parameter document{.kind = Argument::kDocument, .entity = i}, self{.entity = i};
    operations.push_back({"put" + e, a + ") = put $a", "put." + e, {document}, {"%1"}});
    operations.push_back({"upsert" + e, a + ") = upsert $a", "upsert." + e, {document}, {"%1"}});
    operations.push_back({"delete" + e, a + ") = delete $a", "delete." + e, {self}, {"%1"}});
    operations.push_back({"rank" + e,
                          a + ", b: string, c: int) = set $a.name = $b, $a.rank = $c",
                          "set." + e,
                          {self, text, value},
                          {"%1", "{\"name\": %2, \"rank\": %3}"}});
    operations.push_back({"nick" + e,
                          a + ", b: string) = set $a.nick = $b",
                          "set." + e,
                          {self, text},
                          {"%1", "{\"nick\": %2}"}});
    operations.push_back(
        {"add" + e, a + ", b: int) = add $a.n = $b", "add." + e, {self, value}, {"%1", "{\"n\": %2}"}});
    operations.push_back(
        {"forget" + e, a + ") = remove $a.nick", "remove." + e, {self}, {"%1", "[\"nick\"]"}});
  }
  if (!small.is_within) {
    const std::vector<Parameter> both = {{.entity = 0}, {.entity = 1}};
    const std::string ab = "(a: Team, b: Player) = ";
    for (const std::string verb : {"link", "unlink"})
      operations.push_back({verb, ab + verb + " $a.players $b", verb + ".Team.players", both, {"%1", "%2"}});
    if (!small.leads_to_many)
      operations.push_back({"move",
                            "(a: Player, b: Team) = set $a.team = $b",
                            "move.Player.team",
                            {{.entity = 1}, {.entity = 0}},
                            {"%1", "%2"}});
  }
  for (Operation& each : operations) {
    made.text += "  op " + each.name + each.text + "\n";
    made.operations.push_back({.name = std::move(each.name),
                               .parameters = std::move(each.parameters),
                               .basic = std::move(each.basic),
                               .basic_arguments = std::move(each.arguments)});
  }
}

RandomModel small_model(const SmallModel& small) {
  const std::string fields =
      "name; n int default 0; nick string?; color enum(BLUE, GREEN, RED) default \"RED\"; rank int default 5";
  RandomModel made;
  const auto id = [](const std::string& name, const std::string& start) {
    return layouts::RandomId{.name = name,
                             .values = {"\"" + start + "1\"", "\"" + start + "10\"", "\"" + start + "1#%\""}};
  };
  made.entities = {{.name = "Team", .ids = {id("id", "t")}}, {.name = "Player", .ids = {id("id", "p")}}};
  made.relations = {{.from = 0, .to = 1, .down = "players", .up = "team", .is_within = small.is_within}};
  made.entities[0].ends = {{.name = "players", .target = 1, .is_many = true}};
  made.entities[1].ends = {
      {.name = "team", .target = 0, .is_many = small.leads_to_many, .is_required = small.is_within}};
  if (small.is_within) made.entities[1].within = made.entities[1].ends[0];
  made.text = "model small {\n  entity Team { id id matches \"t.+\"; " + fields + " }\n  entity " +
              small.player + " { id id matches \"p.+\"; " + fields + " }\n  " + small.relation + R"(
  pattern team(t: Team) = $t { *, players }
  pattern players(t: Team) = $t.players
  pattern first(t: Team) = $t.players order rank page 2
  pattern player(p: Player) = $p
  pattern teamOf(p: Player) = $p { *, team { name } }
)";
  add_operations(made, small);
  made.text += "}\n";
  return made;
}

class Strategies : public testing::TestWithParam<SmallModel> {};

TEST_P(Strategies, EachBecomesEveryOther) {
  const RandomModel small = small_model(GetParam());
  const plan::PlannedModel planned = plan::plan_model(model::compile("small.sheaf", small.text));
  ASSERT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
  const measure::Candidates candidates = measure::all_strategies(planned, 0, 0);
  const std::vector<measure::Candidate>& ways = candidates.legal;
  ASSERT_GE(ways.size(), GetParam().ways_min);
  const uint64_t first = number_from("SHEAF_SEED", 1);
  const uint64_t rounds = std::max<uint64_t>(1, number_from("SHEAF_MODELS_TRIED", 1) / 8);
  Totals totals;
  for (uint64_t seed = first; seed < first + rounds; ++seed) {
    for (size_t from = 0; from < ways.size(); ++from) {
      for (size_t to = 0; to < ways.size(); ++to) {
        if (from == to) continue;
        Chance chance(seed * 10'000 + from * 100 + to);
        Move move(small, {ways[from].text, *ways[from].made, 0}, {ways[to].text, *ways[to].made, 0}, chance,
                  totals);
        const std::string why = move.run();
        ASSERT_EQ(why, "") << "seed " << seed << " from " << ways[from].name << " to " << ways[to].name
                           << "\n"
                           << ways[from].text << ways[to].text << move.history;
      }
    }
  }
  std::cout << ways.size() << " ways, seed " << first << "\n";
  totals.print();
  totals.expect_deaths();
  EXPECT_EQ(totals.moves, rounds * ways.size() * (ways.size() - 1));
  EXPECT_GT(totals.copied, totals.moves);
}

INSTANTIATE_TEST_SUITE_P(
    All, Strategies,
    testing::Values(
        SmallModel{.name = "OneToMany",
                   .relation = "rel Team 1--* Player as players / team { size max 20 }",
                   .player = "Player",
                   .ways_min = 14},
        SmallModel{.name = "Within",
                   .relation = "rel Team 1--* Player as players / team { size max 20; on delete cascade }",
                   .player = "Player within team",
                   .ways_min = 20,
                   .is_within = true},
        SmallModel{
            .name = "ManyToMany",
            .relation = "rel Team *--* Player as players / team { size of players max 20; size of team "
                        "max 20 }",
            .player = "Player",
            .ways_min = 12,
            .leads_to_many = true}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace sheaf::migrate
