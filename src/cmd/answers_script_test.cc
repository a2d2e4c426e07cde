#include "cmd/answers_script.h"

#include <gtest/gtest.h>

#include "model/compiled_model.h"

namespace sheaf::cmd {
namespace {

constexpr std::string_view kAnswered = R"(model m {
  entity User { id id; name }
  pattern user(u: User) = $u
  op rename(u: User, name: string) = set $u.name = $name
})";

TEST(AnswersScript, HasTheStepsThatAreToSucceedInTheirOrder) {
  const model::CompiledModel compiled = model::compile("m", std::string(kAnswered));
  const auto script = answers_script(compiled.model, R"([
    {"ask": "user", "with": ["u1"], "answer": []},
    {"do": "rename", "with": ["u1", "Ann"], "now": "2026-01-02T00:00:00.000Z"},
    {"do": "rename", "with": ["u9", "Ann"], "error": "there is no User u9"},
    {"ask": "user", "with": ["u2"]},
    {"do": "delete.User", "with": ["u2"]}])");
  ASSERT_TRUE(script.ok()) << script.error().message;
  ASSERT_EQ(script->subjects.size(), 3u);
  EXPECT_EQ(script->subjects[0].kind, measure::Subject::Kind::kPattern);
  EXPECT_EQ(script->subjects[1].kind, measure::Subject::Kind::kOperation);
  EXPECT_EQ(script->subjects[2].kind, measure::Subject::Kind::kBasic);
  std::vector<size_t> order;
  for (const measure::Call& call : script->calls) order.push_back(call.subject);
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 0, 2}));
  EXPECT_EQ(script->calls[1].arguments, (std::vector<Value>{Value("u1"), Value("Ann")}));
  EXPECT_EQ(script->now.time_since_epoch(), std::chrono::seconds(1'767'312'000));
}

TEST(AnswersScript, WhatIsNoneIsRefused) {
  const model::CompiledModel compiled = model::compile("m", std::string(kAnswered));
  EXPECT_EQ(answers_script(compiled.model, "{}").error().message, "this must be a list of steps");
  EXPECT_EQ(answers_script(compiled.model, "[1]").error().message, "a step must be an object");
  EXPECT_EQ(answers_script(compiled.model, "[]").error().message,
            "there is no step that asks or does something");
  EXPECT_FALSE(answers_script(compiled.model, "[").ok());
}

}  // namespace
}  // namespace sheaf::cmd
