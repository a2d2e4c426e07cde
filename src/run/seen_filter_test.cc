#include "run/seen_filter.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::run {
namespace {

TEST(SeenFilters, HaveAllThatTheySawAndLittleElse) {
  SeenFilter filter;
  EXPECT_FALSE(filter.may_have("0"));
  constexpr int kSeen = 100'000;
  int others = 0;
  for (int i = 0; i < kSeen; ++i) others += filter.add(std::to_string(i)) ? 1 : 0;
  for (int i = 0; i < kSeen; ++i) {
    EXPECT_TRUE(filter.may_have(std::to_string(i)));
    EXPECT_TRUE(filter.add(std::to_string(i)));
    others += filter.may_have(std::to_string(kSeen + i)) ? 1 : 0;
  }
  EXPECT_LT(others, 5);
}

}  // namespace
}  // namespace sheaf::run
