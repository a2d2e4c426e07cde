// Every way to store a relation becomes every other one, while the model is used.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "measure/candidates.h"
#include "migrations/move.h"

namespace sheaf::migrate {
namespace {

using Argument = RandomOperation::Argument;
using layouts::RandomEnd;
using layouts::RandomEntity;
using layouts::RandomRelation;
using Kind = RandomRelation::Kind;
using Parameter = RandomOperation::Parameter;

// Teams and players, or players alone, with one relation.
struct SmallModel {
  const char* name;
  const char* relation;  // as it is declared
  size_t ways_min;       // to store it
  Kind kind = Kind::kOneToMany;
  bool is_within = false;
  bool is_of_players = false;  // both ends
  bool is_symmetric = false;
  bool has_parallel_edges = false, has_weights = false;
};

void PrintTo(const SmallModel& small, std::ostream* out) { *out << small.name; }

// Declared, so that the planner says which layouts cannot do them; and by the names that all models have.
struct Operation {
  std::string name, text, basic;
  std::vector<Parameter> parameters;
  std::vector<std::string> arguments;
};

constexpr Parameter kText{.kind = Argument::kText}, kNumber{.kind = Argument::kNumber};

void add_entity_operations(const RandomModel& made, size_t entity, std::vector<Operation>& operations) {
  const std::string& e = made.entities[entity].name;
  const std::string a = "(a: " + e;
  const Parameter document{.kind = Argument::kDocument, .entity = entity}, self{.entity = entity};
  operations.push_back({"put" + e, a + ") = put $a", "put." + e, {document}, {"%1"}});
  operations.push_back({"upsert" + e, a + ") = upsert $a", "upsert." + e, {document}, {"%1"}});
  operations.push_back({"delete" + e, a + ") = delete $a", "delete." + e, {self}, {"%1"}});
  operations.push_back({"rank" + e,
                        a + ", b: string, c: int) = set $a.name = $b, $a.rank = $c",
                        "set." + e,
                        {self, kText, kNumber},
                        {"%1", "{\"name\": %2, \"rank\": %3}"}});
  operations.push_back({"nick" + e,
                        a + ", b: string) = set $a.nick = $b",
                        "set." + e,
                        {self, kText},
                        {"%1", "{\"nick\": %2}"}});
  operations.push_back(
      {"add" + e, a + ", b: int) = add $a.n = $b", "add." + e, {self, kNumber}, {"%1", "{\"n\": %2}"}});
  operations.push_back({"forget" + e, a + ") = remove $a.nick", "remove." + e, {self}, {"%1", "[\"nick\"]"}});
}

void add_link_operations(const RandomModel& made, const SmallModel& small,
                         std::vector<Operation>& operations) {
  const RandomEntity& from = made.entities[made.relations[0].from];
  const RandomEntity& to = made.entities[made.relations[0].to];
  const Parameter one{.entity = made.relations[0].from}, other{.entity = made.relations[0].to};
  const std::string ab = "(a: " + from.name + ", b: " + to.name, end = from.name + ".players";
  Operation link{"link", ab, "link." + end, {one, other}, {"%1", "%2"}};
  std::string fields, basic_fields;
  const auto add_field = [&](const std::string& name, const std::string& type, const Parameter& parameter) {
    const std::string parameter_name = link.parameters.size() == 2 ? "c" : "d";
    link.text += ", " + parameter_name + ": " + type;
    fields += (fields.empty() ? "" : ", ") + name + " = $" + parameter_name;
    link.parameters.push_back(parameter);
    basic_fields +=
        (basic_fields.empty() ? "\"" : ", \"") + name + "\": %" + std::to_string(link.parameters.size());
  };
  if (small.has_parallel_edges) add_field("role", "string", kText);
  if (small.has_weights) add_field("weight", "int", kNumber);
  link.text += ") = link $a.players $b" + (fields.empty() ? "" : " { " + fields + " }");
  if (!fields.empty()) link.arguments.push_back("{" + basic_fields + "}");
  operations.push_back(std::move(link));
  operations.push_back(
      {"unlink", ab + ") = unlink $a.players $b", "unlink." + end, {one, other}, {"%1", "%2"}});
  for (size_t i = 0; i < made.entities.size(); ++i) {
    const std::string& e = made.entities[i].name;
    for (const RandomEnd& each : made.entities[i].ends) {
      // Of one to one the second end is the one that every layout can set.
      if (each.is_many || (each.name == "players" && !small.is_symmetric)) continue;
      const std::string a = "(a: " + e;
      operations.push_back(
          {"move" + e + each.name,
           a + ", b: " + made.entities[each.target].name + ") = set $a." + each.name + " = $b",
           "move." + e + "." + each.name,
           {{.entity = i}, {.entity = each.target}},
           {"%1", "%2"}});
      operations.push_back({"leave" + e + each.name,
                            a + ") = remove $a." + each.name,
                            "remove." + e,
                            {{.entity = i}},
                            {"%1", "[\"" + each.name + "\"]"}});
    }
  }
}

void add_operations(RandomModel& made, const SmallModel& small) {
  std::vector<Operation> operations;
  for (size_t i = 0; i < made.entities.size(); ++i) add_entity_operations(made, i, operations);
  if (!small.is_within) add_link_operations(made, small, operations);
  for (Operation& each : operations) {
    made.text += "  op " + each.name + each.text + "\n";
    made.operations.push_back({.name = std::move(each.name),
                               .parameters = std::move(each.parameters),
                               .basic = std::move(each.basic),
                               .basic_arguments = std::move(each.arguments)});
  }
}

void add_patterns(RandomModel& made, const SmallModel& small) {
  const std::string& from = made.entities[made.relations[0].from].name;
  const bool leads_to_one = small.kind == Kind::kOneToOne;
  made.text += "  pattern team(t: " + from + ") = $t { *, players }\n  pattern players(t: " + from +
               ") = $t.players\n";
  if (!leads_to_one) made.text += "  pattern first(t: " + from + ") = $t.players order rank page 2\n";
  made.text += "  pattern player(p: Player) = $p\n";
  if (!small.is_symmetric) made.text += "  pattern teamOf(p: Player) = $p { *, team { name } }\n";
}

RandomModel small_model(const SmallModel& small) {
  const std::string fields =
      "name; n int default 0; nick string?; color enum(BLUE, GREEN, RED) default \"RED\"; rank int default 5";
  RandomModel made;
  const auto add_entity = [&](const std::string& name, const std::string& header, const std::string& start) {
    std::vector<std::string> ids;
    for (const std::string& id : small.is_of_players ? std::vector<std::string>{"1", "10", "1#%", "2", "20"}
                                                     : std::vector<std::string>{"1", "10", "1#%"})
      ids.push_back("\"" + start + id + "\"");
    made.entities.push_back({.name = name, .ids = {{.name = "id", .values = ids}}});
    made.text += "  entity " + header + " { id id matches \"" + start + ".+\"; " + fields + " }\n";
  };
  made.text = "model small {\n";
  if (!small.is_of_players) add_entity("Team", "Team", "t");
  add_entity("Player", small.is_within ? "Player within team" : "Player", "p");
  made.text += std::string("  ") + small.relation + "\n";
  RandomRelation relation{.kind = small.kind,
                          .from = 0,
                          .to = made.entities.size() - 1,
                          .down = "players",
                          .up = small.is_symmetric ? "players" : "team",
                          .is_symmetric = small.is_symmetric,
                          .is_within = small.is_within};
  if (small.has_parallel_edges) relation.edge_id = "role";
  if (small.has_weights) relation.edge_field = "weight";
  RandomEntity& holder = made.entities[relation.from];
  RandomEntity& player = made.entities[relation.to];
  holder.ends.push_back({.name = "players", .target = relation.to, .is_many = small.kind != Kind::kOneToOne});
  if (!small.is_symmetric)
    player.ends.push_back({.name = "team",
                           .target = relation.from,
                           .is_many = small.kind == Kind::kManyToMany,
                           .is_required = small.is_within});
  if (small.is_within) player.within = player.ends.back();
  made.relations.push_back(std::move(relation));
  add_patterns(made, small);
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

constexpr SmallModel kSmallModels[] = {
    {.name = "OneToOne",
     .relation = "rel Team 1--1 Player as players / team",
     .ways_min = 13,
     .kind = Kind::kOneToOne},
    {.name = "OneToOneSymmetric",
     .relation = "rel Player 1--1 Player as players",
     .ways_min = 6,
     .kind = Kind::kOneToOne,
     .is_of_players = true,
     .is_symmetric = true},
    {.name = "OneToMany",
     .relation = "rel Team 1--* Player as players / team { size max 20 }",
     .ways_min = 14},
    {.name = "OneToManyOfItself",
     .relation = "rel Player 1--* Player as players / team { size max 20 }",
     .ways_min = 14,
     .is_of_players = true},
    {.name = "Within",
     .relation = "rel Team 1--* Player as players / team { size max 20; on delete cascade }",
     .ways_min = 20,
     .is_within = true},
    {.name = "ManyToMany",
     .relation = "rel Team *--* Player as players / team { size of players max 20; size of team max 20 }",
     .ways_min = 12,
     .kind = Kind::kManyToMany},
    {.name = "ManyToManyOfItself",
     .relation = "rel Player *--* Player as players / team { size of players max 20; size of team max 20 }",
     .ways_min = 12,
     .kind = Kind::kManyToMany,
     .is_of_players = true},
    {.name = "ManyToManySymmetric",
     .relation = "rel Player *--* Player as players { size max 20 }",
     .ways_min = 7,
     .kind = Kind::kManyToMany,
     .is_of_players = true,
     .is_symmetric = true},
    {.name = "EdgesWithFields",
     .relation = "rel Team *--* Player as players / team { size of players max 20; size of team max 20; "
                 "edge { weight int default 1 } }",
     .ways_min = 10,
     .kind = Kind::kManyToMany,
     .has_weights = true},
    {.name = "ParallelEdges",
     .relation = "rel Team *--* Player as players / team { size of players max 20; size of team max 20; "
                 "edge { role id; weight int default 1 } }",
     .ways_min = 10,
     .kind = Kind::kManyToMany,
     .has_parallel_edges = true,
     .has_weights = true},
    {.name = "EdgesWithFieldsSymmetric",
     .relation = "rel Player *--* Player as players { size max 20; edge { weight int default 1 } }",
     .ways_min = 6,
     .kind = Kind::kManyToMany,
     .is_of_players = true,
     .is_symmetric = true,
     .has_weights = true},
};

INSTANTIATE_TEST_SUITE_P(All, Strategies, testing::ValuesIn(kSmallModels),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace sheaf::migrate
