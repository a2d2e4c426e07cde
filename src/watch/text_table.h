// Rows and columns on a terminal.
#pragma once

#include <string>
#include <vector>

namespace sheaf::watch {

using TextRow = std::vector<std::string>;

// All rows have as many cells as the first. A line each; columns stand below each other, two spaces apart.
// Numbers are right of their column: of the columns in `right`.
std::string text_table(const std::vector<TextRow>& rows, const std::vector<size_t>& right = {});

}  // namespace sheaf::watch
