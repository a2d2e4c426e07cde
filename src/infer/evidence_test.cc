#include "infer/evidence.h"

#include <gtest/gtest.h>

namespace sheaf::infer {
namespace {

TEST(Evidence, ConfidenceGrowsWithWhatAgrees) {
  Evidence evidence;
  EXPECT_EQ(evidence.confidence(), 0.5);
  EXPECT_EQ(evidence.text(), "no item says so");
  evidence.add(true, "a");
  EXPECT_EQ(evidence.text(), "1 of 1 item, 66 %");
  for (int i = 0; i < 9; ++i) evidence.add(true, "");
  EXPECT_EQ(evidence.text(), "10 of 10 items, 91 %");
  EXPECT_TRUE(evidence.is_without_exception());
}

TEST(Evidence, ShowsSomeCounterExamples) {
  Evidence evidence;
  for (const char* name : {"a", "b", "c", "d"}) evidence.add(false, name);
  EXPECT_EQ(evidence.counter_examples.size(), kCounterExamplesMax);
  EXPECT_EQ(evidence.text(), "0 of 4 items, 16 %; not a b c");
}

}  // namespace
}  // namespace sheaf::infer
