#include "transfer/csv_fields.h"

#include "base/errors.h"

namespace sheaf::transfer {

Result<std::vector<Cell>> split_cells(std::string_view record) {
  std::vector<Cell> cells;
  size_t at = 0;
  while (true) {
    Cell cell;
    if (at < record.size() && record[at] == '"') {
      cell.is_quoted = true;
      ++at;
      while (true) {
        const size_t quote = record.find('"', at);
        if (quote == std::string_view::npos)
          return invalid("cell " + std::to_string(cells.size() + 1) +
                         " begins with a quote that nothing ends");
        cell.text.append(record.substr(at, quote - at));
        at = quote + 1;
        if (at == record.size() || record[at] != '"') break;
        cell.text += '"';
        ++at;
      }
      if (at < record.size() && record[at] != ',')
        return invalid("there is text behind the quotes of cell " + std::to_string(cells.size() + 1));
    } else {
      const size_t end = std::min(record.find(',', at), record.size());
      cell.text = record.substr(at, end - at);
      if (cell.text.find('"') != std::string::npos)
        return invalid("there is a quote inside of cell " + std::to_string(cells.size() + 1) +
                       ", which does not begin with one");
      at = end;
    }
    cells.push_back(std::move(cell));
    if (at == record.size()) return cells;
    ++at;
  }
}

void append_cell(std::string& out, std::string_view text) {
  // Blanks at the ends are often taken off by others, and a row of blanks is none.
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool is_bare = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
                       !is_blank(text.front()) && !is_blank(text.back());
  if (is_bare) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace sheaf::transfer
