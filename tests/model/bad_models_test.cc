// Models as people get them wrong. Each file of tests/model/bad says at its end what is wrong with it, and
// where:
//   // error: unknown-field at 5:12
//   // fix: write name
// All of it is told, in this order, and nothing else. `fix` is a part of what is proposed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "plan/planned_model.h"

namespace sheaf {
namespace {

std::vector<std::filesystem::path> bad_models() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_BAD_MODELS))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Expected {
  std::string mistake;  // error: unknown-field at 5:12
  std::string fix;
};

std::vector<Expected> expectations(const std::string& text) {
  std::vector<Expected> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// error: ") || line.starts_with("// warning: "))
      found.push_back({.mistake = line.substr(3)});
    if (line.starts_with("// fix: ") && !found.empty()) found.back().fix = line.substr(8);
  }
  return found;
}

std::string mistake_of(const language::SourceText& source, const language::Diagnostic& diagnostic) {
  const language::Position position = source.position(diagnostic.span.begin);
  return std::string(diagnostic.severity == language::Severity::kError ? "error: " : "warning: ") +
         std::string(diagnostic.id.text()) + " at " + std::to_string(position.line) + ":" +
         std::to_string(position.column);
}

class BadModel : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadModel, HasTheMistakesThatItSays) {
  const std::string text = text_of(GetParam());
  const std::vector<Expected> expected = expectations(text);
  ASSERT_FALSE(expected.empty()) << "it says nothing";
  const plan::PlannedModel planned = plan::plan_model(model::compile("bad.sheaf", text));
  const std::vector<language::Diagnostic>& told = planned.compiled.diagnostics.all();
  std::string wanted, found;
  for (const Expected& each : expected) wanted += each.mistake + "\n";
  for (const language::Diagnostic& each : told) found += mistake_of(planned.compiled.source, each) + "\n";
  ASSERT_EQ(found, wanted) << planned.compiled.rendered();
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_NE(told[i].fix.find(expected[i].fix), std::string::npos) << planned.compiled.rendered();
    EXPECT_FALSE(told[i].fix.empty()) << "what to write instead: " << planned.compiled.rendered();
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, BadModel, testing::ValuesIn(bad_models()),
                         [](const testing::TestParamInfo<std::filesystem::path>& each) {
                           return each.param.stem().string();
                         });

}  // namespace
}  // namespace sheaf
