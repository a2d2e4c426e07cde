#include "prove/random_model.h"

#include <gtest/gtest.h>

namespace sheaf::prove {
namespace {

TEST(RandomModel, ASeedGivesTheSameTextTwice) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const auto one = random_model(seed), other = random_model(seed);
    ASSERT_EQ(one.has_value(), other.has_value()) << seed;
    if (!one) continue;
    EXPECT_EQ(one->text(), other->text()) << seed;
  }
}

}  // namespace
}  // namespace sheaf::prove
