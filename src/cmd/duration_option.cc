#include "cmd/duration_option.h"

#include <charconv>

#include "watch/series.h"

namespace sheaf::cmd {

Result<double> read_duration(const std::string& option, const std::string& text, double least) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : unit == "d" ? 86'400 : 0;
  if (error != std::errc() || seconds == 0 || !(number >= 0) || number * seconds > watch::kForecastSecondsMax)
    return Error{Code::kInvalid, option + " is a time such as 30s, 10m, 12h or 5d, not " + text};
  if (number * seconds < least)
    return Error{Code::kInvalid, option + " is " + watch::duration_text(least) + " at least, not " + text};
  return number * seconds;
}

}  // namespace sheaf::cmd
