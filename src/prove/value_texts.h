// The texts and numbers that values are taken from.
#pragma once

#include <string>
#include <vector>

#include "prove/random_values.h"

namespace sheaf::prove {

// Texts with delimiters, escapes, quotes, control characters, and prefixes of each other.
const std::vector<std::string>& hostile_texts();
// Zero, negative and fractional numbers, and the ends of what is possible.
const std::vector<std::string>& hostile_numbers();
const std::vector<std::string>& whole_numbers();
// At the borders of years, months, days and hours; all of them lie in 2024.
const std::vector<std::string>& border_times();
const std::vector<std::string>& border_dates();

// A regular expression and texts that match it.
struct Expression {
  std::string pattern;
  std::vector<std::string> texts;
};
const std::vector<Expression>& expressions();

}  // namespace sheaf::prove
