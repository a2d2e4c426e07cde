#include "infer/key_columns.h"

#include <gtest/gtest.h>

namespace sheaf::infer {
namespace {

TEST(KeyColumns, AllKeysAreCutAlikeOrNotAtAll) {
  std::vector<Item> items = {Item{{"k", "A#1"}}, Item{{"k", "A#2"}}, Item{{"other", "x"}}};
  const auto columns = columns_of(items, "k");
  ASSERT_TRUE(columns);
  ASSERT_EQ(columns->size(), 2u);
  EXPECT_EQ((*columns)[0].constant(), "A");
  EXPECT_FALSE((*columns)[1].constant());
  EXPECT_EQ((*columns)[1].literal, "#");
  EXPECT_FALSE((*columns)[1].texts[2]);
  items.push_back(Item{{"k", "A#1#2"}});
  EXPECT_FALSE(columns_of(items, "k"));
  EXPECT_FALSE(columns_of({Item{{"k", 7}}}, "k"));
  EXPECT_FALSE(columns_of({Item{{"other", 7}}}, "k"));
}

TEST(KeyColumns, AnEndingIsWhatAllHaveBehindAnUnderscore) {
  EXPECT_EQ(common_ending({"d-1_relation", "d-2_relation"}), "_relation");
  EXPECT_EQ(common_ending({"d-1_relation"}), "");                // one text has no common part
  EXPECT_EQ(common_ending({"a_x", "b_x"}), "");                  // too short for a word
  EXPECT_EQ(common_ending({"a_b_relation", "c_relation"}), "");  // where the value ends is not told
  EXPECT_EQ(common_ending({"a@mail.example", "b@mail.example"}), "");
}

TEST(KeyColumns, NumbersWithZerosHaveAWidthOfSixOrMore) {
  EXPECT_EQ(digits_width({"000007", "000070"}), 6u);
  EXPECT_EQ(digits_width({"00007", "00070"}), 0u);    // a code, as zip codes are
  EXPECT_EQ(digits_width({"100007", "100070"}), 0u);  // no zeros: nothing says that the width is kept
  EXPECT_EQ(digits_width({"000007", "0000070"}), 0u);
  EXPECT_EQ(without_zeros("000070"), "70");
  EXPECT_EQ(without_zeros("000000"), "0");
}

TEST(KeyColumns, BucketsAreBeginningsOfTimes) {
  EXPECT_EQ(bucket_bytes({"2026"}), 4u);
  EXPECT_EQ(bucket_bytes({"2026-01", "2026-02"}), 7u);
  EXPECT_EQ(bucket_bytes({"2026-01-02T03"}), 13u);
  EXPECT_EQ(bucket_bytes({"2026-1"}), 0u);
  EXPECT_EQ(bucket_bytes({"2026-01", "2026"}), 0u);
  EXPECT_EQ(bucket_bytes({}), 0u);
}

}  // namespace
}  // namespace sheaf::infer
