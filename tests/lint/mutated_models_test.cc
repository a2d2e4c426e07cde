// Models with words too few, too many or wrong: the linter comes to an end, whatever was done to them, and
// tells of places inside the text; and repairs never leave a model that is worse.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "language/lexer.h"
#include "lint/linter.h"
#include "lint/repairs.h"

namespace sheaf::lint {
namespace {

std::vector<std::string> models() {
  std::vector<std::string> texts;
  const auto add = [&](const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!text.str().empty()) texts.push_back(text.str());
  };
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS))
    add(entry.path() / "model.sheaf");
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_LINT_MODELS)) add(entry.path());
  return texts;
}

struct Word {
  language::Token::Kind kind;
  language::Span span;
};

std::vector<Word> words_of(const std::string& text) {
  const language::SourceText source("", text);
  language::Diagnostics ignored;
  std::vector<Word> words;
  for (const language::Token& token : language::tokens_of(source, ignored)) {
    if (!language::is_comment(token) && token.kind != language::Token::Kind::kEnd)
      words.push_back({.kind = token.kind, .span = token.span});
  }
  return words;
}

// How many findings it has, if it is without mistakes.
size_t check(const std::string& text) {
  const plan::PlannedModel planned = plan::plan_model(model::compile("mutated.sheaf", text));
  std::vector<size_t> layouts;
  for (size_t i = 0; i < planned.compiled.layouts.size(); ++i) layouts.push_back(i);
  const std::vector<Finding> found = lint(planned, layouts, {});
  const language::Position end = planned.compiled.source.position(static_cast<uint32_t>(text.size()));
  for (const Finding& each : found) {
    EXPECT_LE(each.place->begin.line, end.line);
    EXPECT_LE(each.place->end.line, end.line);
    EXPECT_FALSE(each.message.empty());
    if (!each.repair) continue;
    for (const assist::TextEdit& edit : each.repair->edits) {
      EXPECT_LE(edit.span.begin, edit.span.end) << text;
      EXPECT_LE(edit.span.end, text.size()) << text;
    }
  }
  const Report report{.subjects = {"mutated.sheaf"}, .rules = rule_texts(found, {}), .findings = found};
  EXPECT_FALSE(to_text(report).empty() && !found.empty());
  EXPECT_FALSE(to_sarif(report).empty() || to_junit(report).empty() || to_json(report).empty());
  return planned.compiled.ok() ? found.size() : 0;
}

TEST(MutatedLint, WhateverIsDoneToModelsTheLinterComesToAnEnd) {
  const char* const seed_text = std::getenv("SHEAF_TEST_SEED");
  const uint64_t seed = seed_text != nullptr ? std::stoull(seed_text) : 20261116;
  const char* const rounds_text = std::getenv("SHEAF_TEST_ROUNDS");
  const size_t rounds = 600 * (rounds_text != nullptr ? std::stoull(rounds_text) : 1);
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::vector<std::string> texts = models();
  // A word of the same kind in its place leaves more models that compile.
  std::map<language::Token::Kind, std::vector<std::string>> others;
  for (const std::string& text : texts) {
    for (const Word& word : words_of(text))
      others[word.kind].push_back(text.substr(word.span.begin, word.span.end - word.span.begin));
  }
  size_t findings = 0;
  for (size_t round = 0; round < rounds; ++round) {
    std::string text = texts[random() % texts.size()];
    for (size_t change = random() % 3 + 1; change > 0; --change) {
      const std::vector<Word> words = words_of(text);
      if (words.empty()) break;
      const Word& word = words[random() % words.size()];
      const std::vector<std::string>& candidates = others[word.kind];
      if (candidates.empty()) continue;
      const std::string& other = candidates[random() % candidates.size()];
      const bool keeps = random() % 4 == 0;
      text.replace(word.span.begin, keeps ? 0 : word.span.end - word.span.begin,
                   keeps ? " " + other + " " : other);
    }
    findings += check(text);
  }
  EXPECT_GT(findings, 20u) << "hardly any of them compiles";
}

// Without one clause at a time most still compile.
TEST(MutatedLint, ModelsWithoutOneOfTheirClausesAreLookedAtAndRepaired) {
  size_t compiled = 0, repaired_count = 0;
  for (const std::string& text : models()) {
    uint32_t begin = 0;
    for (const Word& word : words_of(text)) {
      const language::Span span = word.span;
      const std::string_view token = std::string_view(text).substr(span.begin, span.end - span.begin);
      if (token == "{") begin = span.end;
      if (token != ";") continue;
      std::string without = text;
      without.erase(begin, span.end - begin);
      begin = span.end;
      const plan::PlannedModel planned = plan::plan_model(model::compile("mutated.sheaf", without));
      if (!planned.compiled.ok()) continue;
      ++compiled;
      check(without);
      if (compiled % 8 != 0) continue;
      const Repaired repaired = repair("mutated.sheaf", without, {}, {});
      repaired_count += repaired.count();
      EXPECT_TRUE(plan::plan_model(model::compile("mutated.sheaf", repaired.text)).compiled.ok());
    }
  }
  EXPECT_GT(compiled, 100u);
  EXPECT_GT(repaired_count, 0u);
}

}  // namespace
}  // namespace sheaf::lint
