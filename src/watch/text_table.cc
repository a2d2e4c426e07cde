#include "watch/text_table.h"

#include <algorithm>

#include "draw/text_width.h"

namespace sheaf::watch {

std::string text_table(const std::vector<TextRow>& rows, const std::vector<size_t>& right) {
  if (rows.empty()) return "";
  const auto width_of = [](const std::string& cell) { return static_cast<size_t>(draw::columns(cell)); };
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const TextRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string out;
  for (const TextRow& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width_of(row[i]), ' ');
      const bool is_right = std::find(right.begin(), right.end(), i) != right.end();
      line += (i > 0 ? "  " : "") + (is_right ? padding + row[i] : row[i] + padding);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace sheaf::watch
