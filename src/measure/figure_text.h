// Figures for people.
#pragma once

#include <string>

namespace sheaf::measure {

// 3, 0.5, 1.25, 12,345: at most two places, or fewer for larger numbers.
std::string figure_text(double value);
// 1.5 KB, 12 MB
std::string bytes_text(double bytes);

}  // namespace sheaf::measure
