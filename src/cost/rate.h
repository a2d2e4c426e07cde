// How often something is done.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "cost/fraction.h"
#include "language/syntax.h"

namespace sheaf::cost {

// Times a second, exactly; too large if it has more than 18 digits.
Fraction per_second(const language::Rate& rate);

// 1000/s, 2.5/min, 40/h or 5/day. kInvalid for anything else.
Result<Fraction> read_rate(std::string_view text);

// 5/day: in the largest of these units in which it is no fraction below 1, or a day.
std::string rate_text(const Fraction& per_second);

}  // namespace sheaf::cost
