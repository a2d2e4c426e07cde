// What is read straight is what the general way reads, request by request.
#include "run/straight_read.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

std::string shown(const Result<Answer>& answer) {
  if (!answer.ok()) return "error: " + answer.error().message;
  std::string out;
  for (const Value& document : answer->documents) out += document.to_json() + "\n";
  const Figures& figures = answer->figures;
  out += std::to_string(figures.requests) + " requests, " + std::to_string(figures.rounds) + " rounds, " +
         std::to_string(figures.items_read) + " items, " + std::to_string(figures.units) + " units, " +
         std::to_string(figures.foreign) + " foreign\n";
  if (answer->next) out += answer->next->key ? answer->next->key->to_json() : "a position without a key";
  return out;
}

// All pages of a pattern, both ways. Whether it can be read straight.
bool compare_both(RunningModel& model, std::string_view name, const std::vector<Value>& values) {
  const model::Pattern& pattern = *model.model().find_pattern(name);
  const auto arguments = arguments_of(model.model(), pattern.name, pattern.parameters, values);
  if (!arguments.ok()) return false;
  bool is_straight = false;
  for (const plan::PlannedPattern& each : model.planned().plans[model.layout_id()]) {
    if (each.pattern != &pattern || !each.ok() || !is_for(each, *arguments)) continue;
    const auto& plan = std::get<plan::Plan>(each.plan);
    const auto straight = StraightRead::of(model.model(), model.layout(), plan);
    if (!straight) continue;
    is_straight = true;
    std::optional<Position> position;
    for (int page = 0; page < 100; ++page) {
      const Position* const start = position ? &*position : nullptr;
      const Result<Answer> made = straight->run(model.database(), *arguments, start);
      const Result<Answer> expected =
          run_plan(model.database(), model.model(), model.layout(), plan, *arguments, start);
      EXPECT_EQ(shown(made), shown(expected)) << name << " in " << model.layout().name;
      if (!made.ok() || !made->next) break;
      position = made->next;
    }
  }
  return is_straight;
}

TEST(StraightRead, AnswersAsTheGeneralWayDoesInAllExamples) {
  size_t straight = 0, all = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS)) {
    const std::string name = entry.path().filename();
    const std::string text = model_file(name + "/model.sheaf");
    const plan::PlannedModel planned = plan::plan_model(model::compile(name, text));
    const Value steps = *from_plain_json(model_file(name + "/answers.json"));
    for (const model::Layout& layout : planned.compiled.layouts) {
      SCOPED_TRACE(name + " " + layout.name);
      RunningModel model(text, model_file(name + "/data.json"), layout.name);
      for (const ValueView step : steps.view().list()) {
        const auto ask = step.map().find("ask");
        if (!ask) continue;
        std::vector<Value> values;
        if (const auto with = step.map().find("with")) {
          for (const ValueView value : with->list()) values.emplace_back(value);
        }
        ++all;
        if (compare_both(model, ask->bytes(), values)) ++straight;
      }
    }
  }
  EXPECT_GT(straight, 50u) << "of " << all;
}

// One partition with what is wanted, what is not, what is going and what nobody explains.
TEST(StraightRead, PassesOverWhatIsNotWanted) {
  const std::string text = R"(model teams {
    table app { pk PK; sk SK; tag T }
    entity Team { id id; name; key "T#<id>" / "A" }
    entity Member within team { no id int; name string?; key "T#<team.id>" / "M#<no:000>" }
    entity Guest within team { no id int; key "T#<team.id>" / "M#<no:000>#GUEST" }
    rel Team 1--* Member as members / team { via collection; size unbounded }
    rel Team 1--* Guest as guests / team { via collection; size unbounded }
    pattern members(t: Team) = $t.members page 3
    pattern first(t: Team) = $t.members order no limit 4
    pattern last(t: Team) = $t.members order no desc page 2 { name }
    pattern one(m: Member) = $m
  })";
  RunningModel model(text, R"({ "Team": [{ "id": "a", "name": "A" }] })");
  for (int i = 1; i <= 9; ++i) {
    const std::string no = std::to_string(i);
    EXPECT_EQ(model.write("put.Member", {"{\"no\": " + no + ", \"team\": \"a\", \"name\": \"M" + no + "\"}"}),
              "");
    EXPECT_EQ(model.write("put.Guest", {"{\"no\": " + no + ", \"team\": \"a\"}"}), "");
  }
  ASSERT_TRUE(model.database()
                  .put_item({.table = "app", .item = {{"PK", "T#a"}, {"SK", "M#004x"}, {"T", "Member"}}})
                  .ok());
  ASSERT_TRUE(
      model.database().put_item({.table = "app", .item = {{"PK", "T#a"}, {"SK", "M#005#"}, {"n", 1}}}).ok());
  UpdateItem mark{.table = "app",
                  .key = {{"PK", "T#a"}, {"SK", "M#002"}},
                  .update = "SET #d = :d",
                  .names = {{"#d", "_deleting"}}};
  mark.values.set(":d", Value("job"));
  ASSERT_TRUE(model.database().update_item(mark).ok());
  for (const std::string_view name : {"members", "first", "last"})
    EXPECT_TRUE(compare_both(model, name, {Value("a")})) << name;
  EXPECT_TRUE(compare_both(model, "one", {Value::list({Value("a"), Value(1)})}));
  EXPECT_TRUE(compare_both(model, "one", {Value::list({Value("a"), Value(2)})})) << "which is going";
  EXPECT_TRUE(compare_both(model, "members", {Value("nobody")}));
  EXPECT_EQ(model.ask("first", {"\"a\""}),
            "{\"name\":\"M1\",\"no\":1}\n{\"name\":\"M3\",\"no\":3}\n{\"name\":\"M4\",\"no\":4}\n"
            "{\"name\":\"M5\",\"no\":5}\n");
  EXPECT_EQ(model.ask("one", {"[\"a\", 1]"}), "{\"name\":\"M1\",\"no\":1,\"team\":\"a\"}\n");
}

}  // namespace
}  // namespace sheaf::run
