// Somebody writes past the model while it moves: what only the old tables hold is told before they go.
#include "migrate/changed_model.h"
#include "migrate/source_check.h"
#include "migrate/sync.h"

namespace sheaf::migrate {
namespace {

constexpr const char* kSquads = R"(model m {
  entity Team { id id; name }
  entity Player { id id; name; nick string? }
  rel Team 1--* Player as players / team { size max 50 }
  layout index {
    table team { pk id }
    table player { pk id; gsi by_team team_id }
    entity Team { in team; key "<id>" }
    entity Player { in player; key "<id>"; index by_team "<team.id>" }
    rel Team.players via index on by_team
  }
  layout edges { rel Team.players via edges pk both }
  pattern team(t: Team) = $t { *, players }
})";

class OutsideWriters : public ChangedModel {
 protected:
  void SetUp() override {
    open(kSquads, "index");
    for (const char* team : {R"({"id":"t1","name":"a"})", R"({"id":"t2","name":"b"})"})
      ASSERT_EQ(write(*old_, "put.Team", {team}), "");
    for (const char* player :
         {R"({"id":"p1","name":"x","team":"t1"})", R"({"id":"p2","name":"y","team":"t1"})"})
      ASSERT_EQ(write(*old_, "put.Player", {player}), "");
    begin(kSquads, "edges");
    copy();
  }
  void put(const std::string& table, Item item) {
    ASSERT_TRUE(database_->put_item({.table = table, .item = std::move(item)}).ok());
  }
  Comparison compared() {
    auto made = migration_->compare();
    EXPECT_TRUE(made.ok()) << made.error().message;
    return made.ok() ? std::move(*made) : Comparison();
  }
  using Lines = std::vector<std::string>;
};

TEST_F(OutsideWriters, AreToldOfBeforeTheOldOneIsLeft) {
  step(&Migration::read_new);
  EXPECT_TRUE(compared().is_clean());
  put("player", {{"id", "p1"}, {"name", "other"}, {"nick", "n"}, {"team_id", "t1"}});
  put("player", {{"id", "p2"}, {"name", "y"}, {"team_id", "t2"}});
  put("player", {{"id", "p3"}, {"name", "new"}});
  ASSERT_TRUE(database_->delete_item({.table = "team", .key = {{"id", "t2"}}}).ok());
  const Comparison found = compared();
  EXPECT_EQ(found.differences.named(),
            (Lines{"Team t2 is missing in the old layout",
                   "Player p1 has other fields in the old layout: name, nick",
                   "Player p2: team t1 is missing in the old layout",
                   "Player p2: team t2 is only in the old layout", "Player p3 is only in the old layout"}));
  EXPECT_EQ(found.differences.count(), 5u);
  EXPECT_TRUE(found.unexplained.empty());
  EXPECT_GT(found.seen, 5u);
}

TEST_F(OutsideWriters, WhatTheyWroteIsTakenOverAfterAStepBack) {
  step(&Migration::read_new);
  put("player", {{"id", "p1"}, {"name", "other"}, {"team_id", "t1"}});
  step(&Migration::step_back);
  copy();
  EXPECT_EQ(migration_->progress().differing, 1);
  const Lines told{"Player p1 has other fields in the new layout: name"};
  EXPECT_EQ(migration_->progress().differences, told);
  migration_ = std::move(*Migration::resume(*database_, "m-sheaf", options_));
  EXPECT_EQ(migration_->progress().differences, told) << "it is kept";
  step(&Migration::read_new);
  EXPECT_TRUE(compared().is_clean());
  EXPECT_NE(ask(*old_, "team", {R"("t1")"}).find("other"), std::string::npos);
}

TEST_F(OutsideWriters, ItemsThatTheModelDoesNotExplainAreNamed) {
  step(&Migration::read_new);
  ASSERT_EQ(write(*old_, "put.Player", {R"({"id":"p3","name":"z"})"}), "");
  const auto next = OpenVersion::open(*database_, *migration_->record().next, options_, false);
  ASSERT_TRUE(next.ok()) << next.error().message;
  const model::Table table = (*next)->layout().tables.front();
  put(table.name, {{table.pk.name, "x"}, {table.sk->name, "y"}});
  EXPECT_TRUE(compared().is_clean()) << "the new tables stay";
  // The other way round.
  end();
  old_text_ = kSquads, old_layout_ = "edges";
  begin(kSquads, "index");
  copy();
  step(&Migration::read_new);
  const Comparison found = compared();
  EXPECT_TRUE(found.differences.empty());
  EXPECT_EQ(found.unexplained.named(), Lines{table.name + " x / y"});
}

TEST_F(OutsideWriters, OfManyTheFirstAreNamedAndAllCounted) {
  step(&Migration::read_new);
  for (int i = 0; i < 50; ++i) put("player", {{"id", "q" + std::to_string(i)}, {"name", "z"}});
  const Comparison found = compared();
  EXPECT_EQ(found.differences.count(), 50u);
  EXPECT_EQ(found.differences.named().size(), Findings::kNamedMax);
}

TEST_F(OutsideWriters, AreComparedOnlyWhileTheNewOneIsRead) {
  EXPECT_EQ(migration_->compare().error().code, Code::kInvalid);
}

// The way back leaves behind what the new one says otherwise.
TEST_F(OutsideWriters, OfTheNewOneAreToldOfBeforeAStepBack) {
  step(&Migration::read_new);
  const auto next = OpenVersion::open(*database_, *migration_->record().next, options_, false);
  ASSERT_TRUE(next.ok()) << next.error().message;
  const model::Model& model = (*next)->model();
  const auto put_in_new = [&](const run::Change& change) {
    const auto written = (*next)->writer().mirror({change}, nullptr);
    ASSERT_TRUE(written.ok()) << written.error().message;
  };
  const model::EntityId player = *model.find_entity("Player");
  put_in_new({.kind = run::Change::Kind::kPut,
              .entity = player,
              .identity = {"p9"},
              .fields = {{"id", Value("p9")}, {"name", Value("z")}},
              .mirrored_version = 1});
  put_in_new({.kind = run::Change::Kind::kUpsert,
              .entity = player,
              .identity = {"p1"},
              .fields = {{"id", Value("p1")}, {"name", Value("other")}},
              .mirrored_version = 2});
  put_in_new({.kind = run::Change::Kind::kDelete, .entity = *model.find_entity("Team"), .identity = {"t2"}});
  const model::Table table = (*next)->layout().tables.front();
  put(table.name, {{table.pk.name, "x"}, {table.sk->name, "y"}});
  const auto found = migration_->compare_back();
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->differences.named(), (Lines{"Team t2 is missing in the new layout",
                                               "Player p1 has other fields in the new layout: name",
                                               "Player p9 is only in the new layout"}));
  EXPECT_EQ(found->unexplained.named(), Lines{table.name + " x / y"});
  step(&Migration::step_back);
  // What is missing there could be still to be copied, for all that is known then.
  const auto surplus = migration_->compare_back();
  ASSERT_TRUE(surplus.ok()) << surplus.error().message;
  EXPECT_EQ(surplus->differences.named(), Lines{"Player p9 is only in the new layout"});
  EXPECT_EQ(surplus->unexplained.count(), 1u);
  step(&Migration::step_back);
  EXPECT_EQ(migration_->compare_back().error().code, Code::kInvalid);
}

// What was missing when an item was read, and is there when the copy is written, was set meanwhile.
TEST_F(OutsideWriters, AFieldThatIsSetAfterItWasReadIsNotCopiedOver) {
  const auto version = OpenVersion::open(*database_, migration_->record().current, options_, false);
  const auto next = OpenVersion::open(*database_, *migration_->record().next, options_, false);
  ASSERT_TRUE(version.ok() && next.ok());
  const model::EntityId player = *(*version)->model().find_entity("Player");
  const Sight sight = *(*version)->side().find(player, {"p1"});
  ASSERT_EQ(sight.sources.size(), 1u);
  ASSERT_EQ(write(*old_, "set.Player", {R"("p1")", R"({"nick":"set"})"}), "");
  const SourceCheck check(sight.sources);
  const run::Change stale{.kind = run::Change::Kind::kUpsert,
                          .entity = player,
                          .identity = {"p1"},
                          .fields = {{"id", Value("p1")}, {"name", Value("x")}},
                          .mirrored_version = 1};
  const auto written = (*next)->writer().mirror({stale}, &check);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, Code::kConflict);
  const Sight there = *(*next)->side().find(player, {"p1"});
  EXPECT_TRUE(there.entity->fields.contains("nick"));
}

// One entity tells of them all.
TEST_F(ChangedModel, ParallelEdgesAreCopiedFromLists) {
  const char* const text = R"(model m {
  entity User { id id; name }
  entity Group { id id; name }
  rel User *--* Group as groups / members { size of groups max 50; size of members max 50; edge { role id } }
  layout lists { rel User.groups via lists }
  layout edges { rel User.groups via edges pk both }
})";
  open(text, "lists");
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","name":"Ann"})"}), "");
  ASSERT_EQ(write(*old_, "put.Group", {R"({"id":"g1","name":"a"})"}), "");
  for (const char* role : {R"({"role":"a"})", R"({"role":"b"})", R"({"role":"c"})"})
    ASSERT_EQ(write(*old_, "link.User.groups", {R"("u1")", R"("g1")", role}), "");
  begin(text, "edges");
  copy();
  EXPECT_EQ(migration_->progress().differing, 0)
      << testing::PrintToString(migration_->progress().differences);
  EXPECT_EQ(migration_->progress().rounds, 0);
  step(&Migration::read_new);
  end();
  EXPECT_EQ(findings(), 0u);
}

// The old layout has no copies, and so no versions by which copies in the new one could tell that they are
// old.
TEST_F(ChangedModel, CopiesFollowWhatIsTakenOverFromALayoutWithoutVersions) {
  const std::string text = std::string(R"(model m {
  entity Team { id id; name }
  entity Player { id id; name }
  rel Team 1--* Player as players / team { size max 50 }
  layout plain { rel Team.players via index }
  layout copied { rel Team.players via index copy team(name) }
  pattern team(t: Team) = $t { *, players }
  pattern home(p: Player) = $p { *, team { name } }
})");
  open(text.c_str(), "plain");
  ASSERT_EQ(write(*old_, "put.Team", {R"({"id":"t1","name":"before"})"}), "");
  ASSERT_EQ(write(*old_, "put.Player", {R"({"id":"p1","name":"x","team":"t1"})"}), "");
  begin(text.c_str(), "copied");
  copy();
  const auto version = OpenVersion::open(*database_, migration_->record().current, options_, false);
  ASSERT_TRUE(version.ok());
  const Sight sight = *(*version)->side().find(*(*version)->model().find_entity("Team"), {"t1"});
  Item item = *sight.sources.at(0).item;
  item.set("name", Value("after"));
  ASSERT_TRUE(database_->put_item({.table = sight.sources[0].table, .item = std::move(item)}).ok());
  step(&Migration::read_new);
  step(&Migration::step_back);
  copy();
  step(&Migration::read_new);
  EXPECT_EQ(ask(*old_, "home", {R"("p1")"}).find("before"), std::string::npos);
  EXPECT_NE(ask(*old_, "home", {R"("p1")"}).find("after"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::migrate
