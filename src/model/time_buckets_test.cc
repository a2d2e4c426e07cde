#include "model/time_buckets.h"

#include <gtest/gtest.h>

namespace sheaf::model {
namespace {

using Format = TimeBuckets::Format;

constexpr Format kFormats[] = {Format::kYear, Format::kMonth, Format::kDay, Format::kHour};

TEST(TimeBuckets, ATimeLiesInTheBucketThatItBeginsWith) {
  const std::string_view time = "2026-11-15T10:30:00.000Z";
  for (const Format format : kFormats) {
    const TimeBuckets buckets(format);
    EXPECT_EQ(buckets.text(buckets.number(time)), time.substr(0, buckets.bytes())) << buckets.name();
    EXPECT_EQ(buckets.number(time.substr(0, buckets.bytes())), buckets.number(time)) << buckets.name();
  }
}

TEST(TimeBuckets, TheNextOneFollowsWithoutAGap) {
  const auto next = [](Format format, std::string_view time) {
    const TimeBuckets buckets(format);
    return buckets.text(buckets.number(time) + 1);
  };
  EXPECT_EQ(next(Format::kYear, "1999"), "2000");
  EXPECT_EQ(next(Format::kMonth, "2026-12"), "2027-01");
  EXPECT_EQ(next(Format::kDay, "2024-02-28"), "2024-02-29");
  EXPECT_EQ(next(Format::kDay, "2023-02-28"), "2023-03-01");
  EXPECT_EQ(next(Format::kHour, "2026-12-31T23"), "2027-01-01T00");
  EXPECT_EQ(next(Format::kHour, "1969-12-31T23"), "1970-01-01T00");
  EXPECT_EQ(next(Format::kHour, "1960-02-29T05"), "1960-02-29T06");
}

TEST(TimeBuckets, TextsSortAsTheirNumbersDo) {
  for (const Format format : kFormats) {
    const TimeBuckets buckets(format);
    const int64_t first = buckets.number("1899-12-30T22");
    for (int64_t number = first; number < first + 4000; ++number) {
      EXPECT_LT(buckets.text(number), buckets.text(number + 1));
      EXPECT_EQ(buckets.number(buckets.text(number)), number);
    }
  }
}

}  // namespace
}  // namespace sheaf::model
