// A random model that moves from any of its layouts to any other while it is used.
#include <gtest/gtest.h>

#include <iostream>

#include "migrations/move.h"
#include "random_layout.h"

namespace sheaf::migrate {
namespace {

TEST(Migrations, BetweenEveryPairOfLayouts) {
  const uint64_t first = number_from("SHEAF_SEED", 1), models = number_from("SHEAF_MODELS_TRIED", 2);
  Totals totals;
  for (uint64_t seed = first; seed < first + models; ++seed) {
    Chance chance(seed);
    const RandomModel random = layouts::random_model_with(chance, 4);
    model::CompiledModel compiled = model::compile("random.sheaf", random.text);
    ASSERT_TRUE(compiled.ok()) << seed << "\n" << random.text << compiled.rendered();
    const plan::PlannedModel planned = plan::plan_model(std::move(compiled));
    for (size_t from = 0; from < planned.compiled.layouts.size(); ++from) {
      for (size_t to = 0; to < planned.compiled.layouts.size(); ++to) {
        Chance each(seed * 1000 + from * 10 + to);
        Move move(random, {random.text, planned, from}, {random.text, planned, to}, each, totals);
        const std::string why = move.run();
        ASSERT_EQ(why, "") << "seed " << seed << " from " << planned.compiled.layouts[from].name << " to "
                           << planned.compiled.layouts[to].name << "\n"
                           << random.text << move.history;
      }
    }
  }
  std::cout << "seed " << first << "\n";
  totals.print();
  totals.expect_deaths();
  EXPECT_GT(totals.moves, models);
  EXPECT_GT(totals.copied, models);
}

}  // namespace
}  // namespace sheaf::migrate
