// Columns for terminals.
#pragma once

#include <string>
#include <vector>

namespace sheaf {

// Rows of cells, each column as wide as its widest cell, with two spaces between. A row may have fewer cells
// than there are columns.
class TextTable {
 public:
  // One a column: numbers stand to the right.
  explicit TextTable(std::vector<bool> is_right) : is_right_(std::move(is_right)) {}
  // With a row of heads: the first column to the left, the others to the right.
  static TextTable with_heads(std::vector<std::string> heads) {
    std::vector<bool> is_right(heads.size(), true);
    is_right.front() = false;
    TextTable table(std::move(is_right));
    table.add(std::move(heads));
    return table;
  }

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::vector<bool> is_right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace sheaf
