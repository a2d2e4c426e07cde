#include "prove/coverage.h"

#include <gtest/gtest.h>

#include "prove/random_model.h"

namespace sheaf::prove {
namespace {

// A few hundred models show nearly all features. All of them take thousands, and planning some takes seconds.
constexpr uint64_t kModels = 300;

TEST(Coverage, NearlyEveryFeatureOfTheLanguageIsInAFewHundredAcceptedModels) {
  Coverage coverage;
  Acceptance acceptance;
  size_t accepted = 0;
  uint64_t seed = 0;
  while (seed < kModels) {
    const auto planned = accepted_model(++seed, {}, &acceptance);
    if (!planned) continue;
    ++accepted;
    coverage.add(planned->compiled.model);
  }
  EXPECT_GT(coverage.drawn(), feature_names().size() * 85 / 100);
  for (const std::string& name : coverage.unlisted()) ADD_FAILURE() << "feature_names() lacks: " << name;
  // A generator that is refused too often tests too little.
  EXPECT_GT(accepted, seed * 85 / 100);
  EXPECT_GT(acceptance.kept_layouts, acceptance.drawn_layouts * 85 / 100);
  EXPECT_GT(acceptance.kept_patterns, acceptance.drawn_patterns / 2);
  EXPECT_GT(acceptance.kept_operations, acceptance.drawn_operations * 80 / 100);
  EXPECT_GT(acceptance.answerable, acceptance.planned * 60 / 100);
  std::string report = coverage.report();
  report.resize(report.find('\n'));
  std::cout << report << '\n';
}

TEST(Coverage, NamesOfFeaturesDiffer) {
  const std::vector<std::string>& names = feature_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_GE(names.size(), 1000u);
}

TEST(Coverage, CountsPairsThatMeetInOneModel) {
  Coverage coverage;
  const auto model = [](const std::string& text) { return model::compile("x.sheaf", text); };
  const auto one = model("model one { entity A { id id; n int? } pattern a(a: A) = $a strong }");
  ASSERT_TRUE(one.ok()) << one.rendered();
  coverage.add(one.model);
  EXPECT_TRUE(coverage.unlisted().empty());
  const size_t drawn = coverage.drawn();
  EXPECT_EQ(coverage.pairs_drawn(), drawn * (drawn - 1) / 2);
  const std::set<std::string> features = features_of(one.model);
  for (const char* name : {"field id string", "field int?", "pattern strong", "steps 0", "default alone"})
    EXPECT_TRUE(features.contains(name)) << name;
  EXPECT_FALSE(features.contains("field id int"));
}

}  // namespace
}  // namespace sheaf::prove
