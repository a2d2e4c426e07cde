#include "cmd/until_told.h"

#include <gtest/gtest.h>

#include <thread>

namespace sheaf::cmd {
namespace {

using std::chrono::milliseconds;

TEST(UntilTold, SignalsOfTheSameMomentAreOne) {
  const UntilTold until;
  EXPECT_FALSE(until.wait(milliseconds(0)));
  std::raise(SIGTERM);
  std::raise(SIGTERM);
  std::raise(SIGINT);
  EXPECT_TRUE(until.wait(milliseconds(60'000)));
}

TEST(UntilTold, ATerminalThatIsClosedTellsItToo) {
  const UntilTold until;
  std::raise(SIGHUP);
  EXPECT_TRUE(UntilTold::is_told());
}

TEST(UntilTold, WhatNohupIgnoresIsIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  {
    const UntilTold until;
    std::raise(SIGHUP);
    EXPECT_FALSE(UntilTold::is_told());
  }
  EXPECT_EQ(std::signal(SIGHUP, SIG_DFL), SIG_IGN);
}

TEST(UntilToldDeathTest, ASignalSomeTimeAfterTheFirstEndsTheProgram) {
  const auto say_it_twice = [] {
    const UntilTold until;
    std::raise(SIGTERM);
    std::this_thread::sleep_for(milliseconds(1100));
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(say_it_twice(), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace sheaf::cmd
