// Figures over time, and what they will be if they go on as they did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::watch {

struct Point {
  int64_t at_us = 0;
  double value = 0;
};

// What was seen of one figure. Takes little room however long it goes on: when there are too many points,
// every second one is forgotten, so that what is old counts less than what is new.
class Series {
 public:
  static constexpr size_t kPointsMax = 64;

  // Of one moment the last value counts. A point from before the last one is not taken: clocks may jump.
  void add(Point point);

  bool empty() const { return points_.empty(); }
  const std::vector<Point>& points() const { return points_; }
  double last() const { return points_.empty() ? 0 : points_.back().value; }
  double watched_seconds() const;

 private:
  std::vector<Point> points_;
};

// Less than this is no ground for a forecast.
struct ForecastNeeds {
  size_t points = 4;
  double seconds = 60;
};

// A forecast this far away is none: what grows so slowly stands still.
inline constexpr double kForecastSecondsMax = 100.0 * 365 * 24 * 3600;
// How much of what a figure did a straight line must explain (R squared).
inline constexpr double kSteadyShare = 0.5;

struct Forecast {
  enum class Kind : uint8_t {
    kTooEarly,    // too little was seen
    kReached,     // it is there already
    kNotGrowing,  // or so slowly that it does not matter
    kUnsteady,    // it goes up and down: no line fits
    kIn,          // `seconds` from the last point on
  };
  Kind kind = Kind::kTooEarly;
  double seconds = 0;
  double per_second = 0;  // how fast it grows; 0 if it is too early to say
  double watched_seconds = 0;
};

// When the figure reaches `line`, at the rate of the straight line that fits best.
Forecast forecast(const Series& series, double line, const ForecastNeeds& needs = {});

// "12 days", "3 hours", "45 seconds": rounded down, never more exact than it is worth.
std::string duration_text(double seconds);

}  // namespace sheaf::watch
