#include "cmd/progress.h"

#include <gtest/gtest.h>

namespace sheaf::cmd {
namespace {

TEST(Progress, TimesAreToldInTwoUnits) {
  EXPECT_EQ(duration_text(0.2), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
  EXPECT_EQ(duration_text(-1), "0 s");
}

}  // namespace
}  // namespace sheaf::cmd
