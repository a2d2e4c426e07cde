// The plans of layouts with keys made by chance, carried out: all layouts answer alike.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <memory>

#include "plan/planned_model.h"
#include "plans/random_keys.h"
#include "run/applied_layout.h"
#include "run/expectations.h"
#include "run/plain_json.h"
#include "run/session.h"

namespace sheaf::plans {
namespace {

std::vector<Value> values_of(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(*run::from_plain_json(text));
  return values;
}

// One layout with the data, on a database of its own.
class Loaded {
 public:
  Loaded(const plan::PlannedModel& planned, size_t layout, const RandomKeys& keys)
      : database_(Database::open_in_memory({.background_thread = false})) {
    EXPECT_TRUE(run::apply_layout(*database_, planned.compiled.model, planned.compiled.layouts[layout]).ok());
    session_ = std::move(*run::Session::open(*database_, planned, layout));
    for (const auto& [entity, document] : keys.entities) write("put." + entity, {document});
    for (const auto& [a, d] : keys.links) write("link.A.ds", {a, d, R"({"w": 1})"});
  }

  // Whether it has all of the data: in some layouts an operation has no key to go by.
  bool is_whole() const { return is_whole_; }
  run::Session& session() { return *session_; }

 private:
  void write(const std::string& operation, const std::vector<std::string>& arguments) {
    if (!session_->write(operation, values_of(arguments)).ok()) is_whole_ = false;
  }

  std::unique_ptr<Database> database_;
  std::unique_ptr<run::Session> session_;
  bool is_whole_ = true;
};

void compare_answers(uint64_t seed, uint64_t& compared) {
  std::mt19937 random(seed);
  const RandomKeys keys = random_keys(random);
  const std::string text = servable(keys.text);
  if (text.empty()) return;
  const plan::PlannedModel planned = plan::plan_model(model::compile("test.sheaf", text));
  ASSERT_TRUE(planned.compiled.ok()) << "seed " << seed << "\n" << text << planned.compiled.rendered();
  const model::Model& model = planned.compiled.model;
  std::vector<std::unique_ptr<Loaded>> layouts;
  for (size_t i = 0; i < planned.plans.size(); ++i)
    layouts.push_back(std::make_unique<Loaded>(planned, i, keys));
  ASSERT_TRUE(layouts[0]->is_whole()) << "seed " << seed << "\n" << text;
  for (size_t number = 0; number < model.patterns.size(); ++number) {
    const model::Pattern& pattern = model.patterns[number];
    const std::string& entity = model.entities[*pattern.parameters[0].entity].name;
    for (int i = 0; i < 3; ++i) {
      const std::string id = random_identity(entity, random);
      std::optional<std::string> first;
      for (size_t layout = 0; layout < layouts.size(); ++layout) {
        if (!layouts[layout]->is_whole() || !planned.plans[layout][number].ok()) continue;
        const auto reply = layouts[layout]->session().read(pattern.name, values_of({id}));
        ASSERT_TRUE(reply.ok()) << "seed " << seed << ", " << pattern.name << " " << id << " in "
                                << planned.compiled.layouts[layout].name << ": " << reply.error().message
                                << "\n"
                                << text;
        const std::string answer = run::canonical_text(model, pattern, reply->documents);
        if (first) ++compared;
        if (!first) first = answer;
        ASSERT_EQ(*first, answer) << "seed " << seed << ", " << pattern.name << " " << id << " in "
                                  << planned.compiled.layouts[layout].name << "\n"
                                  << text;
      }
    }
  }
}

TEST(RandomKeys, AnswerAlikeInAllLayouts) {
  const char* const rounds = std::getenv("SHEAF_TEST_ROUNDS");
  const uint64_t seeds = 60 * (rounds == nullptr ? 1 : static_cast<uint64_t>(std::atoll(rounds)));
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    compare_answers(seed, compared);
    if (HasFatalFailure()) return;
  }
  std::cout << compared << " answers compared\n";
  EXPECT_GT(compared, 10 * seeds);
}

// What chance does not come to: lists without an order are not compared, and those that end early need more
// than one Query for it to show.
TEST(Limits, AreOfEachListAndOfTheirOrder) {
  const plan::PlannedModel planned = plan::plan_model(model::compile("test.sheaf", R"(model w {
    table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK }
    entity A { id id; key "A#<id>" / "A" }
    entity B within a { id id; key "A#<a.id>" / "B#<id>" }
    entity C within b { id id; at time immutable; key "A#<b.a.id>" / "C#<b.id>#<id>";
      index GSI1 "B#<b.a.id>#<b.id>" / "C#<at>#<id>" }
    rel A 1--* B as bs / a { size max 4; on delete cascade }
    rel B 1--* C as cs / b { size max 50000; on delete cascade }
    pattern each(a: A) = $a.bs { cs limit 2 {} }
    pattern first(a: A) = $a.bs.cs order at limit 2 {}
  })"));
  ASSERT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
  const auto c = [](const std::string& b, int id, int second) {
    return std::pair<std::string, std::string>(
        "C", "{\"id\": \"c" + std::to_string(id) + "\", \"b\": [\"a\", \"" + b +
                 "\"], \"at\": \"2026-01-01T00:00:0" + std::to_string(second) + ".000Z\"}");
  };
  const RandomKeys data{.entities = {{"A", R"({"id": "a"})"},
                                     {"B", R"({"id": "b1", "a": "a"})"},
                                     {"B", R"({"id": "b2", "a": "a"})"},
                                     c("b1", 1, 5),
                                     c("b1", 2, 6),
                                     c("b1", 3, 7),
                                     c("b2", 4, 1)}};
  Loaded loaded(planned, 0, data);
  ASSERT_TRUE(loaded.is_whole());
  const auto answer = [&](const std::string& pattern) {
    std::string text;
    const auto reply = loaded.session().read(pattern, values_of({"\"a\""}));
    if (!reply.ok()) return reply.error().message;
    for (const Value& document : reply->documents) text += run::to_plain_json(document.view()) + "\n";
    return text;
  };
  EXPECT_EQ(answer("each"),
            "{\"cs\":[{\"id\":\"c1\"},{\"id\":\"c2\"}],\"id\":\"b1\"}\n"
            "{\"cs\":[{\"id\":\"c4\"}],\"id\":\"b2\"}\n");
  EXPECT_EQ(answer("first"), "{\"b\":[\"a\",\"b2\"],\"id\":\"c4\"}\n{\"b\":[\"a\",\"b1\"],\"id\":\"c1\"}\n");
}

}  // namespace
}  // namespace sheaf::plans
