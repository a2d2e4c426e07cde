// The planner against the oracle: every plan is the cheapest that its layout allows, and what is refused
// cannot be answered.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "layouts/random_layout.h"
#include "model/compiled_model.h"
#include "plan/explain.h"
#include "plan/planner.h"
#include "plans/fewest_requests.h"
#include "plans/random_keys.h"

namespace sheaf::plans {
namespace {

std::string text_of(const std::optional<Fewest>& fewest) {
  if (!fewest) return "not at all";
  std::ostringstream text;
  text << fewest->requests << " requests, " << fewest->units << " units, " << fewest->rounds << " rounds";
  return text.str();
}

struct Tally {
  size_t plans = 0;
  size_t refusals = 0;
  size_t skipped = 0;  // the oracle has too many ways to try

  std::string text() const {
    return std::to_string(plans) + " plans, " + std::to_string(refusals) + " refusals, " +
           std::to_string(skipped) + " not compared\n";
  }
};

// What the oracle finds and plans do not look for (doc/model-language.md says so): children by their own keys
// where the relation is stored as edges, lists or ids, and the fields of entities where edges have copies of
// them that an index leaves out. And entities of several items, which the oracle does not know.
bool has_byways(const model::Model& model, const model::Layout& layout) {
  const auto is_lean = [&](const model::ItemKind& kind) {
    return std::any_of(kind.entries.begin(), kind.entries.end(), [&](const model::IndexEntry& entry) {
      return layout.tables[kind.table].indexes[entry.index].projection != language::Gsi::Projection::kAll;
    });
  };
  return std::any_of(layout.item_kinds.begin(), layout.item_kinds.end(),
                     [](const model::ItemKind& kind) { return kind.is_by_field(); }) ||
         std::any_of(model.entities.begin(), model.entities.end(),
                     [&](const model::Entity& entity) {
                       return entity.within &&
                              (layout.is_edge(*entity.within) || layout.is_named(entity.within->other()));
                     }) ||
         std::any_of(layout.relations.begin(), layout.relations.end(),
                     [&](const model::StoredRelation& stored) {
                       return stored.edge_kind && !stored.copies.empty() &&
                              is_lean(layout.item_kinds[*stored.edge_kind]);
                     });
}

// All patterns, in all layouts, with every set of optional parameters.
void compare(const std::string& text, Tally& tally) {
  const model::CompiledModel compiled = model::compile("test.sheaf", text);
  ASSERT_TRUE(compiled.ok()) << compiled.rendered() << text;
  for (const model::Layout& layout : compiled.layouts) {
    if (has_byways(compiled.model, layout)) continue;
    for (const model::Pattern& pattern : compiled.model.patterns) {
      for (const std::vector<bool>& given : plan::parameter_subsets(pattern)) {
        const auto made = plan::plan_pattern(compiled.model, layout, pattern, given);
        std::optional<Fewest> found;
        std::string how;
        if (const auto* plan = std::get_if<plan::Plan>(&made)) {
          // How many partitions are read depends on the day and on what lies in them. Levels have one way
          // only.
          const bool is_spread = std::any_of(plan->requests.begin(), plan->requests.end(),
                                             [](const plan::Request& each) { return each.is_spread(); });
          const bool has_levels = std::any_of(plan->nodes.begin(), plan->nodes.end(),
                                              [](const plan::DocumentNode& each) { return each.depth > 1; });
          if (is_spread || has_levels) continue;
          found = {.requests = plan->cost.requests, .units = plan->cost.units, .rounds = plan->cost.rounds};
          how = plan::explain(compiled.model, layout, *plan);
        } else {
          how = "refused: " + std::get<plan::Refusal>(made).message + "\n";
        }
        const auto [is_complete, fewest] = fewest_requests(compiled.model, layout, pattern, given);
        ++(!is_complete ? tally.skipped : found ? tally.plans : tally.refusals);
        if (!is_complete) continue;
        // Within `reads max` a plan may also read and drop what belongs to others.
        if (!fewest && pattern.syntax->clauses.reads_max) continue;
        EXPECT_EQ(text_of(found), text_of(fewest))
            << compiled.model.name() << ", layout " << layout.name << ", pattern " << pattern.name << "\n"
            << how;
      }
    }
  }
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

uint64_t number_from(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 1 : static_cast<uint64_t>(std::atoll(text));
}
uint64_t rounds() { return number_from("SHEAF_TEST_ROUNDS"); }
uint64_t first_seed() { return number_from("SHEAF_SEED"); }

TEST(Plans, OfTheExamplesAreTheCheapest) {
  Tally tally;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS)) {
    compare(contents(entry.path() / "model.sheaf"), tally);
  }
  std::cout << tally.text();
  EXPECT_GT(tally.plans, 100u);
}

// Layouts in which the obvious plan is not the cheapest, or not a right one.
TEST(Plans, OfTrickyLayoutsAreTheCheapest) {
  Tally tally;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_TRICKY_LAYOUTS))
    compare(contents(entry.path()), tally);
  std::cout << tally.text();
  EXPECT_GT(tally.plans, 50u);
}

TEST(Plans, OfRandomModelsAreTheCheapest) {
  Tally tally;
  for (uint64_t seed = first_seed(); seed < first_seed() + 40 * rounds(); ++seed) {
    layouts::Chance chance(seed);
    const std::string text = layouts::random_model_with(chance, 4).text;
    compare(text, tally);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << text;
  }
  std::cout << tally.text();
}

// Keys and patterns of every shape. Layouts whose keys cannot be told apart are left out.
TEST(Plans, OfRandomKeysAreTheCheapest) {
  Tally tally;
  size_t models = 0;
  for (uint64_t seed = first_seed(); seed < first_seed() + 60 * rounds(); ++seed) {
    std::mt19937 random(seed);
    const RandomKeys keys = random_keys(random);
    if (!model::compile("test.sheaf", keys.text).ok()) continue;
    ++models;
    compare(keys.text, tally);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << keys.text;
  }
  std::cout << models << " models, " << tally.text();
  EXPECT_GT(models, 20u);
}

}  // namespace
}  // namespace sheaf::plans
