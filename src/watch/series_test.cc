#include "watch/series.h"

#include <gtest/gtest.h>

namespace sheaf::watch {
namespace {

using When = Forecast::Kind;

constexpr int64_t kSecond = 1'000'000;
constexpr double kDay = 24 * 3600;

Series line(int points, int64_t apart_s, double begin, double per_second) {
  Series series;
  for (int i = 0; i < points; ++i) {
    const int64_t at_s = i * apart_s;
    series.add({.at_us = at_s * kSecond, .value = begin + per_second * static_cast<double>(at_s)});
  }
  return series;
}

TEST(WatchForecast, IsTheTimeThatALineNeedsToTheLimit) {
  // 1,000 items a day, 10 minutes watched, 12 days to go.
  const Series series = line(11, 60, 1000, 1000 / kDay);
  const Forecast told = forecast(series, series.last() + 12'000);
  EXPECT_EQ(told.kind, When::kIn);
  EXPECT_NEAR(told.seconds, 12 * kDay, 1);
  EXPECT_NEAR(told.per_second, 1000 / kDay, 1e-9);
  EXPECT_EQ(told.watched_seconds, 600);
}

TEST(WatchForecast, NeedsItsTimeAndItsPoints) {
  EXPECT_EQ(forecast(line(4, 20, 0, 1), 1000).kind, When::kIn) << "4 points, 60 seconds";
  EXPECT_EQ(forecast(line(3, 30, 0, 1), 1000).kind, When::kTooEarly) << "3 points";
  EXPECT_EQ(forecast(line(60, 1, 0, 1), 1000).kind, When::kTooEarly) << "59 seconds";
  EXPECT_EQ(forecast(line(61, 1, 0, 1), 1000).kind, When::kIn);
  EXPECT_EQ(forecast({}, 1000).kind, When::kTooEarly);
  EXPECT_EQ(forecast(line(3, 1, 0, 1), 1000, {.points = 3, .seconds = 2}).kind, When::kIn);
}

TEST(WatchForecast, WhatIsAtTheLimitHasReachedItHoweverShortItWasWatched) {
  EXPECT_EQ(forecast(line(1, 1, 10, 0), 10).kind, When::kReached);
  EXPECT_EQ(forecast(line(1, 1, 9, 0), 10).kind, When::kTooEarly);
}

TEST(WatchForecast, WhatStandsStillOrShrinksNeverReachesIt) {
  EXPECT_EQ(forecast(line(10, 10, 5, 0), 10).kind, When::kNotGrowing);
  EXPECT_EQ(forecast(line(10, 10, 5, -0.01), 10).kind, When::kNotGrowing);
  const double century = kForecastSecondsMax;
  EXPECT_EQ(forecast(line(10, 10, 0, 1), century * 0.99).kind, When::kIn);
  EXPECT_EQ(forecast(line(10, 10, 0, 1), century * 1.01).kind, When::kNotGrowing);
}

TEST(WatchForecast, OfWhatGoesUpAndDownNothingIsSaid) {
  Series series;
  for (int i = 0; i < 40; ++i) series.add({.at_us = i * 10 * kSecond, .value = (i % 2) * 100.0 + i * 0.1});
  EXPECT_EQ(forecast(series, 1000).kind, When::kUnsteady);
}

TEST(WatchSeries, KeepsItsSpanInLittleRoom) {
  const Series series = line(10'000, 10, 0, 2);
  EXPECT_LE(series.points().size(), Series::kPointsMax);
  EXPECT_EQ(series.points().front().at_us, 0);
  EXPECT_EQ(series.watched_seconds(), 99'990);
  EXPECT_EQ(series.last(), 2.0 * 99'990);
  EXPECT_NEAR(forecast(series, 300'000).seconds, (300'000 - 199'980) / 2.0, 1e-3);
}

TEST(WatchSeries, HoldsAsManyPointsAsItSays) {
  EXPECT_EQ(line(64, 1, 0, 1).points().size(), 64u);
  EXPECT_EQ(line(65, 1, 0, 1).points().size(), 33u);
}

TEST(WatchSeries, DoesNotGoBackInTime) {
  Series series;
  series.add({.at_us = 10, .value = 1});
  series.add({.at_us = 9, .value = 2});
  EXPECT_EQ(series.last(), 1);
  series.add({.at_us = 10, .value = 3});
  EXPECT_EQ(series.last(), 3);
  EXPECT_EQ(series.points().size(), 1u);
}

TEST(WatchDuration, IsToldInTheUnitThatFits) {
  EXPECT_EQ(duration_text(0.4), "0 seconds");
  EXPECT_EQ(duration_text(1), "1 second");
  EXPECT_EQ(duration_text(119), "119 seconds");
  EXPECT_EQ(duration_text(120), "2 minutes");
  EXPECT_EQ(duration_text(36 * 3600), "36 hours");
  EXPECT_EQ(duration_text(12 * kDay + 5), "12 days");
  EXPECT_EQ(duration_text(800 * kDay), "2 years");
}

}  // namespace
}  // namespace sheaf::watch
