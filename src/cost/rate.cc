#include "cost/rate.h"

#include <array>
#include <optional>

namespace sheaf::cost {
namespace {

struct RateUnit {
  std::string_view name;
  language::Rate::Per per;
  uint64_t seconds;
};
constexpr std::array kRateUnits{
    RateUnit{"s", language::Rate::Per::kSecond, 1}, RateUnit{"min", language::Rate::Per::kMinute, 60},
    RateUnit{"h", language::Rate::Per::kHour, 3600}, RateUnit{"day", language::Rate::Per::kDay, 86'400}};

}  // namespace

Fraction per_second(const language::Rate& rate) {
  const std::optional<Fraction> count = Fraction::parse(rate.count);
  for (const RateUnit& unit : kRateUnits) {
    if (count && unit.per == rate.per) return *count / Fraction(unit.seconds);
  }
  return Fraction(1) / Fraction(0);
}

Result<Fraction> read_rate(std::string_view text) {
  const size_t slash = text.find('/');
  const std::string_view name = slash == std::string_view::npos ? "" : text.substr(slash + 1);
  const std::optional<Fraction> count = Fraction::parse(text.substr(0, slash));
  for (const RateUnit& unit : kRateUnits) {
    if (count && unit.name == name) return *count / Fraction(unit.seconds);
  }
  return Error{Code::kInvalid, "a rate is like 1000/s, 2.5/min, 40/h or 5/day, not " + std::string(text)};
}

std::string rate_text(const Fraction& per_second) {
  for (const RateUnit& unit : kRateUnits) {
    const Fraction count = per_second * Fraction(unit.seconds);
    const bool is_last = &unit == &kRateUnits.back();
    if (!is_last && count.text(0) == "0") continue;
    // A count that is whole in this unit, or as near to it as the smallest unit comes.
    if (is_last || count == Fraction(static_cast<uint64_t>(count.rounded().value_or(0))))
      return count.text() + "/" + std::string(unit.name);
  }
  return per_second.text() + "/s";
}

}  // namespace sheaf::cost
