#include "model/time_buckets.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace sheaf::model {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr int64_t kMonths = 12;
constexpr int64_t kHours = 24;

int64_t digits(std::string_view text, size_t at, size_t count) {
  int64_t value = 0;
  for (size_t i = at; i < at + count && i < text.size(); ++i) value = value * 10 + (text[i] - '0');
  return value;
}

int64_t day_number(std::string_view time) {
  const year_month_day date(year(static_cast<int>(digits(time, 0, 4))),
                            month(static_cast<unsigned>(digits(time, 5, 2))),
                            day(static_cast<unsigned>(digits(time, 8, 2))));
  return sys_days(date).time_since_epoch().count();
}

std::string hour_text(int64_t year, int64_t month, int64_t day, int64_t hour, size_t bytes) {
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%04lld-%02lld-%02lldT%02lld", static_cast<long long>(year),
                static_cast<long long>(month), static_cast<long long>(day), static_cast<long long>(hour));
  return std::string(text.data(), bytes);
}

}  // namespace

bool TimeBuckets::is_one(Format format) {
  return format == Format::kYear || format == Format::kMonth || format == Format::kDay ||
         format == Format::kHour;
}

size_t TimeBuckets::bytes() const {
  return format_ == Format::kYear ? 4 : format_ == Format::kMonth ? 7 : format_ == Format::kDay ? 10 : 13;
}

std::string_view TimeBuckets::name() const {
  return format_ == Format::kYear    ? "year"
         : format_ == Format::kMonth ? "month"
         : format_ == Format::kDay   ? "day"
                                     : "hour";
}

int64_t TimeBuckets::number(std::string_view time) const {
  switch (format_) {
    case Format::kYear:
      return digits(time, 0, 4);
    case Format::kMonth:
      return digits(time, 0, 4) * kMonths + digits(time, 5, 2) - 1;
    case Format::kDay:
      return day_number(time);
    default:
      return day_number(time) * kHours + digits(time, 11, 2);
  }
}

std::string TimeBuckets::text(int64_t number) const {
  if (format_ == Format::kYear) return hour_text(number, 1, 1, 0, bytes());
  if (format_ == Format::kMonth) return hour_text(number / kMonths, number % kMonths + 1, 1, 0, bytes());
  const int64_t hour = format_ == Format::kHour ? (number % kHours + kHours) % kHours : 0;
  const int64_t day = format_ == Format::kHour ? (number - hour) / kHours : number;
  const year_month_day date{sys_days(days(day))};
  return hour_text(static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                   static_cast<unsigned>(date.day()), hour, bytes());
}

}  // namespace sheaf::model
