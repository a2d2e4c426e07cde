#include "http/amz_date.h"

#include <algorithm>
#include <chrono>

namespace sheaf::http {
namespace {

constexpr int64_t kDaySeconds = 24 * 60 * 60;

int number_at(std::string_view digits, size_t position, size_t length) {
  int number = 0;
  for (const char digit : digits.substr(position, length)) number = number * 10 + (digit - '0');
  return number;
}

void append_number(std::string& out, int64_t number, int digits) {
  const size_t end = out.size() + static_cast<size_t>(digits);
  out.resize(end);
  for (int i = 1; i <= digits; ++i, number /= 10)
    out[end - static_cast<size_t>(i)] = static_cast<char>('0' + number % 10);
}

}  // namespace

std::optional<int64_t> parse_amz_date(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  const auto all_digits = [](std::string_view part) {
    return std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!all_digits(text.substr(0, 8)) || !all_digits(text.substr(9, 6))) return std::nullopt;

  const std::chrono::year_month_day day{std::chrono::year(number_at(text, 0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number_at(text, 4, 2))),
                                        std::chrono::day(static_cast<unsigned>(number_at(text, 6, 2)))};
  const int hour = number_at(text, 9, 2);
  const int minute = number_at(text, 11, 2);
  const int second = number_at(text, 13, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  return days * kDaySeconds + hour * 3600 + minute * 60 + second;
}

std::string format_amz_date(int64_t seconds) {
  const int64_t days = seconds >= 0 ? seconds / kDaySeconds : (seconds - kDaySeconds + 1) / kDaySeconds;
  const int64_t of_day = seconds - days * kDaySeconds;
  const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(days))};
  std::string text;
  append_number(text, static_cast<int>(day.year()), 4);
  append_number(text, static_cast<unsigned>(day.month()), 2);
  append_number(text, static_cast<unsigned>(day.day()), 2);
  text += 'T';
  append_number(text, of_day / 3600, 2);
  append_number(text, of_day / 60 % 60, 2);
  append_number(text, of_day % 60, 2);
  text += 'Z';
  return text;
}

}  // namespace sheaf::http
