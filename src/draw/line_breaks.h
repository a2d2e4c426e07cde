// Where a text that is too wide for its place goes on in the next line.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::draw {

using MeasureText = std::function<double(std::string_view utf8)>;

// Lines of at most `width_max` each. Breaks behind spaces, which vanish there, and behind what separates the
// parts of keys (#, _, /, ...) where it can, else anywhere; never before a mark that sits on its character. A
// line has one character at least, however wide that is. Together the lines say what `utf8` says. An empty
// text is one empty line.
std::vector<std::string> broken_lines(std::string_view utf8, double width_max, const MeasureText& measure);

}  // namespace sheaf::draw
