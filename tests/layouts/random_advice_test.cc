// Whatever is answered: what is advised, and what Sheaf chooses by itself, can be stored. SHEAF_TEST_ROUNDS
// multiplies the models; a failure names its seed, and SHEAF_TEST_SEED starts from it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/advice/recommendation.h"
#include "model/compiled_model.h"
#include "random_layout.h"

namespace sheaf::layouts {
namespace {

using model::QuestionId;

// Sizes of all kinds, and nothing said of how to store anything.
std::string loosened(std::string text, Chance& chance) {
  static const std::vector<std::string> kSizes = {"max 5",   "max 10",   "max 11",   "max 20",
                                                  "max 900", "max 9000", "unbounded"};
  const std::string said = "max 20";
  for (size_t at = text.find(said); at != std::string::npos; at = text.find(said, at + 1))
    text.replace(at, said.size(), chance.of(kSizes));
  const std::string via = "via edges pk one; ";
  for (size_t at = text.find(via); at != std::string::npos; at = text.find(via)) text.erase(at, via.size());
  return text;
}

// Lists that are read whole have a limit somewhere: patterns are left out where sizes are unbounded.
std::string without_patterns(const std::string& text) {
  std::string kept;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (!line.starts_with("  pattern ") && !line.starts_with("  op ")) kept += line;
    at = end;
  }
  return kept;
}

model::ToldAnswers random_answers(Chance& chance) {
  model::ToldAnswers told;
  // What leads to ids needs many answers of one kind.
  if (chance.one_in(4)) {
    return {{QuestionId::kF2, model::kAnswerNo},
            {QuestionId::kF8, 5},
            {QuestionId::kF9, model::kAnswerNo},
            {QuestionId::kF10, model::kChangesOften},
            {QuestionId::kF21, model::kAnswerYes}};
  }
  for (const model::Question& asked : model::questions()) {
    if (!asked.is_asked() || chance.one_in(3)) continue;
    switch (asked.kind) {
      case model::AnswerKind::kYesNo:
        told[asked.id] = static_cast<int64_t>(chance.below(2));
        break;
      case model::AnswerKind::kChoice:
        told[asked.id] = static_cast<int64_t>(chance.below(asked.choices.size()));
        break;
      default:
        told[asked.id] = static_cast<int64_t>(chance.of(std::vector<size_t>{1, 9, 10, 11, 20, 1000, 1001}));
    }
  }
  return told;
}

std::string mistakes_of(const std::string& text) {
  const model::CompiledModel compiled = model::compile("random", text);
  return compiled.ok() ? "" : compiled.rendered() + "\n" + text;
}

std::string layout_with(const std::string& relation, const std::string& via) {
  return "  layout advised extends said { rel " + relation + " via " + via + " }\n}\n";
}

// As somebody writes it who only knows the strategies.
bool can_be_stored_somehow(const std::string& text, const std::string& relation) {
  const std::vector<const char*> ways = {"embed", "collection",   "path",  "index", "ref",
                                         "edges", "edges pk one", "graph", "lists", "ids"};
  return std::any_of(ways.begin(), ways.end(),
                     [&](const char* via) { return mistakes_of(text + layout_with(relation, via)).empty(); });
}

TEST(RandomAdvice, IsAlwaysOfAStrategyThatCanBeStored) {
  std::map<std::string, size_t> advised;
  const uint64_t first = number_in("SHEAF_TEST_SEED", 0), models = 400 * number_in("SHEAF_TEST_ROUNDS", 1);
  for (uint64_t seed = first; seed < first + models; ++seed) {
    Chance chance(seed);
    const RandomModel random = random_model(chance);
    const std::string body = without_patterns(loosened(random.text, chance));
    const model::CompiledModel compiled = model::compile("random", body + "}\n");
    ASSERT_TRUE(compiled.ok()) << "seed " << seed << "\n" << compiled.rendered() << body;
    const model::LayoutClauses& clauses = compiled.layouts.front().clauses->front();
    for (model::RelationId id = 0; id < compiled.model.relations.size(); ++id) {
      const model::ToldAnswers told = random_answers(chance);
      const model::Recommendation made = model::recommend(compiled.model, clauses, id, {.told = told});
      const model::End& end = compiled.model.relations[id].ends[0];
      const std::string layout = "  layout advised { rel " + compiled.model.entities[end.holder].name + "." +
                                 end.name + " via " + made.via + " }\n}\n";
      EXPECT_EQ(mistakes_of(body + layout), "") << "seed " << seed;
      ++advised[made.via.substr(0, made.via.find(' '))];
      for (const model::AnswerChange& change : made.changes)
        ++advised["changed to " + change.via.substr(0, change.via.find(' '))];
    }
  }
  // All of them come up.
  for (const char* via : {"embed", "collection", "path", "index", "ref", "edges", "graph", "lists", "ids"})
    EXPECT_GT(advised[via], 0U) << via;
}

// With keys that are written down, entities that are stored field by field, other relations as they are: if
// there is one. Keys of edges may have to be written down, too.
TEST(RandomAdvice, IsAlwaysOfAStrategyThatCanBeStoredBesideKeys) {
  size_t tried = 0, without_any = 0;
  const uint64_t first = number_in("SHEAF_TEST_SEED", 1000), models = 150 * number_in("SHEAF_TEST_ROUNDS", 1);
  for (uint64_t seed = first; seed < first + models; ++seed) {
    Chance chance(seed);
    RandomModel random = random_model(chance);
    random.text = without_patterns(random.text);
    const std::string text = random.text + "  layout said {\n    " + random_layout(random, chance) + "}\n";
    const model::CompiledModel compiled = model::compile("random", text + "}\n");
    if (!compiled.ok()) continue;
    const model::LayoutClauses& clauses = (*compiled.layouts.front().clauses)[1];
    for (model::RelationId id = 0; id < compiled.model.relations.size(); ++id) {
      const model::Recommendation made =
          model::recommend(compiled.model, clauses, id, {.told = random_answers(chance)});
      const model::End& end = compiled.model.relations[id].ends[0];
      const std::string relation = compiled.model.entities[end.holder].name + "." + end.name;
      const std::string mistakes = mistakes_of(text + layout_with(relation, made.via));
      EXPECT_TRUE(mistakes.empty() || !can_be_stored_somehow(text, relation)) << "seed " << seed << "\n"
                                                                              << mistakes;
      without_any += mistakes.empty() ? 0 : 1;
      ++tried;
    }
  }
  EXPECT_GT(3 * tried, 2 * models);
  EXPECT_LT(500 * without_any, tried);
}

}  // namespace
}  // namespace sheaf::layouts
