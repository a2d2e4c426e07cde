#include "measure/trial.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "generate/load.h"
#include "measure/script.h"
#include "run/applied_layout.h"

namespace sheaf::measure {
namespace {

// A model with generated data in each of its layouts, each in a database of its own.
class TrialTest : public ::testing::Test {
 protected:
  void open(const std::string& text, const generate::GeneratorOptions& options) {
    planned_.emplace(plan::plan_model(model::compile("model.sheaf", text)));
    ASSERT_TRUE(planned_->compiled.ok()) << planned_->compiled.rendered();
    auto made = generate::Generator::make(planned_->compiled, options);
    ASSERT_TRUE(made.ok()) << made.error().message;
    generator_ = std::move(*made);
  }
  void open_example(const std::string& name, const generate::GeneratorOptions& options) {
    std::ifstream file(std::filesystem::path(SHEAF_MODELS) / name / "model.sheaf");
    std::stringstream text;
    text << file.rdbuf();
    open(text.str(), options);
  }

  std::vector<size_t> all_layouts() const {
    std::vector<size_t> made;
    for (size_t i = 0; i < planned_->compiled.layouts.size(); ++i) made.push_back(i);
    return made;
  }
  size_t layout(const std::string& name) const {
    for (const size_t i : all_layouts()) {
      if (planned_->compiled.layouts[i].name == name) return i;
    }
    ADD_FAILURE() << "no layout " << name;
    return 0;
  }

  Script script(const ScriptOptions& options) const {
    auto made = make_script(*generator_, *planned_, all_layouts(), options);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(*made);
  }

  std::unique_ptr<Database> loaded(size_t layout) const {
    auto database = Database::open_in_memory({.background_thread = false});
    const model::Layout& stored = planned_->compiled.layouts[layout];
    EXPECT_TRUE(run::apply_layout(*database, planned_->compiled.model, stored).ok());
    const auto done = generate::load(*database, stored, *generator_);
    EXPECT_TRUE(done.ok()) << done.error().message;
    return database;
  }

  Trial trial(size_t layout, const Script& script) const {
    const auto database = loaded(layout);
    auto made = run_trial(*database, *planned_, layout, script, {.keeps_answers = true});
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(*made);
  }

  static const Measured& of(const Trial& trial, const Script& script, const std::string& name) {
    for (size_t i = 0; i < script.subjects.size(); ++i) {
      if (script.subjects[i].name == name) return trial.measured[i];
    }
    ADD_FAILURE() << "no " << name;
    return trial.measured.front();
  }

  std::optional<plan::PlannedModel> planned_;
  std::unique_ptr<generate::Generator> generator_;
};

constexpr const char* kTeams = R"(model teams {
  table app { pk PK; sk SK }
  entity Team { id id; name; key "TEAM#<id>" / "TEAM" }
  entity Member within team { id id; note; key "TEAM#<team.id>" / "MEMBER#<id>" }
  rel Team 1--* Member as members / team { via collection; size avg 5 max 5 }
  pattern team(t: Team) = $t
  pattern members(t: Team) = $t.members
  pattern whole(t: Team) = $t { *, members } strong
  op rename(t: Team, n: string) = set $t.name = $n rate 6/min
  op join(m: Member) = put $m
})";

// By hand: what DynamoDB's rules say of items of known sizes.
TEST_F(TrialTest, MetersEveryRequestExactly) {
  open(kTeams, {.wishes = {.counts = {{"Team", 4}, {"Member", 20}}},
                .skew = {.thousandths = 0},
                .item_bytes = {{"Member", 2000}}});
  const Script all = script({.runs = 3});
  const Trial made = trial(0, all);
  const Measured& team = of(made, all, "team");
  EXPECT_EQ(team.runs, 3u);
  EXPECT_EQ(team.usage.requests, 3u);
  EXPECT_EQ(team.rounds, 3u);
  EXPECT_EQ(team.usage.items_read, 3u);
  EXPECT_EQ(team.items_returned, 3u);
  EXPECT_EQ(team.usage.read_units(), 1.5);  // half a unit each, for less than 4 KB
  EXPECT_EQ(team.usage.write_units(), 0);
  EXPECT_EQ(team.latencies_us.size(), 3u);
  // Some 10 KB of five or more members: more than 8 KB, so 1.5 units or more each.
  const Measured& members = of(made, all, "members");
  EXPECT_EQ(members.usage.requests, 3u);
  EXPECT_GE(members.usage.items_read, 15u);
  EXPECT_EQ(members.usage.items_read, members.items_returned);
  EXPECT_GE(members.usage.read_units(), 4.5);
  EXPECT_GE(members.usage.bytes_read, 15u * 1900);
  // Strong: twice as much for the same items and the team's own.
  const Measured& whole = of(made, all, "whole");
  EXPECT_EQ(whole.usage.requests, 3u);
  EXPECT_EQ(whole.usage.items_read, whole.items_returned);
  EXPECT_GE(whole.usage.read_units(), 9);
  // A plain write of less than 1 KB, under a condition.
  const Measured& rename = of(made, all, "rename");
  EXPECT_EQ(rename.runs, 3u);
  EXPECT_EQ(rename.usage.requests, 3u);
  EXPECT_EQ(rename.usage.write_units(), 3);
  EXPECT_EQ(rename.usage.items_written, 3u);
  // A member of 2 KB and the check that its team is there, in a transaction: twice 2 or 3, and twice 1.
  const Measured& join = of(made, all, "join");
  EXPECT_EQ(join.runs + join.refused, 3u);
  ASSERT_EQ(join.runs, 3u) << join.refusal;
  EXPECT_EQ(join.usage.items_written, 3u);
  EXPECT_EQ(made.before.items(), made.after.items() - 3);
}

TEST_F(TrialTest, TellsWhatIsPlannedBesideWhatIs) {
  open(kTeams, {.wishes = {.counts = {{"Team", 4}, {"Member", 20}}}});
  const Script all = script({.runs = 2, .basic_operations = true});
  const Trial made = trial(0, all);
  const Measured& members = of(made, all, "members");
  ASSERT_TRUE(members.is_planned);
  EXPECT_EQ(members.planned.requests, 2);
  EXPECT_EQ(members.planned.requests, static_cast<double>(members.usage.requests));
  EXPECT_TRUE(of(made, all, "rename").is_planned);
  EXPECT_FALSE(of(made, all, "put.Team").is_planned);
}

TEST_F(TrialTest, StoredBytesAreThoseOfTheTablesAndIndexes) {
  open_example("hr", {.wishes = {.counts = {{"Department", 3}, {"Employee", 30}}}});
  const Script all = script({.runs = 2});
  const Trial keys = trial(layout("method1"), all), copies = trial(layout("method2"), all),
              edges = trial(layout("method4"), all);
  ASSERT_EQ(keys.before.tables.size(), 3u);
  EXPECT_EQ(keys.before.tables[0].table.name, "department");
  EXPECT_EQ(keys.before.tables[0].table.items, 3);
  EXPECT_EQ(keys.before.tables[1].table.items, 30);
  ASSERT_EQ(keys.before.tables[1].indexes.size(), 3u);
  EXPECT_EQ(keys.before.tables[1].indexes[0].items, 30);  // by_department
  EXPECT_TRUE(keys.before.tables[2].is_system);
  EXPECT_GT(copies.before.bytes(), keys.before.bytes());
  // An edge for each employee, and for each manager and mentor that there is.
  EXPECT_GE(edges.before.items(), keys.before.items() + 30);
}

TEST_F(TrialTest, JobsOfAnOperationCountAsItsOwn) {
  open_example("hr", {.wishes = {.counts = {{"Department", 2}, {"Employee", 20}}}});
  const Script all = script({.runs = 1});
  const Trial keys = trial(layout("method1"), all), copies = trial(layout("method2"), all);
  const Measured& plain = of(keys, all, "rename");
  const Measured& fanned = of(copies, all, "rename");
  EXPECT_EQ(plain.copies, 0u);
  EXPECT_GE(fanned.copies, 1u);
  EXPECT_GE(fanned.usage.items_written, plain.usage.items_written + fanned.copies);
  EXPECT_GT(fanned.usage.write_units(), plain.usage.write_units());
}

// What budgets are for is what a run takes itself; the dearest run is no mean.
TEST_F(TrialTest, WhatARunTakesItselfIsWithoutItsJobs) {
  open_example("hr", {.wishes = {.scale = 0.2}});
  const Script all = script({.runs = 6});
  const Trial copies = trial(layout("method2"), all);
  const Measured& fanned = of(copies, all, "rename");
  ASSERT_GT(fanned.runs, 0u);
  EXPECT_GE(fanned.copies, 1u);
  EXPECT_LT(fanned.own.units, fanned.units());
  EXPECT_LT(fanned.own.requests, static_cast<double>(fanned.usage.requests));
  const Measured& team = of(copies, all, "team");
  EXPECT_EQ(team.own.requests, static_cast<double>(team.usage.requests));
  EXPECT_EQ(team.own.units, team.units());
  EXPECT_GE(team.dearest.units, team.mean(team.own.units));
  EXPECT_LE(team.dearest.units, team.own.units);
}

// A condition that fails costs what was there, and is in no figure of what was done.
TEST_F(TrialTest, WhatIsRefusedIsMeteredByItself) {
  open("model things { entity Thing { id id; note } op add(t: Thing) = put $t }",
       {.wishes = {.counts = {{"Thing", 4}}}, .item_bytes = {{"Thing", 3000}}});
  Script twice = script({.runs = 1});
  ASSERT_EQ(twice.calls.size(), 1u);
  twice.calls.push_back(twice.calls.front());
  const Trial made = trial(0, twice);
  const Measured& add = of(made, twice, "add");
  EXPECT_EQ(add.runs, 1u);
  EXPECT_EQ(add.refused, 1u);
  EXPECT_EQ(add.refused_metered, 1u);
  EXPECT_GT(add.usage.write_units(), 0);
  EXPECT_EQ(add.refused_usage.write_units(), add.usage.write_units());
  EXPECT_EQ(add.refused_usage.items_written, 0u);
}

// The same answers everywhere, also after writes; what is refused is refused everywhere.
TEST_F(TrialTest, AnswersAreTheSameInEveryLayout) {
  for (const char* name : {"hr", "order", "friends", "repos", "movies", "places"}) {
    open_example(name, {.wishes = {.scale = 0.2}});
    const Script all = script({.runs = 6, .basic_operations = true});
    std::optional<Trial> first;
    for (const size_t each : all_layouts()) {
      Trial made = trial(each, all);
      ASSERT_EQ(made.answers.size(), all.calls.size());
      for (size_t i = 0; first && i < all.calls.size(); ++i) {
        if (made.answers[i] == "unserved" || first->answers[i] == "unserved") continue;
        EXPECT_EQ(made.answers[i], first->answers[i]) << name << " " << planned_->compiled.layouts[each].name
                                                      << " " << all.subjects[all.calls[i].subject].name;
      }
      if (!first) first = std::move(made);
    }
  }
}

TEST_F(TrialTest, AScriptIsTheSameForTheSameSeedOnly) {
  open(kTeams, {.wishes = {.counts = {{"Team", 40}, {"Member", 200}}}});
  const auto same = [](const Script& a, const Script& b) {
    bool is_same = a.calls.size() == b.calls.size();
    for (size_t i = 0; is_same && i < a.calls.size(); ++i)
      is_same = a.calls[i].arguments == b.calls[i].arguments;
    return is_same;
  };
  const ScriptOptions options{.runs = 5, .seed = 7, .basic_operations = true};
  EXPECT_TRUE(same(script(options), script(options)));
  EXPECT_FALSE(same(script(options), script({.runs = 5, .seed = 8, .basic_operations = true})));
}

TEST_F(TrialTest, RatesAreThoseOfTheModel) {
  open(kTeams, {.wishes = {.counts = {{"Team", 4}}}});
  for (const Subject& subject : script({.runs = 1}).subjects) {
    EXPECT_EQ(subject.rate.has_value(), subject.name == "rename") << subject.name;
    EXPECT_DOUBLE_EQ(subject.rate.value_or(0.1), 0.1);
  }
}

TEST_F(TrialTest, LatenciesHaveQuantiles) {
  Measured measured;
  EXPECT_EQ(measured.latency_us(0.5), 0);
  measured.latencies_us = {4, 1, 3, 2};
  EXPECT_EQ(measured.latency_us(0), 1);
  EXPECT_EQ(measured.latency_us(0.5), 3);
  EXPECT_EQ(measured.latency_us(1), 4);
}

}  // namespace
}  // namespace sheaf::measure
