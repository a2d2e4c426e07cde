// A comparison for people, and for programs.
#pragma once

#include <string>
#include <vector>

#include "measure/comparison.h"

namespace sheaf::measure {

// What was measured: told above the figures.
struct ReportHead {
  std::string model;  // models/hr/model.sheaf
  std::string data;   // 100 Department, 2000 Employee, seed 1
  std::string store;  // memory
  size_t runs = 0;
};

// Columns; with `has_details` also what is planned beside what is, of each layout.
std::string report_text(const ReportHead& head, const Comparison& comparison, bool has_details);
// Everything.
std::string report_json(const ReportHead& head, const Comparison& comparison);

// A page of its own, with charts: nothing of it is elsewhere, and it is light or dark as its reader's machine
// is.
std::string report_html(const ReportHead& head, const Comparison& comparison);

// "hire: 3 of 20 runs were refused: ..", with the layouts if it is not so in all that did it.
std::vector<std::string> refused_lines(const Comparison& comparison);

// 1.2x, 1x; or - where there is nothing to compare with.
std::string ratio_text(double value, double best);

}  // namespace sheaf::measure
