// Columns for a terminal: the first to the left, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace sheaf::measure {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heads) : rows_{std::move(heads)} {}

  // As many cells as there are heads.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Ends with a line break.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// 3, 0.5, 1.25, 12,345: at most two places, or fewer for larger numbers.
std::string figure_text(double value);
// 1.5 KB, 12 MB
std::string bytes_text(double bytes);

}  // namespace sheaf::measure
