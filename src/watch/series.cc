#include "watch/series.h"

#include <cmath>

namespace sheaf::watch {
namespace {

constexpr double kUs = 1e6;

struct Line {
  double slope = 0;      // a second
  double explained = 0;  // R squared
};

// Least squares.
Line fitted_line(const std::vector<Point>& points) {
  const auto count = static_cast<double>(points.size());
  const int64_t begin_us = points.front().at_us;
  const auto time = [&](const Point& point) { return static_cast<double>(point.at_us - begin_us) / kUs; };
  double times = 0, values = 0;
  for (const Point& point : points) {
    times += time(point);
    values += point.value;
  }
  times /= count;
  values /= count;
  double of_time = 0, of_both = 0, of_value = 0;
  for (const Point& point : points) {
    const double dt = time(point) - times, dv = point.value - values;
    of_time += dt * dt;
    of_both += dt * dv;
    of_value += dv * dv;
  }
  if (of_time <= 0 || of_value <= 0) return {};
  return {.slope = of_both / of_time, .explained = of_both * of_both / (of_time * of_value)};
}

}  // namespace

void Series::add(Point point) {
  if (!points_.empty() && point.at_us < points_.back().at_us) return;
  if (!points_.empty() && point.at_us == points_.back().at_us) {
    points_.back() = point;
    return;
  }
  if (points_.size() == kPointsMax) {
    for (size_t i = 1; 2 * i < kPointsMax; ++i) points_[i] = points_[2 * i];
    points_.resize(kPointsMax / 2);
  }
  points_.push_back(point);
}

double Series::watched_seconds() const {
  return points_.empty() ? 0 : static_cast<double>(points_.back().at_us - points_.front().at_us) / kUs;
}

Forecast forecast(const Series& series, double line, const ForecastNeeds& needs) {
  using Kind = Forecast::Kind;
  Forecast told{.watched_seconds = series.watched_seconds()};
  const bool is_enough = series.points().size() >= needs.points && told.watched_seconds >= needs.seconds;
  const Line fitted = is_enough ? fitted_line(series.points()) : Line{};
  told.per_second = fitted.slope;
  if (!series.empty() && series.last() >= line) {
    told.kind = Kind::kReached;
  } else if (!is_enough) {
    told.kind = Kind::kTooEarly;
  } else if (fitted.slope <= 0) {
    told.kind = Kind::kNotGrowing;
  } else if (fitted.explained < kSteadyShare) {
    told.kind = Kind::kUnsteady;
  } else {
    told.seconds = (line - series.last()) / fitted.slope;
    told.kind = told.seconds > kForecastSecondsMax ? Kind::kNotGrowing : Kind::kIn;
    if (told.kind != Kind::kIn) told.seconds = 0;
  }
  return told;
}

std::string duration_text(double seconds) {
  struct Unit {
    double seconds;
    const char* one;
    const char* many;
  };
  static constexpr Unit kUnits[] = {{365.0 * 24 * 3600, "year", "years"},
                                    {24.0 * 3600, "day", "days"},
                                    {3600, "hour", "hours"},
                                    {60, "minute", "minutes"}};
  const auto text = [](double count, const char* one, const char* many) {
    const auto whole = static_cast<int64_t>(std::floor(count));
    return std::to_string(whole) + " " + (whole == 1 ? one : many);
  };
  // Two of a unit at least: 36 hours say more than one day.
  for (const Unit& unit : kUnits) {
    if (seconds >= 2 * unit.seconds) return text(seconds / unit.seconds, unit.one, unit.many);
  }
  return text(seconds < 0 ? 0 : seconds, "second", "seconds");
}

}  // namespace sheaf::watch
