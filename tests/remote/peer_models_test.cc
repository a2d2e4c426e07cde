// Models on a remote database: their tables, their data and their patterns, in every layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "plan/planned_model.h"
#include "remote/peer.h"
#include "run/applied_layout.h"
#include "run/data_file.h"
#include "run/running_model.h"
#include "run/session.h"

namespace sheaf::remote {
namespace {

// A pattern and its arguments in JSON.
struct Question {
  std::string pattern;
  std::vector<std::string> arguments;
};

class PeerModels : public PeerTest, public ::testing::WithParamInterface<std::string> {
 protected:
  // Asks here and there, in all layouts of the model in models/NAME. Returns how many questions were
  // answered.
  size_t ask(const std::string& name, const std::vector<Question>& questions) {
    const plan::PlannedModel planned =
        plan::plan_model(model::compile(name, run::model_file(name + "/model.sheaf")));
    EXPECT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
    size_t answered = 0;
    for (size_t layout = 0; layout < planned.compiled.layouts.size(); ++layout) {
      SCOPED_TRACE(name + ", layout " + planned.compiled.layouts[layout].name);
      const std::string data = run::model_file(name + "/data.json");
      const std::unique_ptr<run::Session> here = load(*here_, planned, layout, data);
      const std::unique_ptr<run::Session> there = load(*there_, planned, layout, data);
      for (const Question& question : questions) {
        SCOPED_TRACE(question.pattern);
        const std::vector<std::string> expected = answer(*here, question);
        EXPECT_EQ(answer(*there, question), expected);
        if (!expected.empty()) ++answered;
      }
      remove_tables();
    }
    return answered;
  }

 private:
  static std::unique_ptr<run::Session> load(Database& database, const plan::PlannedModel& planned,
                                            size_t layout, const std::string& json) {
    const model::Model& model = planned.compiled.model;
    const model::Layout& stored = planned.compiled.layouts[layout];
    must(run::apply_layout(database, model, stored));
    must(run::apply_layout(database, model, stored));  // finds everything as it made it
    EXPECT_GT(must(run::load_data(database, model, stored, must(run::read_data(model, stored, json)))), 0u);
    return must(run::Session::open(database, planned, layout));
  }
  // Documents, in any order; nothing if the layout cannot answer it.
  static std::vector<std::string> answer(const run::Session& session, const Question& question) {
    const Result<run::Session::Reply> reply =
        session.read(question.pattern, run::from_json(question.arguments));
    std::vector<std::string> documents;
    if (!reply.ok()) return documents;
    for (const Value& document : reply->documents) documents.push_back(run::to_plain_json(document));
    std::sort(documents.begin(), documents.end());
    return documents;
  }
};

// What its answers.json asks before anything is changed, and finds.
std::vector<Question> questions_about(const std::string& name) {
  std::vector<Question> questions;
  const Value steps = must(run::from_plain_json(run::model_file(name + "/answers.json")));
  for (const ValueView step : steps.view().list()) {
    if (!step.map().find("ask")) break;
    const auto found = step.map().find("answer");
    if (!found || found->list().size() == 0) continue;
    Question question{.pattern = std::string(step.map().find("ask")->bytes())};
    for (const ValueView argument : step.map().find("with")->list())
      question.arguments.push_back(run::to_plain_json(argument));
    questions.push_back(std::move(question));
  }
  return questions;
}

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(PeerModels, AnswerAsTheyDoHere) {
  const std::vector<Question> questions = questions_about(GetParam());
  EXPECT_GE(ask(GetParam(), questions), questions.size()) << "the default layout answers all of them";
}

INSTANTIATE_TEST_SUITE_P(Examples, PeerModels, ::testing::ValuesIn(examples()),
                         [](const auto& example) { return example.param; });

}  // namespace
}  // namespace sheaf::remote
