#include "cmd/lag_option.h"

#include <charconv>
#include <optional>

#include "api/table_checks.h"
#include "base/try.h"
#include "engine/lags.h"

namespace sheaf::cmd {
namespace {

std::optional<std::chrono::milliseconds> read_time(std::string_view digits) {
  int64_t count = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, failure] = std::from_chars(digits.data(), end, count);
  if (failure != std::errc() || stopped != end || digits.front() == '-') return std::nullopt;
  return std::chrono::milliseconds(count);
}

std::optional<Lag> read_lag(std::string_view text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view times = text.substr(equals + 1);
  const size_t dash = times.find('-');
  const auto min = read_time(times.substr(0, dash));
  const auto max = dash == std::string_view::npos ? min : read_time(times.substr(dash + 1));
  if (!min || !max) return std::nullopt;
  return Lag{.table = std::string(text.substr(0, equals)), .min = *min, .max = *max};
}

}  // namespace

Result<std::vector<Lag>> read_lags(std::string_view option, const std::vector<std::string>& texts) {
  const auto invalid = [&](const std::string& what) {
    return Error{Code::kInvalid, std::string(option) + ": " + what};
  };
  std::vector<Lag> lags;
  for (const std::string& text : texts) {
    std::optional<Lag> lag = read_lag(text);
    if (!lag) return invalid("'" + text + "' is not TABLE=MILLISECONDS or TABLE=MIN-MAX");
    if (lag->table != "*" && !api::check_table_name(lag->table).ok())
      return invalid("'" + lag->table + "' is not the name of a table, nor * for all others");
    lags.push_back(std::move(*lag));
  }
  if (const Result<void> checked = engine::check_lags(lags); !checked.ok())
    return invalid(checked.error().message);
  return lags;
}

}  // namespace sheaf::cmd
