// Models with one word too few, too many or wrong: whatever is done to them, the checker comes to an end,
// tells of places inside the text, and does not drown people in what follows from one mistake.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "language/lexer.h"
#include "plan/planned_model.h"

namespace sheaf {
namespace {

std::vector<std::string> example_models() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS)) {
    std::ifstream file(entry.path() / "model.sheaf");
    std::ostringstream text;
    text << file.rdbuf();
    if (!text.str().empty()) texts.push_back(text.str());
  }
  return texts;
}

std::vector<language::Span> tokens_of(const std::string& text) {
  const language::SourceText source("", text);
  language::Diagnostics ignored;
  std::vector<language::Span> spans;
  for (const language::Token& token : language::tokens_of(source, ignored)) {
    if (!language::is_comment(token) && token.kind != language::Token::Kind::kEnd)
      spans.push_back(token.span);
  }
  return spans;
}

// How many mistakes it has.
size_t check(const std::string& text) {
  const plan::PlannedModel planned = plan::plan_model(model::compile("mutated.sheaf", text));
  for (const language::Diagnostic& each : planned.compiled.diagnostics.all()) {
    EXPECT_LE(each.span.begin, each.span.end) << text;
    EXPECT_FALSE(each.fix.empty()) << "what to write instead of: " << each.message;
    EXPECT_LE(each.span.end, text.size()) << text;
    for (const language::Note& note : each.notes) EXPECT_LE(note.span.end, text.size()) << text;
  }
  EXPECT_EQ(planned.compiled.ok(), planned.compiled.diagnostics.error_count() == 0);
  return planned.compiled.diagnostics.error_count();
}

TEST(MutatedModels, OneWordTooFewIsOneMistakeMostOfTheTime) {
  size_t models = 0, mistakes = 0;
  for (const std::string& text : example_models()) {
    for (const language::Span span : tokens_of(text)) {
      std::string mutated = text;
      mutated.erase(span.begin, span.end - span.begin);
      const size_t count = check(mutated);
      EXPECT_LE(count, 8u) << "without " << text.substr(span.begin, span.end - span.begin) << ":\n"
                           << model::compile("mutated.sheaf", mutated).rendered();
      models += count > 0 ? 1 : 0;
      mistakes += count;
    }
  }
  ASSERT_GT(models, 0u);
  EXPECT_LE(static_cast<double>(mistakes) / static_cast<double>(models), 1.5) << mistakes << " in " << models;
}

TEST(MutatedModels, WhateverIsDoneToThemTheCheckerComesToAnEnd) {
  const char* const seed_text = std::getenv("SHEAF_TEST_SEED");
  const uint64_t seed = seed_text != nullptr ? std::stoull(seed_text) : 20261115;
  const char* const rounds_text = std::getenv("SHEAF_TEST_ROUNDS");
  const size_t rounds = 300 * (rounds_text != nullptr ? std::stoull(rounds_text) : 1);
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::vector<std::string> texts = example_models();
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    for (const language::Span span : tokens_of(text))
      words.push_back(text.substr(span.begin, span.end - span.begin));
  }
  for (size_t round = 0; round < rounds; ++round) {
    std::string text = texts[random() % texts.size()];
    for (size_t change = random() % 4 + 1; change > 0; --change) {
      const std::vector<language::Span> spans = tokens_of(text);
      if (spans.empty()) break;
      const language::Span span = spans[random() % spans.size()];
      const bool keeps = random() % 2 == 0;
      text.replace(span.begin, keeps ? 0 : span.end - span.begin, " " + words[random() % words.size()] + " ");
    }
    check(text);
  }
}

}  // namespace
}  // namespace sheaf
