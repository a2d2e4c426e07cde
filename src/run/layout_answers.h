// Questions to a model in all of its layouts, with the documents that each of them must return: for tests.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "run/running_model.h"

namespace sheaf::run {

// The documents of a pattern, one a line, in their order if the pattern has one.
struct Question {
  std::string text;
  std::string pattern;
  std::vector<std::string> arguments;  // as JSON
  std::string documents;
};

// A line `pattern(argument, ..)` for each, with its documents in the lines that follow, indented.
inline std::vector<Question> read_questions(const std::string& text) {
  std::vector<Question> questions;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.starts_with(' ')) {
      questions.back().documents += line.substr(line.find_first_not_of(' ')) + "\n";
      continue;
    }
    const size_t open = line.find('(');
    Question made{.text = line, .pattern = line.substr(0, open)};
    const Result<Value> arguments =
        from_plain_json("[" + line.substr(open + 1, line.rfind(')') - open - 1) + "]");
    EXPECT_TRUE(arguments.ok()) << line;
    if (!arguments.ok()) continue;
    for (const ValueView each : arguments->view().list())
      made.arguments.push_back(to_plain_json(Value(each)));
    questions.push_back(std::move(made));
  }
  return questions;
}

// Layouts may refuse a pattern that no key of theirs serves, but not most of them.
inline void expect_documents(const std::string& model, const std::string& data, const std::string& wanted) {
  const plan::PlannedModel planned = plan::plan_model(model::compile("test.sheaf", model));
  ASSERT_TRUE(planned.compiled.ok()) << planned.compiled.rendered();
  const std::vector<Question> questions = read_questions(wanted);
  ASSERT_FALSE(questions.empty());
  std::vector<size_t> served(questions.size());
  for (const model::Layout& layout : planned.compiled.layouts) {
    ASSERT_TRUE(layout.is_sound) << layout.name;
    RunningModel running(model, data, layout.name);
    for (size_t i = 0; i < questions.size(); ++i) {
      const Question& question = questions[i];
      const std::string made = running.ask(question.pattern, question.arguments);
      if (made.starts_with("error: " + question.pattern + " cannot be answered")) continue;
      ++served[i];
      EXPECT_EQ(made, question.documents) << question.text << " in " << layout.name;
    }
  }
  for (size_t i = 0; i < questions.size(); ++i)
    EXPECT_GT(2 * served[i], planned.compiled.layouts.size()) << questions[i].text;
}

}  // namespace sheaf::run
