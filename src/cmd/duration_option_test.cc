#include "cmd/duration_option.h"

#include <gtest/gtest.h>

namespace sheaf::cmd {
namespace {

TEST(DurationOption, HasAUnit) {
  EXPECT_EQ(*read_duration("--for", "30s"), 30);
  EXPECT_EQ(*read_duration("--for", "10m"), 600);
  EXPECT_EQ(*read_duration("--for", "1.5h"), 5400);
  EXPECT_EQ(*read_duration("--for", "2d"), 172'800);
  for (const char* const wrong : {"", "10", "m", "10 m", "-1s", "10w", "nans", "1e30d"}) {
    const Result<double> read = read_duration("--for", wrong);
    ASSERT_FALSE(read.ok()) << wrong;
    EXPECT_EQ(read.error().message, "--for is a time such as 30s, 10m, 12h or 5d, not " + std::string(wrong));
  }
}

TEST(DurationOption, HasALeast) {
  EXPECT_TRUE(read_duration("--every", "1s", 1).ok());
  EXPECT_EQ(read_duration("--every", "0.9s", 1).error().message, "--every is 1 second at least, not 0.9s");
}

}  // namespace
}  // namespace sheaf::cmd
